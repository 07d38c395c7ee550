import { z } from 'zod';
import { type AnyOperation, describeOperations } from '#domain/api/operation.ts';
import type { OrderErrorCode } from '../codes.ts';
import { orderId, storedId } from '../requests.ts';

/** Prefix of every path of the order service. */
export const ORDERS_PREFIX = '/transaction/v1';

/** The payer's own session, one with the role `order_admin`, or the payment gateway by its signature. */
export type OrderAccess = 'payer' | 'staff' | 'gateway';

export type AnyOrderOperation = AnyOperation<OrderAccess, OrderErrorCode>;

/**
 * Describes an operation of the order service; its path is relative to `/transaction/v1`, and its response is `data` in
 * the envelope. Any operation of a session may fail with 90001, 90002, 90003 and 90999.
 */
export const orderOperation = describeOperations<OrderAccess, OrderErrorCode>();

export const byId = z.object({ id: orderId });
/** For what a PUT may create. */
export const byNewId = z.object({ id: storedId });
export const ofPayer = { tag: 'order', access: 'payer', status: 200, scopes: ['payers:create'] } as const;
export const ofStaff = { tag: 'administration', access: 'staff', status: 200 } as const;

/** Which API keys may use an operation of staff; all others are for people. Who may write may read, too. */
export const forKeys = {
  readOrders: { scopes: ['orders:read', 'orders:write', 'orders:refund'] },
  writeOrders: { scopes: ['orders:write'] },
  refundOrders: { scopes: ['orders:refund'] },
  readCatalogue: { scopes: ['catalogue:read', 'catalogue:write'] },
  writeCatalogue: { scopes: ['catalogue:write'] },
  readPoints: { scopes: ['points:read', 'points:write'] },
  writePoints: { scopes: ['points:write'] },
} as const;
