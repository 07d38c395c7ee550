import type { Transaction } from '#db/database.ts';
import { type Endpoint, type EndpointKey, lockEndpoint } from '#db/outreach/webhooks/webhooks.ts';
import { Problem } from '#domain/api/problem.ts';

/** For so long a secret that was replaced signs as well. */
export const OVERLAP = `interval '24 hours'`;

export const statusOf = ({ pausedFor }: Pick<Endpoint, 'pausedFor'>) => (pausedFor === null ? 'active' : 'paused');

/** What the audit log keeps of an endpoint. */
export const audited = (endpoint: Endpoint) => ({
  url: endpoint.url,
  eventTypes: endpoint.eventTypes,
  status: statusOf(endpoint),
});

/** The endpoint, locked until the transaction ends. @throws Problem `not_found`. */
export async function requireEndpoint(transaction: Transaction, key: EndpointKey): Promise<Endpoint> {
  const found = await lockEndpoint(transaction, key);
  if (!found) throw new Problem('not_found', 'There is no endpoint with this id');
  return found;
}
