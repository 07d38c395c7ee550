import { z } from 'zod';
import type { AuditEntry } from '#domain/api/audit.ts';
import type { Page } from '#domain/api/primitives.ts';
import { decodeCursor, keyText, moment, pageOf } from '#domain/cursor.ts';
import { type Database, firstRow, rows } from '#db/database.ts';
import { atMicroseconds, toMicroseconds } from '../sql-fragments.ts';

export type AuditRecord = Omit<AuditEntry, 'at'> & { writtenAt: Date; at: string };

/**
 * Maximum stored size in bytes of a `before` or `after` that a list still shows: an assignment can name 10,000
 * contacts.
 */
export const LISTED_BYTES = 16_384;

const named = { campaign: 'campaign_id', tag: 'tag_id', smart_tag_rule: 'rule_id', audience: 'audience_id' };
const nameOfObject = `case object_type
  when 'automation' then (select c.name from campaign c where c.tenant_id = audit_log.tenant_id and c.campaign_id = object_id)
  ${Object.entries(named)
    .map(
      ([table, key]) =>
        `when '${table}' then (select o.name from ${table} o where o.tenant_id = audit_log.tenant_id and o.${key} = object_id)`,
    )
    .join(' ')} end`;

const columns = `audit_id, at as written_at, actor, action, object_type, object_id, ${nameOfObject} as object_name,
  request_id, caller_request_id, ${toMicroseconds('at')} as at`;

/** SQL: whether a list still shows this `before` or `after`. */
export const isShort = (column: string) => `coalesce(pg_column_size(${column}), 0) <= ${LISTED_BYTES}`;

export interface AuditFilter {
  limit: number;
  cursor?: string | undefined;
  objectType?: string | undefined;
  objectId?: string | undefined;
  actor?: string | undefined;
  /** ISO 8601; the period is [from, to). */
  from?: string | undefined;
  to?: string | undefined;
}

/** The tenant's audit log, newest first. */
export async function listAuditLog(
  database: Database,
  tenantId: string,
  { limit, cursor, objectType, objectId, actor, from, to }: AuditFilter,
): Promise<Page<AuditRecord>> {
  const after = decodeCursor(z.tuple([moment, keyText]), cursor);
  const found = await rows<AuditRecord>(
    database,
    `select ${columns}, ${isShort('before')} and ${isShort('after')} as complete,
       case when ${isShort('before')} then before end as before, case when ${isShort('after')} then after end as after
     from audit_log where tenant_id = :tenantId
       ${objectType === undefined ? '' : 'and object_type = :objectType'}
       ${objectId === undefined ? '' : 'and object_id = :objectId'}
       ${actor === undefined ? '' : 'and actor = :actor'}
       ${from === undefined ? '' : 'and audit_log.at >= :from::timestamptz'}
       ${to === undefined ? '' : 'and audit_log.at < :to::timestamptz'}
       ${after ? `and (at, audit_id) < (${atMicroseconds('at')}, :after)` : ''}
     order by audit_log.at desc, audit_id desc limit :rows`,
    { tenantId, objectType, objectId, actor, from, to, at: after?.[0], after: after?.[1], rows: limit + 1 },
  );
  return pageOf(found, limit, (row) => [row.at, row.auditId]);
}

/** Null if the tenant has no such entry. */
export function findAuditEntry(database: Database, tenantId: string, auditId: string): Promise<AuditRecord | null> {
  return firstRow<AuditRecord>(
    database,
    `select ${columns}, before, after, true as complete from audit_log
     where tenant_id = :tenantId and audit_id = :auditId`,
    { tenantId, auditId },
  );
}
