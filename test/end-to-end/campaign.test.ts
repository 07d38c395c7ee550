import { Client, Connection } from '@temporalio/client';
import { expect } from 'chai';
import type { Campaign, Progress, Results, SubTask } from '#domain/api/campaign.ts';
import type { Page } from '#domain/api/primitives.ts';
import type { JsonClient } from '#scripts/demo/client.ts';
import { eventually } from '../support/time/eventually.ts';
import { inOrder } from '../support/in-order.ts';
import { freshTenantId } from '../support/services/shared-stack.ts';
import { installTenant, type TestTenant } from '../support/services/tenant.ts';
import { useSharedStack } from '../support/fixtures/stack.ts';

const serviceNumberId = 'sn-main-job';
const contactCount = 2500;

const postback = (label: string, bizEventCode: string) => ({
  type: 'Postback',
  label,
  data: { event: 'Broadcast', bizEventCode },
  displayText: `${label}!`,
});

const message = {
  type: 'buttons',
  title: 'Harbor tasting',
  text: 'One cup is on us.',
  actions: [postback('Keep a seat', 'seat-wanted'), { type: 'Url', label: 'Menu', url: 'https://menu.example/autumn' }],
};

interface A1Body {
  name: string;
  audience: { type: string; contactIds: string[] };
  messages: { actions: { data: string; displayText?: string }[] }[];
}

interface Deliveries {
  items: { status: string; eventId: string; attempts: number }[];
  total: number;
}

/** Contacts in all states, which must always equal the audience. */
function contactsOf(progress: Progress): number {
  return Object.values(progress.subTasks).reduce((sum, { contacts }) => sum + contacts, 0);
}

