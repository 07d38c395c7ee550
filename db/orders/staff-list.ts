import { z } from 'zod';
import type { Page } from '#domain/api/primitives.ts';
import { decodeCursor, keyText, microseconds, pageOf, type PageRequest } from '#domain/cursor.ts';
import { type Database, rows } from '#db/database.ts';
import { reached, type StaffReach } from './staff.ts';

/** Rows of one of the tenants that the session reaches, or of all of them; at one status, or at any. */
export interface StatusSearch<Status> extends StaffReach {
  tenantId: string | undefined;
  status: Status | undefined;
}

/** What is listed by tenant and status: an index has its rows in this order. */
interface Listed {
  table: 'refund' | 'dispute';
  at: 'created_at' | 'opened_at';
  id: 'refund_id' | 'dispute_id';
  /** SQL for what is shown of a row `r`. */
  columns: string;
  statuses: readonly string[];
}

const position = z.tuple([microseconds, keyText]);

/** The rows of the tenants of staff, newest first: as many of each tenant and status are read as a page needs. */
export async function listNewest<Row extends object>(
  database: Database,
  { table, at, id, columns, statuses }: Listed,
  { tenantId, status, ...reach }: StatusSearch<string>,
  { cursor, limit }: PageRequest,
): Promise<Page<Row>> {
  const [micros, lastId] = decodeCursor(position, cursor) ?? [];
  const after =
    micros === undefined
      ? 'true'
      : `(${at}, ${id}) < (timestamptz 'epoch' + :micros * interval '1 microsecond', :lastId)`;
  const newest = `order by ${at} desc, ${id} desc limit :limit`;
  const found = await rows<Row & { micros: number; id: string }>(
    database,
    `select ${columns}, (extract(epoch from r.${at}) * 1000000)::bigint as micros, r.${id} as id
     from (${reached}) reach (tenant_id)
     cross join unnest(cast(:statuses as text[])) wanted (status)
     cross join lateral (select * from ${table} l
       where l.tenant_id = reach.tenant_id and l.status = wanted.status and ${after} ${newest}) r
     where ${tenantId === undefined ? 'true' : 'reach.tenant_id = :tenantId'} ${newest}`,
    { ...reach, tenantId, statuses: status === undefined ? [...statuses] : [status], micros, lastId, limit: limit + 1 },
  );
  return pageOf(found, limit, (last) => [last.micros, last.id]);
}
