import { expect } from 'chai';
import { rows } from '#db/database.ts';
import { sendCampaign } from '#commands/outreach/sends/send-campaign.ts';
import { resumeCampaign } from '#commands/outreach/sends/resume-campaign.ts';
import { storeSource } from '#commands/outreach/campaigns/store-source.ts';
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
import { useDatabase } from '#test/support/fixtures/database.ts';
import { dispatchWorkflowId } from '../contracts/dispatch-campaign.ts';
import { usePlatform, useWorkerOnJumpingClock } from '#test/support/fixtures/outreach.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

describe('campaign ends and late starts, on a skipping clock', () => {
  const database = useDatabase('outreach');
  const platform = usePlatform();
  const { worker, clock, look } = useWorkerOnJumpingClock(database, platform);
  let tenant: TestTenant;

  beforeEach(async () => {
    platform.calls.length = 0;
    platform.behave(() => null);
    tenant = await seedTenant(database, testEncryption);
    // With nothing else pending, the clock has skipped ahead to when an ended workflow would have timed out.
    await look();
  });

  const later = (ms: number) => new Date(clock().getTime() + ms);
  async function pass(ms: number): Promise<void> {
    await worker.environment.sleep(ms);
    await look();
  }
  const statusOf = async (send: { campaignId: string }) => (await readCampaign(database, send)).status;

  const sweep = () => worker.run<{ closings: number }>('sweepOutreach');

  it('S0-ST5, S0-EN3: a campaign closes at its end, and its entry source becomes inactive at that time', async () => {
    const endsAt = later(7 * dayMs);
    const send = await seedSend(database, tenant.tenantId, { chunks: [2], status: 'completed' });
    await rows(database, 'update campaign set ends_at = :endsAt where campaign_id = :campaignId', { ...send, endsAt });
    const sourceId = `source-${send.campaignId}`;
    await storeSource(database, { ...send, sourceId, sent: { name: 'Spring', endsAt } });
    await pass(7 * dayMs - 2 * minuteMs);
    expect((await sweep()).closings).to.equal(0);
    expect(await statusOf(send)).to.equal('completed');
    await pass(2 * minuteMs);
    expect((await sweep()).closings).to.equal(1);
    await eventually('the entry source is ended', () => platform.of('other').length > 0);
    expect(platform.of('other').map(({ method, path, body }) => [method, path, body])).to.deep.equal([
      ['PUT', `/openapi/v1/entry-sources/${sourceId}/status`, { status: 'inactive' }],
    ]);
    expect(await statusOf(send)).to.equal('closed');
    const [closed] = await rows<{ at: Date }>(
      database,
      'select closed_at as at from campaign where campaign_id = :campaignId',
      { ...send },
    );
    expect(closed?.at.getTime()).to.be.within(endsAt.getTime(), endsAt.getTime() + 5 * minuteMs);
    await eventually('F3 is noted', async () => {
      const source = await database('entry_source').where({ source_id: sourceId }).first();
      return source.ended_at !== null;
    });
    expect((await sweep()).closings).to.equal(0);
  });

  /** A campaign that starts in half an hour, and that the platform defers by an hour, this many times. */
  async function putOff(times: number) {
    platform.behave(({ route }) =>
      route === 'A1' && platform.of('A1').length <= times
        ? { status: 429, body: { code: 'rate_limited', message: 'later' }, headers: { 'Retry-After': '3600' } }
        : null,
    );
    const at = later(30 * minuteMs);
    const send = await seedSend(database, tenant.tenantId, { chunks: [2], at });
    await worker.launcher.dispatch(send, { wake: false });
    await eventually('it is put off', async () => (await readTasks(database, send))[0]?.errorCode === 'rate_limited');
    expect(platform.of('A1')[0]?.body['schedule']).to.deep.equal({ type: 'scheduled', at: at.toISOString() });
    return send;
  }
  const sentSchedules = () => platform.of('A1').map(({ body }) => (body['schedule'] as { type: string }).type);

  it('sub-tasks that could not be submitted on time are still sent within the grace period', async () => {
    const send = await putOff(1);
    await pass(61 * minuteMs);
    await eventually('it is submitted', async () => (await readTasks(database, send))[0]?.taskId !== null);
    expect(sentSchedules()).to.deep.equal(['scheduled', 'immediate']);
    expect((await readCampaign(database, send)).pauseReason).to.equal(null);
  });

  it('after the grace period they are paused as late, and :resume sends them', async () => {
    const send = await putOff(2);
    await pass(61 * minuteMs);
    await eventually('it is put off again', () => platform.of('A1').length === 2);
    await eventually('that is noted', async () => (await readTasks(database, send))[0]?.status === 'pending');
    await pass(61 * minuteMs);
    await eventually('it is paused', async () => (await statusOf(send)) === 'paused');
    expect((await readCampaign(database, send)).pauseReason).to.equal('late');
    expect(sentSchedules()).to.deep.equal(['scheduled', 'immediate']);
    const author = { tenantId: tenant.tenantId, userId: 'u1', requestId: null };
    await resumeCampaign(database, author, send.campaignId, clock());
    await worker.launcher.dispatch(send, { wake: true });
    await eventually('it is submitted', async () => (await readTasks(database, send))[0]?.taskId !== null);
    expect(sentSchedules()).to.deep.equal(['scheduled', 'immediate', 'immediate']);
    await pass(2 * minuteMs);
    await eventually('it is completed', async () => (await statusOf(send)) === 'completed');
  });

  const author = () => ({ tenantId: tenant.tenantId, userId: 'u1', requestId: null });

  /** A campaign to a tag with 25 contacts that is sent now, to start in half an hour to whom the tag has then. */
  async function sendAtStart() {
    const campaignId = await seedLargeDraft(database, tenant.tenantId);
    const schedule = { type: 'scheduled', at: later(30 * minuteMs).toISOString(), audience: 'at_start' };
    await database('campaign')
      .where({ campaign_id: campaignId })
      .update({ schedule: JSON.stringify(schedule) });
    const request = { idempotencyKey: null, expectedReachableCount: null, now: clock() };
    const { dispatch } = await sendCampaign(database, author(), campaignId, request);
    const send = { tenantId: tenant.tenantId, campaignId, dispatchId: '', number: 1, ...dispatch };
    await worker.launcher.dispatch(send, { wake: false });
    return send;
  }
  const sentTo = () => platform.of('A1').map(({ body }) => (body['audience'] as { contactIds: string[] }).contactIds);

  it('A17: an audience of the start is resolved then, and sent to at once', async () => {
    const send = await sendAtStart();
    await pass(29 * minuteMs);
    expect(sentTo()).to.deep.equal([]);
    expect(await statusOf(send)).to.equal('scheduled');
    await database('tag_assignment')
      .where({ tenant_id: tenant.tenantId })
      .whereNotIn('contact_id', ['c7', 'c9'])
      .delete();
    await pass(2 * minuteMs);
    await eventually('it is submitted', async () => (await readTasks(database, send))[0]?.taskId != null);
    expect(sentTo()).to.deep.equal([['c7', 'c9']]);
    expect(sentSchedules()).to.deep.equal(['immediate']);
  });

  it('A17: an audience of the start that was not resolved within the grace period waits for :resume', async () => {
    const send = await sendAtStart();
    // As if the worker had been stopped for an hour and a half.
    await database('dispatch')
      .where({ dispatch_id: send.dispatchId })
      .update({ scheduled_at: later(-61 * minuteMs) });
    await pass(31 * minuteMs);
    await eventually('it is paused', async () => (await statusOf(send)) === 'paused');
    expect((await readCampaign(database, send)).pauseReason).to.equal('late');
    expect(sentTo()).to.deep.equal([]);
    await resumeCampaign(database, author(), send.campaignId, clock());
    await worker.launcher.dispatch(send, { wake: true });
    await eventually('it is submitted', async () => (await readTasks(database, send))[0]?.taskId != null);
    expect(sentTo()[0]).to.have.length(25);
  });

  it('submits at a pace by timers, keeps the rest back at the deadline, and sends it after :resume', async () => {
    const send = await seedSend(database, tenant.tenantId, { chunks: [600, 600, 600, 600] });
    const deadline = later(90 * minuteMs).toISOString();
    await database('campaign')
      .where({ campaign_id: send.campaignId })
      .update({ pace: JSON.stringify({ perMinute: 10, deadline }) });
    await worker.launcher.dispatch(send, { wake: false });
    await eventually('the first is submitted', () => platform.of('A1').length === 1);
    await pass(58 * minuteMs);
    expect(platform.of('A1')).to.have.length(1);
    await pass(4 * minuteMs);
    await eventually('the second is submitted', () => platform.of('A1').length === 2);
    await pass(30 * minuteMs);
    await eventually('the rest is kept back', async () => (await statusOf(send)) === 'paused');
    expect((await readCampaign(database, send)).pauseReason).to.equal('deadline');
    const handle = worker.environment.client.workflow.getHandle(dispatchWorkflowId(send.campaignId, 1));
    expect(await handle.result()).to.deep.equal({ heldBack: 2 });
    await resumeCampaign(database, author(), send.campaignId, clock());
    await worker.launcher.dispatch(send, { wake: true });
    await pass(31 * minuteMs);
    await eventually('the third is submitted', () => platform.of('A1').length === 3);
    await pass(61 * minuteMs);
    await eventually('the last is submitted', () => platform.of('A1').length === 4);
    const keys = platform.of('A1').map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).to.equal(4);
  });
});
