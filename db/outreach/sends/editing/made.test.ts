import { EventEmitter, once } from 'node:events';
import { expect } from 'chai';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { type EditingSite, HOUR_MS, openEditingSite } from '#test/support/services/editing-site.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { rows } from '#db/database.ts';
import { Problem } from '#domain/api/problem.ts';
import type { TestSend } from '#test/support/outreach/rows.ts';
import { readComparison } from '../forecast/comparison.ts';
import { claimSubTask } from '../ledger/ledger.ts';
import { updateCampaign } from '#commands/outreach/sends/editing/update-campaign.ts';
import { recordAccepted } from '#commands/outreach/sends/ledger/outcomes.ts';
import { retryFailed } from '#commands/outreach/sends/retry-failed.ts';

const text = (words: string) => [{ type: 'text' as const, text: words }];

describe('A17: a change of a scheduled campaign is made', () => {
  const database = useDatabase('outreach');
  let site: EditingSite;
  beforeEach(async () => void (site = await openEditingSite(database)));
  afterEach(() => site.close());

  const inTwoHours = () => ({ type: 'scheduled' as const, at: new Date(site.at.getTime() + HOUR_MS).toISOString() });

  it('cancels every task, then submits the same contacts with the new content and time', async () => {
    const send = await site.scheduled([2, 1]);
    const schedule = inTwoHours();
    const asked = await site.change(send, { messages: text('Later'), schedule, name: 'Summer' });
    const { campaign } = asked;
    expect(campaign.pendingEdit).to.deep.include({ requestedBy: 'editor' });
    expect([campaign.name, campaign.status]).to.deep.equal(['Spring', 'scheduled']);
    expect(await site.submitted(send), 'nothing is submitted meanwhile').to.deep.equal([]);

    await site.poll(send);
    expect(site.platform.of('A3').map(({ path }) => path.split('/').at(-1))).to.have.members(
      send.keys.map((key) => `task-${key}:cancel`),
    );
    expect(await site.outcomeOf(asked)).to.equal('made');
    const after = await site.campaignOf(send);
    expect(after).to.deep.include({ name: 'Summer', status: 'scheduled', editedBy: 'editor', pendingEdit: null });
    expect(after.schedule).to.deep.equal(schedule);
    expect(after.revision).to.be.greaterThan(campaign.revision);
    expect(site.asked).to.include(`dispatch:${send.campaignId}:2`);

    const bodies = await site.submitted(send);
    expect(bodies.map(({ name, messages, schedule: when }) => ({ name, messages, when }))).to.deep.equal([
      { name: 'Summer', messages: text('Later'), when: schedule },
    ]);
    expect(bodies.flatMap(({ audience }) => audience.contactIds)).to.deep.equal(['c0-1', 'c0-2', 'c1-1']);
    expect(await site.audienceOf(send)).to.deep.equal(['c0-1', 'c0-2', 'c1-1']);
    expect([await site.statesOf(send), (await site.campaignOf(send)).status]).to.deep.equal([
      ['scheduled'],
      'scheduled',
    ]);
    const keys = site.platform.of('A1').map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size, 'no key is used twice').to.equal(keys.length);
  });

  it('is audited once it is made, with who asked for it', async () => {
    const send = await site.scheduled([1]);
    await site.change(send, { note: 'For members' });
    const entries = () =>
      database('audit_log').where({ object_id: send.campaignId, action: 'campaign.update' }).select('actor', 'after');
    expect(await entries()).to.deep.equal([]);
    await site.poll(send);
    const [entry, ...others] = await entries();
    expect([entry.actor, entry.after.note, others]).to.deep.equal(['editor', 'For members', []]);
  });

  it('takes from the platform what is to be sent at a pace', async () => {
    const send = await site.scheduled([2, 1]);
    const asked = await site.change(send, { pace: { perMinute: 10 } });
    expect(asked.campaign.pace).to.equal(null);
    await site.poll(send);
    expect(site.platform.of('A3')).to.have.length(2);
    expect([await site.outcomeOf(asked), (await site.campaignOf(send)).pace]).to.deep.equal([
      'made',
      { perMinute: 10 },
    ]);
    expect(await site.submitted(send), 'nothing is submitted before its start').to.deep.equal([]);
    expect(await site.statesOf(send)).to.deep.equal(['pending']);
  });

  it('may be another pace or note of a send that needed approval, and nothing else', async () => {
    const send = await site.scheduled([2, 1]);
    await database('tenant').where({ tenantId: site.author.tenantId }).update({ sendsNeedApproval: 1 });
    const refused = await site.change(send, { messages: text('Later') }).catch((error: unknown) => error);
    expect(refused).to.include({ code: 'approval_required' });
    for (const patch of [{ pace: { perMinute: 10 } }, { note: 'For members' }]) {
      const asked = await site.change(send, patch);
      await site.poll(send);
      expect(await site.outcomeOf(asked)).to.equal('made');
    }
    expect(await site.campaignOf(send)).to.deep.include({ pace: { perMinute: 10 }, note: 'For members' });
  });

  it('is refused for the state of the campaign before its version is looked at', async () => {
    const patch = { messages: text('Later') };
    const refusalOf = async ({ campaignId }: TestSend) => {
      const checkRevision = () => {
        throw new Problem('stale', 'Somebody has changed it');
      };
      const checks = { checkStage: () => undefined, checkRevision, check: () => Promise.resolve() };
      const change = { patch, now: site.deps.now(), ...checks };
      return await updateCampaign(database, site.author, campaignId, change).catch((error: unknown) => error);
    };
    const send = await site.scheduled([2, 1]);
    expect(await refusalOf(send)).to.include({ code: 'stale' });
    await database('tenant').where({ tenantId: site.author.tenantId }).update({ sendsNeedApproval: 1 });
    expect(await refusalOf(send)).to.include({ code: 'approval_required' });
    await database('tenant').where({ tenantId: site.author.tenantId }).update({ sendsNeedApproval: null });
    await database('broadcast_task').where({ key: send.keys[0] }).update({ status: 'unknown' });
    expect(await refusalOf(send)).to.include({ code: 'invalid_state' });
  });

  it('begins at its start with a pace that it got less than a minute before', async () => {
    site.clock.skew = HOUR_MS - 20_000;
    const send = await site.scheduled([20]);
    await site.change(send, { pace: { perMinute: 10 } });
    await site.poll(send);
    expect(await site.submitted(send), 'nothing is submitted before its start').to.deep.equal([]);
    site.clock.skew = HOUR_MS;
    const bodies = await site.submitted(send);
    expect(bodies.map(({ audience }) => audience.contactIds.length)).to.deep.equal([10]);
  });

  it('needs no call while nothing of it is at the platform', async () => {
    const send = await site.seedSend({ chunks: [2, 1], at: site.at });
    const asked = await site.change(send, { messages: text('Later') });
    expect([await site.outcomeOf(asked), asked.campaign.pendingEdit]).to.deep.equal(['made', null]);
    expect((await site.submitted(send)).map(({ messages }) => messages)).to.deep.equal([text('Later')]);
    expect(site.platform.of('A3')).to.deep.equal([]);
    expect(await site.audienceOf(send)).to.deep.equal(['c0-1', 'c0-2', 'c1-1']);
  });

  it('waits for a submission under way, and cancels its task, too', async () => {
    const send = await site.seedSend({ chunks: [1], at: site.at });
    const calls = new EventEmitter();
    const called = once(calls, 'called');
    const response = once(calls, 'response');
    site.platform.behave(async ({ route }) => {
      if (route !== 'A1') return null;
      calls.emit('called');
      await response;
      return null;
    });
    const submitting = site.submit(send);
    await called;
    const asked = await site.change(send, { messages: text('Later') });
    await site.poll(send);
    expect(await site.outcomeOf(asked)).to.equal(null);
    calls.emit('response');
    await submitting;
    await site.poll(send);
    expect(site.platform.of('A3').length).to.equal(1);
    expect(await site.outcomeOf(asked)).to.equal('made');
    expect((await site.submitted(send)).map(({ messages }) => messages)).to.deep.equal([text('Later')]);
  });

  it('cancels and submits again what is being claimed when it is asked for', async () => {
    const send = await site.seedSend({ chunks: [2, 1], at: site.at });
    const { tenantId, campaignId, dispatchId } = send;
    const key = send.keys[1] ?? '';
    await site.run(() => site.activities.submitBroadcasts({ tenantId, dispatchId, from: 0, to: 0 }));
    const now = site.deps.now();
    const claiming = await database.transaction();
    const claim = { tenantId, dispatchId, from: 1, to: 1, owner: 'another', now };
    expect(await claimSubTask(claiming, claim)).to.include({ key });
    const changing = site.change(send, { messages: text('Later') });
    await eventually('the change waits for the claim', async () => {
      const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return (await rows(database, waiting, {})).length > 0;
    });
    await claiming.commit();
    const asked = await changing;
    const accepted = {
      taskId: `task-${key}`,
      estimatedRecipientCount: 1,
      status: 'scheduled',
      pollIntervalMs: 1,
    } as const;
    await recordAccepted(
      database,
      { tenantId, campaignId, key, owner: 'another', now },
      { ...accepted, nextPollAt: now },
    );

    await site.poll(send);
    expect([site.platform.of('A3').length, await site.outcomeOf(asked)]).to.deep.equal([2, 'made']);
    expect((await site.submitted(send)).map(({ messages }) => messages)).to.deep.equal([text('Later')]);
    expect(await site.audienceOf(send)).to.deep.equal(['c0-1', 'c0-2', 'c1-1']);
    expect(await site.statesOf(send)).to.deep.equal(['scheduled']);
  });

  it('leaves no trace on what was not submitted when it came too late', async () => {
    const send = await site.seedSend({ chunks: [1, 1], at: site.at });
    const { tenantId, dispatchId } = send;
    await site.run(() => site.activities.submitBroadcasts({ tenantId, dispatchId, from: 0, to: 0 }));
    const asked = await site.change(send, { messages: text('Later') });
    site.begun(send.keys.slice(0, 1));
    await site.poll(send);
    expect(await site.outcomeOf(asked)).to.equal('too_late');
    expect(await database('broadcast_task').where({ key: send.keys[1] }).pluck('withdrawn_for')).to.deep.equal([null]);
    expect((await site.submitted(send)).map(({ audience }) => audience.contactIds)).to.deep.equal([['c1-1']]);
  });

  it('is what a retry, the test of variants and the forecast go by, if it is another time', async () => {
    const send = await site.scheduled([1]);
    const { tenantId, campaignId, dispatchId } = send;
    await database('variant_test').insert({ campaignId, tenantId, dispatchId, nextLookAt: site.at });
    const schedule = { type: 'scheduled' as const, at: new Date(site.at.getTime() - HOUR_MS / 2).toISOString() };
    await site.change(send, { schedule });
    await site.poll(send);
    const [test] = await database('variant_test').where({ campaignId });
    expect(test.nextLookAt).to.deep.equal(new Date(schedule.at));

    site.platform.behave(({ route }) => (route === 'A1' ? { status: 422, body: { code: 'invalid' } } : null));
    await site.submitted(send);
    site.platform.behave(() => null);
    const request = { idempotencyKey: null, asked: [], now: site.deps.now() };
    await retryFailed(database, site.author, campaignId, request);
    expect((await site.submitted(send)).map(({ schedule: when }) => when)).to.deep.equal([schedule]);

    const finished = new Date(Date.parse(schedule.at) + 5000);
    await database('campaign').where({ campaignId }).update({ finishedAt: finished });
    const compared = await readComparison(database, { tenantId, campaignId });
    expect(compared?.actual?.durationSeconds).to.equal(5);
  });

  it('starts at once if that is the change', async () => {
    const send = await site.scheduled([1]);
    await site.change(send, { schedule: { type: 'immediate' } });
    await site.poll(send);
    expect((await site.campaignOf(send)).status).to.equal('sending');
    expect((await site.submitted(send)).map(({ schedule }) => schedule)).to.deep.equal([{ type: 'immediate' }]);
  });

  it('cancels nothing for an end, or for content that is the same', async () => {
    const send = await site.scheduled([1]);
    const { messages, name } = await site.campaignOf(send);
    expect((await site.change(send, { endsAt: inTwoHours().at })).editId).to.equal(null);
    expect((await site.change(send, { messages, name })).editId).to.equal(null);
    await site.poll(send);
    expect(site.platform.of('A3')).to.deep.equal([]);
    expect(await site.statesOf(send)).to.deep.equal(['scheduled']);
  });

  it('does not send again to whom a task has reached although it was cancelled', async () => {
    const send = await site.scheduled([1]);
    await site.change(send, { messages: text('Later') });
    await site.poll(send);
    await rows(database, `update broadcast_task set status = 'sending' where key = :key`, { key: send.keys[0] });
    await site.poll(send);
    expect(await site.submitted(send)).to.deep.equal([]);
    expect(await site.statesOf(send)).to.deep.equal(['sending']);
  });
});
