import { type EventWebhook, outgoingEventTypes } from '#domain/api/webhook.ts';
import type { JsonClient } from './client.ts';
import { tenant } from './content.ts';

/** Known to the sandbox's receiver, so that it can check the signatures. */
const secret = 'whsec_SGFyYm9yIENvZmZlZSwgY2FtcGFpZ25zIG91dC4uLi4=';

/** The sandbox's receiver gets the events of the tenant's campaigns; before the first of them is sent. */
export async function seedEventWebhook(api: JsonClient, sandbox: JsonClient, platformUrl: string): Promise<void> {
  const { webhook } = await api.get<{ webhook: EventWebhook | null }>('/webhook');
  if (webhook) return;
  const receiver = `/sandbox/merchant/${tenant.tenantId}-campaigns`;
  await sandbox.put(receiver, { secret });
  await api.put('/webhook', { url: `${platformUrl}${receiver}/events`, eventTypes: outgoingEventTypes, secret });
}
