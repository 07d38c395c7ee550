import { z } from 'zod';
import { noteOrderSchema, orderFilterSchema, orderSearchSchema, resolveOrderSchema } from '../administration.ts';
import {
  refundOrderSchema,
  refundPageSchema,
  refundSchema,
  refundSearchSchema,
  resolveRefundSchema,
} from '../administration/refunds.ts';
import { changeInvoiceSchema } from '../invoice.ts';
import { attentionSchema, orderStandingSchema, staffOrderPageSchema, staffOrderSchema } from '../responses.ts';
import { byId, forKeys, ofStaff, orderOperation } from './describe.ts';

/** Orders as staff see and decide them. */
export const staffOrderOperations = {
  searchOrders: orderOperation({
    method: 'get',
    path: '/admin/orders',
    ...ofStaff,
    ...forKeys.readOrders,
    summary: 'Orders of the tenants of staff, newest first',
    query: orderSearchSchema,
    response: staffOrderPageSchema,
  }),
  exportOrders: orderOperation({
    method: 'get',
    path: '/admin/orders.csv',
    ...ofStaff,
    ...forKeys.readOrders,
    summary: 'The same orders as a file of comma-separated values',
    description:
      'In UTF-8 with a byte order mark and a header line, streamed page by page: orders that change while it is read may ' +
      'be in their old or new state. A value that a spreadsheet would take for a formula begins with an apostrophe.',
    query: orderFilterSchema,
    response: z.string(),
    responseType: 'text/csv',
    errors: [90029],
  }),
  getStaffOrder: orderOperation({
    method: 'get',
    path: '/admin/orders/{id}',
    ...ofStaff,
    ...forKeys.readOrders,
    summary: 'One order with its ledger entries, flags, charges, events, refunds and workflow id',
    params: byId,
    response: staffOrderSchema,
    errors: [90200],
  }),
  getOrderStanding: orderOperation({
    method: 'get',
    path: '/admin/orders/{id}/standing',
    ...ofStaff,
    ...forKeys.readOrders,
    summary: 'Why an order has made no progress for longer than expected, if it has not',
    params: byId,
    response: orderStandingSchema,
    errors: [90200],
  }),
  resolveOrder: orderOperation({
    method: 'post',
    path: '/admin/orders/{id}/resolve',
    ...ofStaff,
    summary: 'Decides a flagged order: complete it, or give the money back',
    description:
      '`complete` reads the charge first: 90206 where it is not paid. `refund` cancels it first; where it was never paid, nothing is refunded (40/40/40).',
    params: byId,
    body: resolveOrderSchema,
    response: staffOrderSchema,
    errors: [90200, 90202, 90206, 90304],
  }),
  noteOrder: orderOperation({
    method: 'post',
    path: '/admin/orders/{id}/notes',
    ...ofStaff,
    ...forKeys.writeOrders,
    status: 201,
    summary: 'Adds a note for other staff to an order; it stays as it is',
    params: byId,
    body: noteOrderSchema,
    response: staffOrderSchema,
    errors: [90200],
  }),
  changeInvoice: orderOperation({
    method: 'patch',
    path: '/admin/orders/{id}/invoice',
    ...ofStaff,
    ...forKeys.writeOrders,
    summary: 'Stores which invoice a provider issued for a DONE order, and whether it was voided',
    description:
      '`number` and `issuedAt` come together at first; what is missing later stays as it is. Another number is another ' +
      'invoice: 90202 until the present one is voided.',
    params: byId,
    body: changeInvoiceSchema,
    clears: ['voidedAt'],
    example: { number: 'AB-12345678', issuedAt: '2026-11-22T10:00:00+08:00' },
    response: staffOrderSchema,
    errors: [90200, 90202],
  }),
  getAttention: orderOperation({
    method: 'get',
    path: '/admin/attention',
    ...ofStaff,
    ...forKeys.readOrders,
    summary: 'How much waits for a decision by staff',
    response: attentionSchema,
  }),
  refundOrder: orderOperation({
    method: 'post',
    path: '/admin/orders/{id}/refund',
    ...ofStaff,
    ...forKeys.refundOrders,
    status: 202,
    summary: 'Refunds a DONE order, all or in part, once per key',
    params: byId,
    body: refundOrderSchema,
    response: staffOrderSchema,
    errors: [90200, 90202, 90205],
  }),
  listRefunds: orderOperation({
    method: 'get',
    path: '/admin/refunds',
    ...ofStaff,
    ...forKeys.readOrders,
    summary: 'Refunds of the tenants of staff, newest first, those of money without an order included',
    query: refundSearchSchema,
    response: refundPageSchema,
  }),
  resolveRefund: orderOperation({
    method: 'post',
    path: '/admin/refunds/{id}/resolve',
    ...ofStaff,
    summary: 'Decides a refund that needs staff: ask the gateway again, or note that it was done elsewhere',
    params: byId,
    body: resolveRefundSchema,
    response: refundSchema,
    errors: [90200, 90202],
  }),
};
