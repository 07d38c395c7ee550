import { z } from 'zod';
import type { WebhookRefusal } from '#domain/api/refusals.ts';
import type { Page } from '#domain/api/primitives.ts';
import { problems } from '#domain/api/problem.ts';
import { decodeCursor, keyText, pageOf } from '#domain/cursor.ts';
import { rows } from '../database.ts';
import type { BffDatabase } from './database.ts';

/** Refused calls of one minute that have integration and reason in common. */
export interface RefusedCalls extends Pick<
  WebhookRefusal,
  'tenantIntegrationId' | 'reason' | 'code' | 'calls' | 'lastBytes' | 'lastEventId' | 'lastEventType' | 'lastDetail'
> {
  firstAt: Date;
  lastAt: Date;
}

const addSql = `
  insert into webhook_refusal as r (platform_tenant_id, minute, tenant_integration_id, reason, code, calls, first_at,
    last_at, last_bytes, last_event_id, last_event_type, last_detail)
  select i.platform_tenant_id, date_trunc('minute', g.first_at), g.integration_id, g.reason, g.code, g.calls, g.first_at,
    g.last_at, g.bytes, g.event_id, g.event_type, g.detail
  from unnest(:integrationIds::text[], :reasons::text[], :codes::text[], :calls::int[], :firstAt::timestamptz[],
      :lastAt::timestamptz[], :bytes::int[], :eventIds::text[], :eventTypes::text[], :details::text[])
    as g (integration_id, reason, code, calls, first_at, last_at, bytes, event_id, event_type, detail)
  join tenant_integration i on i.tenant_integration_id = g.integration_id
  order by 1, 2, 3, 4
  on conflict (platform_tenant_id, minute, tenant_integration_id, reason) do update
    set calls = r.calls + excluded.calls, first_at = least(r.first_at, excluded.first_at),
      last_at = greatest(r.last_at, excluded.last_at), last_bytes = excluded.last_bytes,
      last_event_id = excluded.last_event_id, last_event_type = excluded.last_event_type,
      last_detail = excluded.last_detail`;

/**
 * Adds the calls to those of their minutes, in one statement; those of unknown integrations are left out. No two of them
 * have minute, integration and reason in common.
 */
export async function addRefusals({ connection }: BffDatabase, refused: readonly RefusedCalls[]): Promise<void> {
  await rows(connection, addSql, {
    integrationIds: refused.map(({ tenantIntegrationId }) => tenantIntegrationId),
    reasons: refused.map(({ reason }) => reason),
    codes: refused.map(({ code }) => code),
    calls: refused.map(({ calls }) => calls),
    firstAt: refused.map(({ firstAt }) => firstAt),
    lastAt: refused.map(({ lastAt }) => lastAt),
    bytes: refused.map(({ lastBytes }) => lastBytes),
    eventIds: refused.map(({ lastEventId }) => lastEventId),
    eventTypes: refused.map(({ lastEventType }) => lastEventType),
    details: refused.map(({ lastDetail }) => lastDetail),
  });
}

type Listed = RefusedCalls & { minute: string };

/** One page of a tenant's refused calls, newest first. */
export async function listRefusals(
  { connection }: BffDatabase,
  platformTenantId: string,
  { limit, cursor, reason }: { limit: number; cursor?: string | undefined; reason?: string | undefined },
): Promise<Page<WebhookRefusal>> {
  const after = decodeCursor(z.tuple([z.iso.datetime(), keyText, keyText]), cursor);
  const found = await rows<Listed>(
    connection,
    `select tenant_integration_id, reason, code, calls, first_at, last_at, last_bytes, last_event_id, last_event_type,
       last_detail, to_char(minute at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as minute
     from webhook_refusal r where platform_tenant_id = :platformTenantId ${reason === undefined ? '' : 'and reason = :reason'}
       ${after ? 'and (r.minute, tenant_integration_id, reason) < (:minute::timestamptz, :integrationId, :after)' : ''}
     order by r.minute desc, tenant_integration_id desc, reason desc limit :rows`,
    {
      platformTenantId,
      reason,
      minute: after?.[0],
      integrationId: after?.[1],
      after: after?.[2],
      rows: limit + 1,
    },
  );
  const { items, nextCursor } = pageOf(found, limit, (row) => [row.minute, row.tenantIntegrationId, row.reason]);
  return {
    items: items.map((row) => ({
      tenantIntegrationId: row.tenantIntegrationId,
      reason: row.reason,
      code: row.code,
      status: problems[row.code].status,
      calls: row.calls,
      firstAt: row.firstAt.toISOString(),
      lastAt: row.lastAt.toISOString(),
      lastBytes: row.lastBytes,
      lastEventId: row.lastEventId,
      lastEventType: row.lastEventType,
      lastDetail: row.lastDetail,
    })),
    nextCursor,
  };
}

/** Deletes at most `limit` of those from before `keptSince`. @returns how many. */
export async function sweepRefusals({ connection }: BffDatabase, keptSince: Date, limit = 10_000): Promise<number> {
  const deleted = await rows(
    connection,
    `delete from webhook_refusal where ctid in (
       select ctid from webhook_refusal where minute < :keptSince limit :limit) returning 1`,
    { keptSince, limit },
  );
  return deleted.length;
}
