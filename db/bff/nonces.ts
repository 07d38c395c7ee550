import { rows } from '../database.ts';
import type { BffDatabase } from './database.ts';
import { TenantIntegration } from './models.ts';

export interface NonceOfCall {
  tenantIntegrationId: string;
  nonce: string;
}

/** What a signed call is judged by: its integration, and whether its nonce was used. */
export interface SignedCallState {
  integration: TenantIntegration | null;
  replayed: boolean;
}

/** Webhook nonces are kept for 7 days. */
const WEBHOOK_NONCE_DAYS = 7;

const columnsOf = (calls: readonly NonceOfCall[]) => ({
  ids: calls.map((call) => call.tenantIntegrationId),
  nonces: calls.map((call) => call.nonce),
});

async function usedAmong({ connection }: BffDatabase, calls: readonly NonceOfCall[]): Promise<Set<number>> {
  const found = await rows<{ index: number }>(
    connection,
    `select given.index from unnest(:ids::text[], :nonces::uuid[]) with ordinality as given (tenant_integration_id, nonce, index)
       join nonce using (tenant_integration_id, nonce)`,
    columnsOf(calls),
  );
  return new Set(found.map((row) => row.index - 1));
}

/** Runs the same two statements for any number of calls; the states are in the order of the calls. */
export async function lookUpCalls(database: BffDatabase, calls: readonly NonceOfCall[]): Promise<SignedCallState[]> {
  const ids = [...new Set(calls.map((call) => call.tenantIntegrationId))];
  const [replayed, integrations] = await Promise.all([
    usedAmong(database, calls),
    TenantIntegration.query(database.connection).findByIds(ids),
  ]);
  const byId = new Map(integrations.map((row) => [row.tenantIntegrationId, row]));
  return calls.map((call, index) => ({
    integration: byId.get(call.tenantIntegrationId) ?? null,
    replayed: replayed.has(index),
  }));
}

/**
 * Marks the nonces of calls that are about to be answered with 2xx as used. Lifecycle calls and webhooks share one
 * nonce space. Of several concurrent processes one succeeds; all insert in the same order, so they cannot deadlock.
 * @returns for each call, whether its nonce was still unused.
 */
export async function useNonces(
  { connection }: BffDatabase,
  calls: readonly NonceOfCall[],
  keep: 'webhook' | 'forever',
): Promise<boolean[]> {
  const keptUntil = keep === 'webhook' ? `now() + interval '${WEBHOOK_NONCE_DAYS} days'` : 'null';
  const used = await rows<{ tenantIntegrationId: string; nonce: string }>(
    connection,
    `insert into nonce (tenant_integration_id, nonce, kept_until)
     select id, nonce, ${keptUntil} from unnest(:ids::text[], :nonces::uuid[]) as given (id, nonce) order by id, nonce
     on conflict do nothing
     returning tenant_integration_id, replace(nonce::text, '-', '') as nonce`,
    columnsOf(calls),
  );
  const inserted = new Set(used.map((row) => `${row.tenantIntegrationId}:${row.nonce}`));
  return calls.map((call) => inserted.delete(`${call.tenantIntegrationId}:${call.nonce}`));
}

/** Deletes at most `limit` expired nonces. @returns how many. */
export async function sweepNonces({ connection }: BffDatabase, limit = 10_000): Promise<number> {
  const deleted = await rows(
    connection,
    `delete from nonce where ctid in (select ctid from nonce where kept_until < now() limit :limit) returning 1`,
    { limit },
  );
  return deleted.length;
}
