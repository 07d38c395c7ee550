import { z } from 'zod';
import { type AnyOperation, describeOperations } from '../api/operation.ts';
import {
  grantPointsSchema,
  orderSearchSchema,
  pointsQuerySchema,
  putCouponSchema,
  putGoodsSchema,
  putTenantSchema,
  resolveOrderSchema,
} from './administration.ts';
import {
  balancesSchema,
  createdSchema,
  orderPageSchema,
  orderSchema,
  paySchema,
  staffOrderPageSchema,
  staffOrderSchema,
  unmatchedCallbacksSchema,
} from './responses.ts';
import type { OrderErrorCode } from './codes.ts';
import {
  cancelRequestSchema,
  createOrderSchema,
  itemRequestSchema,
  listRequestSchema,
  orderId,
  payRequestSchema,
} from './requests.ts';

/** The payer's own session, one with the role `order_admin`, or the payment gateway by its signature. */
export type OrderAccess = 'payer' | 'staff' | 'gateway';

export type AnyOrderOperation = AnyOperation<OrderAccess, OrderErrorCode>;

/**
 * Describes an operation of the order service; its path is relative to `/transaction/v1`, and its response is `data` in
 * the envelope. Any operation of a session may fail with 90001, 90002, 90003 and 90999.
 */
export const orderOperation = describeOperations<OrderAccess, OrderErrorCode>();

const byId = z.object({ id: orderId });
const ofPayer = { tag: 'order', access: 'payer', status: 200 } as const;
const ofStaff = { tag: 'administration', access: 'staff', status: 200 } as const;

export const orderOperations = {
  createOrder: orderOperation({
    method: 'post',
    path: '/user/order/create',
    ...ofPayer,
    summary: 'Creates an order; its amounts are computed and fixed now',
    body: createOrderSchema,
    response: createdSchema,
    errors: [90044, 90201, 90041, 90015, 90039, 90213, 90208, 90212, 90207, 90203],
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
    response: orderPageSchema,
  }),
  payOrder: orderOperation({
    method: 'post',
    path: '/user/order/{id}/pay',
    ...ofPayer,
    summary: 'Holds points, stock and coupons, and charges what is payable; safe to repeat',
    params: byId,
    body: payRequestSchema,
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
    response: paySchema,
    errors: [90200, 90202, 90301, 90304],
  }),
  putTenant: orderOperation({
    method: 'put',
    path: '/admin/tenants/{id}',
    ...ofStaff,
    summary: 'Creates or replaces a tenant',
    params: byId,
    body: putTenantSchema,
    response: putTenantSchema.extend({ tenantId: z.string() }),
  }),
  putGoods: orderOperation({
    method: 'put',
    path: '/admin/goods/{id}',
    ...ofStaff,
    summary: 'Creates or replaces goods; orders that exist keep their amounts',
    params: byId,
    body: putGoodsSchema,
    response: z.object({ goodsId: z.string(), tenantId: z.string() }),
    errors: [90201],
  }),
  putCoupon: orderOperation({
    method: 'put',
    path: '/admin/coupons/{id}',
    ...ofStaff,
    summary: 'Gives a user a coupon for one use',
    params: byId,
    body: putCouponSchema,
    response: z.object({ couponId: z.string(), tenantId: z.string(), userId: z.string(), status: z.string() }),
    errors: [90201],
  }),
  grantPoints: orderOperation({
    method: 'post',
    path: '/admin/points/grant',
    ...ofStaff,
    summary: 'Grants points to a user, once a key',
    body: grantPointsSchema,
    response: balancesSchema,
    errors: [90201],
  }),
  getPoints: orderOperation({
    method: 'get',
    path: '/admin/points',
    ...ofStaff,
    summary: "A user's points at a tenant",
    query: pointsQuerySchema,
    response: balancesSchema,
  }),
  searchOrders: orderOperation({
    method: 'get',
    path: '/admin/orders',
    ...ofStaff,
    summary: 'Orders of the tenants of staff, newest first',
    query: orderSearchSchema,
    response: staffOrderPageSchema,
  }),
  listUnmatchedCallbacks: orderOperation({
    method: 'get',
    path: '/admin/callbacks/unmatched',
    ...ofStaff,
    summary: 'Callbacks of the tenants’ shops that fit no payment; the newest 100',
    response: unmatchedCallbacksSchema,
  }),
  getStaffOrder: orderOperation({
    method: 'get',
    path: '/admin/orders/{id}',
    ...ofStaff,
    summary: 'One order with its ledger entries, flags, events and workflow id',
    params: byId,
    response: staffOrderSchema,
    errors: [90200],
  }),
  resolveOrder: orderOperation({
    method: 'post',
    path: '/admin/orders/{id}/resolve',
    ...ofStaff,
    summary: 'Decides a flagged order: complete it, or give the money back',
    params: byId,
    body: resolveOrderSchema,
    response: staffOrderSchema,
    errors: [90200, 90202, 90304],
  }),
};
