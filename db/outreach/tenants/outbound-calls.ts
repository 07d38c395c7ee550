import { randomUUID } from 'node:crypto';
import { type Database, firstRow, rows } from '#db/database.ts';
import type { Encryption } from '#db/encryption.ts';
import { startedElsewhere } from '#db/place.ts';
import { type SigningSecrets, openSecrets } from './integrations.ts';

/** A call to the platform that may be made: the secrets that sign it now. */
export interface BegunCall extends SigningSecrets {
  /** Must follow, however the call ended. Never rejects. */
  end(): Promise<void>;
}

/** The platform asked not to be called before, so the call may not be made yet. */
export interface PausedUntil {
  pausedUntil: Date;
}

// The lock on the integration lets either the uninstall see the call, or the call see the uninstall.
const beginSql = `
  with active as (
    select i.tenant_integration_id, i.secret_encrypted, i.previous_secret_encrypted,
      case when p.paused_until > :now then p.paused_until end as paused_until
    from tenant_integration i left join platform_pace p using (tenant_integration_id)
    where i.tenant_id = :tenantId and i.status = 'ACTIVE' and not ${startedElsewhere} for share of i
  ), noted as (
    insert into outbound_call (call_id, tenant_integration_id, started_at)
    select :callId, tenant_integration_id, now() from active where paused_until is null
  )
  select * from active`;

type ActiveRow = Parameters<typeof openSecrets>[1] & { pausedUntil: Date | null };

/**
 * Counts a call to the platform as under way, unless the platform has asked for a pause. Null if the tenant has no ACTIVE
 * integration, or the database was started elsewhere: then none may begin.
 */
export async function beginOutboundCall(
  database: Database,
  encryption: Encryption,
  { tenantId, now }: { tenantId: string; now: Date },
): Promise<BegunCall | PausedUntil | null> {
  const callId = randomUUID();
  const row = await firstRow<ActiveRow>(database, beginSql, { tenantId, callId, now });
  if (!row) return null;
  if (row.pausedUntil) return { pausedUntil: row.pausedUntil };
  const end = async () => {
    try {
      await rows(database, 'delete from outbound_call where call_id = :callId', { callId });
    } catch {
      // The database is away: the row counts no longer than a call may take.
    }
  };
  try {
    return { tenantId, ...openSecrets(encryption, row), end };
  } catch (error) {
    await end();
    throw error;
  }
}

/**
 * How many calls of the integration are under way; those that began more than `longestMs` ago belong to a process that
 * died, and are forgotten.
 */
export async function countOutboundCalls(
  database: Database,
  tenantIntegrationId: string,
  longestMs: number,
): Promise<number> {
  const found = await firstRow<{ count: number }>(
    database,
    `with forgotten as (
       delete from outbound_call where tenant_integration_id = :tenantIntegrationId
         and started_at < now() - :longestMs * interval '1 millisecond')
     select count(*) as count from outbound_call where tenant_integration_id = :tenantIntegrationId
       and started_at >= now() - :longestMs * interval '1 millisecond'`,
    { tenantIntegrationId, longestMs },
  );
  return found?.count ?? 0;
}
