import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { firstRow, rows } from '#db/database.ts';
import { storeEvents } from '#db/outreach/inbox/intake.ts';
import { updateRule } from '#commands/outreach/rules/update-rule.ts';
import { archiveTag } from '#commands/outreach/tags/archive-tag.ts';
import type { HandledEventType, IntakeCommand } from '#domain/api/events.ts';
import type { MatchCondition } from '#domain/rules/match-condition.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { seedSend, seedTenant, type TestSend, type TestTenant } from '#test/support/outreach/rows.ts';
import { backtest, readRule, readTag, seedRule, seedTag, taggedContacts } from '#test/support/outreach/rules.ts';
import { eventHandlers } from '../inbox/handlers/index.ts';
import { handleBatch } from '../inbox/batch.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { timesOf } from '#test/support/extent.ts';

describe('smart tag rules in the inbox', () => {
  const database = useDatabase('outreach');
  let tenant: TestTenant;
  let send: TestSend;
  let tagId: string;

  async function freshTenant(): Promise<void> {
    await rows(database, `update event_inbox set status = 'failed' where status = 'stored'`, {});
    tenant = await seedTenant(database, testEncryption);
    send = await accepted();
    tagId = await seedTag(database, tenant.tenantId);
  }
  beforeEach(freshTenant);

  async function accepted(): Promise<TestSend> {
    const made = await seedSend(database, tenant.tenantId, { chunks: [3] });
    await rows(
      database,
      `update broadcast_task set status = 'sending', task_id = 'task-' || key where campaign_id = :campaignId`,
      { campaignId: made.campaignId },
    );
    return made;
  }

  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const command = (eventType: HandledEventType, data: object, more: Partial<IntakeCommand> = {}): IntakeCommand => ({
    tenantIntegrationId: tenant.tenantIntegrationId,
    eventId: randomUUID(),
    eventType,
    occurredAt: minutesAgo(10),
    serviceNumberId: 'sn-1',
    payload: JSON.stringify(data),
    ...more,
  });
  const postback = (code: string, contactId = 'c0-1', of = send, more: Partial<IntakeCommand> = {}) => {
    const data = { campaignId: of.campaignId, subTaskKey: of.keys[0], messageIndex: 0, bizEventCode: code };
    return command('notice.clicked', click({ type: 'Postback', data: JSON.stringify(data) }, contactId, of), more);
  };
  const click = (action: object, contactId: string, of = send) => ({
    taskId: `task-${of.keys[0]}`,
    noticeId: 'n1',
    actionIndex: (action as { type: string }).type === 'Url' ? 1 : 0,
    action,
    contactId,
    clickedAt: minutesAgo(10),
  });
  const url = (contactId: string, given: object = { url: 'https://shop.example/more' }) =>
    command('notice.clicked', click({ type: 'Url', ...given }, contactId));
  const opened = (sessionId: string, contactId: string, campaignId: string | null) =>
    command('session.created', {
      sessionId,
      sourceId: 'src',
      contactId,
      ...(campaignId === null ? {} : { entryReason: { type: 'activity', id: campaignId } }),
    });
  const closed = (sessionId: string, duration: number, messageCount: number) =>
    command('session.closed', { sessionId, closedAt: minutesAgo(5), summary: { duration, messageCount } });

  const handle = async () => {
    while ((await handleBatch(database, 0, eventHandlers, new Date())).taken > 0);
  };
  const play = async (...commands: IntakeCommand[]) => {
    await storeEvents(database, commands, 1, new Date());
    await handle();
  };
  const rule = (more: object = {}) => seedRule(database, tenant.tenantId, { targetTagId: tagId, ...more });
  const tagged = () => taggedContacts(database, tagId);
  const hits = async (ruleId: string) => (await readRule(database, tenant.tenantId, ruleId)).hitCount;
  const is = (field: string, op: string, value: unknown) => ({ field, op, value }) as MatchCondition;

  it('trigger notice.clicked: a Postback by its bizEventCode and campaign, with the whole origin', async () => {
    const matchCondition = { all: [is('bizEventCode', 'eq', 'buy'), is('campaignId', 'eq', send.campaignId)] };
    const ruleId = await rule({ matchCondition });
    const event = postback('buy');
    await play(event, postback('look', 'c0-2'), postback('buy', 'c0-3', await accepted()));
    expect(await tagged()).to.deep.equal(['c0-1']);
    const origin = await firstRow(
      database,
      `select source_rule_id as rule_id, source_rule_version as version, source_campaign_id as campaign_id,
         source_task_id as task_id, source_action_index as action_index, source_biz_event_code as biz_event_code,
         source_event_id as event_id, assigned_by from tag_assignment where tag_id = :tagId`,
      { tagId },
    );
    expect(origin).to.deep.equal({
      ruleId,
      version: 1,
      campaignId: send.campaignId,
      taskId: `task-${send.keys[0]}`,
      actionIndex: 0,
      bizEventCode: 'buy',
      eventId: event.eventId,
      assignedBy: null,
    });
    const { hitCount, lastExecutedAt } = await readRule(database, tenant.tenantId, ruleId);
    expect(hitCount).to.equal(1);
    expect(lastExecutedAt).to.be.instanceOf(Date);
    expect(await readTag(database, tagId)).to.deep.equal({ status: 'active', contactCount: 1 });
  });

  it('trigger notice.clicked: a Url, even if the click does not contain the url', async () => {
    await rule({ matchCondition: is('url', 'glob', 'https://shop.*/more') });
    await play(url('c0-1'), url('c0-2', {}), url('c0-3', { url: 'https://other.example/' }), postback('buy', 'c0-4'));
    expect(await tagged()).to.deep.equal(['c0-1', 'c0-2']);
  });

  it('trigger notice.clicked: a Postback by the sourceId that it carries, live and in a backtest', async () => {
    const ruleId = await rule({ matchCondition: is('sourceId', 'eq', 'source-1') });
    const carrying = (sourceId: string | undefined, contactId: string) => {
      const data = { campaignId: send.campaignId, subTaskKey: send.keys[0], messageIndex: 0, sourceId };
      return command('notice.clicked', click({ type: 'Postback', data: JSON.stringify(data) }, contactId));
    };
    await play(carrying('source-1', 'c0-1'), carrying('source-2', 'c0-2'), carrying(undefined, 'c0-3'), url('c0-4'));
    expect(await tagged()).to.deep.equal(['c0-1']);
    expect((await backtest(database, tenant.tenantId, ruleId)).contactIds).to.deep.equal(['c0-1']);
  });

  it('trigger session.created: conversations that a campaign opened, no others', async () => {
    await rule({ triggerEvent: 'session.created', matchCondition: is('entryReasonId', 'eq', send.campaignId) });
    await play(opened('s1', 'c0-1', send.campaignId), opened('s2', 'c0-2', null), opened('s3', 'c0-3', 'nobody'));
    expect(await tagged()).to.deep.equal(['c0-1']);
  });

  it('trigger session.closed: by durationSeconds and messageCount, even if the closing arrives first', async () => {
    const matchCondition = { all: [is('durationSeconds', 'gte', 60), is('messageCount', 'gt', 2)] };
    await rule({ triggerEvent: 'session.closed', matchCondition });
    await play(closed('s1', 60, 3), closed('s2', 59.5, 3), closed('s3', 90, 2), closed('s4', 90, 9));
    expect(await tagged()).to.deep.equal([]);
    await play(
      ...['s1', 's2', 's3'].map((id, n) => opened(id, `c0-${n + 1}`, send.campaignId)),
      opened('s4', 'x', null),
    );
    expect(await tagged()).to.deep.equal(['c0-1']);
  });

  it('rule.campaignId limits it to one campaign', async () => {
    const other = await accepted();
    await rule({ campaignId: other.campaignId });
    await play(postback('buy'), postback('buy', 'c0-2', other));
    expect(await tagged()).to.deep.equal(['c0-2']);
  });

  it("sees events of its tag's service number only, and of its own tenant", async () => {
    const elsewhere = await seedTag(database, tenant.tenantId, { serviceNumberId: 'sn-2' });
    await rule({ targetTagId: elsewhere });
    await rule();
    const stranger = await seedTenant(database, testEncryption);
    const foreign = await seedTag(database, stranger.tenantId);
    await seedRule(database, stranger.tenantId, { targetTagId: foreign });
    await play(postback('buy'));
    expect(await taggedContacts(database, elsewhere)).to.deep.equal([]);
    expect(await taggedContacts(database, foreign)).to.deep.equal([]);
    expect(await tagged()).to.deep.equal(['c0-1']);
  });

  it('a paused or removed rule and an expired or archived tag assign nothing', async () => {
    const author = { tenantId: tenant.tenantId, userId: 'u1', requestId: null };
    const expired = await seedTag(database, tenant.tenantId, { expiresAt: new Date(Date.now() - 1000) });
    const archived = await seedTag(database, tenant.tenantId);
    const rules = [
      await rule({ status: 'paused' }),
      await rule({ targetTagId: expired }),
      await rule({ targetTagId: archived }),
    ];
    await archiveTag(database, author, archived, { now: new Date() });
    await play(postback('buy'));
    for (const id of [tagId, expired, archived]) expect(await taggedContacts(database, id)).to.deep.equal([]);
    for (const id of rules) expect(await hits(id)).to.equal(0);
    await updateRule(database, author, rules[0] ?? '', { patch: { status: 'active' }, now: new Date() });
    await play(postback('buy'));
    expect(await tagged()).to.deep.equal(['c0-1']);
  });

  it('clicks of test sends assign no tag, live or in a backtest', async () => {
    const ruleId = await rule();
    const data = { campaignId: send.campaignId, subTaskKey: 'test-1' };
    await play(command('notice.clicked', click({ type: 'Postback', data }, 'c0-1')));
    expect(await tagged()).to.deep.equal([]);
    expect((await backtest(database, tenant.tenantId, ruleId)).contacts).to.equal(0);
  });

  it('a tag that the contact already has is not another hit and keeps its origin', async () => {
    const first = await rule({ matchCondition: is('bizEventCode', 'eq', 'buy') });
    const second = await rule({ matchCondition: is('bizEventCode', 'in', ['buy', 'look']) });
    const event = postback('buy');
    await play(event, event, postback('buy'), postback('look'));
    const { lastExecutedAt } = await readRule(database, tenant.tenantId, first);
    await play(event, postback('buy'), postback('look'), postback('look', 'c0-2'));
    expect([await hits(first), await hits(second)]).to.deep.equal([1, 1]);
    expect((await readRule(database, tenant.tenantId, first)).lastExecutedAt).to.deep.equal(lastExecutedAt);
    expect(await readTag(database, tagId)).to.deep.equal({ status: 'active', contactCount: 2 });
  });

  it('the backtest covers its period, both bounds inclusive', async () => {
    const ruleId = await rule();
    await play(postback('buy', 'c0-1', send, { occurredAt: minutesAgo(60 * 24 * 81) }), postback('buy', 'c0-2'));
    expect(await backtest(database, tenant.tenantId, ruleId)).to.deep.equal({
      events: 1,
      contacts: 1,
      contactIds: ['c0-2'],
    });
    expect(await tagged()).to.deep.equal(['c0-1', 'c0-2']);
  });

  it('events in any order, duplicated and late, give the same result as a backtest over them', async () => {
    const contact = fc.integer({ min: 1, max: 4 }).map((n) => `c0-${n}`);
    const session = fc.integer({ min: 1, max: 4 });
    const event = fc.oneof(
      fc.record({ kind: fc.constant('click'), contact, code: fc.constantFrom('buy', 'look'), other: fc.boolean() }),
      fc.record({ kind: fc.constant('url'), contact }),
      fc.record({ kind: fc.constant('opened'), session, linked: fc.boolean() }),
      fc.record({ kind: fc.constant('closed'), session, duration: fc.constantFrom(10, 100) }),
    );
    type Event = {
      kind: string;
      contact: string;
      code: string;
      other: boolean;
      session: number;
      linked: boolean;
      duration: number;
    };
    const plays = fc.array(event, { minLength: 1, maxLength: 14 }).chain((list) =>
      fc.record({
        events: fc.constant(list as Event[]),
        order: fc.shuffledSubarray([...list.keys(), ...list.keys()], { minLength: list.length * 2 }),
        batch: fc.integer({ min: 1, max: 6 }),
      }),
    );
    const definitions = [
      { triggerEvent: 'notice.clicked', matchCondition: is('bizEventCode', 'eq', 'buy') },
      { triggerEvent: 'notice.clicked', matchCondition: { not: is('actionType', 'eq', 'Postback') } },
      { triggerEvent: 'session.created', matchCondition: { all: [] } },
      { triggerEvent: 'session.closed', matchCondition: is('durationSeconds', 'gt', 50) },
    ];
    await fc.assert(
      fc.asyncProperty(plays, async ({ events, order, batch }) => {
        await freshTenant();
        const other = await accepted();
        const rules: { ruleId: string; tag: string }[] = [];
        for (const definition of [...definitions, { ...definitions[0], campaignId: other.campaignId }]) {
          const tag = await seedTag(database, tenant.tenantId);
          rules.push({ tag, ruleId: await rule({ ...definition, targetTagId: tag }) });
        }
        const commands = events.map((item) => {
          if (item.kind === 'click') return postback(item.code, item.contact, item.other ? other : send);
          if (item.kind === 'url') return url(item.contact);
          // A session is a single fact: who opened it, and from which campaign, is the same in every event.
          const linked = item.session % 2 === 0;
          if (item.kind === 'opened')
            return opened(`s${item.session}`, `c0-${item.session}`, linked ? send.campaignId : null);
          return closed(`s${item.session}`, item.duration, 1);
        });
        const queue = order.flatMap((index) => commands[index] ?? []);
        for (let from = 0; from < queue.length; from += batch) await play(...queue.slice(from, from + batch));
        await rows(database, `update event_inbox set next_attempt_at = now() where status = 'stored'`, {});
        await handle();
        for (const { ruleId, tag } of rules) {
          const live = await taggedContacts(database, tag);
          const past = await backtest(database, tenant.tenantId, ruleId);
          expect(past.contactIds).to.deep.equal(live);
          expect(await hits(ruleId)).to.equal(live.length);
          expect((await readTag(database, tag))?.contactCount).to.equal(live.length);
        }
      }),
      { numRuns: timesOf(10, 25) },
    );
  });
});
