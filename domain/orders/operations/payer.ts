import { z } from 'zod';
import { page } from '#domain/api/primitives.ts';
import { couponSchema } from '../administration/catalogue.ts';
import { balancesSchema, createdSchema, orderPageSchema, orderSchema, paySchema } from '../responses.ts';
import {
  cancelRequestSchema,
  createOrderSchema,
  idempotencyKey,
  itemRequestSchema,
  listRequestSchema,
  ownBalancesSchema,
  ownedListSchema,
  payRequestSchema,
} from '../requests.ts';
import { byId, ofPayer, orderOperation } from './describe.ts';

/** What a payer can do with the own session. */
export const payerOperations = {
  createOrder: orderOperation({
    method: 'post',
    path: '/user/order/create',
    ...ofPayer,
    summary: 'Creates an order; its amounts are computed and fixed now',
    description:
      'With an `Idempotency-Key` (per payer and tenant, for 24 h) the same body gives the same order, and another body 90205. ' +
      'A program with an API key names the payer, whose order it is, and must send one.',
    headers: z.object({ 'idempotency-key': idempotencyKey.optional() }),
    body: createOrderSchema,
    example: { tenantId: 'harbor-coffee', title: 'A mug', items: [{ goodsId: 'harbor-mug', qty: 1 }] },
    response: createdSchema,
    errors: [90044, 90201, 90041, 90015, 90039, 90205, 90213, 90208, 90212, 90207, 90203],
  }),
  getOrder: orderOperation({
    method: 'post',
    path: '/user/order/item',
    ...ofPayer,
    summary: 'One order of the payer',
    body: itemRequestSchema,
    response: orderSchema,
    errors: [90200],
  }),
  listOrders: orderOperation({
    method: 'post',
    path: '/user/order/list',
    ...ofPayer,
    summary: 'The orders of the payer at a tenant, newest first',
    body: listRequestSchema,
    example: { tenantId: 'harbor-coffee' },
    response: orderPageSchema,
  }),
  payOrder: orderOperation({
    method: 'post',
    path: '/user/order/{id}/pay',
    ...ofPayer,
    summary: 'Holds points, stock and coupons, and charges what is payable; safe to repeat',
    description: 'An `Idempotency-Key` may come with it, and changes nothing: each call is a repetition of the first.',
    params: byId,
    body: payRequestSchema,
    example: { tenantId: 'harbor-coffee' },
    response: paySchema,
    errors: [90200, 90202, 90204, 90201, 90039, 90300, 90301, 90303, 90304],
  }),
  cancelOrder: orderOperation({
    method: 'post',
    path: '/user/order/{id}/cancel',
    ...ofPayer,
    summary: 'Cancels an order that is not done; one that was paid meanwhile completes',
    params: byId,
    body: cancelRequestSchema,
    example: { tenantId: 'harbor-coffee' },
    response: paySchema,
    errors: [90200, 90202, 90301, 90304],
  }),
  getOwnPoints: orderOperation({
    method: 'post',
    path: '/user/points',
    ...ofPayer,
    summary: 'The points of the payer at a tenant',
    body: ownBalancesSchema,
    example: { tenantId: 'harbor-coffee' },
    response: balancesSchema,
  }),
  listOwnCoupons: orderOperation({
    method: 'post',
    path: '/user/coupons',
    ...ofPayer,
    summary: 'The coupons of the payer at a tenant that can be used now, by id',
    body: ownedListSchema,
    example: { tenantId: 'harbor-coffee' },
    response: page(couponSchema),
  }),
};
