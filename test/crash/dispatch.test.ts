import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { rows } from '../../db/database.ts';
import type { Campaign, Progress, SubTask } from '../../domain/api/campaign.ts';
import type { Page } from '../../domain/api/primitives.ts';
import { type JsonClient, jsonClient } from '../../scripts/demo/client.ts';
import type { ServiceName } from '../../scripts/start/services.ts';
import { eventually } from '../support/eventually.ts';
import { type Stack, startStack } from '../support/stack.ts';

const tenant = 'crash';
const serviceNumberId = 'sn-crash';
const subTaskCount = 20;
const contactCount = subTaskCount * 1000;
const services: ServiceName[] = ['sandbox', 'backend', 'bff', 'orders'];

interface Calls {
  items: { status: number | null; idempotencyKey: string }[];
}

interface Tasks {
  items: { taskId: string; contactCount?: number }[];
}

describe('kill -9 of every process in the middle of a dispatch', function () {
  this.timeout(240_000);
  let stack: Stack;
  let sandbox: JsonClient;
  let api: JsonClient;
  let campaign: Campaign;

  before(async () => {
    stack = await startStack({ services });
    sandbox = jsonClient(stack.addresses.sandbox);
    await sandbox.put('/sandbox/behaviour', {
      startDelayMs: 50,
      sendDurationMs: 300,
      governanceShare: 0,
      failedShare: 0,
      taskFailureShare: 0,
    });
    await sandbox.post('/admin/integrations/apps', {
      appId: 'outreach',
      installBaseUrl: stack.addresses.bff,
      supportedEvents: ['contact', 'notice', 'session'],
    });
    const serviceNumbers = [{ serviceNumberId, name: 'Crash' }];
    await sandbox.post('/sandbox/tenants', { platformTenantId: tenant, name: 'Crash', serviceNumbers });
    const installed = await sandbox.post<{ status: string }>(`/admin/tenants/${tenant}/tenant-integrations`, {});
    expect(installed.status).to.equal('ACTIVE');
    await sandbox.post('/sandbox/contacts', { tenant, serviceNumberId, count: contactCount });
    // 20,000 webhooks are another test's subject.
    await rows(
      stack.database.connect('outreach'),
      `insert into contact_profile (tenant_id, service_number_id, contact_id, follow_state, last_event_at)
       select :tenant, :serviceNumberId, :serviceNumberId || '-' || lpad(n::text, 6, '0'), 'following', now()
       from generate_series(1, :count::int) as n`,
      { tenant, serviceNumberId, count: contactCount },
    );
    await signIn();
  });

  after(async () => {
    await stack?.stop();
  });

  async function signIn(): Promise<void> {
    const person = { sub: 'kim', name: 'Kim', tenantId: tenant, roles: ['tenant_admin'] };
    const { token } = await sandbox.post<{ token: string }>('/sandbox/tokens', person);
    api = jsonClient(`${stack.addresses.bff}/api/v1`, token);
  }

  async function send(): Promise<Campaign> {
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

  const acceptedCalls = async () => {
    const { items } = await sandbox.get<Calls>('/sandbox/calls?route=A1&limit=1000');
    return items.filter(({ status }) => status === 201);
  };
  const platformTasks = async () => {
    const { items } = await sandbox.get<Tasks>(`/sandbox/tasks?tenant=${tenant}&serviceNumberId=${serviceNumberId}`);
    return items;
  };
  const subTasks = async () => (await api.get<Page<SubTask>>(`/campaigns/${campaign.id}/tasks?limit=200`)).items;
  const contactsOf = (progress: Progress) =>
    Object.values(progress.subTasks).reduce((sum, { contacts }) => sum + contacts, 0);

  it('loses no sub-task, sends none twice, and counts every contact at every look', async () => {
    await sandbox.put('/sandbox/faults', {
      faults: [
        { route: 'A1', mode: 'slow', delayMs: 300 },
        { route: 'A1', mode: 'slow', delayMs: 600, rate: 0.5, seed: 7 },
      ],
    });
    campaign = await send();
    const before = await eventually('some sub-tasks are accepted', async () => {
      const calls = await acceptedCalls();
      return calls.length >= 4 && calls;
    });
    expect(before.length).to.be.lessThan(subTaskCount);
    await setTimeout(100);
    // The platform outlives us by a moment: of the calls in flight some take effect, and nobody hears of it.
    await stack.kill('backend');
    await setTimeout(350);
    await Promise.all(services.filter((name) => name !== 'backend').map((name) => stack.kill(name)));

    await Promise.all(services.map((name) => stack.restart(name)));
    await signIn();
    const settled = await eventually(
      'every sub-task is settled',
      async () => {
        const progress = await api.get<Progress>(`/campaigns/${campaign.id}/progress`);
        expect(contactsOf(progress)).to.equal(contactCount);
        const found = await subTasks();
        return found.every(({ status }) => status === 'completed' || status === 'unknown') && found;
      },
      { timeoutMs: 90_000, intervalMs: 200 },
    );

    const accepted = await platformTasks();
    const byTask = new Map(accepted.map((task) => [task.taskId, task]));
    const unknown = settled.filter(({ status }) => status === 'unknown');
    const known = settled.filter(({ status }) => status !== 'unknown');
    process.stderr.write(
      `      ${before.length} accepted before, ${known.length} known and ${unknown.length} unknown after, ${accepted.length} at the platform\n`,
    );
    expect(settled).to.have.length(subTaskCount);
    expect(settled.reduce((sum, task) => sum + task.contactCount, 0)).to.equal(contactCount);
    // Each known one is there once, and whatever else is there belongs to an unknown one.
    expect(new Set(known.map(({ taskId }) => taskId)).size).to.equal(known.length);
    for (const { taskId } of known) expect(byTask.has(taskId ?? '')).to.equal(true);
    expect(accepted.length).to.be.within(known.length, subTaskCount);
    const keys = (await acceptedCalls()).map(({ idempotencyKey }) => idempotencyKey);
    expect(new Set(keys).size).to.equal(keys.length);
    expect((await api.get<Progress>(`/campaigns/${campaign.id}/progress`)).status).to.equal(
      unknown.length > 0 ? 'sending' : 'completed',
    );
  });

  it('resolves what is unknown by a click where the platform has it, and by an operator where it has not', async () => {
    const known = new Set((await subTasks()).map(({ taskId }) => taskId));
    const lost = (await platformTasks()).filter(({ taskId }) => !known.has(taskId));
    for (const { taskId } of lost) {
      const { contactIds } = await sandbox.get<{ contactIds: string[] }>(`/sandbox/tasks/${taskId}`);
      await sandbox.post('/sandbox/clicks', { taskId, contactId: contactIds[0] });
    }
    await eventually('the clicks have told', async () => {
      const found = new Set((await subTasks()).map(({ taskId }) => taskId));
      return lost.every(({ taskId }) => found.has(taskId));
    });
    for (const task of await subTasks()) {
      if (task.status === 'unknown')
        await api.post(`/campaigns/${campaign.id}/tasks/${task.key}:resolve`, { outcome: 'not_sent' });
    }
    await eventually(
      'the campaign has ended',
      async () => {
        const { status } = await api.get<Progress>(`/campaigns/${campaign.id}/progress`);
        const rejected = (await subTasks()).filter((task) => task.status === 'rejected').length;
        expect(status).to.equal(rejected > 0 ? 'partially_failed' : 'completed');
        return true;
      },
      { timeoutMs: 30_000 },
    );
    expect((await platformTasks()).length).to.equal((await subTasks()).filter(({ taskId }) => taskId !== null).length);
  });
});
