import { setTimeout } from 'node:timers/promises';
import { Pool } from 'undici';
import { type Database, rows } from '../db/database.ts';
import type { IntakeCommand } from '../domain/api/events.ts';
import { launchMortalPostgres } from '../test/support/servers/servers.ts';
import { type Stack, startStack } from '../test/support/services/stack.ts';
import { clickOn, subTasksOf } from './growth/clicks.ts';
import { contactIdOf, importContacts } from './growth/contacts.ts';
import { createScene, send, startPlatform } from './growth/growth.ts';
import { quantiles } from './load.ts';
import { type Integration, signedWebhook } from './signed-webhook.ts';

const CONTACTS = 1000;
/** Each look takes time of the same two cores, and an effect is seen up to this much late. */
const LOOK_EVERY_MS = 2;

/** The body that the platform sends for an event. */
const bodyOf = ({ eventId, eventType, occurredAt, serviceNumberId, payload }: IntakeCommand) => ({
  eventId,
  eventType,
  occurredAt,
  scope: { serviceNumberId },
  data: JSON.parse(payload) as unknown,
});

/** Milliseconds from when each event was sent until another connection reads that it has been processed. */
async function effects(
  database: Database,
  { tenantIntegrationId }: Integration,
  { sentAt, count }: { sentAt: Map<string, number>; count: number },
): Promise<number[]> {
  const latencies: number[] = [];
  while (latencies.length < count) {
    const found = await rows<{ eventId: string }>(
      database,
      `select event_id from event_inbox where tenant_integration_id = :tenantIntegrationId
         and event_id = any(:ids) and status = 'processed'`,
      { tenantIntegrationId, ids: [...sentAt.keys()] },
    );
    for (const { eventId } of found) {
      latencies.push(performance.now() - (sentAt.get(eventId) ?? 0));
      sentAt.delete(eventId);
    }
    await setTimeout(LOOK_EVERY_MS);
  }
  return latencies;
}

/** A campaign that all contacts have received. */
async function receivedCampaign(stack: Stack) {
  const scene = await createScene(stack);
  const { tenantId, serviceNumberId, sandbox } = scene.tenant;
  await importContacts(scene.owner, { tenantId, serviceNumberId, tagId: scene.tagId }, 1, CONTACTS);
  const { id: campaignId } = await send(scene, CONTACTS);
  const path = `/admin/tenants/${tenantId}/tenant-integrations`;
  const integration = await sandbox.post<Integration>(path, { reuse: true });
  const sent = { tenantId, serviceNumberId, tagId: scene.tagId, campaignId, contacts: CONTACTS };
  const [subTask] = await subTasksOf(scene.owner, sent);
  if (!subTask) throw new Error('The campaign has no sub-task');
  const clickNumber = (n: number) => clickOn(sent, subTask, contactIdOf(serviceNumberId, (n % CONTACTS) + 1));
  return { database: scene.owner, integration, clickNumber };
}

async function measure(stack: Stack, { clicks, perSecond }: { clicks: number; perSecond: number }) {
  const { database, integration, clickNumber } = await receivedCampaign(stack);
  const pool = new Pool(stack.addresses.bff, { connections: 64 });
  const sentAt = new Map<string, number>();
  const seen = effects(database, integration, { sentAt, count: clicks });
  const statuses: Promise<number>[] = [];
  const began = performance.now();
  for (let n = 0; n < clicks; n += 1) {
    await setTimeout(Math.max(0, began + (n * 1000) / perSecond - performance.now()));
    const click = clickNumber(n);
    const webhook = signedWebhook(bodyOf(click), integration);
    sentAt.set(click.eventId, performance.now());
    const response = pool.request({ method: 'POST', path: '/webhook', ...webhook });
    statuses.push(response.then(async ({ statusCode, body }) => (await body.dump(), statusCode)));
  }
  const unlike200 = (await Promise.all(statuses)).filter((status) => status !== 200);
  if (unlike200.length > 0) throw new Error(`Webhooks were answered with ${[...new Set(unlike200)].join(', ')}`);
  const latencies = await seen;
  await pool.close();
  return latencies;
}

/**
 * Milliseconds from the sending of a click's webhook until others read its effect, with a click every 1/`perSecond`
 * seconds, whether those before it have been answered or not. The first tenth warms everything up.
 */
export async function clickVisible({
  clicks = 4000,
  perSecond = 200,
}: Partial<Record<'clicks' | 'perSecond', number>>) {
  const postgres = await launchMortalPostgres();
  const platform = await startPlatform();
  const env = { PLATFORM_CALLS_PER_SECOND: '10000', PLATFORM_BASE_URL: platform.baseUrl };
  const stack = await startStack({ services: ['sandbox', 'backend', 'bff'], postgres: postgres.url, env });
  try {
    const latencies = await measure(stack, { clicks, perSecond });
    return { clicks, perSecond, ...quantiles(latencies.slice(Math.floor(clicks / 10))) };
  } finally {
    await stack.stop();
    await platform.close();
    await postgres.stop();
  }
}
