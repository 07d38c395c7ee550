import { randomUUID } from 'node:crypto';
import { type Database, firstRow, rows } from '../../database.ts';
import type { Encryption } from '../../encryption.ts';
import { type SigningSecrets, openSecrets } from './integrations.ts';

/** A call to the platform that may be made: the secrets that sign it now. */
export interface BegunCall extends SigningSecrets {
  /** Must follow, however the call ended. Never rejects. */
  end(): Promise<void>;
}

// The lock on the integration lets either the uninstall see the call, or the call see the uninstall.
const beginSql = `
  with active as (
    select tenant_integration_id, secret_encrypted, previous_secret_encrypted from tenant_integration
    where tenant_id = :tenantId and status = 'ACTIVE' for share
  ), noted as (
    insert into outbound_call (call_id, tenant_integration_id, started_at)
    select :callId, tenant_integration_id, now() from active
  )
  select * from active`;

/** Counts a call to the platform as under way. Null if the tenant has no ACTIVE integration: then none may begin. */
export async function beginOutboundCall(
  database: Database,
  encryption: Encryption,
  tenantId: string,
): Promise<BegunCall | null> {
  const callId = randomUUID();
  const row = await firstRow<Parameters<typeof openSecrets>[1]>(database, beginSql, { tenantId, callId });
  if (!row) return null;
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
