import { type Database, firstRow, rows } from '#db/database.ts';

/** Tokens of an integration's bucket; each stands for one call. */
export interface TakenTokens {
  /** Milliseconds until the first of them may be used, the others at equal distances after it; negative if it may now. */
  firstInMs: number;
  /** The platform asked not to be called before; may be in the past. */
  pausedUntil: Date | null;
}

// At most one second's worth counts from the past: the last token of a full bucket is there now.
const takeSql = `
  insert into platform_pace as p (tenant_integration_id, next_call_at)
  select tenant_integration_id, now() - interval '1 second' + (:intervalMs::float8 + :takenMs::float8) * interval '1 millisecond'
  from tenant_integration where tenant_id = :tenantId and status = 'ACTIVE'
  on conflict (tenant_integration_id) do update
    set next_call_at = :takenMs::float8 * interval '1 millisecond'
      + greatest(p.next_call_at, now() - interval '1 second' + :intervalMs::float8 * interval '1 millisecond')
  returning paused_until, extract(epoch from next_call_at - now())::float8 * 1000 - :takenMs::float8 as first_in_ms`;

/** Takes tokens from the bucket of the tenant's ACTIVE integration, present or to come. Null if it has none. */
export function takeTokens(
  database: Database,
  { tenantId, count, perSecond }: { tenantId: string; count: number; perSecond: number },
): Promise<TakenTokens | null> {
  const intervalMs = 1000 / perSecond;
  return firstRow<TakenTokens>(database, takeSql, { tenantId, intervalMs, takenMs: count * intervalMs });
}

/** Notes that the platform must not be called before `until`, unless it asked for a later time already. */
export async function storePause(
  database: Database,
  { tenantIntegrationId, until }: { tenantIntegrationId: string; until: Date },
): Promise<void> {
  await rows(
    database,
    `insert into platform_pace as p (tenant_integration_id, paused_until)
     select tenant_integration_id, :until::timestamptz from tenant_integration
     where tenant_integration_id = :tenantIntegrationId
     on conflict (tenant_integration_id) do update set paused_until = excluded.paused_until
     where coalesce(p.paused_until, '-infinity') < excluded.paused_until`,
    { tenantIntegrationId, until },
  );
}

/**
 * Until when the platform asked not to be called for the integration, or for the tenant's ACTIVE one; may be in the past.
 */
export async function readPause(
  database: Database,
  of: { tenantId: string } | { tenantIntegrationId: string },
): Promise<Date | null> {
  const row = await firstRow<{ pausedUntil: Date | null }>(
    database,
    `select paused_until from platform_pace
     where tenant_integration_id = coalesce(:tenantIntegrationId,
       (select tenant_integration_id from tenant_integration where tenant_id = :tenantId and status = 'ACTIVE'))`,
    { tenantId: null, tenantIntegrationId: null, ...of },
  );
  return row?.pausedUntil ?? null;
}
