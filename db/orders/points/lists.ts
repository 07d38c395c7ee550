import { z } from 'zod';
import type { Page } from '#domain/api/primitives.ts';
import { decodeCursor, keyText, pageOf, type PageRequest } from '#domain/cursor.ts';
import { type PointKind, pointKinds } from '#domain/orders/administration.ts';
import type { MovementKind } from '#domain/orders/administration/points.ts';
import type { Balances } from '#domain/orders/responses.ts';
import { type Database, rows } from '#db/database.ts';

export interface AccountRow {
  userId: string;
  points: Balances;
}

const balanceOf = (kind: PointKind) => `jsonb_build_object(
  'available', coalesce(sum(available) filter (where kind = '${kind}'), 0)::bigint,
  'reserved', coalesce(sum(reserved) filter (where kind = '${kind}'), 0)::bigint,
  'committed', coalesce(sum(committed) filter (where kind = '${kind}'), 0)::bigint)`;

/** By bytes, so that one index finds the beginning of an id whatever the database's language is. */
const byId = 'user_id collate "C"';

/** Users with an account at the tenant, by id; `q` is the beginning of an id. @throws Problem for a foreign cursor */
export async function listAccounts(
  database: Database,
  { tenantId, q }: { tenantId: string; q: string | undefined },
  { cursor, limit }: PageRequest,
): Promise<Page<AccountRow>> {
  const [after] = decodeCursor(z.tuple([keyText]), cursor) ?? [];
  const conditions = [
    'tenant_id = :tenantId',
    ...(after === undefined ? [] : [`${byId} > :after`]),
    // No character sorts behind the last of Unicode.
    ...(q ? [`${byId} >= :q and ${byId} < :q || chr(1114111)`] : []),
  ].join(' and ');
  const found = await rows<AccountRow>(
    database,
    `select ${byId} as user_id, jsonb_build_object(${pointKinds.map((kind) => `'${kind}', ${balanceOf(kind)}`).join(', ')}) as points
     from point_account where ${conditions} group by ${byId} order by ${byId} limit :limit`,
    { tenantId, after: after ?? '', q: q ?? '', limit: limit + 1 },
  );
  return pageOf(found, limit, ({ userId }) => [userId]);
}

export interface EntryRow {
  entryId: number;
  movement: string;
  movementKind: MovementKind;
  kind: PointKind;
  amount: number;
  orderId: string | null;
  actor: string | null;
  reason: string | null;
  at: Date;
}

/** A movement has two rows: the one where its points arrive stands for it. */
const arrives = `e.bucket = case split_part(e.movement, ':', 1)
  when 'reserve' then 'reserved' when 'commit' then 'committed' else 'available' end`;

/**
 * Movements of a user's points, newest first, of one kind or of all. Sorted by kind first, so that only the account's
 * index fits: the planner would rather read all entries there are, newest first.
 * @throws Problem for a foreign cursor
 */
export async function listEntries(
  database: Database,
  { kind, ...owner }: { tenantId: string; userId: string; kind: PointKind | undefined },
  { cursor, limit }: PageRequest,
): Promise<Page<EntryRow>> {
  const [before] = decodeCursor(z.tuple([z.int()]), cursor) ?? [];
  const found = await rows<EntryRow>(
    database,
    `select entry_id, movement, split_part(movement, ':', 1) as movement_kind, kind, amount, order_id, actor, reason, at
     from unnest(cast(:kinds as text[])) as wanted (of) cross join lateral (
       select * from ledger_entry e
       where e.tenant_id = :tenantId and e.user_id = :userId
         and (e.kind, e.entry_id) < (wanted.of, cast(:before as bigint)) and e.kind >= wanted.of
       order by e.kind desc, e.entry_id desc limit :scanned) e
     where ${arrives} order by entry_id desc limit :limit`,
    {
      ...owner,
      kinds: kind === undefined ? pointKinds : [kind],
      before: before ?? Number.MAX_SAFE_INTEGER,
      // Both rows of each movement, and what is left of the one that the page before ended with.
      scanned: 2 * (limit + 1) + 1,
      limit: limit + 1,
    },
  );
  return pageOf(found, limit, ({ entryId }) => [entryId]);
}
