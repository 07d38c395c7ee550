import { type PointKind, pointKinds } from '#domain/orders/administration.ts';
import type { Points } from '#domain/orders/lines.ts';
import type { Balances } from '#domain/orders/responses.ts';
import { type Database, rows, type Transaction } from '../database.ts';
import { type Bucket, PointAccount } from './models/points.ts';
import type { OrderRow } from './orders.ts';

export interface Account {
  tenantId: string;
  userId: string;
  kind: PointKind;
}

/** The source and destination of points for each movement of an order that has been opened. */
const movements = {
  commit: ['reserved', 'committed'],
  release: ['reserved', 'available'],
  return: ['committed', 'available'],
} satisfies Record<string, [Bucket, Bucket]>;
export type Movement = keyof typeof movements;

/** Amounts of each kind, in the order in which accounts are locked; kinds of which there are none are left out. */
const inOrder = (amounts: Points) =>
  pointKinds
    .toSorted()
    .map((kind) => ({ kind, amount: amounts[kind] }))
    .filter(({ amount }) => amount > 0);

/** The amounts an order takes. */
const pointsOf = (order: Pick<OrderRow, 'tenantPoints' | 'districtPoints' | 'walletPoints'>) =>
  inOrder({ tenant: order.tenantPoints, district: order.districtPoints, wallet: order.walletPoints });

export const hasPoints = (order: Pick<OrderRow, 'tenantPoints' | 'districtPoints' | 'walletPoints'>): boolean =>
  pointsOf(order).length > 0;

/** A part of what an order took, by its own id. */
export interface PartOfPoints {
  partId: string;
  points: Points;
}

/**
 * Moves points of an order's attempt, all of them or a part, in one statement: the accounts are locked in the order of their kinds, and
 * only those that have enough are moved from. A movement happens once: repeating it violates the key of its entries.
 * @returns false if an account has too little; the caller rolls back what the others gave.
 */
export async function movePoints(
  transaction: Transaction,
  movement: Movement,
  order: OrderRow,
  part?: PartOfPoints,
): Promise<boolean> {
  const points = part ? inOrder(part.points) : pointsOf(order);
  if (points.length === 0) return true;
  const [from, to] = movements[movement];
  const moved = await rows(
    transaction,
    `with wanted as (select * from unnest(cast(:kinds as text[]), cast(:amounts as bigint[])) as w (kind, amount)),
     locked as (
       select a.kind, w.amount from point_account a join wanted w using (kind)
       where a.tenant_id = :tenantId and a.user_id = :userId and a.${from} >= w.amount
       order by a.kind for no key update of a),
     written as (
       insert into ledger_entry (movement, bucket, amount, tenant_id, user_id, kind, order_id)
       select concat_ws(':', '${movement}', cast(:orderId as text), cast(:attempt as integer), cast(:partId as text),
           l.kind), s.bucket,
         s.sign * l.amount, :tenantId, :userId, l.kind, :orderId
       from locked l cross join (values ('${from}', -1), ('${to}', 1)) as s (bucket, sign))
     update point_account a set ${from} = a.${from} - l.amount, ${to} = a.${to} + l.amount
     from locked l where a.tenant_id = :tenantId and a.user_id = :userId and a.kind = l.kind returning a.kind`,
    {
      kinds: points.map(({ kind }) => kind),
      amounts: points.map(({ amount }) => amount),
      tenantId: order.pointsTenantId,
      userId: order.userId,
      orderId: order.orderId,
      attempt: order.attempt,
      partId: part?.partId ?? null,
    },
  );
  return moved.length === points.length;
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
