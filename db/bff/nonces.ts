import { rows } from '../database.ts';
import { preparedRows, type Prepared } from '../prepared.ts';
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

/**
 * Of each integration that is asked for: its row, and the positions (from 1) of the calls whose nonces were used. The
 * offset has each nonce looked up by its key: a planner that takes the table for small would read all of it.
 */
const lookUp: Prepared = {
  name: 'look-up-calls',
  sql: `
  select i.*, used.positions from (select distinct id from unnest(:ids::text[]) as id) asked
  left join tenant_integration i on i.tenant_integration_id = asked.id
  left join (
    select tenant_integration_id, array_agg(given.position::int) as positions
    from unnest(:ids::text[], :nonces::uuid[]) with ordinality as given (tenant_integration_id, nonce, position)
    where exists (select from nonce n
      where n.tenant_integration_id = given.tenant_integration_id and n.nonce = given.nonce offset 0)
    group by tenant_integration_id
  ) used on used.tenant_integration_id = asked.id`,
};

/**
 * Runs the same statement for any number of calls; the states are in the order of the calls. Calls of one integration
 * share its row.
 */
export async function lookUpCalls(
  { connection }: BffDatabase,
  calls: readonly NonceOfCall[],
): Promise<SignedCallState[]> {
  const found = await preparedRows<Record<string, unknown> & { positions: number[] | null }>(
    connection,
    lookUp,
    columnsOf(calls),
  );
  const byId = new Map<string, TenantIntegration>();
  const used = new Set<number>();
  for (const { positions, ...row } of found) {
    positions?.forEach((position) => used.add(position));
    if (row['tenantIntegrationId'] === null) continue;
    const integration = TenantIntegration.fromDatabaseJson(row);
    byId.set(integration.tenantIntegrationId, integration);
  }
  return calls.map((call, index) => ({
    integration: byId.get(call.tenantIntegrationId) ?? null,
    replayed: used.has(index + 1),
  }));
}

const inserting = (keptUntil: string) => `
  insert into nonce (tenant_integration_id, nonce, kept_until)
  select id, nonce, ${keptUntil} from unnest(:ids::text[], :nonces::uuid[]) as given (id, nonce) order by id, nonce
  on conflict do nothing
  returning tenant_integration_id, replace(nonce::text, '-', '') as nonce`;

const insertNonces: Record<'webhook' | 'forever', Prepared> = {
  webhook: { name: 'use-nonces', sql: inserting(`now() + interval '${WEBHOOK_NONCE_DAYS} days'`) },
  forever: { name: 'use-nonces-forever', sql: inserting('null') },
};

/**
 * Marks the nonces of calls that are about to be answered with 2xx as used. Lifecycle calls and webhooks share one
 * nonce space. Of several concurrent processes one succeeds; all insert in the same order, so they cannot deadlock.
 * @returns for each call, whether its nonce was still unused.
 */
export async function useNonces(
  { connection }: BffDatabase,
  calls: readonly NonceOfCall[],
  keep: keyof typeof insertNonces,
): Promise<boolean[]> {
  const used = await preparedRows<{ tenantIntegrationId: string; nonce: string }>(
    connection,
    insertNonces[keep],
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
