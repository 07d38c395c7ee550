import { setTimeout } from 'node:timers/promises';
import { type Database, rows } from '#db/database.ts';
import type { Campaign, Progress } from '#domain/api/campaign.ts';
import type { TestCompletions } from '#test/support/doubles/chat-completions.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { sandboxToken } from '#test/support/services/sandbox-token.ts';
import type { Stack } from '#test/support/services/stack.ts';
import { type JsonClient, jsonClient } from '../demo/client.ts';
import { playClosing } from './closing-story.ts';
import { playCopywriting } from './copywriting-story.ts';
import { playLifecycle } from './lifecycle-story.ts';
import { playTagFlows } from './tag-story.ts';
import { playVariants } from './variants-story.ts';

const tenant = 'capture';
const serviceNumberId = 'sn-capture';

/**
 * One of everything that can happen to a campaign, so that every path of the outreach workflows is run once.
 * @returns a function that releases the runs held open.
 */
export async function playOutreach(stack: Stack, provider: TestCompletions): Promise<() => Promise<void>> {
  const sandbox = jsonClient(stack.addresses.sandbox);
  const integrationId = await install(stack, sandbox, tenant);
  const token = await signIn(sandbox, tenant);
  const api = jsonClient(`${stack.addresses.bff}/api/v1`, token);
  await learnContacts(stack, sandbox);
  await playCampaigns(sandbox, api, stack.database.connect('outreach'));
  const contactIds = Array.from({ length: 30 }, (_, n) => contactId(n + 1));
  await playVariants({ sandbox, api, tenant, send: (more) => send(api, more), contactIds });
  await api.post('/integration/slots:register');
  await sandbox.post(`/admin/tenant-integrations/${integrationId}:rotate-secret`, {});
  await playPutOff(stack, sandbox);
  await playUninstall(stack, sandbox);
  await playClosing({
    tenantId: tenant,
    client: stack.temporal.client,
    database: stack.database.connect('outreach'),
    sandbox,
    api,
    sendLinked: async () => {
      const campaign = await send(api, linked);
      await until(api, campaign, 'completed');
      return campaign;
    },
  });
  const owner = { tenantId: tenant, serviceNumberId };
  const release = await playTagFlows(stack.temporal.client, stack.database.connect('outreach'), owner);
  await playCopywriting(stack, provider, token);
  await playLifecycle(stack, sandbox, (platformTenantId) => install(stack, sandbox, platformTenantId));
  // Last, so that its drain is still running when the histories are read.
  await sandbox.post('/sandbox/contacts:announce', { tenant, serviceNumberId, wait: true });
  return release;
}

async function install(stack: Stack, sandbox: JsonClient, platformTenantId: string): Promise<string> {
  await sandbox.post('/admin/integrations/apps', {
    appId: 'outreach',
    installBaseUrl: stack.addresses.bff,
    supportedEvents: ['contact', 'notice', 'session'],
  });
  const serviceNumbers = [{ serviceNumberId: `sn-${platformTenantId}`, name: platformTenantId }];
  await sandbox.post('/sandbox/tenants', { platformTenantId, name: platformTenantId, serviceNumbers });
  const path = `/admin/tenants/${platformTenantId}/tenant-integrations`;
  return (await sandbox.post<{ tenantIntegrationId: string }>(path, {})).tenantIntegrationId;
}

async function signIn(sandbox: JsonClient, tenantId: string): Promise<string> {
  const person = { sub: 'cam', name: 'Cam', tenantId, roles: ['tenant_admin'] };
  return sandboxToken(sandbox, person);
}

/** Contacts of the platform, and one that only we know. */
async function learnContacts(stack: Stack, sandbox: JsonClient): Promise<void> {
  await sandbox.post('/sandbox/contacts', { tenant, serviceNumberId, count: 30, emit: true, wait: true });
  const database = stack.database.connect('outreach');
  await rows(
    database,
    `insert into contact_profile (tenant_id, service_number_id, contact_id, follow_state, last_event_at)
     values (:tenant, :serviceNumberId, 'gone', 'following', now())`,
    { tenant, serviceNumberId },
  );
  await eventually('every contact has a profile', async () => {
    const found = await rows(database, 'select 1 from contact_profile where tenant_id = :tenant', { tenant });
    return found.length === 31;
  });
}

const contactId = (n: number) => `${serviceNumberId}-${String(n).padStart(6, '0')}`;

const ask = [{ type: 'Postback', label: 'Ask', data: { event: 'InboundReason' } }];
const linked = { messages: [{ type: 'buttons', title: 'Ask', text: 'us', actions: ask }] };

async function send(api: JsonClient, more: object = {}): Promise<Campaign> {
  const actions = [{ type: 'Postback', label: 'Yes', data: { bizEventCode: 'yes' } }];
  const draft = await api.post<Campaign>('/campaigns', {
    name: 'Captured',
    serviceNumberId,
    messages: [{ type: 'buttons', title: 'Captured', text: 'A run to remember.', actions }],
    audience: { type: 'contacts', contactIds: [contactId(1), contactId(2)] },
    schedule: { type: 'immediate' },
    ...more,
  });
  return await api.post<Campaign>(`/campaigns/${draft.id}:send`, {});
}

