import { z } from 'zod';
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

/** One HTTP operation of the order service; the path is relative to `/transaction/v1`. */
export interface OrderOperation<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  method: 'get' | 'post' | 'put';
  path: `/${string}`;
  tag: 'order' | 'administration';
  summary: string;
  /** The payer's own session, or one with the role order_admin. */
  access: 'payer' | 'staff';
  params: Params;
  query: Query;
  body: Body;
  response: Answer;
  /** Codes beside 90001, 90002, 90003 and 90999. */
  codes: readonly OrderErrorCode[];
}

const none = z.object({});
const noBody = z.undefined();
const byId = z.object({ id: orderId });

function define<
  Params extends z.ZodType = typeof none,
  Query extends z.ZodType = typeof none,
  Body extends z.ZodType = typeof noBody,
  Answer extends z.ZodType = z.ZodType,
>(
  given: Pick<OrderOperation, 'method' | 'path' | 'tag' | 'summary' | 'codes'> & {
    params?: Params;
    query?: Query;
    body?: Body;
    response: Answer;
  },
): OrderOperation<Params, Query, Body, Answer> {
  return {
    ...given,
    access: given.tag === 'order' ? 'payer' : 'staff',
    params: given.params ?? (none as unknown as Params),
    query: given.query ?? (none as unknown as Query),
    body: given.body ?? (noBody as unknown as Body),
  };
}

export const orderOperations = {
  createOrder: define({
    method: 'post',
    path: '/user/order/create',
    tag: 'order',
    summary: 'Creates an order; its amounts are computed and fixed now',
    body: createOrderSchema,
    response: createdSchema,
    codes: [90044, 90201, 90041, 90015, 90039, 90213, 90208, 90212, 90207, 90203],
  }),
  getOrder: define({
    method: 'post',
    path: '/user/order/item',
    tag: 'order',
    summary: 'One order of the payer',
    body: itemRequestSchema,
    response: orderSchema,
    codes: [90200],
  }),
  listOrders: define({
    method: 'post',
    path: '/user/order/list',
    tag: 'order',
    summary: 'The orders of the payer at a tenant, newest first',
    body: listRequestSchema,
    response: orderPageSchema,
    codes: [],
  }),
  payOrder: define({
    method: 'post',
    path: '/user/order/{id}/pay',
    tag: 'order',
    summary: 'Holds points, stock and coupons, and charges what is payable; safe to repeat',
    params: byId,
    body: payRequestSchema,
    response: paySchema,
    codes: [90200, 90202, 90204, 90201, 90039, 90300, 90301, 90303, 90304],
  }),
  cancelOrder: define({
    method: 'post',
    path: '/user/order/{id}/cancel',
    tag: 'order',
    summary: 'Cancels an order that is not done; one that was paid meanwhile completes',
    params: byId,
    body: cancelRequestSchema,
    response: paySchema,
    codes: [90200, 90202, 90301, 90304],
  }),
  putTenant: define({
    method: 'put',
    path: '/admin/tenants/{id}',
    tag: 'administration',
    summary: 'Creates or replaces a tenant',
    params: byId,
    body: putTenantSchema,
    response: putTenantSchema.extend({ tenantId: z.string() }),
    codes: [],
  }),
  putGoods: define({
    method: 'put',
    path: '/admin/goods/{id}',
    tag: 'administration',
    summary: 'Creates or replaces goods; orders that exist keep their amounts',
    params: byId,
    body: putGoodsSchema,
    response: z.object({ goodsId: z.string(), tenantId: z.string() }),
    codes: [90201],
  }),
  putCoupon: define({
    method: 'put',
    path: '/admin/coupons/{id}',
    tag: 'administration',
    summary: 'Gives a user a coupon for one use',
    params: byId,
    body: putCouponSchema,
    response: z.object({ couponId: z.string(), tenantId: z.string(), userId: z.string(), status: z.string() }),
    codes: [90201],
  }),
  grantPoints: define({
    method: 'post',
    path: '/admin/points/grant',
    tag: 'administration',
    summary: 'Grants points to a user, once a key',
    body: grantPointsSchema,
    response: balancesSchema,
    codes: [90201],
  }),
  getPoints: define({
    method: 'get',
    path: '/admin/points',
    tag: 'administration',
    summary: "A user's points at a tenant",
    query: pointsQuerySchema,
    response: balancesSchema,
    codes: [],
  }),
  searchOrders: define({
    method: 'get',
    path: '/admin/orders',
    tag: 'administration',
    summary: 'Orders of the tenants of staff, newest first',
    query: orderSearchSchema,
    response: staffOrderPageSchema,
    codes: [],
  }),
  listUnmatchedCallbacks: define({
    method: 'get',
    path: '/admin/callbacks/unmatched',
    tag: 'administration',
    summary: 'Callbacks of the tenants’ shops that fit no payment; the newest 100',
    response: unmatchedCallbacksSchema,
    codes: [],
  }),
  getStaffOrder: define({
    method: 'get',
    path: '/admin/orders/{id}',
    tag: 'administration',
    summary: 'One order with its ledger entries, flags, events and workflow id',
    params: byId,
    response: staffOrderSchema,
    codes: [90200],
  }),
  resolveOrder: define({
    method: 'post',
    path: '/admin/orders/{id}/resolve',
    tag: 'administration',
    summary: 'Decides a flagged order: complete it, or give the money back',
    params: byId,
    body: resolveOrderSchema,
    response: staffOrderSchema,
    codes: [90200, 90202, 90304],
  }),
};
