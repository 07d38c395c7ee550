import { expect } from 'chai';
import { useDatabase } from '#test/support/fixtures/database.ts';
import type { TestSend } from '#test/support/outreach/rows.ts';
import { type EditingSite, HOUR_MS, openEditingSite } from '#test/support/services/editing-site.ts';
import { rows } from '#db/database.ts';
import { uninstallIntegration } from '#commands/outreach/tenants/uninstall-integration.ts';
import { closeCampaign } from '../close-campaign.ts';
import { cancelCampaign } from '../cancel-campaign.ts';

const text = (words: string) => [{ type: 'text' as const, text: words }];

describe('A17: a change of a scheduled campaign is given up', () => {
  const database = useDatabase('outreach');
  let site: EditingSite;
  beforeEach(async () => void (site = await openEditingSite(database)));
  afterEach(() => site.close());

  const later = { messages: text('Later') };

  it('submits what was cancelled again as it was if the platform has begun another task', async () => {
    const send = await site.scheduled([2, 1]);
    site.begun(send.keys.slice(1));
    const asked = await site.change(send, later);
    await site.poll(send);
    await site.poll(send);
    expect(await site.outcomeOf(asked)).to.equal('too_late');
    const bodies = await site.submitted(send);
    expect(bodies.map(({ name, schedule, audience }) => [name, schedule.at, audience.contactIds])).to.deep.equal([
      ['Spring', site.at.toISOString(), ['c0-1', 'c0-2']],
    ]);
    expect(bodies[0]?.messages[0]).to.include({ title: 'Spring' });
    expect(await site.audienceOf(send)).to.deep.equal(['c0-1', 'c0-2', 'c1-1']);
    expect((await site.campaignOf(send)).pendingEdit).to.equal(null);
    const actions = await database('audit_log').where({ object_id: send.campaignId }).pluck('action');
    expect(actions).to.deep.equal(['campaign.update_too_late']);
  });

  it('submits a task again that turns out to be cancelled only afterwards', async () => {
    const send = await site.scheduled([1, 1]);
    const [first = '', second = ''] = send.keys;
    site.platform.behave(({ route, path }) => {
      const isBegun = path.includes(second);
      if (route === 'A3') return isBegun ? { status: 409, body: { status: 'sending' } } : 'reset';
      return route === 'A2' ? { status: 200, body: { status: isBegun ? 'sending' : 'scheduled' } } : null;
    });
    const asked = await site.change(send, { name: 'Summer' });
    await site.poll(send);
    await site.poll(send);
    expect(await site.outcomeOf(asked)).to.equal('too_late');
    expect(await site.statesOf(send)).to.deep.equal(['scheduled', 'sending']);
    site.platform.behave(({ route, path }) =>
      route === 'A2' && path.includes(first) ? { status: 200, body: { status: 'cancelled' } } : null,
    );
    await site.due(send);
    await site.poll(send);
    const bodies = await site.submitted(send);
    expect(bodies.map(({ name, audience }) => [name, audience.contactIds])).to.deep.equal([['Spring', ['c0-1']]]);
  });

  it('is too late once the start has come, whatever became of the cancellations', async () => {
    const send = await site.scheduled([1]);
    site.platform.behave(({ route }) => (route === 'A2' || route === 'A3' ? { status: 503 } : null));
    const asked = await site.change(send, later);
    await site.poll(send);
    expect(await site.outcomeOf(asked)).to.equal(null);
    site.platform.behave(({ route }) => (route === 'A2' ? { status: 200, body: { status: 'scheduled' } } : null));
    site.clock.skew = HOUR_MS + 60_000;
    await rows(database, `update broadcast_task set next_attempt_at = now() + interval '9 hours' where key = :key`, {
      key: send.keys[0],
    });
    await site.poll(send);
    expect(await site.outcomeOf(asked)).to.equal('too_late');
    expect((await site.campaignOf(send)).schedule).to.deep.equal({ type: 'scheduled', at: site.at.toISOString() });
    expect(await site.statesOf(send)).to.deep.equal(['scheduled']);
  });

  const uninstall = () =>
    uninstallIntegration(database, site.tenant.tenantIntegrationId, {
      reason: undefined,
      now: new Date(),
      requestId: null,
    });
  const ends: [string, (send: TestSend) => Promise<unknown>, string][] = [
    ['cancelled', (send) => cancelCampaign(database, site.author, send.campaignId, new Date()), 'cancelled'],
    ['closed', (send) => closeCampaign(database, site.author, send.campaignId, new Date()), 'closed'],
    ['uninstalled', uninstall, 'cancelled'],
  ];
  for (const [what, end, status] of ends)
    it(`is dropped if the campaign is ${what} before it is made`, async () => {
      const send = await site.scheduled([1]);
      const asked = await site.change(send, later);
      await end(send);
      expect(await site.outcomeOf(asked)).to.equal('dropped');
      await site.poll(send);
      expect(await site.submitted(send)).to.deep.equal([]);
      const after = await site.campaignOf(send);
      expect([after.status, after.pendingEdit]).to.deep.equal([status, null]);
    });

  async function expectRejected(work: () => Promise<unknown>): Promise<void> {
    const error: unknown = await work().then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).to.have.property('code', 'invalid_state');
  }

  it('is rejected while sub-tasks are unknown, and while another change is being made', async () => {
    const send = await site.scheduled([1, 1]);
    await rows(database, `update broadcast_task set status = 'unknown' where key = :key`, { key: send.keys[0] });
    await expectRejected(() => site.change(send, later));
    await rows(database, `update broadcast_task set status = 'scheduled' where key = :key`, { key: send.keys[0] });
    await site.change(send, later);
    await expectRejected(() => site.change(send, { name: 'Another' }));
    await expectRejected(() => site.change(send, { endsAt: new Date(site.at.getTime() + HOUR_MS).toISOString() }));
    expect(await site.statesOf(send)).to.deep.equal(['scheduled', 'scheduled']);
  });
});