const until = (api: JsonClient, { id }: Campaign, status: string) =>
  eventually(
    `the campaign is ${status}`,
    async () => (await api.get<Progress>(`/campaigns/${id}/progress`)).status === status,
    { timeoutMs: 30_000 },
  );

/** A send whose audience its workflow freezes, since it is said to be large. */
async function sendLarge(api: JsonClient, database: Database): Promise<Campaign> {
  const { tagId } = await api.post<{ tagId: string }>('/tags', { name: 'Large', serviceNumberId, kind: 'permanent' });
  await api.post(`/tags/${tagId}/assignments`, { contactIds: [contactId(1), contactId(2)] });
  await rows(database, 'update tag set contact_count = 25000 where tag_id = :tagId', { tagId });
  return await send(api, { audience: { type: 'app_tags', appTagIds: [tagId], tagOperator: 'OR' } });
}

async function playCampaigns(sandbox: JsonClient, api: JsonClient, database: Database): Promise<void> {
  const fault = (...faults: object[]) => sandbox.put('/sandbox/faults', { faults });
  const completed = await send(api);
  await until(api, completed, 'completed');
  await playClicks(sandbox);

  await until(api, await sendLarge(api, database), 'completed');
  const soon = new Date(Date.now() + 3000).toISOString();
  const atStart = await send(api, { schedule: { type: 'scheduled', at: soon, audience: 'at_start' } });
  await until(api, atStart, 'completed');

  await fault({ route: 'A1', mode: 'status', status: 400, code: 'invalid_postback' });
  await until(api, await send(api), 'failed');
  await fault({ route: 'A1', mode: 'lost-answer' });
  await send(api);
  await setTimeout(1000);
  await fault();

  const unknownContact = { type: 'contacts', contactIds: [contactId(3), 'gone'] };
  await until(api, await send(api, { audience: unknownContact }), 'partially_failed');

  await fault({ route: 'F1', mode: 'lost-answer', count: 1 });
  await until(api, await send(api, linked), 'completed');

  const at = new Date(Date.now() + 3_600_000).toISOString();
  const scheduled = await send(api, { schedule: { type: 'scheduled', at } });
  await until(api, scheduled, 'scheduled');
  await setTimeout(500);
  await api.post(`/campaigns/${scheduled.id}:cancel`);
  await until(api, scheduled, 'cancelled');
  await send(api, { schedule: { type: 'scheduled', at } });

  await fault({ route: 'A1', mode: 'status', status: 401, code: 'unauthorized' });
  await until(api, await send(api), 'paused');
  await fault();
}

async function playClicks(sandbox: JsonClient): Promise<void> {
  const { items } = await sandbox.get<{ items: { taskId: string }[] }>(
    `/sandbox/tasks?tenant=${tenant}&serviceNumberId=${serviceNumberId}`,
  );
  await sandbox.post('/sandbox/clicks', { taskId: items[0]?.taskId, contactId: contactId(1), times: 2 });
}

/** A tenant of its own, with two contacts. */
async function openTenant(stack: Stack, sandbox: JsonClient, name: string) {
  const integrationId = await install(stack, sandbox, name);
  const api = jsonClient(`${stack.addresses.bff}/api/v1`, await signIn(sandbox, name));
  const own = `sn-${name}`;
  await sandbox.post('/sandbox/contacts', { tenant: name, serviceNumberId: own, count: 2, emit: true, wait: true });
  const mine = { serviceNumberId: own, audience: { type: 'contacts', contactIds: [`${own}-000001`, `${own}-000002`] } };
  await eventually('the contacts are known', async () => {
    const preview = await api.post<{ reachableCount: number }>('/audiences:preview', mine);
    return preview.reachableCount === 2;
  });
  return { integrationId, api, mine };
}

const putOff = { faults: [{ route: 'A1', mode: 'status', status: 429, retryAfter: 600 }] };

/** Deferred by the platform, for all of a tenant: paused and resumed in the meantime, and still open at the end. */
async function playPutOff(stack: Stack, sandbox: JsonClient): Promise<void> {
  const { api, mine } = await openTenant(stack, sandbox, 'waiting');
  await sandbox.put('/sandbox/faults', putOff);
  const { id } = await send(api, mine);
  await setTimeout(1000);
  await api.post(`/campaigns/${id}:pause`);
  await api.post(`/campaigns/${id}:resume`);
  await send(api, mine);
  await setTimeout(1000);
  await sandbox.put('/sandbox/faults', { faults: [] });
}

/** A tenant that uninstalls while one send is deferred and another is being polled. */
async function playUninstall(stack: Stack, sandbox: JsonClient): Promise<void> {
  const { integrationId, api, mine } = await openTenant(stack, sandbox, 'leaving');
  await until(api, await send(api, mine), 'completed');
  await sandbox.put('/sandbox/faults', putOff);
  await send(api, mine);
  await setTimeout(1000);
  await sandbox.put('/sandbox/faults', { faults: [] });
  await sandbox.post(`/admin/tenant-integrations/${integrationId}:uninstall`, {});
}
