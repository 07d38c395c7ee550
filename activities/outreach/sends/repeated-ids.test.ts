import { expect } from 'chai';
import { rows } from '#db/database.ts';
import { storeSource } from '#commands/outreach/campaigns/store-source.ts';
import { recordTestTasks } from '#db/outreach/sends/test-sends.ts';
import { eventCommand, inboxOf } from '#test/support/outreach/inbox-events.ts';
import { readTasks, type TestSend } from '#test/support/outreach/rows.ts';
import type { PlatformCall, PlatformReply } from '#test/support/doubles/recording-platform.ts';
import { openSendingSite, type SendingSite } from '#test/support/services/sending-site.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';

describe('a platform that reuses ids', () => {
  const database = useDatabase('outreach');
  let site: SendingSite;
  let inbox: ReturnType<typeof inboxOf>;

  before(async () => {
    inbox = inboxOf(database);
  });
  beforeEach(async () => {
    await rows(database, 'delete from event_inbox', {});
    site = await openSendingSite(database);
    site.platform.behave(sameTask);
  });
  afterEach(() => site.close());

  const sameTask = ({ route }: PlatformCall): PlatformReply | null =>
    route === 'A1' ? { status: 201, body: { taskId: '1' } } : null;

  /** A send with one sub-task that the platform calls 1. */
  async function submitted(options: { at?: Date } = {}): Promise<TestSend> {
    const send = await site.seedSend({ chunks: [2], ...options });
    await site.submit(send);
    return send;
  }

  const taskOf = async (send: TestSend) => (await readTasks(database, send))[0];
  const clicked = (send: TestSend | null, more: object = {}, at = 'sn-1') =>
    eventCommand(
      site.tenant,
      'notice.clicked',
      {
        taskId: '1',
        noticeId: 'n1',
        actionIndex: 0,
        action: { type: 'Postback', data: JSON.stringify({ subTaskKey: send?.keys[0] }) },
        contactId: 'c0-1',
        clickedAt: new Date().toISOString(),
        ...more,
      },
      { serviceNumberId: at },
    );
  const ofUrl = { action: { type: 'Url' } };
  const clicks = async (send: TestSend) =>
    (await rows(database, 'select 1 from click_attribution where campaign_id = :id', { id: send.campaignId })).length;
  const poll = (send: TestSend) =>
    site
      .run(() => site.activities.pollTasks({ ...send, status: null }))
      .catch((error: { type?: string }) => {
        if (error.type !== 'PollAgain') throw error;
      });
  const due = () =>
    rows(database, `update broadcast_task set next_poll_at = now() - interval '1 second' where task_id = '1'`, {});

  it('has every sub-task accepted and followed; what is reported for the id counts for the newest', async () => {
    const [first, second] = [await submitted(), await submitted()];
    expect(await taskOf(second)).to.include({ status: 'sending', taskId: '1' });
    const summary = { sent: 2, delivered: 2, failed: 0, read: 1 };
    site.platform.behave(() => ({
      status: 200,
      body: { taskId: '1', status: 'completed', recipientCount: 2, summary },
    }));
    await due();
    await poll(first);
    await poll(second);
    expect(await taskOf(first)).to.include({ status: 'completed', sent: null, read: null, nextPollAt: null });
    expect(await taskOf(second)).to.include({ status: 'completed', sent: 2, read: 1 });
  });

  it('is polled separately for each service number', async () => {
    const [first, second] = [await submitted(), await submitted()];
    await rows(database, `update campaign set service_number_id = 'sn-2' where campaign_id = :id`, {
      id: second.campaignId,
    });
    const summary = { sent: 2, delivered: 2, failed: 0, read: 1 };
    site.platform.behave(() => ({ status: 200, body: { status: 'completed', summary } }));
    await due();
    await poll(first);
    expect(await taskOf(first)).to.include({ status: 'completed', sent: 2, read: 1 });
    await inbox.store(clicked(null, ofUrl, 'sn-1'), clicked(null, ofUrl, 'sn-2'));
    await inbox.handle();
    expect([await clicks(first), await clicks(second)]).to.deep.equal([1, 1]);
  });

  it('is not asked to cancel what now belongs to another task', async () => {
    const at = new Date(Date.now() + 3_600_000);
    const [first, second] = [await submitted({ at }), await submitted({ at })];
    await rows(database, 'update campaign set cancel_requested = true where campaign_id = :id', {
      id: first.campaignId,
    });
    await poll(first);
    expect(site.platform.of('A3')).to.have.length(0);
    await rows(database, 'update campaign set cancel_requested = true where campaign_id = :id', {
      id: second.campaignId,
    });
    await poll(second);
    expect(site.platform.of('A3')).to.have.length(1);
    expect((await taskOf(second))?.status).to.equal('cancelled');
    site.platform.behave(() => ({ status: 200, body: { status: 'cancelled' } }));
    await due();
    await poll(first);
    expect((await taskOf(first))?.status).to.equal('cancelled');
  });

  it('counts a click where its data says, otherwise for the last task with the id when it arrived', async () => {
    const first = await submitted();
    await inbox.store(clicked(null, { ...ofUrl, contactId: 'early' }));
    const second = await submitted();
    await inbox.store(clicked(first), clicked(second), clicked(second, { contactId: 'c0-2' }), clicked(null, ofUrl));
    await inbox.handle();
    expect([await clicks(first), await clicks(second)]).to.deep.equal([2, 2]);
    const repeats = 'select sum(repeats)::int as repeats from click_attribution where campaign_id = :id';
    expect(await rows(database, repeats, { id: second.campaignId })).to.deep.equal([{ repeats: 1 }]);
  });

  it('makes a click wait that arrives before the id is reused', async () => {
    const first = await submitted();
    const second = await site.seedSend({ chunks: [2] });
    await rows(database, `update broadcast_task set status = 'submitting' where key = :key`, { key: second.keys[0] });
    await inbox.store(clicked(second));
    await inbox.handle();
    expect(await inbox.states(site.tenant)).to.deep.equal([['stored', 'task:1']]);
    expect(await clicks(first)).to.equal(0);
  });

  it('resolves an unknown sub-task by a click that names it', async () => {
    await submitted();
    const lost = await site.seedSend({ chunks: [1] });
    await rows(database, `update broadcast_task set status = 'unknown' where key = :key`, { key: lost.keys[0] });
    await inbox.store(clicked(lost));
    await inbox.handle();
    expect(await taskOf(lost)).to.include({ status: 'sending', taskId: '1' });
    expect(await clicks(lost)).to.equal(1);
  });

  it('keeps tests and campaigns with the same id apart', async () => {
    const { tenantId } = site.tenant;
    const test = (key: string, campaignId: string) =>
      rows(
        database,
        `insert into test_send (key, tenant_id, campaign_id, created_at) values (:key, :tenantId, :campaignId, now())`,
        { key, tenantId, campaignId },
      );
    const first = await submitted();
    for (const key of ['test-1', 'test-2']) {
      await test(`${key}-${tenantId}`, first.campaignId);
      await recordTestTasks(database, [{ tenantId, key: `${key}-${tenantId}`, taskId: '1' }], new Date());
    }
    const tests = 'select task_id from test_send where tenant_id = :tenantId';
    expect(await rows(database, tests, { tenantId })).to.deep.equal([{ taskId: '1' }, { taskId: '1' }]);
    await inbox.store(clicked(null, ofUrl));
    await inbox.handle();
    expect(await clicks(first)).to.equal(0);
    const second = await submitted();
    await inbox.store(clicked(null, { ...ofUrl, noticeId: 'n2' }));
    await inbox.handle();
    expect([await clicks(first), await clicks(second)]).to.deep.equal([0, 1]);
  });

  it('ends an entry source with the campaign that received its id last', async () => {
    const [first, second] = [await submitted(), await submitted()];
    const sent = { name: 'Spring', endsAt: null };
    await storeSource(database, { ...first, sourceId: 's', sent });
    await storeSource(database, { ...second, sourceId: 's', sent });
    await rows(database, `update campaign set status = 'closed' where tenant_id = :tenantId`, { ...first });
    const ended = async (send: TestSend) => (await site.run(() => site.activities.endEntrySources(send))).ended;
    expect([await ended(first), await ended(second)]).to.deep.equal([0, 1]);
  });
});
