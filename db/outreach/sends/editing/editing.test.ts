import { expect } from 'chai';
import type { CampaignPatch } from '../../../../domain/api/campaign.ts';
import { useDatabase } from '../../../../test/support/fixtures/database.ts';
import { readTasks, type TestSend } from '../../../../test/support/outreach/rows.ts';
import { recordingLauncher } from '../../../../test/support/services/outreach-flows.ts';
import { openSendingSite, type SendingSite } from '../../../../test/support/services/sending-site.ts';
import { rows } from '../../../database.ts';
import { findCampaign } from '../../campaigns/campaigns.ts';
import { uninstallIntegration } from '../../tenants/uninstall.ts';
import { closeCampaign } from '../closing.ts';
import { cancelCampaign, openSends } from '../states.ts';
import { editOutcome } from './edits.ts';
import { updateCampaign } from './update.ts';

const HOUR = 3_600_000;
const text = (words: string) => [{ type: 'text' as const, text: words }];

describe('A17: a scheduled campaign is changed', () => {
  const database = useDatabase('outreach');
  let launcher: ReturnType<typeof recordingLauncher>;
  let site: SendingSite;
  let skew = 0;

  beforeEach(async () => {
    skew = 0;
    launcher = recordingLauncher();
    site = await openSendingSite(database, { launcher, now: () => new Date(Date.now() + skew) });
  });
  afterEach(() => site.close());

  const at = new Date(Date.now() + HOUR);
  const author = () => ({ tenantId: site.tenant.tenantId, userId: 'editor', requestId: 'r-1' });
  const inTwoHours = { type: 'scheduled' as const, at: new Date(at.getTime() + HOUR).toISOString() };

  const change = (send: TestSend, patch: CampaignPatch) =>
    updateCampaign(database, author(), send.campaignId, {
      patch,
      now: site.deps.now(),
      checkStage: () => undefined,
      checkVersion: () => undefined,
      check: () => Promise.resolve(),
    });
  const campaignOf = async (send: TestSend) => (await findCampaign(database, send.tenantId, send.campaignId))!;
  const poll = (send: TestSend) => site.poll(send, 'scheduled');

  /** A campaign whose sub-tasks the platform has scheduled. */
  async function scheduled(chunks: number[]): Promise<TestSend> {
    const send = await site.seedSend({ chunks, at });
    await site.submit(send);
    return send;
  }

  /** Submits whatever is open. @returns the bodies of the calls. */
  async function submitted(send: TestSend) {
    const before = site.platform.of('A1').length;
    for (const { dispatchId } of await openSends(database, send.tenantId, send.campaignId))
      await site.submit({ ...send, dispatchId });
    return site.platform
      .of('A1')
      .slice(before)
      .map((call) => call.body as Record<string, any>);
  }

  /** The platform has begun these sub-tasks. */
  function begun(keys: string[]): void {
    const isBegun = (path: string) => keys.some((key) => path.includes(key));
    site.platform.behave(({ route, path }) => {
      if (route === 'A2') return { status: 200, body: { status: isBegun(path) ? 'sending' : 'scheduled' } };
      if (route === 'A3' && isBegun(path)) return { status: 409, body: { code: 'not_scheduled', status: 'sending' } };
      return null;
    });
  }

  /** Whom sub-tasks that still count will reach, in order. */
  const audienceOf = async ({ campaignId }: TestSend) =>
    (
      await rows<{ contactId: string }>(
        database,
        `select contact_id from broadcast_task t join dispatch_recipient r using (dispatch_id, chunk)
         where t.campaign_id = :campaignId and t.superseded_by is null order by 1`,
        { campaignId },
      )
    ).map(({ contactId }) => contactId);

  const counting = async (send: TestSend) => {
    const found = await rows<{ status: string }>(
      database,
      'select status from broadcast_task where campaign_id = :campaignId and superseded_by is null order by created_at, key',
      { campaignId: send.campaignId },
    );
    return found.map(({ status }) => status);
  };

  it('cancels every task, then submits the same contacts with the new content and time', async () => {
    const send = await scheduled([2, 1]);
    const { editId, campaign } = await change(send, { messages: text('Later'), schedule: inTwoHours, name: 'Summer' });
    expect(campaign.pendingEdit).to.deep.include({ requestedBy: 'editor' });
    expect([campaign.name, campaign.status, campaign.version]).to.deep.equal(['Spring', 'scheduled', 1]);
    expect(await submitted(send), 'nothing is submitted meanwhile').to.deep.equal([]);

    await poll(send);
    expect(site.platform.of('A3').map(({ path }) => path.split('/').at(-1))).to.have.members(
      send.keys.map((key) => `task-${key}:cancel`),
    );
    expect(await editOutcome(database, { ...send, editId: editId! })).to.equal('made');
    const after = await campaignOf(send);
    expect(after).to.deep.include({ name: 'Summer', status: 'scheduled', editedBy: 'editor', pendingEdit: null });
    expect(after.schedule).to.deep.equal(inTwoHours);
    expect(after.version).to.be.greaterThan(campaign.version);
    expect(launcher.asked).to.include(`dispatch:${send.campaignId}:2`);

    const bodies = await submitted(send);
    expect(bodies.map(({ name, schedule }) => ({ name, schedule }))).to.deep.equal([
      { name: 'Summer', schedule: inTwoHours },
    ]);
    expect(bodies.map(({ messages }) => messages)).to.deep.equal([text('Later')]);
    expect(bodies.flatMap(({ audience }) => audience.contactIds)).to.deep.equal(['c0-1', 'c0-2', 'c1-1']);
    expect(await audienceOf(send)).to.deep.equal(['c0-1', 'c0-2', 'c1-1']);
    expect([await counting(send), (await campaignOf(send)).status]).to.deep.equal([['scheduled'], 'scheduled']);
    const keys = site.platform.of('A1').map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size, 'no key is used twice').to.equal(keys.length);
  });

  it('is audited once it is made, with who asked for it', async () => {
    const send = await scheduled([1]);
    await change(send, { note: 'For members' });
    const entries = () =>
      database('audit_log').where({ object_id: send.campaignId, action: 'campaign.update' }).select('actor', 'after');
    expect(await entries()).to.deep.equal([]);
    await poll(send);
    const [entry, ...others] = await entries();
    expect([entry.actor, entry.after.note, others]).to.deep.equal(['editor', 'For members', []]);
  });

  it('submits what was cancelled again as it was if the platform has begun another task', async () => {
    const send = await scheduled([2, 1]);
    begun(send.keys.slice(1));
    const { editId } = await change(send, { messages: text('Later'), schedule: inTwoHours });
    await poll(send);
    await poll(send);
    expect(await editOutcome(database, { ...send, editId: editId! })).to.equal('too_late');
    const [body, ...others] = await submitted(send);
    expect(others).to.deep.equal([]);
    expect([body!['name'], body!['schedule'].at, body!['audience'].contactIds]).to.deep.equal([
      'Spring',
      at.toISOString(),
      ['c0-1', 'c0-2'],
    ]);
    expect(body!['messages'][0].title).to.equal('Spring');
    expect(await audienceOf(send)).to.deep.equal(['c0-1', 'c0-2', 'c1-1']);
    expect((await campaignOf(send)).pendingEdit).to.equal(null);
    const actions = await database('audit_log').where({ object_id: send.campaignId }).pluck('action');
    expect(actions).to.deep.equal(['campaign.update_too_late']);
  });

  it('submits a task again that turns out to be cancelled only after the change was given up', async () => {
    const send = await scheduled([1, 1]);
    begun(send.keys.slice(1));
    site.platform.behave(({ route, path }) => {
      if (route === 'A3') return path.includes(send.keys[1]!) ? { status: 409, body: { status: 'sending' } } : 'reset';
      const status = path.includes(send.keys[1]!) ? 'sending' : 'scheduled';
      return route === 'A2' ? { status: 200, body: { status } } : null;
    });
    const { editId } = await change(send, { name: 'Summer' });
    await poll(send);
    await poll(send);
    expect(await editOutcome(database, { ...send, editId: editId! })).to.equal('too_late');
    expect((await counting(send)).toSorted()).to.deep.equal(['scheduled', 'sending']);
    site.platform.behave(({ route, path }) =>
      route === 'A2' && path.includes(send.keys[0]!) ? { status: 200, body: { status: 'cancelled' } } : null,
    );
    await site.due(send);
    await poll(send);
    const bodies = await submitted(send);
    expect(bodies.flatMap(({ audience }) => audience.contactIds)).to.deep.equal(['c0-1']);
    expect(bodies[0]!['name']).to.equal('Spring');
  });

  it('is made at once, without a call, while nothing of it is at the platform', async () => {
    const send = await site.seedSend({ chunks: [2, 1], at });
    const { editId, campaign } = await change(send, { messages: text('Later') });
    expect([await editOutcome(database, { ...send, editId: editId! }), campaign.pendingEdit]).to.deep.equal([
      'made',
      null,
    ]);
    const bodies = await submitted(send);
    expect(bodies.map(({ messages }) => messages)).to.deep.equal([text('Later')]);
    expect(site.platform.of('A3')).to.deep.equal([]);
    expect(await audienceOf(send)).to.deep.equal(['c0-1', 'c0-2', 'c1-1']);
  });

  it('waits for a submission under way, and cancels its task, too', async () => {
    const send = await site.seedSend({ chunks: [1], at });
    let open!: () => void;
    const gate = new Promise<void>((resolve) => (open = resolve));
    let called!: () => void;
    const call = new Promise<void>((resolve) => (called = resolve));
    site.platform.behave(async ({ route }) => {
      if (route !== 'A1') return null;
      called();
      await gate;
      return null;
    });
    const submitting = site.submit(send);
    await call;
    const { editId } = await change(send, { messages: text('Later') });
    await poll(send);
    expect(await editOutcome(database, { ...send, editId: editId! })).to.equal(null);
    open();
    await submitting;
    await poll(send);
    expect(site.platform.of('A3').length).to.equal(1);
    expect(await editOutcome(database, { ...send, editId: editId! })).to.equal('made');
    expect((await submitted(send)).map(({ messages }) => messages)).to.deep.equal([text('Later')]);
  });

  it('is too late once its time has come, whatever became of the cancellations', async () => {
    const send = await scheduled([1]);
    site.platform.behave(({ route }) => (route === 'A2' || route === 'A3' ? { status: 503 } : null));
    const { editId } = await change(send, { messages: text('Later'), schedule: inTwoHours });
    await poll(send);
    expect(await editOutcome(database, { ...send, editId: editId! })).to.equal(null);
    site.platform.behave(({ route }) => (route === 'A2' ? { status: 200, body: { status: 'scheduled' } } : null));
    skew = HOUR + 60_000;
    await rows(database, `update broadcast_task set next_attempt_at = now() + interval '9 hours' where key = :key`, {
      key: send.keys[0],
    });
    await poll(send);
    expect(await editOutcome(database, { ...send, editId: editId! })).to.equal('too_late');
    expect((await campaignOf(send)).schedule).to.deep.equal({ type: 'scheduled', at: at.toISOString() });
    expect(await counting(send)).to.deep.equal(['scheduled']);
  });

  it('starts at once if that is the change', async () => {
    const send = await scheduled([1]);
    await change(send, { schedule: { type: 'immediate' } });
    await poll(send);
    expect((await campaignOf(send)).status).to.equal('sending');
    expect((await submitted(send)).map(({ schedule }) => schedule)).to.deep.equal([{ type: 'immediate' }]);
  });

  const ends: [string, (send: TestSend) => Promise<unknown>, string][] = [
    ['cancelled', (send) => cancelCampaign(database, author(), send.campaignId, new Date()), 'cancelled'],
    ['closed', (send) => closeCampaign(database, author(), send.campaignId, new Date()), 'closed'],
    [
      'uninstalled',
      () =>
        uninstallIntegration(database, site.tenant.tenantIntegrationId, {
          reason: undefined,
          now: new Date(),
          requestId: null,
        }),
      'cancelled',
    ],
  ];
  for (const [what, end, status] of ends)
    it(`is dropped if the campaign is ${what} before it is made`, async () => {
      const send = await scheduled([1]);
      const { editId } = await change(send, { messages: text('Later') });
      await end(send);
      expect(await editOutcome(database, { ...send, editId: editId! })).to.equal('dropped');
      await poll(send);
      expect(await submitted(send)).to.deep.equal([]);
      const after = await campaignOf(send);
      expect([after.status, after.pendingEdit]).to.deep.equal([status, null]);
    });

  it('is rejected while sub-tasks are unknown, and while another change is being made', async () => {
    const send = await scheduled([1, 1]);
    await rows(database, `update broadcast_task set status = 'unknown' where key = :key`, { key: send.keys[0] });
    await expectRejected(() => change(send, { messages: text('Later') }));
    await rows(database, `update broadcast_task set status = 'scheduled' where key = :key`, { key: send.keys[0] });
    await change(send, { messages: text('Later') });
    await expectRejected(() => change(send, { name: 'Another' }));
    await expectRejected(() => change(send, { endsAt: inTwoHours.at }));
    expect((await readTasks(database, send)).map((task) => task.status)).to.deep.equal(['scheduled', 'scheduled']);
  });

  async function expectRejected(work: () => Promise<unknown>): Promise<void> {
    const error: unknown = await work().then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).to.have.property('code', 'invalid_state');
  }

  it('cancels nothing for an end, or for content that is the same', async () => {
    const send = await scheduled([1]);
    const { messages, name } = await campaignOf(send);
    expect((await change(send, { endsAt: inTwoHours.at })).editId).to.equal(null);
    expect((await change(send, { messages, name })).editId).to.equal(null);
    await poll(send);
    expect(site.platform.of('A3')).to.deep.equal([]);
    expect(await counting(send)).to.deep.equal(['scheduled']);
  });

  it('counts as before: who was sent to by a task that was cancelled is not sent to again', async () => {
    const send = await scheduled([1]);
    await change(send, { messages: text('Later') });
    await poll(send);
    await rows(database, `update broadcast_task set status = 'sending' where key = :key`, { key: send.keys[0] });
    await poll(send);
    expect(await submitted(send)).to.deep.equal([]);
    expect(await counting(send)).to.deep.equal(['sending']);
  });
});