describe('the main job, end to end', function () {
  this.timeout(180_000);
  inOrder(this);
  const stack = useSharedStack();
  let tenant: TestTenant;
  let sandbox: JsonClient;
  let api: JsonClient;
  let campaign: Campaign;
  let tasks: SubTask[];

  before(async () => {
    tenant = await installTenant(stack, { tenantId: freshTenantId(), serviceNumberId, contacts: contactCount });
    ({ sandbox, api } = tenant);
    // Long enough to be observed in progress.
    await sandbox.put('/sandbox/behaviour', { sendDurationMs: 1000 });
  });

  afterEach(function () {
    if (this.currentTest?.isFailed()) process.stdout.write(`${stack.logs()}\n`);
  });

  it('sends to 2,500 contacts in three sub-tasks, and the counts always add up', async () => {
    const draft = await api.post<Campaign>('/campaigns', {
      name: 'Story',
      serviceNumberId,
      messages: [message],
      audience: { type: 'contacts', contactIds: [...tenant.contactIds, ...tenant.contactIds.slice(0, 50)] },
      schedule: { type: 'immediate' },
    });
    campaign = await api.post<Campaign>(`/campaigns/${draft.id}:send`, { expectedReachableCount: contactCount });
    expect(campaign.audienceCount).to.equal(contactCount);
    const looks: number[] = [];
    await eventually(
      'the campaign is completed',
      async () => {
        const progress = await api.get<Progress>(`/campaigns/${campaign.id}/progress`);
        expect(progress.audienceCount).to.equal(contactCount);
        looks.push(contactsOf(progress));
        return progress.status === 'completed' && progress.summary.delivered === contactCount;
      },
      { timeoutMs: 60_000 },
    );
    expect(looks.length).to.be.greaterThan(1);
    expect(new Set(looks)).to.deep.equal(new Set([contactCount]));
    const page = await api.get<Page<SubTask>>(`/campaigns/${campaign.id}/tasks`);
    tasks = page.items;
    expect(tasks.map(({ contactCount: count }) => count).sort()).to.deep.equal([1000, 1000, 500]);
    expect(new Set(tasks.map(({ parentTaskId }) => parentTaskId)).size).to.equal(1);
    expect(tasks[0]?.parentTaskId).to.be.a('string');
  });

  it('makes three A1 calls with at most 1,000 contacts: together they are the audience, without duplicates', async () => {
    const { items } = await sandbox.get<{ items: { status: number; signature: string; body: A1Body }[] }>(
      '/sandbox/calls?route=A1&bodies=1',
    );
    const calls = items.filter(({ body }) => body.name === campaign.name);
    expect(calls.map(({ status, signature }) => ({ status, signature }))).to.deep.equal(
      Array.from({ length: 3 }, () => ({ status: 201, signature: 'ok' })),
    );
    const lists = calls.map(({ body }) => body.audience.contactIds);
    for (const list of lists) expect(list.length).to.be.at.most(1000);
    const sent = lists.flat();
    expect(sent).to.have.length(contactCount);
    expect(new Set(sent)).to.deep.equal(new Set(tenant.contactIds));
    for (const { body } of calls) {
      const [action] = body.messages[0]?.actions ?? [];
      expect(body.audience.type).to.equal('contacts');
      expect(action?.displayText).to.equal('Keep a seat!');
      expect(JSON.parse(action?.data ?? '')).to.include({
        appId: 'outreach',
        event: 'Broadcast',
        campaignId: campaign.id,
      });
    }
  });

  it('counts a click that is delivered five times once, and a second click as a repeat', async () => {
    const task = tasks[0];
    const { contactIds } = await sandbox.get<{ contactIds: string[] }>(`/sandbox/tasks/${task?.taskId}`);
    const click = { taskId: task?.taskId, contactId: contactIds[0], actionIndex: 0 };
    const { items } = await sandbox.post<{ items: { eventId: string }[] }>('/sandbox/clicks', { ...click, times: 5 });
    await eventually('all five deliveries got a response', async () => {
      const deliveries = await sandbox.get<Deliveries>(`/sandbox/deliveries?eventId=${items[0]?.eventId}`);
      expect(deliveries.items.map(({ status }) => status)).to.deep.equal(Array(5).fill('delivered'));
      return true;
    });
    const results = await eventually('the click is attributed', async () => {
      const found = await api.get<Results>(`/campaigns/${campaign.id}/results`);
      expect(found.clicks.total).to.equal(1);
      return found;
    });
    expect(results.clicks).to.deep.include({
      total: 1,
      repeats: 0,
      uniqueContacts: 1,
      byBizEventCode: [{ bizEventCode: 'seat-wanted', clicks: 1, uniqueContacts: 1 }],
    });
    await sandbox.post('/sandbox/clicks', click);
    await eventually('the second click is a repeat', async () => {
      const { clicks } = await api.get<Results>(`/campaigns/${campaign.id}/results`);
      expect(clicks).to.include({ total: 1, repeats: 1, uniqueContacts: 1 });
      return true;
    });
  });

  it('shows everything to staff in Temporal, under ids they can guess', async () => {
    const install = await api.get<{ tenantIntegrationId: string }>('/integration');
    const connection = await Connection.connect({ address: stack.temporal.address });
    const { workflow } = new Client({ connection, namespace: stack.temporal.namespace });
    const dispatch = await workflow.getHandle(`dispatch:${campaign.id}:1`).describe();
    expect(dispatch.type).to.equal('dispatchCampaign');
    expect(dispatch.status.name).to.equal('COMPLETED');
    expect(await dispatch.staticSummary()).to.be.a('string').that.is.not.empty;
    expect(await dispatch.staticDetails()).to.include(`(${stack.addresses.bff}/app/campaigns/${campaign.id})`);
    expect(dispatch.historyLength).to.be.lessThan(100);
    expect((await workflow.getHandle(`poll:${campaign.id}`).describe()).type).to.equal('pollTaskStatus');
    expect((await workflow.getHandle(`install:${install.tenantIntegrationId}`).describe()).type).to.equal(
      'installTenant',
    );
  });
});
