import { type PointKind, pointKinds } from '../../domain/orders/administration.ts';
import type { Balances } from '../../domain/orders/responses.ts';
import { type Database, rows, type Transaction } from '../database.ts';
import { type Bucket, PointAccount } from './models.ts';
import type { OrderRow } from './orders.ts';

export interface Account {
  tenantId: string;
  userId: string;
  kind: PointKind;
}

/** The source and destination of points for each movement of an order. */
const movements = {
  reserve: ['available', 'reserved'],
  commit: ['reserved', 'committed'],
  release: ['reserved', 'available'],
} satisfies Record<string, [Bucket, Bucket]>;
export type Movement = keyof typeof movements;

/**
 * Writes both rows of a movement and updates the balance, unless the movement already exists. The caller holds the
 * account's row lock.
 * @returns false if it already existed.
 */
async function move(
  transaction: Transaction,
  movement: Movement,
  account: Account,
  entry: { key: string; amount: number; orderId: string },
): Promise<boolean> {
  const [from, to] = movements[movement];
  const written = await rows(
    transaction,
    `insert into ledger_entry (movement, bucket, amount, tenant_id, user_id, kind, order_id)
     select :key, bucket, sign * cast(:amount as bigint), :tenantId, :userId, :kind, :orderId
     from (values (cast(:from as text), -1), (:to, 1)) as sides (bucket, sign)
     on conflict (movement, bucket) do nothing returning entry_id`,
    { ...account, ...entry, from, to },
  );
  if (written.length === 0) return false;
  await transaction.raw(
    `update point_account set ${from} = ${from} - :amount, ${to} = ${to} + :amount
     where tenant_id = :tenantId and user_id = :userId and kind = :kind`,
    { ...account, amount: entry.amount },
  );
  return true;
}

/**
 * The amounts an order takes of each kind, in the order in which accounts are locked; kinds it does not take are left
 * out.
 */
function pointsOf(order: Pick<OrderRow, 'tenantPoints' | 'districtPoints' | 'walletPoints'>) {
  const amounts: Record<PointKind, number> = {
    tenant: order.tenantPoints,
    district: order.districtPoints,
    wallet: order.walletPoints,
  };
  return pointKinds
    .toSorted()
    .map((kind) => ({ kind, amount: amounts[kind] }))
    .filter(({ amount }) => amount > 0);
}

export const hasPoints = (order: Pick<OrderRow, 'tenantPoints' | 'districtPoints' | 'walletPoints'>): boolean =>
  pointsOf(order).length > 0;

/** Locks the accounts an order needs and returns whether each has enough. */
export async function enoughPoints(transaction: Transaction, order: OrderRow): Promise<boolean> {
  const needed = pointsOf(order);
  if (needed.length === 0) return true;
  const found = await rows<{ kind: PointKind; available: number }>(
    transaction,
    `select kind, available from point_account where tenant_id = :tenantId and user_id = :userId and kind = any(:kinds)
     order by kind for update`,
    { tenantId: order.pointsTenantId, userId: order.userId, kinds: needed.map(({ kind }) => kind) },
  );
  const available = new Map(found.map((row) => [row.kind, row.available]));
  return needed.every(({ kind, amount }) => (available.get(kind) ?? 0) >= amount);
}

/** Moves all points of an order's attempt; a movement that already exists is not repeated. */
export async function movePoints(
  transaction: Transaction,
  movement: 'reserve' | 'commit' | 'release',
  order: OrderRow,
): Promise<void> {
  for (const { kind, amount } of pointsOf(order)) {
    const account = { tenantId: order.pointsTenantId, userId: order.userId, kind };
    const key = `${movement}:${order.orderId}:${order.attempt}:${kind}`;
    await move(transaction, movement, account, { key, amount, orderId: order.orderId });
  }
}

/** A user's balances at a tenant; all zeros for an account that was never used. */
export async function findBalances(database: Database, owner: { tenantId: string; userId: string }): Promise<Balances> {
  const { tenantId, userId } = owner;
  const found = await PointAccount.query(database).where({ tenantId, userId });
  const empty = { available: 0, reserved: 0, committed: 0 };
  const of = (kind: PointKind) => {
    const row = found.find((candidate) => candidate.kind === kind);
    return row ? { available: row.available, reserved: row.reserved, committed: row.committed } : empty;
  };
  return { tenant: of('tenant'), district: of('district'), wallet: of('wallet') };
}
