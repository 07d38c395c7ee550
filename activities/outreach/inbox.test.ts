import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { type Database, rows } from '../../db/database.ts';
import { storeEvents } from '../../db/outreach/inbox.ts';
import { recordAccepted } from '../../db/outreach/ledger-outcomes.ts';
import type { HandledEventType, IntakeCommand } from '../../domain/api/events.ts';
import { createDatabase, type TestDatabase } from '../../test/support/database.ts';
import { testEncryption } from '../../test/support/outreach-flows.ts';
import { readTasks, seedSend, seedTenant, type TestSend, type TestTenant } from '../../test/support/outreach-rows.ts';
import { eventHandlers } from './handlers/index.ts';
import { handleBatch } from './inbox-batch.ts';

describe('the inbox', () => {
  let test: TestDatabase;
  let database: Database;
  let tenant: TestTenant;
  const PARTITIONS = 1;

  before(async () => {
    test = await createDatabase();
    database = test.connect('outreach');
  });
  after(() => test.drop());
  beforeEach(async () => {
    await rows(database, 'delete from event_inbox', {});
    tenant = await seedTenant(database, testEncryption);
  });

  const command = (eventType: HandledEventType, data: object, more: Partial<IntakeCommand> = {}): IntakeCommand => ({
    tenantIntegrationId: tenant.tenantIntegrationId,
    eventId: randomUUID(),
    eventType,
    occurredAt: '2026-03-01T10:00:00Z',
    serviceNumberId: 'sn-1',
    payload: JSON.stringify(data),
    ...more,
  });
  const click = (send: TestSend, more: object = {}) => ({
    taskId: `task-${send.keys[0]}`,
    noticeId: 'n1',
    actionIndex: 0,
    action: {
      type: 'Postback',
      data: JSON.stringify({
        campaignId: send.campaignId,
        subTaskKey: send.keys[0],
        messageIndex: 0,
        bizEventCode: 'buy',
      }),
    },
    contactId: 'c0-1',
    clickedAt: '2026-03-01T10:00:00Z',
    ...more,
  });
  const store = (...commands: IntakeCommand[]) => storeEvents(database, commands, PARTITIONS);
  const handle = () => handleBatch(database, 0, eventHandlers, new Date());
  const states = async () => {
    const found = await rows<{ id: string; status: string; waitingFor: string | null; error: string | null }>(
      database,
      `select event_id as id, status, waiting_for as "waitingFor", error from event_inbox where tenant_id = :tenantId
       order by received_at`,
      { tenantId: tenant.tenantId },
    );
    return found.map(({ status, waitingFor, error }) => [status, waitingFor ?? error]);
  };
  const clicks = (campaignId: string) =>
    rows<{ contactId: string; messageIndex: number | null; bizEventCode: string | null; repeats: number }>(
      database,
      `select contact_id as "contactId", message_index as "messageIndex", biz_event_code as "bizEventCode", repeats
       from click_attribution where campaign_id = :campaignId order by contact_id, notice_id, action_index`,
      { campaignId },
    );

  /** A send of one sub-task that the platform has accepted. */
  async function accepted(): Promise<TestSend> {
    const send = await seedSend(database, tenant.tenantId, { chunks: [2] });
    await rows(
      database,
      `update broadcast_task set status = 'sending', task_id = 'task-' || key where campaign_id = :campaignId`,
      { campaignId: send.campaignId },
    );
    return send;
  }

  it('is fair: a tenant with few events does not wait behind one with many', async () => {
    const many = Array.from({ length: 1200 }, (_, n) =>
      command('contact.entered', { contactId: `m${n}`, serviceNumberId: 'sn-1' }),
    );
    for (let from = 0; from < many.length; from += 400) await store(...many.slice(from, from + 400));
    const big = tenant;
    tenant = await seedTenant(database, testEncryption);
    await store(command('contact.entered', { contactId: 'x', serviceNumberId: 'sn-1' }));
    expect((await handle()).taken).to.equal(500);
    expect(await states()).to.deep.equal([['processed', null]]);
    expect((await handle()).taken).to.equal(500);
    expect((await handle()).taken).to.equal(201);
    expect((await handle()).taken).to.equal(0);
    const [count] = await rows<{ n: number }>(
      database,
      'select count(*) as n from contact_profile where tenant_id = :id',
      {
        id: big.tenantId,
      },
    );
    expect(count?.n).to.equal(1200);
  });

  it('fails the poisonous event of a batch with its reason, and handles the rest', async () => {
    const contact = (contactId: string, more: object = {}) =>
      command('contact.entered', { contactId, serviceNumberId: 'sn-1', ...more });
    await store(
      contact('a'),
      contact('b', { attributes: { text: '\u0000' } }),
      command('contact.entered', {}, { payload: '{' }),
      contact('c'),
      // Storable as an event, refused by the table: found by halving.
      command('contact.entered', { contactId: 'd', serviceNumberId: 'sn-1' }, { occurredAt: '2026-03-01T10:00:00Z' }),
      command('session.closed', {
        sessionId: 's',
        closedAt: '2026-03-01T10:00:00Z',
        summary: { duration: 1, messageCount: 3_000_000_000 },
      }),
      command('session.closed', {
        sessionId: 's2',
        closedAt: '2026-03-01T10:00:00Z',
        summary: { duration: 1, messageCount: 3 },
      }),
    );
    const result = await handle();
    expect(result.failed).to.have.length(3);
    const byStatus = (await states()).map(([status]) => status).toSorted();
    expect(byStatus).to.deep.equal(['failed', 'failed', 'failed', 'processed', 'processed', 'processed', 'stored']);
  });

  describe('contacts', () => {
    it('become profiles, the latest occurredAt winning within and across batches', async () => {
      const said = (occurredAt: string, type: HandledEventType, more: object = {}) =>
        command(type, { contactId: 'a', serviceNumberId: 'sn-1', ...more }, { occurredAt });
      await store(
        said('2026-03-01T10:00:00Z', 'contact.entered', { displayName: 'Ann', attributes: { vip: true } }),
        said('2026-03-03T10:00:00Z', 'contact.unsubscribed'),
      );
      await handle();
      await store(said('2026-03-02T10:00:00Z', 'contact.resubscribed', { displayName: 'Anna' }));
      await handle();
      const [profile] = await rows(
        database,
        `select display_name, attributes, follow_state, unsubscribed, entered_at, last_event_at from contact_profile
         where tenant_id = :tenantId`,
        { tenantId: tenant.tenantId },
      );
      expect(profile).to.deep.equal({
        display_name: 'Anna',
        attributes: { vip: true },
        follow_state: 'following',
        unsubscribed: true,
        entered_at: new Date('2026-03-01T10:00:00Z'),
        last_event_at: new Date('2026-03-03T10:00:00Z'),
      });
    });
  });

  describe('clicks', () => {
    it('are attributed once each; further events of the same button are repeats', async () => {
      const send = await accepted();
      const url = { actionIndex: 1, action: { type: 'Url', url: 'https://shop.example/more' } };
      await store(
        command('notice.clicked', click(send)),
        command('notice.clicked', click(send)),
        command('notice.clicked', click(send, { contactId: 'c0-2' })),
        command('notice.clicked', click(send, url)),
      );
      await handle();
      await store(command('notice.clicked', click(send)));
      await handle();
      expect(await clicks(send.campaignId)).to.deep.equal([
        { contactId: 'c0-1', messageIndex: 0, bizEventCode: 'buy', repeats: 2 },
        { contactId: 'c0-1', messageIndex: 0, bizEventCode: null, repeats: 0 },
        { contactId: 'c0-2', messageIndex: 0, bizEventCode: 'buy', repeats: 0 },
      ]);
    });

    it('wait for their task, and are due as soon as the platform has accepted it', async () => {
      const send = await seedSend(database, tenant.tenantId, { chunks: [1] });
      const { tenantId, campaignId, keys } = send;
      const key = keys[0] ?? '';
      await rows(database, `update broadcast_task set status = 'submitting', submitting_by = 'me' where key = :key`, {
        key,
      });
      await store(command('notice.clicked', click(send)));
      await handle();
      expect(await states()).to.deep.equal([['stored', `task:task-${key}`]]);
      expect((await handle()).taken).to.equal(0);
      const accept = { taskId: `task-${key}`, estimatedRecipientCount: 1, status: 'sending' as const };
      const submission = { tenantId, campaignId, key, owner: 'me', now: new Date() };
      await recordAccepted(database, submission, { ...accept, nextPollAt: new Date(), pollIntervalMs: 100 });
      await new Promise((resolve) => setTimeout(resolve, 5));
      await handle();
      expect(await states()).to.deep.equal([['processed', null]]);
      expect(await clicks(campaignId)).to.have.length(1);
    });

    it('fail with the reason after 24 h without their task', async () => {
      const send = await accepted();
      await store(command('notice.clicked', click(send, { taskId: 'nobody', action: { type: 'Url' } })));
      await rows(database, `update event_inbox set received_at = now() - interval '25 hours'`, {});
      await handle();
      expect(await states()).to.deep.equal([['failed', 'There was no task:nobody within 24 hours']]);
    });

    it('wake those that wait for the task of the unknown sub-task that they name', async () => {
      const send = await seedSend(database, tenant.tenantId, { chunks: [1] });
      await database('broadcast_task').where({ key: send.keys[0] }).update({ status: 'unknown' });
      const url = { action: { type: 'Url', url: 'https://shop.example/more' }, actionIndex: 1 };
      await store(command('notice.clicked', click(send, url)));
      await handle();
      expect(await clicks(send.campaignId)).to.have.length(0);
      await store(command('notice.clicked', click(send)));
      await handle();
      await handle();
      expect(await clicks(send.campaignId)).to.have.length(2);
    });

    it('resolve the unknown sub-task that they name', async () => {
      const send = await seedSend(database, tenant.tenantId, { chunks: [1, 1] });
      await rows(database, `update broadcast_task set status = 'unknown' where campaign_id = :campaignId`, {
        campaignId: send.campaignId,
      });
      await store(
        command('notice.clicked', click(send, { taskId: 'found' })),
        command('notice.clicked', click(send, { taskId: 'found', noticeId: 'n2' })),
      );
      const { polls } = await handle();
      const tasks = await readTasks(database, send);
      expect(tasks.map(({ status, taskId }) => [status, taskId])).to.deep.equal([
        ['sending', 'found'],
        ['unknown', null],
      ]);
      expect([...polls.keys()]).to.deep.equal([send.campaignId]);
      expect(await clicks(send.campaignId)).to.have.length(2);
    });

    it('of test sends count nowhere', async () => {
      const data = { campaignId: 'c', subTaskKey: 'test-1' };
      const send = await accepted();
      await store(command('notice.clicked', click(send, { taskId: 'x', action: { type: 'Postback', data } })));
      await handle();
      expect(await states()).to.deep.equal([['processed', null]]);
      expect(await clicks(send.campaignId)).to.deep.equal([]);
    });

    it('of another tenant find nothing', async () => {
      const send = await accepted();
      tenant = await seedTenant(database, testEncryption);
      await store(command('notice.clicked', click(send)));
      await handle();
      expect(await states()).to.deep.equal([['stored', `task:task-${send.keys[0]}`]]);
      expect(await clicks(send.campaignId)).to.deep.equal([]);
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
        `select session_id as id, campaign_id as "campaignId", duration_seconds as duration, message_count as messages
         from conversation where tenant_id = :tenantId order by 1`,
        { tenantId: tenant.tenantId },
      );

    it('belong to the campaign of their reason, and are closed in whatever order that comes', async () => {
      const send = await accepted();
      await store(closed('s2'));
      await handle();
      expect(await states()).to.deep.equal([['stored', 'session:s2']]);
      await store(created(send.campaignId, 's2'), closed(), created(send.campaignId), created('nobody', 's3'));
      await handle();
      await new Promise((resolve) => setTimeout(resolve, 5));
      await handle();
      expect((await states()).every(([status]) => status === 'processed')).to.equal(true);
      expect(await conversations()).to.deep.equal([
        { id: 's1', campaignId: send.campaignId, duration: 90.5, messages: 7 },
        { id: 's2', campaignId: send.campaignId, duration: 90.5, messages: 7 },
        { id: 's3', campaignId: null, duration: null, messages: null },
      ]);
    });

    it('belong to the campaign of their source where the reason names none', async () => {
      const send = await accepted();
      await rows(database, `update campaign set source_id = 'src' where campaign_id = :campaignId`, send as never);
      await store(created(null));
      await handle();
      expect(await conversations()).to.deep.equal([
        { id: 's1', campaignId: send.campaignId, duration: null, messages: null },
      ]);
    });
  });
});
