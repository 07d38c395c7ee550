import { expect } from 'chai';
import { rows } from '#db/database.ts';
import { findCampaignNames } from '#db/outreach/campaigns/names.ts';
import { sendCampaign } from '#commands/outreach/sends/send-campaign.ts';
import { runCost } from '#test/support/servers/actions.ts';
import { timesOf } from '#test/support/extent.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import {
  readCampaign,
  readTasks,
  seedLargeDraft,
  seedSend,
  seedTenant,
  type TestTenant,
} from '#test/support/outreach/rows.ts';
import { dispatchWorkflowId } from '../contracts/dispatch-campaign.ts';
import { pollWorkflowId } from '../contracts/poll-task-status.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { useOutreachWorker, usePlatform } from '#test/support/fixtures/outreach.ts';

const SUB_TASKS = timesOf(300, 1000);

describe('dispatchCampaign and pollTaskStatus', () => {
  const database = useDatabase('outreach');
  const platform = usePlatform({ delayMs: 20 });
  const worker = useOutreachWorker(database, { platform });
  let tenant: TestTenant;

  before(async () => {
    tenant = await seedTenant(database, testEncryption);
  });
  beforeEach(() => {
    platform.behave(() => null);
    platform.calls.length = 0;
  });

  const ended = (campaignId: string, number = 1) =>
    worker.client.workflow.getHandle(dispatchWorkflowId(campaignId, number)).result();
  const events = async (workflowId: string) => {
    const history = await worker.client.workflow.getHandle(workflowId).fetchHistory();
    return history.events ?? [];
  };

  it('has ids that staff can guess', () => {
    expect([dispatchWorkflowId('c-1', 12), pollWorkflowId('c-1')]).to.deep.equal(['dispatch:c-1:12', 'poll:c-1']);
  });

  it('submits a send, follows it to its end, and shows both to staff', async () => {
    const send = await seedSend(database, tenant.tenantId, { chunks: [5, 5, 3] });
    await Promise.all([1, 2, 3].map(() => worker.launcher.dispatch(send, { wake: false })));
    expect(await ended(send.campaignId)).to.deep.equal({ heldBack: 0 });
    await eventually(
      'the campaign is completed',
      async () => (await readCampaign(database, send)).status === 'completed',
    );
    expect(platform.of('A1')).to.have.length(3);
    const handle = worker.client.workflow.getHandle(pollWorkflowId(send.campaignId));
    await eventually('staff see the status', async () => {
      const described = await handle.describe();
      return described.searchAttributes['BizStatus']?.[0] === 'completed';
    });
    const described = await worker.client.workflow.getHandle(dispatchWorkflowId(send.campaignId, 1)).describe();
    expect(described.searchAttributes).to.deep.include({ TenantId: [send.tenantId], CampaignId: [send.campaignId] });
    const names = await findCampaignNames(database, send);
    expect(await described.staticSummary()).to.equal(
      `Submits send 1 of campaign “${names?.campaign}” (${send.campaignId}) of ${names?.tenant} to the platform`,
    );
    expect(await described.staticDetails()).to.include(`of tenant ${names?.tenant} (${send.tenantId}).`);
  });

  it('costs the workflow server one activity for each 100 sub-tasks', async () => {
    const costOf = async (subTasks: number) => {
      const send = await seedSend(database, tenant.tenantId, { chunks: Array.from({ length: subTasks }, () => 1) });
      await worker.launcher.dispatch(send, { wake: false });
      expect(await ended(send.campaignId)).to.deep.equal({ heldBack: 0 });
      expect(platform.of('A1')).to.have.length(subTasks);
      platform.calls.length = 0;
      return await runCost(worker.client, dispatchWorkflowId(send.campaignId, 1));
    };
    const [one, three] = [await costOf(100), await costOf(300)];
    // The start, the plan before and after, following the campaign, its status, and the ranges.
    expect(one.actions).to.be.at.most(7);
    expect(three.actions - one.actions).to.be.at.most(2);
    expect(one.events).to.be.at.most(35);
    expect(three.events).to.be.at.most(35 + 2 * 6);
  });

  it('A13: freezes a large audience before it submits anything', async () => {
    const { tenantId } = tenant;
    const campaignId = await seedLargeDraft(database, tenantId);
    const author = { tenantId, userId: 'u', requestId: null };
    const request = { idempotencyKey: null, expectedReachableCount: 25, now: new Date() };
    const { dispatch } = await sendCampaign(database, author, campaignId, request);
    if (!dispatch) throw new Error('It was not sent');
    expect(await database('broadcast_task').where({ campaignId })).to.deep.equal([]);
    await worker.launcher.dispatch({ tenantId, campaignId, ...dispatch }, { wake: false });
    await ended(campaignId);
    await eventually(
      'the campaign is completed',
      async () => (await readCampaign(database, { campaignId })).status === 'completed',
    );
    const [sent, ...more] = platform.of('A1');
    expect(more).to.deep.equal([]);
    expect(sent?.body['audience']).to.have.property('contactIds').with.length(25);
  });

  it(`submits ${SUB_TASKS} sub-tasks to a 20 ms server once each, with few history events`, async () => {
    const send = await seedSend(database, tenant.tenantId, { chunks: Array.from({ length: SUB_TASKS }, () => 2) });
    await worker.launcher.dispatch(send, { wake: false });
    await ended(send.campaignId);
    const count = (await events(dispatchWorkflowId(send.campaignId, 1))).length;
    expect(platform.of('A1')).to.have.length(SUB_TASKS);
    expect(new Set(platform.of('A1').map(({ headers }) => headers['idempotency-key'])).size).to.equal(SUB_TASKS);
    // One activity per sub-task would be several events for each.
    expect(count).to.be.lessThan(SUB_TASKS * 0.4);
    await eventually('all are completed', async () => (await readCampaign(database, send)).status === 'completed');
    expect((await events(pollWorkflowId(send.campaignId))).length).to.be.lessThan(SUB_TASKS * 0.4);
  });

  it('continues with the rest of a split sub-task', async () => {
    platform.behave(({ body, route }) => {
      const named = route === 'A1' && (body['audience'] as { contactIds: string[] }).contactIds.includes('c1-2');
      return named ? { status: 400, body: { code: 'contact_not_found', contactIds: ['c1-2'] } } : null;
    });
    const send = await seedSend(database, tenant.tenantId, { chunks: [3, 3] });
    await worker.launcher.dispatch(send, { wake: false });
    await ended(send.campaignId);
    await eventually('ended', async () => (await readCampaign(database, send)).status === 'partially_failed');
    const tasks = await readTasks(database, send);
    expect(tasks.map(({ status, contactCount }) => [status, contactCount])).to.deep.equal([
      ['completed', 3],
      ['rejected', 1],
      ['completed', 2],
    ]);
  });

  it('stops on a pause, and continues when restarted', async () => {
    const send = await seedSend(database, tenant.tenantId, { chunks: Array.from({ length: 60 }, () => 1) });
    const set = (assignment: string) =>
      rows(database, `update campaign set ${assignment} where campaign_id = :campaignId`, {
        campaignId: send.campaignId,
      });
    let paused = false;
    platform.behave(async ({ route }) => {
      const now = route === 'A1' && !paused && platform.of('A1').length >= 20;
      paused ||= now;
      if (now) await set(`status = 'paused', pause_reason = 'operator'`);
      return null;
    });
    await worker.launcher.dispatch(send, { wake: true });
    const { heldBack } = (await ended(send.campaignId)) as { heldBack: number };
    expect(heldBack).to.be.within(10, 40);
    expect(platform.of('A1')).to.have.length(60 - heldBack);
    await set(`status = 'sending', pause_reason = null`);
    await worker.launcher.dispatch(send, { wake: true });
    await eventually('completed', async () => (await readCampaign(database, send)).status === 'completed');
    expect(platform.of('A1')).to.have.length(60);
  });

  it('is restarted by the sweep if its workflow is gone', async () => {
    const send = await seedSend(database, tenant.tenantId, { chunks: [1] });
    await rows(database, `update broadcast_task set created_at = now() - interval '1 minute' where key = any(:keys)`, {
      keys: send.keys,
    });
    const swept = await worker.client.workflow.execute('sweepOutreach', {
      workflowId: 'sweep-1',
      taskQueue: 'outreach',
    });
    expect(swept).to.include({ dispatches: 1 });
    await eventually('completed', async () => (await readCampaign(database, send)).status === 'completed');
  });
});
