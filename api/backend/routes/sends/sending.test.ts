import { expect } from 'chai';
import { pauseLate } from '#commands/outreach/sends/ledger/pause-late.ts';
import { contactId } from '#test/support/services/backend.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';

describe('sending a campaign', () => {
  const backend = useTwoTenants({ contacts: 2500 });

  const everyone = Array.from({ length: 2500 }, (_, n) => contactId(n + 1));
  const progress = async (id: string) => (await backend.call('GET', `/campaigns/${id}/progress`)).body;
  const setStatus = (id: string, status: string, chunks?: number[]) => {
    const query = backend.db('broadcast_task').where({ campaign_id: id });
    return (chunks ? query.whereIn('chunk', chunks) : query).update({ status });
  };
  const later = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

  it('freezes each contact once in chunks of at most 1,000, and starts the send’s workflow', async () => {
    const id = await backend.draft({
      audience: { type: 'contacts', contactIds: [...everyone, ...everyone.slice(0, 50), 'ghost'] },
    });
    const response = await backend.act(id, 'send', { body: { expectedReachableCount: 2500 } });
    expect(response.status).to.equal(202);
    expect(response.body).to.include({ status: 'sending', audienceCount: 2500 });
    expect(response.headers.get('etag')).to.equal((await backend.call('GET', `/campaigns/${id}`)).body.etag);
    const dispatch = await backend.db('dispatch').where({ campaign_id: id }).first();
    expect(dispatch.excluded).to.deep.equal({ expiredTags: 0, unsubscribed: 0, unreachable: 1, controlGroup: 0 });
    const recipients = await backend.db('dispatch_recipient').where({ dispatch_id: dispatch.dispatchId });
    expect(recipients.map(({ contactId }) => contactId).toSorted()).to.deep.equal(everyone);
    expect(await progress(id)).to.deep.include({
      status: 'sending',
      audienceCount: 2500,
      subTasks: { pending: { tasks: 3, contacts: 2500 } },
    });
    expect(backend.flows.sends.filter(({ campaignId }) => campaignId === id)).to.deep.equal([
      { tenantId: 'a', campaignId: id, dispatchId: dispatch.dispatchId, number: 1 },
    ]);
    const tasks = await backend.call('GET', `/campaigns/${id}/tasks`);
    expect(tasks.body.items.map((task: { contactCount: number }) => task.contactCount)).to.deep.equal([
      1000, 1000, 500,
    ]);
    expect(
      tasks.body.items.every((task: { parentTaskId: string }) => task.parentTaskId === dispatch.dispatchId),
    ).to.equal(true);
  });

  it('has no parent if one sub-task holds everything', async () => {
    const id = await backend.draft();
    await backend.act(id, 'send');
    const [task] = (await backend.call('GET', `/campaigns/${id}/tasks`)).body.items;
    expect(task).to.include({ parentTaskId: null, taskId: null, status: 'pending', contactCount: 2 });
    expect(task).not.to.have.property('error');
  });

  it('sends once for one Idempotency-Key, however often and concurrently it is used', async () => {
    const id = await backend.draft();
    const headers = { 'Idempotency-Key': 'k-1' };
    const responses = await Promise.all(Array.from({ length: 6 }, () => backend.act(id, 'send', { headers })));
    expect(responses.map(({ status }) => status)).to.deep.equal(Array(6).fill(202));
    expect(new Set(responses.map(({ body }) => JSON.stringify(body))).size).to.equal(1);
    expect(await backend.db('dispatch').where({ campaign_id: id })).to.have.length(1);
    expect(backend.flows.sends.filter(({ campaignId }) => campaignId === id)).to.have.length(1);
    expect((await backend.act(id, 'send', { headers: { 'Idempotency-Key': 'k-2' } })).status).to.equal(409);
  });

  it('lets exactly one of several concurrent sends without a key win', async () => {
    const id = await backend.draft();
    const responses = await Promise.all(Array.from({ length: 5 }, () => backend.act(id, 'send')));
    expect(responses.map(({ status }) => status).toSorted()).to.deep.equal([202, 409, 409, 409, 409]);
    expect(responses.find(({ status }) => status === 409)?.body.code).to.equal('invalid_state');
    expect(await backend.db('broadcast_task').where({ campaign_id: id })).to.have.length(1);
  });

  it('rejects a changed count, an empty audience and a time in the past, and changes nothing', async () => {
    const id = await backend.draft();
    const moving = { 'Idempotency-Key': 'moved' };
    const moved = await backend.act(id, 'send', { body: { expectedReachableCount: 3 }, headers: moving });
    expect([moved.status, moved.body.code]).to.deep.equal([409, 'audience_changed']);
    const empty = await backend.act(
      await backend.draft({ audience: { type: 'contacts', contactIds: ['ghost'] } }),
      'send',
    );
    expect([empty.status, empty.body.code]).to.deep.equal([409, 'audience_empty']);
    const scheduled = await backend.draft({ schedule: { type: 'scheduled', at: later(60) } });
    backend.setNow(new Date(Date.now() + 120_000));
    const late = await backend.act(scheduled, 'send');
    backend.setNow(null);
    expect([late.status, late.body.errors[0].path]).to.deep.equal([422, '/schedule/at']);
    expect(late.body.errors[0].code).to.equal('in_past');
    for (const untouched of [id, scheduled]) {
      expect(await backend.db('dispatch').where({ campaign_id: untouched })).to.have.length(0);
      expect((await backend.call('GET', `/campaigns/${untouched}`)).body.status).to.equal('draft');
    }
    expect((await backend.act(id, 'send', { body: { expectedReachableCount: 2 }, headers: moving })).status).to.equal(
      202,
    );
  });

  it('schedules, pauses and resumes what has not been submitted', async () => {
    const id = await backend.draft({ schedule: { type: 'scheduled', at: later(600) } });
    expect((await backend.act(id, 'pause')).status).to.equal(409);
    expect((await backend.act(id, 'send')).body.status).to.equal('scheduled');
    expect((await backend.act(id, 'resume')).status).to.equal(409);
    expect((await backend.act(id, 'pause')).body).to.include({ status: 'paused', pauseReason: 'operator' });
    expect((await backend.act(id, 'pause')).status).to.equal(409);
    const before = backend.flows.sends.length;
    expect((await backend.act(id, 'resume')).body).to.include({ status: 'scheduled', pauseReason: null });
    expect(backend.flows.sends.slice(before).map(({ campaignId }) => campaignId)).to.deep.equal([id]);
    await setStatus(id, 'scheduled');
    const all = await backend.act(id, 'pause');
    expect([all.status, all.body.code]).to.deep.equal([409, 'invalid_state']);
  });

  it('on resume, sends what a person paused past its scheduled time, however late', async () => {
    const graceMs = 10_000;
    const at = new Date(Date.now() + 60_000);
    const id = await backend.draft({ schedule: { type: 'scheduled', at: at.toISOString() } });
    await backend.act(id, 'send');
    const { dispatchId } = backend.flows.sends.at(-1) ?? { dispatchId: '' };
    const key = { tenantId: 'a', campaignId: id, dispatchId };
    const late = (now: Date) =>
      pauseLate(backend.db, { ...key, now, startedBefore: new Date(now.getTime() - graceMs) });
    await backend.act(id, 'pause');
    await backend.act(id, 'resume');
    await backend.act(id, 'pause');
    const now = new Date(at.getTime() + 6 * graceMs);
    backend.setNow(now);
    const resumed = await backend.act(id, 'resume');
    backend.setNow(null);
    expect(resumed.body).to.include({ status: 'sending', pauseReason: null });
    expect(await late(now)).to.equal(false);
    expect((await progress(id)).status).to.equal('sending');

    // Resuming before the scheduled time does not count as late.
    const early = await backend.draft({ schedule: { type: 'scheduled', at: at.toISOString() } });
    await backend.act(early, 'send');
    await backend.act(early, 'pause');
    await backend.act(early, 'resume');
    key.campaignId = early;
    key.dispatchId = backend.flows.sends.at(-1)?.dispatchId ?? '';
    expect(await late(now)).to.equal(true);
    expect((await progress(early)).status).to.equal('paused');
  });

  it('cancels pending sub-tasks at once, and scheduled ones through the platform', async () => {
    const id = await backend.draft({
      schedule: { type: 'scheduled', at: later(600) },
      audience: { type: 'contacts', contactIds: everyone },
    });
    await backend.act(id, 'send');
    await setStatus(id, 'scheduled', [0]);
    const response = await backend.act(id, 'cancel');
    expect(response.status).to.equal(200);
    expect((await progress(id)).subTasks).to.deep.equal({
      scheduled: { tasks: 1, contacts: 1000 },
      cancelled: { tasks: 2, contacts: 1500 },
    });
    expect(backend.flows.polled).to.include(id);
    const row = await backend.db('campaign').where({ campaign_id: id }).first();
    expect(row.cancelRequested).to.equal(true);
  });

  it('is cancelled as a whole if nothing was submitted, and cannot be cancelled once everything is being sent', async () => {
    const id = await backend.draft();
    expect((await backend.act(id, 'cancel')).status).to.equal(409);
    await backend.act(id, 'send');
    expect((await backend.act(id, 'cancel')).body.status).to.equal('cancelled');
    expect((await backend.act(id, 'cancel')).status).to.equal(409);
    const begun = await backend.draft();
    await backend.act(begun, 'send');
    await setStatus(begun, 'sending');
    expect((await backend.act(begun, 'cancel')).body.code).to.equal('invalid_state');
  });
});
