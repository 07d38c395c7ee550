import type { OrderErrorCode } from '#domain/orders/codes.ts';
import type { Transaction } from '../database.ts';
import { Tenant } from './models/catalogue.ts';
import type { Order } from './models/orders.ts';

/** What a tenant's charges are created with. */
export type PaymentGatewaySetting = Pick<Tenant, 'shopId'>;

export async function readPaymentGatewaySetting(
  transaction: Transaction,
  tenantId: string,
): Promise<PaymentGatewaySetting> {
  const setting = await Tenant.query(transaction).findById(tenantId);
  if (!setting) throw new Error(`tenant ${tenantId} no longer exists`);
  return setting;
}

/** 90204 if cash is payable and the tenant has no shop at the payment gateway. */
export function missingPaymentGatewaySetting(
  order: Pick<Order, 'totalMinor'>,
  setting: PaymentGatewaySetting,
): OrderErrorCode | null {
  return order.totalMinor > 0 && setting.shopId === null ? 90204 : null;
}
