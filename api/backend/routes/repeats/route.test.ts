import { expect } from 'chai';
import { deleteUninstalled } from '#db/outreach/retention/uninstalled.ts';
import { pauseDueRepeats } from '#commands/outreach/repeats/pause-due-repeats.ts';
import { runDueRepeat } from '#commands/outreach/repeats/run-due-repeat.ts';
import { chooseControl } from '#test/support/outreach/control-group.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';
import { type CallOptions, campaignBody, contactId } from '#test/support/services/backend.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('campaigns on a calendar', () => {
  const backend = useTwoTenants({ contacts: 6 });
  const start = new Date('2026-11-26T12:00:00Z');
  const at = (ms: number) => new Date(start.getTime() + ms);
  /** The first run of what is created at the start. */
  const first = new Date('2026-11-27T08:00:00Z');

  let tokens = { operator: '', foreign: '' };
  /** Tokens are short-lived. */
  async function travel(now: Date): Promise<void> {
    backend.setNow(now);
    tokens = { operator: await backend.token('a'), foreign: await backend.token('b') };
  }
  beforeEach(() => travel(start));
  after(() => backend.setNow(null));

  const call = (method: string, path: string, options: CallOptions = {}) =>
    backend.call(method, path, { token: tokens.operator, ...options });
  const post = (path: string, body?: unknown) => call('POST', path, body === undefined ? {} : { body });
  const get = async (path: string) => (await call('GET', path)).body;
  async function rewrite(campaignId: string, contactIds: string[]): Promise<void> {
    const { headers } = await call('GET', `/campaigns/${campaignId}`);
    const changed = await call('PATCH', `/campaigns/${campaignId}`, {
      body: { audience: { type: 'contacts', contactIds } },
      headers: { 'If-Match': String(headers.get('etag')) },
    });
    expect(changed.status).to.equal(200);
  }
  const fire = (repeatId: string, now: Date) => runDueRepeat(backend.db, { tenantId: 'a', repeatId }, now);
  const runs = async (repeatId: string) => (await get(`/repeats/${repeatId}/runs`)).items;
  const repeat = (repeatId: string) => get(`/repeats/${repeatId}`);
  /** As the platform reports it. */
  async function complete(campaignId: string): Promise<void> {
    await backend.db('broadcast_task').where({ campaignId }).update({ status: 'completed', sent: 2, delivered: 2 });
    await backend.db('campaign').where({ campaignId }).update({ status: 'completed' });
  }
  const recipients = (campaignId: string) =>
    backend
      .db('dispatch_recipient as r')
      .join('dispatch as d', 'd.dispatch_id', 'r.dispatch_id')
      .where('d.campaign_id', campaignId)
      .orderBy('r.contact_id')
      .pluck('r.contact_id');

  async function create(more: object = {}): Promise<{ repeatId: string; campaignId: string }> {
    const campaignId = (await post('/campaigns', campaignBody())).body.id;
    const body = {
      name: 'Daily',
      campaignId,
      calendar: { type: 'daily', at: '09:00' },
      zone: 'Europe/Berlin',
      ...more,
    };
    const created = await post('/repeats', body);
    expect(created.status, JSON.stringify(created.body)).to.equal(201);
    return { repeatId: created.body.repeatId, campaignId };
  }

  it('say when they run next, and give their Schedule the coming times', async () => {
    const { repeatId } = await create();
    const created = await repeat(repeatId);
    expect(created).to.deep.include({
      status: 'active',
      nextAt: first.toISOString(),
      nextLocalTime: '2026-11-27T09:00',
    });
    const written = backend.flows.repeats.filter((one) => one.repeatId === repeatId);
    expect(written).to.have.length(1);
    expect(written[0]?.times?.slice(0, 2)).to.deep.equal([first, new Date(first.getTime() + DAY)]);
  });

  it('send a campaign of its own at each run, whose audience is resolved then', async () => {
    const { repeatId, campaignId } = await create();
    const none = await fire(repeatId, at(HOUR));
    expect([none.send, await runs(repeatId)]).to.deep.equal([null, []]);
    const { send } = await fire(repeatId, first);
    if (!send) throw new Error('nothing was sent');
    const sent = await get(`/campaigns/${send.campaignId}`);
    expect(sent).to.deep.include({
      name: 'Daily · 2026-11-27 09:00',
      status: 'sending',
      audienceCount: 2,
      schedule: { type: 'immediate' },
    });
    expect((await get(`/campaigns/${campaignId}`)).status).to.equal('draft');
    await complete(send.campaignId);
    await rewrite(campaignId, [contactId(3)]);
    const second = await fire(repeatId, new Date(first.getTime() + DAY));
    expect(await recipients(second.send?.campaignId ?? '')).to.deep.equal([contactId(3)]);
    expect(
      (await runs(repeatId)).map((run: { number: number; outcome: string }) => [run.number, run.outcome]),
    ).to.deep.equal([
      [2, 'sent'],
      [1, 'sent'],
    ]);
    expect(await repeat(repeatId)).to.deep.include({ sends: 2, lastOutcome: 'sent' });
  });

  it('hold back the same contacts in each run', async () => {
    const { repeatId, campaignId } = await create();
    const everyone = [1, 2, 3, 4, 5, 6].map(contactId);
    await rewrite(campaignId, everyone);
    await backend.db('campaign').where({ campaignId }).update({ holdoutPercent: 50 });
    const control = [contactId(2), contactId(5)];
    await chooseControl(backend.db, campaignId, { percent: 50, audience: everyone, control });
    for (const day of [0, 1, 2]) {
      const { send } = await fire(repeatId, new Date(first.getTime() + day * DAY));
      expect(await recipients(send?.campaignId ?? '')).to.deep.equal([1, 3, 4, 6].map(contactId));
      await complete(send?.campaignId ?? '');
    }
  });

  it('are paused after a restore where they may have run since the backup', async () => {
    const due = await create();
    const later = await create({ calendar: { type: 'daily', at: '12:00' } });
    await backend
      .db('campaign_repeat')
      .where({ status: 'active' })
      .whereNotIn('repeat_id', [due.repeatId, later.repeatId])
      .del();
    const now = new Date(first.getTime() + HOUR);
    const paused = await pauseDueRepeats(backend.db, now);
    expect(paused).to.deep.equal([{ tenantId: 'a', repeatId: due.repeatId, name: 'Daily', times: [first] }]);
    expect(await fire(due.repeatId, now)).to.deep.equal({ send: null, more: false });
    expect(await repeat(due.repeatId)).to.include({ status: 'paused', pauseReason: 'restored', nextAt: null });
    expect(await repeat(later.repeatId)).to.include({ status: 'active', pauseReason: null });
    expect(await pauseDueRepeats(backend.db, now), 'again').to.deep.equal([]);
    await travel(now);
    const resumed = await post(`/repeats/${due.repeatId}:resume`);
    expect(resumed.body).to.include({ status: 'active', pauseReason: null });
    expect(resumed.body.nextAt).to.equal(new Date(first.getTime() + DAY).toISOString());
    expect((await post(`/repeats/${due.repeatId}:pause`)).body.pauseReason).to.equal('operator');
  });

  it('send once for a wall time, whoever fires, and however often the calendar comes to it', async () => {
    const { repeatId } = await create();
    const fired = await Promise.all([1, 2, 3, 4].map(() => fire(repeatId, first)));
    expect(fired.filter(({ send }) => send !== null)).to.have.length(1);
    await travel(new Date('2026-11-27T07:59:30Z'));
    const changed = await call('PATCH', `/repeats/${repeatId}`, { body: { name: 'Again' } });
    expect(changed.body.nextLocalTime).to.equal('2026-11-27T09:00');
    expect((await fire(repeatId, first)).send).to.equal(null);
    expect(await runs(repeatId)).to.have.length(1);
    expect(await repeat(repeatId)).to.deep.include({ nextLocalTime: '2026-11-28T09:00' });
  });

  it('leave out those whom an earlier run reached, and say how many', async () => {
    const { repeatId, campaignId } = await create({ skipReached: true });
    const one = await fire(repeatId, first);
    await complete(one.send?.campaignId ?? '');
    await rewrite(campaignId, [1, 2, 3, 4].map(contactId));
    const two = await fire(repeatId, new Date(first.getTime() + DAY));
    expect(await recipients(two.send?.campaignId ?? '')).to.deep.equal([contactId(3), contactId(4)]);
    expect((await runs(repeatId))[0]).to.deep.include({ outcome: 'sent', leftOut: 2, audienceCount: 2 });
    await complete(two.send?.campaignId ?? '');
    // Everybody was reached: nothing is sent, and no campaign is left behind.
    const before = await backend.db('campaign').where({ tenantId: 'a' }).count();
    const three = await fire(repeatId, new Date(first.getTime() + 2 * DAY));
    expect(three.send).to.equal(null);
    expect((await runs(repeatId))[0]).to.deep.include({
      outcome: 'refused',
      reason: 'audience_empty',
      campaignId: null,
    });
    expect(await backend.db('campaign').where({ tenantId: 'a' }).count()).to.deep.equal(before);
    expect((await repeat(repeatId)).status).to.equal('active');
    // Nothing was sent to those of a refused sub-task.
    await backend
      .db('broadcast_task')
      .where({ campaignId: two.send?.campaignId })
      .update({ status: 'rejected', sent: null, delivered: null });
    const four = await fire(repeatId, new Date(first.getTime() + 3 * DAY));
    expect(await recipients(four.send?.campaignId ?? '')).to.deep.equal([contactId(3), contactId(4)]);
  });

  it('note what is late: the newest within six hours runs, the others were missed', async () => {
    const { repeatId } = await create();
    const late = await fire(repeatId, new Date(first.getTime() + 2 * DAY + 5 * HOUR));
    expect(late.send).not.to.equal(null);
    const found = (await runs(repeatId)).map(
      (run: { localTime: string; outcome: string }) => `${run.localTime} ${run.outcome}`,
    );
    expect(found).to.deep.equal(['2026-11-29T09:00 sent', '2026-11-28T09:00 missed', '2026-11-27T09:00 missed']);
    await complete(late.send?.campaignId ?? '');
    const tooLate = await fire(repeatId, new Date(first.getTime() + 3 * DAY + 7 * HOUR));
    expect([tooLate.send, (await runs(repeatId))[0].outcome]).to.deep.equal([null, 'missed']);
  });

  it('run not while the campaign before is under way, nor beyond their end', async () => {
    const { repeatId } = await create({ maxRuns: 2 });
    const one = await fire(repeatId, first);
    await fire(repeatId, new Date(first.getTime() + DAY));
    expect((await runs(repeatId))[0]).to.deep.include({ outcome: 'overlap', campaignId: null });
    // Nobody knows of the last sub-task, perhaps for days.
    const campaignId = one.send?.campaignId ?? '';
    await backend.db('broadcast_task').where({ campaignId }).update({ status: 'unknown' });
    await backend.db('campaign').where({ campaignId }).update({ status: 'sending' });
    const two = await fire(repeatId, new Date(first.getTime() + 2 * DAY));
    expect(two.send).not.to.equal(null);
    expect(await repeat(repeatId)).to.deep.include({ status: 'ended', endReason: 'runs', nextAt: null, sends: 2 });
    const until = await create({ until: new Date(first.getTime() + HOUR).toISOString() });
    await fire(until.repeatId, first);
    expect(await repeat(until.repeatId)).to.deep.include({ status: 'ended', endReason: 'until' });
  });

  it('pause, resume with the next time, and end; what is not active does not run', async () => {
    const { repeatId } = await create();
    expect((await post(`/repeats/${repeatId}:pause`)).body).to.deep.include({ status: 'paused', nextAt: null });
    expect((await fire(repeatId, first)).send).to.equal(null);
    expect((await post(`/repeats/${repeatId}:pause`)).status).to.equal(409);
    await travel(new Date(first.getTime() + HOUR));
    const resumed = (await post(`/repeats/${repeatId}:resume`)).body;
    expect(resumed).to.deep.include({ status: 'active', nextLocalTime: '2026-11-28T09:00' });
    expect((await post(`/repeats/${repeatId}:end`)).body).to.deep.include({ status: 'ended', endReason: 'operator' });
    expect(backend.flows.repeats.at(-1)).to.deep.equal({ repeatId, times: [] });
    for (const action of ['resume', 'pause', 'end'])
      expect((await post(`/repeats/${repeatId}:${action}`)).status, action).to.equal(409);
    expect((await fire(repeatId, new Date(first.getTime() + DAY))).send).to.equal(null);
    expect(await runs(repeatId)).to.deep.equal([]);
    const actions = await backend.db('audit_log').where({ objectId: repeatId }).orderBy('audit_id').pluck('action');
    expect(actions).to.deep.equal(['repeat.create', 'repeat.pause', 'repeat.resume', 'repeat.end']);
  });

  it('wait for approval where the audience is larger than one person may send to', async () => {
    await backend.db('tenant').where({ tenantId: 'a' }).update({ sendsNeedApproval: 1 });
    const { repeatId } = await create();
    const { send } = await fire(repeatId, first);
    await backend.db('tenant').where({ tenantId: 'a' }).update({ sendsNeedApproval: null });
    const [run] = await runs(repeatId);
    expect([send, run.outcome, run.campaignStatus]).to.deep.equal([null, 'approval', 'draft']);
    const waiting = await get(`/campaigns/${run.campaignId}`);
    expect(waiting.approval).to.deep.include({ contacts: 2, above: 1, outcome: null });
    await fire(repeatId, new Date(first.getTime() + DAY));
    expect((await runs(repeatId))[0].outcome).to.equal('overlap');
  });

  it('end when their template is gone', async () => {
    const { repeatId, campaignId } = await create();
    const { headers } = await call('GET', `/campaigns/${campaignId}`);
    await call('DELETE', `/campaigns/${campaignId}`, { headers: { 'If-Match': String(headers.get('etag')) } });
    await fire(repeatId, first);
    expect(await repeat(repeatId)).to.deep.include({
      status: 'ended',
      endReason: 'template_deleted',
      campaignId: null,
    });
    expect((await runs(repeatId))[0]).to.deep.include({ outcome: 'refused', reason: 'not_found' });
  });

  it('are refused with what never comes, or belongs to others', async () => {
    const { repeatId, campaignId } = await create();
    const body = { name: 'N', campaignId, calendar: { type: 'daily', at: '09:00' }, zone: 'UTC' };
    const errorsOf = async (more: object) => {
      const refused = await post('/repeats', { ...body, ...more });
      expect(refused.status).to.equal(422);
      return refused.body.errors.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`);
    };
    expect(await errorsOf({ calendar: { type: 'cron', expression: '0 9 31 2 *' } })).to.deep.equal([
      '/calendar no_time_left',
    ]);
    expect(await errorsOf({ until: start.toISOString() })).to.deep.equal(['/until no_time_left']);
    expect(await errorsOf({ campaignId: 'nobody' })).to.deep.equal(['/campaignId unknown_campaign']);
    const foreign = { token: tokens.foreign };
    expect((await call('GET', `/repeats/${repeatId}`, foreign)).status).to.equal(404);
    expect((await call('POST', `/repeats/${repeatId}:end`, foreign)).status).to.equal(404);
    expect((await call('GET', '/repeats', foreign)).body.items).to.deep.equal([]);
    expect((await call('POST', '/repeats', { ...foreign, body })).status).to.equal(422);
    const listed = await get(`/repeats?campaignId=${campaignId}`);
    expect(listed.items.map((one: { repeatId: string }) => one.repeatId)).to.deep.equal([repeatId]);
  });

  it('end with the tenant, and are deleted with what is kept of it', async () => {
    const { repeatId } = await create();
    await fire(repeatId, first);
    await backend.service('POST', '/tenant-integrations/ti-a:uninstall', {});
    const [row] = await backend.db('campaign_repeat').where({ repeatId });
    expect(row).to.deep.include({ status: 'ended', endReason: 'uninstalled', nextAt: null, scheduleStale: true });
    expect((await fire(repeatId, new Date(first.getTime() + DAY))).send).to.equal(null);
    while ((await deleteUninstalled(backend.db, new Date(Date.now() + DAY * 3650))) > 0);
    expect(await backend.db('campaign_repeat').where({ tenantId: 'a' })).to.deep.equal([]);
    expect(await backend.db('repeat_run').where({ repeatId })).to.deep.equal([]);
  });
});
