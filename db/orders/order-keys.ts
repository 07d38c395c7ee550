import { fn } from 'objection';
import type { CreatedData } from '#domain/orders/responses.ts';
import { transitions } from '#domain/orders/states.ts';
import { type Database, firstRow, type Transaction } from '../database.ts';
import { OrderKey } from './models/orders.ts';
import { insertOrder, type NewOrder } from './orders.ts';
import { lockName, transact } from './transaction.ts';

/** How long a key stands for its order. */
const LIFETIME = `interval '24 hours'`;

/** Each new key takes this many old ones away, so that none stay for long and no request removes many. */
const REMOVED_AT_ONCE = 10;

async function removeOldKeys(transaction: Transaction): Promise<void> {
  await transaction.raw(
    `delete from order_key where (tenant_id, user_id, key) in (
       select tenant_id, user_id, key from order_key where created_at < now() - ${LIFETIME}
       order by created_at limit :removed for update skip locked)`,
    { removed: REMOVED_AT_ONCE },
  );
}

type Key = Pick<OrderKey, 'tenantId' | 'userId' | 'key' | 'requestHash'>;

/** The order that the key stands for, with its statuses of now. */
const findKeyed = (transaction: Transaction, { tenantId, userId, key }: Key) =>
  firstRow<CreatedData & { requestHash: string }>(
    transaction,
    `select k.request_hash, o.order_id, o.order_no, o.order_status, o.points_status, o.payment_status
     from order_key k join customer_order o using (order_id)
     where (k.tenant_id, k.user_id, k.key) = (:tenantId, :userId, :key) and k.created_at >= now() - ${LIFETIME}`,
    { tenantId, userId, key },
  );

/**
 * Inserts the order that `make` computes, once per key: requests with one key wait for each other, and only the first
 * to succeed uses it up.
 * @returns null if the key stands for another request.
 */
export async function insertOnce(
  database: Database,
  key: Key,
  make: (transaction: Transaction) => Promise<NewOrder>,
): Promise<CreatedData | null> {
  return transact(database, async (transaction) => {
    await lockName(transaction, ['order_key', key.tenantId, key.userId, key.key]);
    const known = await findKeyed(transaction, key);
    if (known) {
      const { requestHash, ...created } = known;
      return requestHash === key.requestHash ? created : null;
    }
    const { orderId, orderNo } = await insertOrder(transaction, await make(transaction));
    await OrderKey.query(transaction)
      .insert({ ...key, orderId })
      .onConflict(['tenantId', 'userId', 'key'])
      .merge({ ...key, orderId, createdAt: fn.now() });
    await removeOldKeys(transaction);
    return { orderId, orderNo, ...transitions.created() };
  });
}
