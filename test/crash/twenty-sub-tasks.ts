import type { Knex } from 'knex';
import { expect } from 'chai';
import { rows } from '#db/database.ts';
import type { Campaign, Progress, SubTask } from '#domain/api/campaign.ts';
import type { Page } from '#domain/api/primitives.ts';
import { type JsonClient, jsonClient } from '#scripts/demo/client.ts';
import { sandboxToken } from '../support/services/sandbox-token.ts';
import { eventually } from '../support/time/eventually.ts';

const tenant = 'crash';
const serviceNumberId = 'sn-crash';
export const subTaskCount = 20;
export const contactCount = subTaskCount * 1000;

interface Calls {
  items: { status: number | null; idempotencyKey: string }[];
}

interface Tasks {
  items: { taskId: string; contactCount?: number }[];
}

/** A campaign of twenty sub-tasks, seen from both sides: ours and the platform's. */
export interface TwentySubTasks {
  /** A1 calls that got a 201. */
  acceptedCalls(): Promise<Calls['items']>;
  /** Tasks that the platform has, whether or not we got the response. */
  platformTasks(): Promise<Tasks['items']>;
  subTasks(): Promise<SubTask[]>;
  progress(): Promise<Progress>;
  resolve(task: SubTask, body: object): Promise<unknown>;
  /** Waits until every sub-task is completed or unknown; every time it checks, all contacts must be counted. */
  settled(): Promise<SubTask[]>;
}

/** Installs the application for a tenant with 20,000 contacts that both platform and backend know. */
export async function installWithContacts(sandbox: JsonClient, bff: string, outreach: Knex): Promise<void> {
  await sandbox.put('/sandbox/behaviour', {
    startDelayMs: 50,
    sendDurationMs: 300,
    governanceShare: 0,
    failedShare: 0,
    taskFailureShare: 0,
  });
  await sandbox.post('/admin/integrations/apps', {
    appId: 'outreach',
    installBaseUrl: bff,
    supportedEvents: ['contact', 'notice', 'session'],
  });
  const serviceNumbers = [{ serviceNumberId, name: 'Crash' }];
  await sandbox.post('/sandbox/tenants', { platformTenantId: tenant, name: 'Crash', serviceNumbers });
  const installed = await sandbox.post<{ status: string }>(`/admin/tenants/${tenant}/tenant-integrations`, {});
  expect(installed.status).to.equal('ACTIVE');
  await sandbox.post('/sandbox/contacts', { tenant, serviceNumberId, count: contactCount });
  // Sending 20,000 webhooks is the subject of another test.
  await rows(
    outreach,
    `insert into contact_profile (tenant_id, service_number_id, contact_id, follow_state, last_event_at)
     select :tenant, :serviceNumberId, :serviceNumberId || '-' || lpad(n::text, 6, '0'), 'following', now()
     from generate_series(1, :count::int) as n`,
    { tenant, serviceNumberId, count: contactCount },
  );
}

async function send(api: JsonClient): Promise<Campaign> {
  const contactIds = Array.from(
    { length: contactCount },
    (_, index) => `${serviceNumberId}-${String(index + 1).padStart(6, '0')}`,
  );
  const actions = [{ type: 'Postback', label: 'Yes', data: { bizEventCode: 'yes' } }];
  const draft = await api.post<Campaign>('/campaigns', {
    name: 'Crash',
    serviceNumberId,
    messages: [{ type: 'buttons', title: 'Still there?', text: 'Say yes.', actions }],
    audience: { type: 'contacts', contactIds },
    schedule: { type: 'immediate' },
  });
  return await api.post<Campaign>(`/campaigns/${draft.id}:send`, { expectedReachableCount: contactCount });
}

const contactsOf = (progress: Progress) =>
  Object.values(progress.subTasks).reduce((sum, { contacts }) => sum + contacts, 0);

export const endlessSlowness = [
  { route: 'A1', mode: 'slow', delayMs: 300 },
  { route: 'A1', mode: 'slow', delayMs: 600, rate: 0.5, seed: 7 },
  // These never get a response from a living platform, so the dispatch is in the middle no matter when the kill
  // comes.
  { route: 'A1', mode: 'slow', delayMs: 600_000, skip: 14 },
];

/**
 * Sends to all contacts over a slow platform, or one with the given faults; the addresses stay the same across
 * restarts.
 */
export async function sendTwentySubTasks(
  sandboxAddress: string,
  bff: string,
  faults: object[] = endlessSlowness,
): Promise<TwentySubTasks> {
  const sandbox = jsonClient(sandboxAddress);
  // The identity service's keys, and so this token, survive a restart.
  const person = { sub: 'kim', name: 'Kim', tenantId: tenant, roles: ['tenant_admin'] };
  const token = await sandboxToken(sandbox, person);
  const api = jsonClient(`${bff}/api/v1`, token);
  await sandbox.put('/sandbox/faults', { faults });
  const { id } = await send(api);
  const subTasks = async () => (await api.get<Page<SubTask>>(`/campaigns/${id}/tasks?limit=200`)).items;
  const progress = () => api.get<Progress>(`/campaigns/${id}/progress`);
  return {
    subTasks,
    progress,
    acceptedCalls: async () => {
      const { items } = await sandbox.get<Calls>('/sandbox/calls?route=A1&limit=1000');
      return items.filter(({ status }) => status === 201);
    },
    platformTasks: async () => {
      const { items } = await sandbox.get<Tasks>(`/sandbox/tasks?tenant=${tenant}&serviceNumberId=${serviceNumberId}`);
      return items;
    },
    resolve: (task, body) => api.post(`/campaigns/${id}/tasks/${task.key}:resolve`, body),
    settled: () =>
      eventually(
        'every sub-task is settled',
        async () => {
          expect(contactsOf(await progress())).to.equal(contactCount);
          const found = await subTasks();
          return found.every(({ status }) => status === 'completed' || status === 'unknown') && found;
        },
        { timeoutMs: 120_000, intervalMs: 200 },
      ),
  };
}

/** Each sub-task is known and on the platform once, or unknown; none is lost or sent twice. */
export async function expectOnceOrUnknown(sent: TwentySubTasks, settled: SubTask[]): Promise<void> {
  const accepted = await sent.platformTasks();
  const unknown = settled.filter(({ status }) => status === 'unknown');
  const known = settled.filter(({ status }) => status !== 'unknown');
  process.stderr.write(`      ${known.length} known, ${unknown.length} unknown, ${accepted.length} at the platform\n`);
  expect(settled).to.have.length(subTaskCount);
  expect(settled.reduce((sum, task) => sum + task.contactCount, 0)).to.equal(contactCount);
  // Each known task is there once; any other task belongs to an unknown sub-task.
  const atPlatform = new Set(accepted.map(({ taskId }) => taskId));
  expect(new Set(known.map(({ taskId }) => taskId)).size).to.equal(known.length);
  for (const { taskId } of known) expect(atPlatform.has(taskId ?? '')).to.equal(true);
  expect(accepted.length).to.be.within(known.length, subTaskCount);
  const keys = (await sent.acceptedCalls()).map(({ idempotencyKey }) => idempotencyKey);
  expect(new Set(keys).size).to.equal(keys.length);
  expect((await sent.progress()).status).to.equal(unknown.length > 0 ? 'sending' : 'completed');
}
