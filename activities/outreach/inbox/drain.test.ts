import { randomInt } from 'node:crypto';
import { expect } from 'chai';
import { rows } from '#db/database.ts';
import { eventDataSchemas, type HandledEventType, type IntakeCommand } from '#domain/api/events.ts';
import { eventCommand, inboxOf, seedAccepted } from '#test/support/outreach/inbox-events.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { seedTenant, type TestTenant } from '#test/support/outreach/rows.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import type { EventHandler } from './handlers/handler.ts';
import { eventHandlers } from './handlers/index.ts';

describe('the inbox', () => {
  const database = useDatabase('outreach');
  let tenant: TestTenant;
  let inbox: ReturnType<typeof inboxOf>;

  before(async () => {
    inbox = inboxOf(database);
  });
  beforeEach(async () => {
    await rows(database, 'delete from event_inbox', {});
    tenant = await seedTenant(database, testEncryption);
  });

  const command = (type: HandledEventType, data: object, more?: Partial<IntakeCommand>) =>
    eventCommand(tenant, type, data, more);

  it('is fair: a tenant with few events does not wait behind one with many', async () => {
    const many = Array.from({ length: 1200 }, (_, n) =>
      command('contact.entered', { contactId: `m${n}`, serviceNumberId: 'sn-1' }),
    );
    for (let from = 0; from < many.length; from += 400) await inbox.store(...many.slice(from, from + 400));
    const big = tenant;
    tenant = await seedTenant(database, testEncryption);
    await inbox.store(command('contact.entered', { contactId: 'x', serviceNumberId: 'sn-1' }));
    expect((await inbox.handle()).taken).to.equal(500);
    expect(await inbox.states(tenant)).to.deep.equal([['processed', null]]);
    expect((await inbox.handle()).taken).to.equal(500);
    expect((await inbox.handle()).taken).to.equal(201);
    expect((await inbox.handle()).taken).to.equal(0);
    const [count] = await rows<{ n: number }>(
      database,
      'select count(*) as n from contact_profile where tenant_id = :id',
      {
        id: big.tenantId,
      },
    );
    expect(count?.n).to.equal(1200);
  });

  it('finding 14: a batch takes about 8 MiB of payload, each tenant in turn, and always at least one event', async () => {
    const attributes = { text: 'x'.repeat(1_000_000) };
    const large = (n: number) =>
      command('contact.entered', { contactId: `m${n}`, serviceNumberId: 'sn-1', attributes });
    for (let n = 0; n < 20; n += 1) await inbox.store(large(n));
    tenant = await seedTenant(database, testEncryption);
    await inbox.store(command('contact.entered', { contactId: 'x', serviceNumberId: 'sn-1' }));
    const taken = [(await inbox.handle()).taken, (await inbox.handle()).taken, (await inbox.handle()).taken];
    expect(taken).to.deep.equal([10, 9, 2]);
    expect(await inbox.states(tenant)).to.deep.equal([['processed', null]]);
    const left = await rows(database, `select 1 from event_inbox where status <> 'processed'`, {});
    expect(left).to.deep.equal([]);
  });

  it('finding 14: an occurredAt ahead of our clock does not pin a state: it counts as its receipt', async () => {
    const contact = { contactId: 'ahead', serviceNumberId: 'sn-1' };
    await inbox.store(command('contact.followed', contact, { occurredAt: '9999-01-01T00:00:00Z' }));
    await inbox.handle();
    const [stored] = await rows<{ clamped: boolean }>(
      database,
      `select occurred_at = received_at as clamped from event_inbox`,
      {},
    );
    expect(stored).to.deep.equal({ clamped: true });
    // A later call whose event is ahead of our clock, too, but before the first one by the platform's.
    await inbox.store(command('contact.unfollowed', contact, { occurredAt: '9998-01-01T00:00:00Z' }));
    await inbox.handle();
    const profiles = await rows(database, `select follow_state from contact_profile where contact_id = 'ahead'`, {});
    expect(profiles).to.deep.equal([{ followState: 'unfollowed' }]);
  });

  it('fails the poison event of a batch with its reason, and handles the rest', async () => {
    const contact = (contactId: string, more: object = {}) =>
      command('contact.entered', { contactId, serviceNumberId: 'sn-1', ...more });
    const closing = (sessionId: string) =>
      command('session.closed', {
        sessionId,
        closedAt: '2026-03-01T10:00:00Z',
        summary: { duration: 1, messageCount: 3 },
      });
    await inbox.store(
      contact('a'),
      contact('b\u0000'),
      command('contact.entered', {}, { payload: '{' }),
      contact('c'),
      command('contact.entered', { contactId: 'd', serviceNumberId: 'sn-1' }, { occurredAt: '2026-03-01T10:00:00Z' }),
      closing('refused'),
      closing('s2'),
    );
    // Found by bisection: the database refuses what the handler makes of this one.
    const refusing: EventHandler = async (transaction, events) => {
      for (const { payload } of events)
        await rows(transaction, 'select :n::bigint::integer', { n: payload.includes('refused') ? 3_000_000_000 : 3 });
      return events.map(() => ({ kind: 'waits', for: 'session:s2' }));
    };
    const result = await inbox.handle([...eventHandlers.slice(0, -1), [['session.closed'], refusing]]);
    expect(result.failed).to.have.length(3);
    const reasons = result.failed.map(({ outcome }) => (outcome.kind === 'failed' ? outcome.reason : ''));
    expect(reasons).to.include('The database refused it (22003): integer out of range');
    const byStatus = (await inbox.states(tenant)).map(([status]) => status).toSorted();
    expect(byStatus).to.deep.equal(['failed', 'failed', 'failed', 'processed', 'processed', 'processed', 'stored']);
  });

  it('can store the longest texts and largest numbers that the webhook accepts', async () => {
    const { campaignId, keys } = await seedAccepted(database, tenant);
    // Text that does not compress: what is indexed counts with its full length.
    const long = (length: number) =>
      Array.from({ length }, () => String.fromCodePoint(0x4e00 + randomInt(0x5000))).join('');
    const [contactId, sessionId, serviceNumberId] = [long(256), long(256), long(256)];
    const words = { displayName: long(500), channel: long(64), language: long(64), region: long(64) };
    const at = '9999-12-31T23:59:59.999999Z';
    const data = {
      'contact.entered': { contactId, serviceNumberId, ...words, attributes: { [long(500)]: long(8000) } },
      'session.created': {
        sessionId,
        contactId,
        serviceNumberId,
        sourceId: long(256),
        channel: long(64),
        entryReason: { type: long(64), name: long(500), id: long(256), data: { a: long(8000) } },
      },
      'session.closed': {
        sessionId,
        sourceId: long(256),
        closedAt: at,
        summary: { duration: Number.MAX_SAFE_INTEGER, messageCount: 2_147_483_647, agentId: long(256) },
      },
      'notice.clicked': {
        taskId: `task-${keys[0]}`,
        noticeId: long(256),
        actionIndex: 1000,
        action: {
          type: 'Postback',
          data: { campaignId, subTaskKey: keys[0], bizEventCode: long(200), sourceId: long(200) },
          url: long(4096),
        },
        contactId,
        serviceNumberId,
        clickedAt: at,
      },
    } satisfies Partial<Record<HandledEventType, object>>;
    for (const [type, one] of Object.entries(data) as [HandledEventType, object][]) {
      expect(eventDataSchemas[type].safeParse(one).error, type).to.equal(undefined);
      await inbox.store(command(type, one, { eventId: long(256), serviceNumberId }));
    }
    await inbox.handle();
    expect(await inbox.states(tenant)).to.deep.equal(Array.from({ length: 4 }, () => ['processed', null]));
    const tooMany = { ...data['session.closed'], summary: { duration: 1, messageCount: 2_147_483_648 } };
    expect(eventDataSchemas['session.closed'].safeParse(tooMany).success).to.equal(false);
  });

  describe('contacts', () => {
    it('become profiles; the latest occurredAt wins within and across batches', async () => {
      const reported = (occurredAt: string, type: HandledEventType, more: object = {}) =>
        command(type, { contactId: 'a', serviceNumberId: 'sn-1', ...more }, { occurredAt });
      await inbox.store(
        reported('2026-03-01T10:00:00Z', 'contact.entered', { displayName: 'Ann', attributes: { vip: true } }),
        reported('2026-03-03T10:00:00Z', 'contact.unsubscribed'),
      );
      await inbox.handle();
      await inbox.store(reported('2026-03-02T10:00:00Z', 'contact.resubscribed', { displayName: 'Anna' }));
      await inbox.handle();
      const [profile] = await rows(
        database,
        `select display_name, attributes, follow_state, unsubscribed, entered_at, last_event_at from contact_profile
         where tenant_id = :tenantId`,
        { tenantId: tenant.tenantId },
      );
      expect(profile).to.deep.equal({
        displayName: 'Anna',
        attributes: { vip: true },
        followState: 'following',
        unsubscribed: true,
        enteredAt: new Date('2026-03-01T10:00:00Z'),
        lastEventAt: new Date('2026-03-03T10:00:00Z'),
      });
    });
  });

  it('keeps of text that only describes a contact what can be stored', async () => {
    const contactId = 'described';
    const data = { contactId, serviceNumberId: 'sn-1', displayName: `${'a'.repeat(499)}😀`, language: 'a\u0000b' };
    await inbox.store(
      command('contact.followed', {
        ...data,
        region: 7,
        attributes: { 'k\u0000': 'v\ud83d', much: 1, list: [[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]] },
      }),
    );
    await inbox.handle();
    const [profile] = await rows<{ attributes: { list: unknown } }>(
      database,
      `select display_name, language, region, attributes from contact_profile where contact_id = :contactId`,
      { contactId },
    );
    // The seventeenth list is too deep.
    expect(JSON.stringify(profile?.attributes.list)).to.equal(`${'['.repeat(16)}null${']'.repeat(16)}`);
    expect({ ...profile, attributes: { ...profile?.attributes, list: null } }).to.deep.equal({
      displayName: 'a'.repeat(499),
      language: 'a\uFFFDb',
      region: '7',
      attributes: { 'k\uFFFD': 'v\uFFFD', much: 1, list: null },
    });
  });

  describe('conversations', () => {
    const created = (campaignId: string | null, sessionId = 's1') =>
      command('session.created', {
        sessionId,
        sourceId: 'src',
        contactId: 'c0-1',
        channel: 'default',
        ...(campaignId ? { entryReason: { type: 'activity', id: campaignId } } : {}),
      });
    const closed = (sessionId = 's1') =>
      command('session.closed', {
        sessionId,
        closedAt: '2026-03-01T11:00:00Z',
        summary: { duration: 90.5, messageCount: 7, agentId: 'g' },
      });
    const conversations = () =>
      rows(
        database,
        `select session_id as id, campaign_id, duration_seconds as duration, message_count as messages
         from conversation where tenant_id = :tenantId order by 1`,
        { tenantId: tenant.tenantId },
      );

    it('belong to the campaign of their reason, and are closed in whatever order the events arrive', async () => {
      const send = await seedAccepted(database, tenant);
      await inbox.store(closed('s2'));
      await inbox.handle();
      expect(await inbox.states(tenant)).to.deep.equal([['stored', 'session:s2']]);
      await inbox.store(created(send.campaignId, 's2'), closed(), created(send.campaignId), created('nobody', 's3'));
      await inbox.handle();
      await inbox.handle();
      expect((await inbox.states(tenant)).every(([status]) => status === 'processed')).to.equal(true);
      expect(await conversations()).to.deep.equal([
        { id: 's1', campaignId: send.campaignId, duration: 90.5, messages: 7 },
        { id: 's2', campaignId: send.campaignId, duration: 90.5, messages: 7 },
        { id: 's3', campaignId: null, duration: null, messages: null },
      ]);
    });

    it('belong to the campaign of their source if the reason names none', async () => {
      const send = await seedAccepted(database, tenant);
      await rows(database, `update campaign set source_id = 'src' where campaign_id = :campaignId`, send as never);
      await inbox.store(created(null));
      await inbox.handle();
      expect(await conversations()).to.deep.equal([
        { id: 's1', campaignId: send.campaignId, duration: null, messages: null },
      ]);
    });
  });
});
