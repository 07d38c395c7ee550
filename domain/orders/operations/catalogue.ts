import { z } from 'zod';
import { putCouponSchema, putGoodsSchema, putTenantSchema } from '../administration.ts';
import {
  changeStockSchema,
  couponSchema,
  couponSearchSchema,
  goodsSchema,
  goodsSearchSchema,
  stockChangePageSchema,
} from '../administration/catalogue.ts';
import { byId, byNewId, ofStaff, orderOperation } from './describe.ts';
import { page, pagePart } from '../../api/primitives.ts';

/** Tenants, goods and coupons, by staff. */
export const catalogueOperations = {
  putTenant: orderOperation({
    method: 'put',
    path: '/admin/tenants/{id}',
    ...ofStaff,
    summary: 'Creates or replaces the session’s own tenant',
    params: byNewId,
    body: putTenantSchema,
    response: putTenantSchema.extend({ tenantId: z.string() }),
  }),
  putGoods: orderOperation({
    method: 'put',
    path: '/admin/goods/{id}',
    ...ofStaff,
    summary: 'Creates or replaces goods; orders that exist keep their amounts',
    description: 'Without `stock` the stock stays as it is (new goods: unlimited); `null` makes it unlimited.',
    params: byNewId,
    body: putGoodsSchema,
    response: goodsSchema,
    errors: [90039, 90201],
  }),
  listGoods: orderOperation({
    method: 'get',
    path: '/admin/goods',
    ...ofStaff,
    summary: 'Goods of a tenant by id; `q` is part of an id or a name',
    query: goodsSearchSchema,
    response: page(goodsSchema),
  }),
  getGoods: orderOperation({
    method: 'get',
    path: '/admin/goods/{id}',
    ...ofStaff,
    summary: 'One item of goods',
    params: byId,
    response: goodsSchema,
    errors: [90201],
  }),
  changeStock: orderOperation({
    method: 'post',
    path: '/admin/goods/{id}/stock',
    ...ofStaff,
    summary: 'Adds to limited stock, or takes from it what nobody holds; once per key',
    params: byId,
    body: changeStockSchema,
    response: goodsSchema,
    errors: [90039, 90201, 90205],
  }),
  listStockChanges: orderOperation({
    method: 'get',
    path: '/admin/goods/{id}/stock',
    ...ofStaff,
    summary: 'How the stock of goods was changed by staff, newest first; sales are orders',
    params: byId,
    query: z.object(pagePart),
    response: stockChangePageSchema,
    errors: [90201],
  }),
  putCoupon: orderOperation({
    method: 'put',
    path: '/admin/coupons/{id}',
    ...ofStaff,
    summary: 'Gives a user a coupon for one use',
    params: byNewId,
    body: putCouponSchema,
    response: couponSchema,
    errors: [90201, 90202],
  }),
  listCoupons: orderOperation({
    method: 'get',
    path: '/admin/coupons',
    ...ofStaff,
    summary: 'Coupons of a tenant, by id',
    query: couponSearchSchema,
    response: page(couponSchema),
  }),
};
