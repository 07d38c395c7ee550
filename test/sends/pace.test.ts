import { expect } from 'chai';
import type { Pace } from '#domain/api/pace.ts';
import { contactId } from '../support/services/backend.ts';
import { useTwoTenants } from '../support/fixtures/services.ts';

const MINUTE = 60_000;
const start = new Date('2026-06-01T08:00:00Z');
const later = (minutes: number) => new Date(start.getTime() + minutes * MINUTE).toISOString();

describe('campaigns with a pace', () => {
  const backend = useTwoTenants({ contacts: 2500 });
  beforeEach(() => backend.setNow(start));
  afterEach(() => backend.setNow(null));

  const everyone = Array.from({ length: 2500 }, (_, n) => contactId(n + 1));
  const draft = (pace: Pace | null, contactIds = everyone, more: object = {}) =>
    backend.draft({ audience: { type: 'contacts', contactIds }, pace, ...more });
  const patch = (id: string, body: unknown) =>
    backend.call('PATCH', `/campaigns/${id}`, { body, headers: { 'If-Match': '*' } });
  async function sent(pace: Pace | null, contactIds = everyone): Promise<string> {
    const id = await draft(pace, contactIds);
    const response = await backend.call('POST', `/campaigns/${id}:send`, { body: {} });
    expect(response.status, JSON.stringify(response.body)).to.equal(202);
    return id;
  }
  async function sizes(id: string): Promise<number[]> {
    const rows = await backend.db('broadcast_task').where({ campaign_id: id }).orderBy('chunk');
    return rows.map(({ contactCount }) => contactCount);
  }

  it('are split into as many contacts as a minute may have', async () => {
    expect(await sizes(await sent({ perMinute: 600 }))).to.deep.equal([600, 600, 600, 600, 100]);
    expect(await sizes(await sent({ perMinute: 5000 }))).to.deep.equal([1000, 1000, 500]);
    expect(await sizes(await sent(null))).to.deep.equal([1000, 1000, 500]);
    const evenly = await sizes(await sent({ evenlyUntil: later(60) }, everyone.slice(0, 120)));
    expect(evenly).to.deep.equal(Array.from({ length: 60 }, () => 2));
  });

  it('say in the progress what is left, when the next is due and the last', async () => {
    const id = await sent({ perMinute: 600 });
    const { body } = await backend.call('GET', `/campaigns/${id}/progress`);
    expect([body.audienceCount, body.preparing.contacts, body.outcomes.notYet]).to.deep.equal([2500, 0, 2500]);
    expect(body.pace.left).to.equal(2500);
    // The last 100 are the fifth sub-task, four minutes after the first.
    expect(Date.parse(body.pace.endsAt) - Date.parse(body.pace.nextAt)).to.be.within(3 * MINUTE, 4 * MINUTE);
  });

  for (const [what, pace, path] of [
    ['two rates', { perMinute: 100, evenlyUntil: later(60) }, '/pace'],
    ['less than 10 a minute', { perMinute: 9 }, '/pace/perMinute'],
    ['quiet hours of no length', { quietHours: { from: '08:00', to: '08:00', zone: 'UTC' } }, '/pace/quietHours'],
    ['a time that is none', { quietHours: { from: '24:00', to: '08:00', zone: 'UTC' } }, '/pace/quietHours/from'],
    ['an unknown zone', { quietHours: { from: '21:00', to: '08:00', zone: '+08:00' } }, '/pace/quietHours/zone'],
    ['a deadline that has passed', { deadline: later(-1) }, '/pace/deadline'],
    ['an end that has passed', { evenlyUntil: later(-1) }, '/pace/evenlyUntil'],
  ] as const)
    it(`refuse ${what}`, async () => {
      const id = await draft(null);
      const { status, body } = await patch(id, { pace });
      expect(status).to.be.oneOf([400, 422]);
      expect(body.errors.map((error: { path: string }) => error.path)).to.deep.equal([path]);
    });

  it('refuse a deadline before the start', async () => {
    const id = await draft(null, everyone, { schedule: { type: 'scheduled', at: later(60) } });
    const { status, body } = await patch(id, { pace: { deadline: later(30) } });
    expect([status, body.errors[0].path, body.errors[0].code]).to.deep.equal([422, '/pace/deadline', 'before_start']);
  });

  it('get another pace and deadline while they are being sent, in the audit log', async () => {
    const id = await sent({ perMinute: 600, deadline: later(5) });
    await backend
      .db('dispatch')
      .where({ campaign_id: id })
      .update({ deadline_over_at: later(6) });
    await backend
      .db('campaign')
      .where({ campaign_id: id })
      .update({ next_claim_at: later(9) });
    const pace = { perMinute: 100, deadline: later(600) };
    const response = await patch(id, { pace });
    expect([response.status, response.body.pace]).to.deep.equal([200, pace]);
    const send = await backend.db('dispatch').where({ campaign_id: id }).first();
    // 600 contacts take six minutes.
    const campaign = await backend.db('campaign').where({ campaign_id: id }).first();
    expect(campaign.nextClaimAt).to.deep.equal(new Date(later(6)));
    expect([send.deadlineOverAt, send.subTaskSize]).to.deep.equal([null, 600]);
    const changes = await backend.db('audit_log').where({ object_id: id, action: 'campaign.update' });
    expect(changes.map((row) => row.after.pace)).to.deep.equal([pace]);
  });

  it('keep the pace that they have once everything is submitted', async () => {
    const id = await sent({ perMinute: 600 });
    await backend.db('broadcast_task').where({ campaign_id: id }).update({ status: 'sending' });
    const refused = await patch(id, { pace: null });
    expect([refused.status, refused.body.code]).to.deep.equal([409, 'invalid_state']);
    const same = await patch(id, { pace: { perMinute: 600 } });
    expect([same.status, same.body.pace]).to.deep.equal([200, { perMinute: 600 }]);
  });

  it('leave moments that have passed out of a copy', async () => {
    const quietHours = { from: '21:00', to: '08:00', zone: 'Asia/Taipei' };
    const id = await draft({ evenlyUntil: later(30), deadline: later(90), quietHours });
    backend.setNow(new Date(later(60)));
    const copy = await backend.call('POST', `/campaigns/${id}:duplicate`, { body: {} });
    expect(copy.body.pace).to.deep.equal({ quietHours, deadline: later(90) });
  });
});
