import { setTimeout } from 'node:timers/promises';
import { Pool } from 'undici';
import { firstRow, type Database } from '../db/database.ts';
import type { Automation } from '../domain/api/automations.ts';
import { runCost } from '../test/support/servers/actions.ts';
import { type Stack, startStack } from '../test/support/services/stack.ts';
import { installTenant, type TestTenant } from '../test/support/services/tenant.ts';
import { peakMemory } from '../test/support/services/vast-tenant.ts';
import { eventually } from '../test/support/time/eventually.ts';
import { startPlatform } from './growth/growth.ts';
import { type Integration, signedWebhook } from './signed-webhook.ts';

const waiting = { timeoutMs: 600_000, intervalMs: 500 };

async function welcome({ api, serviceNumberId }: TestTenant): Promise<void> {
  const { automationId } = await api.post<Automation>('/automations', {
    name: 'Welcome',
    serviceNumberId,
    trigger: { event: 'contact.followed' },
    steps: [{ messages: [{ type: 'text', text: 'Welcome.' }] }],
  });
  await api.post(`/automations/${automationId}:activate`);
}

/** Somebody new follows every 1/`perSecond` seconds, whether the webhooks before have been answered or not. */
async function follow(
  stack: Stack,
  { tenantId, serviceNumberId, sandbox }: TestTenant,
  { people, perSecond }: { people: number; perSecond: number },
): Promise<void> {
  const path = `/admin/tenants/${tenantId}/tenant-integrations`;
  const integration = await sandbox.post<Integration>(path, { reuse: true });
  const pool = new Pool(stack.addresses.bff, { connections: 64 });
  const statuses: Promise<number>[] = [];
  const began = performance.now();
  for (let n = 0; n < people; n += 1) {
    await setTimeout(Math.max(0, began + (n * 1000) / perSecond - performance.now()));
    const event = {
      eventId: `follow-${n}`,
      eventType: 'contact.followed',
      occurredAt: new Date().toISOString(),
      scope: { serviceNumberId },
      data: { contactId: `person-${n}`, serviceNumberId },
    };
    const response = pool.request({ method: 'POST', path: '/webhook', ...signedWebhook(event, integration) });
    statuses.push(response.then(async ({ statusCode, body }) => (await body.dump(), statusCode)));
  }
  const unlike200 = (await Promise.all(statuses)).filter((status) => status !== 200);
  if (unlike200.length > 0) throw new Error(`Webhooks were answered with ${[...new Set(unlike200)].join(', ')}`);
  await pool.close();
}

/** Seconds from when contacts followed until the platform had accepted their message. */
async function latencies(database: Database) {
  const row = await firstRow<{ sent: number; seconds: number[] | null }>(
    database,
    `select count(*) as sent, percentile_cont(array[0.5, 0.95, 0.99]) within group (
       order by extract(epoch from s.sent_at - e.caused_at)::float8) as seconds
     from automation_step s join automation_entry e using (entry_id) where s.sent_at is not null`,
    {},
  );
  const [p50Seconds = 0, p95Seconds = 0, p99Seconds = 0] = row?.seconds ?? [];
  return { sent: row?.sent ?? 0, p50Seconds, p95Seconds, p99Seconds };
}

/** What driving automations has cost the workflow server, in all. */
async function actionsOf({ temporal: { client } }: Stack): Promise<number> {
  let actions = 0;
  for await (const { workflowId, runId } of client.workflow.list())
    if (workflowId.startsWith('automations:')) actions += (await runCost(client, workflowId, runId)).actions;
  return actions;
}

/**
 * An automation welcomes whoever follows, for `minutes` (by default an hour) `perSecond` (by default 28, which is 100,000 in
 * an hour): seconds until the platform has accepted the message, actions of the workflow server, and memory in MiB.
 */
export async function automations({ minutes = 60, perSecond = 28 }: Partial<Record<'minutes' | 'perSecond', number>>) {
  const platform = await startPlatform();
  const env = { PLATFORM_CALLS_PER_SECOND: '10000', PLATFORM_BASE_URL: platform.baseUrl };
  const stack = await startStack({ services: ['sandbox', 'backend', 'bff'], env });
  try {
    const tenant = await installTenant(stack, { tenantId: 'busy', serviceNumberId: 'sn-busy', contacts: 1 });
    const database = stack.database.connect('outreach', 'owner');
    await welcome(tenant);
    const people = Math.ceil(minutes * 60 * perSecond);
    await follow(stack, tenant, { people, perSecond });
    await eventually('everybody is welcomed', async () => (await latencies(database)).sent === people, waiting);
    const { sent, ...seconds } = await latencies(database);
    const memory = (name: 'backend' | 'bff') => peakMemory(stack.child(name).pid);
    return {
      entries: sent,
      minutes,
      ...seconds,
      actions: await actionsOf(stack),
      backendMiB: memory('backend'),
      bffMiB: memory('bff'),
    };
  } finally {
    await stack.stop();
    await platform.close();
  }
}
