import { expect } from 'chai';
import { noteEnd, noteStart } from '#db/recurring/runs.ts';
import { rows } from '#db/database.ts';
import { SWEEP } from '#domain/recurring/sweep.ts';
import { useDatabase, useTestDatabase } from '#test/support/fixtures/database.ts';
import { rowsRead } from '#test/support/servers/rows-read.ts';
import { openSendingSite, type SendingSite } from '#test/support/services/sending-site.ts';
import type { TestSend } from '#test/support/outreach/rows.ts';
import { type StandingCampaign, standingCampaigns } from './standing.ts';

/** A platform that does not respond, or only says that nothing is new, as the rows show it minutes later. */
describe('campaigns that stand still', () => {
  const on = useTestDatabase();
  const database = useDatabase('outreach', { on });
  let site: SendingSite;

  beforeEach(async () => {
    site = await openSendingSite(database);
  });
  afterEach(() => site.close());

  /** As it is after so many minutes in which the worker swept, but nothing else happened. */
  async function after(minutes: number, { tenantId, campaignId }: TestSend, more: { sweeps?: boolean } = {}) {
    const now = new Date(Date.now() + minutes * 60_000);
    if (more.sweeps ?? true) {
      await noteStart(database, SWEEP);
      await noteEnd(database, SWEEP);
      await rows(database, 'update recurring_run set started_at = :now, completed_at = :now', { now });
    }
    const found = await standingCampaigns(database, { tenantId, campaignId }, now);
    return found.map(({ phase, reason }) => `${phase}: ${reason}`);
  }

  it('while A1 is not responded to, and no longer once it is', async () => {
    const send = await site.seedSend({ chunks: [3] });
    // The next attempt is due later than an activity waits for it.
    await rows(database, 'update broadcast_task set attempts = 9', {});
    site.platform.behave(() => ({ status: 503, body: { code: 'maintenance' } }));
    await site.submit(send);
    expect(await after(1, send)).to.deep.equal([]);
    expect(await after(3, send)).to.deep.equal(['submit: platform_error']);
    site.platform.behave(() => ({ status: 201, body: { taskId: 'task-standing' } }));
    await rows(database, 'update broadcast_task set next_attempt_at = null where campaign_id = :campaignId', {
      campaignId: send.campaignId,
    });
    await site.submit(send);
    expect(await after(1, send)).to.deep.equal([]);
  });

  it('while A2 is not responded to, until it is; and once what it says is nothing new for half an hour', async () => {
    const send = await site.seedSend({ chunks: [3] });
    await site.submit(send);
    const hear = async (behaviour: Parameters<SendingSite['platform']['behave']>[0]) => {
      site.platform.behave(behaviour);
      await site.due(send);
      await site.poll(send);
    };
    const sending = () => ({ status: 200, body: { status: 'sending', summary: { sent: 1 } } });
    await hear(sending);
    await hear(() => 'reset');
    expect(await after(1, send)).to.deep.equal([]);
    expect(await after(3, send)).to.deep.equal(['poll: platform_no_response']);
    await hear(sending);
    const { campaignId } = send;
    const asked = (minutes: number) =>
      rows(database, 'update broadcast_task set next_poll_at = :at where campaign_id = :campaignId', {
        campaignId,
        at: new Date(Date.now() + minutes * 60_000),
      });
    await asked(29);
    expect(await after(29, send)).to.deep.equal([]);
    await asked(31);
    expect(await after(31, send)).to.deep.equal(['platform: platform_unchanged']);
    const reported = 'select reported_at as at from broadcast_task where campaign_id = :campaignId';
    const [first] = await rows<{ at: Date }>(database, reported, { campaignId });
    await hear(sending);
    expect(await rows(database, reported, { campaignId })).to.deep.equal([first]);
    await hear(() => ({ status: 200, body: { status: 'sending', summary: { sent: 2 } } }));
    const [news] = await rows<{ at: Date }>(database, reported, { campaignId });
    expect(news?.at).to.be.greaterThan(first?.at ?? new Date(0));
  });

  it('while A3 is not responded to', async () => {
    const send = await site.seedSend({ chunks: [1], at: new Date(Date.now() + 3_600_000) });
    await site.submit(send);
    expect(await after(10, send)).to.deep.equal([]);
    await rows(database, 'update campaign set cancel_requested = true where campaign_id = :campaignId', {
      campaignId: send.campaignId,
    });
    site.platform.behave(() => ({ status: 500, body: {} }));
    await site.poll(send, 'scheduled');
    expect(await after(3, send)).to.deep.equal(['cancel: platform_no_response']);
    site.platform.behave(() => ({ status: 200, body: { status: 'cancelled' } }));
    await rows(database, 'update broadcast_task set next_attempt_at = null where campaign_id = :campaignId', {
      campaignId: send.campaignId,
    });
    await site.poll(send, 'scheduled');
    expect(await after(3, send)).to.deep.equal([]);
  });

  it('in a pause that the platform asked for, with its end', async () => {
    const send = await site.seedSend({ chunks: [1] });
    site.platform.behave(() => ({ status: 429, headers: { 'Retry-After': '900' } }));
    await site.submit(send);
    expect(await after(3, send)).to.deep.equal(['submit: platform_pause']);
    const { tenantId } = send;
    const [found] = await standingCampaigns(database, { tenantId }, new Date(Date.now() + 180_000));
    expect(found?.until?.getTime()).to.be.within(Date.now() + 800_000, Date.now() + 1_000_000);
  });

  it('while nobody sweeps, whatever else is known', async () => {
    const send = await site.seedSend({ chunks: [1] });
    expect(await after(1, send)).to.deep.equal([]);
    expect(await after(5, send, { sweeps: false })).to.deep.equal(['submit: worker_away']);
    expect(await after(5, send)).to.deep.equal(['submit: unexplained']);
  });

  it('are those of the tenant, and of all for those who run the service', async () => {
    const send = await site.seedSend({ chunks: [1] });
    const later = new Date(Date.now() + 600_000);
    const ids = async (scope: object) => (await standingCampaigns(database, scope, later)).map((one) => one.campaignId);
    expect(await ids({ tenantId: 'nobody' })).to.deep.equal([]);
    expect(await ids({ tenantId: send.tenantId, serviceNumberId: 'another' })).to.deep.equal([]);
    expect(await ids({})).to.include(send.campaignId);
  });

  it('are found among more than are read, which cost as many rows as they have sub-tasks, twice', async () => {
    const send = await site.seedSend({ chunks: [1, 1, 1] });
    const others = 1500;
    const copies = (table: string, changes: string) =>
      rows(
        database,
        `insert into ${table} select (jsonb_populate_record(t, ${changes})).*
         from ${table} t, generate_series(1, :others::int) as n where t.campaign_id = :campaignId`,
        { others, campaignId: send.campaignId },
      );
    const own = (column: string) => `'${column}', t.${column} || n`;
    await copies(
      'campaign',
      `jsonb_build_object(${own('campaign_id')}, 'updated_at', t.updated_at - interval '1 day')`,
    );
    await copies('dispatch', `jsonb_build_object(${own('campaign_id')}, ${own('dispatch_id')})`);
    await copies(
      'broadcast_task',
      `jsonb_build_object(${own('campaign_id')}, ${own('dispatch_id')}, ${own('key')}, 'status', 'sending',
         'task_id', t.key || n, 'submitted_at', now(), 'next_poll_at', now() + interval '1 hour')`,
    );
    await rows(on.connect('outreach', 'owner'), 'analyze', {});
    const now = new Date(Date.now() + 180_000);
    await rows(database, 'update recurring_run set started_at = :now, completed_at = :now', { now });
    let found: StandingCampaign[] = [];
    const read = await rowsRead(database, ['broadcast_task'], async (transaction) => {
      found = await standingCampaigns(transaction, { tenantId: send.tenantId }, now);
    });
    expect(found.map(({ campaignId }) => campaignId)).to.deep.equal([send.campaignId]);
    expect(read.scanned).to.equal(0);
    expect(read.fetched).to.be.at.most((2 * 500 + 3) * 3);
  });
});
