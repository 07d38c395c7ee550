import { expect } from 'chai';
import { eventHandlers } from '#activities/outreach/inbox/handlers/index.ts';
import { rows } from '#db/database.ts';
import { assignTag } from '#commands/outreach/tags/assign-tag.ts';
import { eventCommand, inboxOf } from '../support/outreach/inbox-events.ts';
import { readTasks, type TestSend } from '../support/outreach/rows.ts';
import { useBackend } from '../support/fixtures/services.ts';
import { type EventSite, openEventSite } from '../support/webhooks/event-site.ts';

describe('events of campaigns for a tenant’s webhook', function () {
  this.timeout(120_000);
  const backend = useBackend();
  let site: EventSite;

  beforeEach(async () => {
    site = await openEventSite(backend);
  });
  afterEach(() => site.close());

  const stored = () =>
    rows<{ type: string; contacts: number | null }>(
      backend.db,
      `select e.type, e.contacts from outgoing_event e join delivery d using (event_id) where e.tenant_id = :tenantId
       order by d.position`,
      { tenantId: site.tenantId },
    );

  /** Contacts click a card of the send; each batch of the inbox has those of one list. */
  async function click(send: TestSend, ...batches: string[][]): Promise<void> {
    const inbox = inboxOf(backend.db);
    const [task] = await readTasks(backend.db, send);
    for (const contactIds of batches) {
      await inbox.store(
        ...contactIds.map((contactId) =>
          eventCommand(site.tenant, 'notice.clicked', {
            taskId: task?.taskId,
            noticeId: `n-${contactId}`,
            actionIndex: 0,
            action: { type: 'Postback', data: { campaignId: send.campaignId, subTaskKey: task?.key } },
            contactId,
            serviceNumberId: 'sn-1',
            clickedAt: '2026-03-01T10:00:00Z',
          }),
        ),
      );
      await inbox.handle(eventHandlers);
    }
  }

  it('a send tells of a sub-task in doubt, of its last sub-task and of its end, in that order, once each', async () => {
    const secret = await site.configure();
    const send = await site.seedSend({ chunks: [4, 3, 2] });
    const lost = send.keys[1];
    site.platform.behave(({ route, headers }) =>
      route === 'A1' && headers['idempotency-key'] === lost ? 'reset' : null,
    );
    await site.submit(send);
    await site.due(send);
    await site.poll(send);
    await rows(backend.db, `update broadcast_task set submitting_since = now() - interval '1 hour' where key = :lost`, {
      lost,
    });
    const resolve = { outcome: 'not_sent' };
    const resolved = await site.call('POST', `/campaigns/${send.campaignId}/tasks/${lost}:resolve`, resolve);
    expect(resolved.status, JSON.stringify(resolved.body)).to.equal(200);
    site.startRelay();
    await site.settled();
    const events = site.read(secret);
    expect(events.map(({ type }) => type)).to.deep.equal(['subtask.unknown', 'campaign.sent', 'campaign.completed']);
    const [unknown, sent, completed] = events.map(({ data }) => data);
    const about = { tenantId: site.tenantId, campaignId: send.campaignId };
    expect(unknown).to.deep.equal({
      ...about,
      dispatchId: send.dispatchId,
      subTaskKey: lost,
      contacts: 3,
      reason: 'outcome_unknown',
    });
    expect(sent).to.deep.equal({
      ...about,
      name: 'Spring',
      dispatchId: send.dispatchId,
      send: 1,
      retry: false,
      contacts: 9,
      submitted: 6,
      subTasks: 3,
      unknown: 1,
      rejected: 0,
    });
    expect(completed).to.deep.include({ ...about, status: 'partially_failed', contacts: 9, sent: 6, delivered: 6 });
    expect(completed).to.deep.include({ subTasks: 3, unknown: 0, rejected: 1 });
    for (const { timestamp } of events) expect(Date.parse(timestamp)).to.be.greaterThan(0);
  });

  it('a scheduled send is told of when it goes out, not when the platform accepts it', async () => {
    const secret = await site.configure(['campaign.sent']);
    const send = await site.seedSend({ chunks: [2, 2], at: new Date(Date.now() + 3_600_000) });
    await site.submit(send);
    expect((await readTasks(backend.db, send)).map(({ status }) => status)).to.deep.equal(['scheduled', 'scheduled']);
    expect(await stored()).to.deep.equal([]);
    await site.due(send);
    await site.poll(send, 'scheduled');
    site.startRelay();
    await site.settled();
    expect(site.read(secret).map(({ type, data }) => [type, data['submitted']])).to.deep.equal([['campaign.sent', 4]]);
  });

  it('sub-tasks that end at the same moment tell of the send once', async () => {
    await site.configure(['campaign.sent']);
    for (let round = 0; round < 5; round += 1) {
      const send = await site.seedSend({ chunks: [1, 1, 1, 1, 1, 1] });
      await rows(backend.db, `update broadcast_task set status = 'submitting' where dispatch_id = :dispatchId`, {
        dispatchId: send.dispatchId,
      });
      await Promise.all(
        send.keys.map((key) =>
          rows(backend.db, `update broadcast_task set status = 'sending' where key = :key`, { key }),
        ),
      );
    }
    expect(await stored()).to.have.length(5);
  });

  it('clicks come together: those of a batch, and those that join until the event is sent', async () => {
    const secret = await site.configure(['contact.clicked']);
    const send = await site.seedSend({ chunks: [20] });
    await site.submit(send);
    await click(send, ['a', 'b'], ['c'], ['a']);
    expect(await stored()).to.deep.equal([{ type: 'contact.clicked', contacts: 3 }]);
    site.startRelay();
    await site.hurry();
    await site.settled();
    await click(send, ['d']);
    await site.hurry();
    await site.settled();
    const told = site.read(secret).map(({ data }) => data.clicks);
    expect(told.map((clicks) => clicks?.map(({ contactId }) => contactId))).to.deep.equal([['a', 'b', 'c'], ['d']]);
    expect(told[0]?.[0]).to.deep.include({ contactId: 'a', clickedAt: '2026-03-01T10:00:00.000Z', actionIndex: 0 });
  });

  it('an event has 500 clicks at most, and 1,200 in 3 batches are 3 events', async () => {
    await site.configure(['contact.clicked']);
    const send = await site.seedSend({ chunks: [20] });
    await site.submit(send);
    const ids = Array.from({ length: 1200 }, (_, n) => `k${n}`);
    await click(send, ids.slice(0, 400), ids.slice(400, 800), ids.slice(800));
    expect((await stored()).map(({ contacts }) => contacts)).to.deep.equal([400, 400, 400]);
    await click(send, ['x']);
    expect((await stored()).map(({ contacts }) => contacts)).to.deep.equal([400, 400, 401]);
  });

  it('a tag that is given to many is told of together, and not again to those who have it', async () => {
    const secret = await site.configure(['contact.tagged']);
    const { tenantId } = site;
    await rows(
      backend.db,
      `with known as (
         insert into contact_profile (tenant_id, service_number_id, contact_id, follow_state, last_event_at)
         select :tenantId, 'sn-1', 't' || lpad(n::text, 4, '0'), 'following', now() from generate_series(1, 700) as n)
       insert into tag (tag_id, tenant_id, service_number_id, name, source, kind, status)
       values ('tag-' || :tenantId, :tenantId, 'sn-1', 'VIP', 'app_manual', 'permanent', 'active')`,
      { tenantId },
    );
    const author = { tenantId, userId: 'ada', requestId: null };
    const give = (from: number, to: number) =>
      assignTag(
        backend.db,
        author,
        `tag-${tenantId}`,
        Array.from({ length: to - from }, (_, n) => `t${String(from + n).padStart(4, '0')}`),
        new Date(),
      );
    await give(1, 601);
    await give(501, 701);
    expect((await stored()).map(({ contacts }) => contacts)).to.deep.equal([500, 200]);
    site.startRelay();
    await site.hurry();
    await site.settled();
    const events = site.read(secret);
    expect(events[0]?.data).to.deep.include({ tagId: `tag-${tenantId}`, tagName: 'VIP', campaignId: null });
    expect(events[0]?.data).to.deep.include({ ruleId: null, taggedBy: 'ada' });
    const told = events.flatMap(({ data }) => data.contacts?.map(({ contactId }) => contactId) ?? []);
    expect(new Set(told).size).to.equal(700);
    expect(told).to.have.length(700);
  });

  it('of types that were not chosen nothing is written', async () => {
    await site.configure(['subtask.unknown']);
    const send = await site.seedSend({ chunks: [2] });
    await site.submit(send);
    await click(send, ['a']);
    await site.due(send);
    await site.poll(send);
    expect(await stored()).to.deep.equal([]);
  });
});
