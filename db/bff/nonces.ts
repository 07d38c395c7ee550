import type { BffDatabase } from './database.ts';
import { TenantIntegration } from './models.ts';

export interface NonceOfCall {
  tenantIntegrationId: string;
  nonce: string;
}

/** What one signed call meets: its integration, and whether its nonce was used. */
export interface SignedCallState {
  integration: TenantIntegration | undefined;
  replayed: boolean;
}

/** Webhook nonces are kept for 7 days. */
const WEBHOOK_NONCE_DAYS = 7;

const columns = (calls: readonly NonceOfCall[]) => [
  calls.map((call) => call.tenantIntegrationId),
  calls.map((call) => call.nonce),
];

async function usedAmong({ knex }: BffDatabase, calls: readonly NonceOfCall[]): Promise<Set<number>> {
  const result = await knex.raw<{ rows: { index: number }[] }>(
    `select given.index from unnest(?::text[], ?::uuid[]) with ordinality as given (tenant_integration_id, nonce, index)
       join nonce using (tenant_integration_id, nonce)`,
    columns(calls),
  );
  return new Set(result.rows.map((row) => row.index - 1));
}

/** The same two statements for any number of calls; the answer is in their order. */
export async function lookUpCalls(database: BffDatabase, calls: readonly NonceOfCall[]): Promise<SignedCallState[]> {
  const ids = [...new Set(calls.map((call) => call.tenantIntegrationId))];
  const [replayed, integrations] = await Promise.all([
    usedAmong(database, calls),
    TenantIntegration.query(database.knex).findByIds(ids),
  ]);
  const byId = new Map(integrations.map((row) => [row.tenantIntegrationId, row]));
  return calls.map((call, index) => ({
    integration: byId.get(call.tenantIntegrationId),
    replayed: replayed.has(index),
  }));
}

/**
 * Marks nonces as used: those of calls that are about to be answered 2xx, in one space for lifecycle calls and webhooks.
 * Of several processes that do so at once, one succeeds; they insert in one order, so that they cannot deadlock.
 * @returns for each call whether its nonce was free until now.
 */
export async function useNonces(
  { knex }: BffDatabase,
  calls: readonly NonceOfCall[],
  keep: 'webhook' | 'forever',
): Promise<boolean[]> {
  const keptUntil = keep === 'webhook' ? `now() + interval '${WEBHOOK_NONCE_DAYS} days'` : 'null';
  const result = await knex.raw<{ rows: { tenantIntegrationId: string; nonce: string }[] }>(
    `insert into nonce (tenant_integration_id, nonce, kept_until)
     select id, nonce, ${keptUntil} from unnest(?::text[], ?::uuid[]) as given (id, nonce) order by id, nonce
     on conflict do nothing
     returning tenant_integration_id, replace(nonce::text, '-', '') as nonce`,
    columns(calls),
  );
  const inserted = new Set(result.rows.map((row) => `${row.tenantIntegrationId}:${row.nonce}`));
  return calls.map((call) => inserted.delete(`${call.tenantIntegrationId}:${call.nonce}`));
}

/** Deletes at most `limit` nonces whose time is over; gives how many there were. */
export async function sweepNonces({ knex }: BffDatabase, limit = 10_000): Promise<number> {
  const result = await knex.raw<{ rowCount: number }>(
    `delete from nonce where ctid in (select ctid from nonce where kept_until < now() limit ?)`,
    [limit],
  );
  return result.rowCount;
}
