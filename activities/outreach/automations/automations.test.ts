import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { assignTag } from '#commands/outreach/tags/assign-tag.ts';
import { unassignTag } from '#commands/outreach/tags/unassign-tag.ts';
import { pauseRestoredAutomations } from '#commands/outreach/automations/pause-restored.ts';
import { usesOfAudience } from '#db/outreach/audiences/uses.ts';
import { createAutomation } from '#commands/outreach/automations/create-automation.ts';
import { type AutomationMove, moveAutomation } from '#commands/outreach/automations/move-automation.ts';
import { updateAutomation } from '#commands/outreach/automations/update-automation.ts';
import { resolveSubTask } from '#commands/outreach/sends/resolve-sub-task.ts';
import { rows } from '#db/database.ts';
import { readAutomationResults } from '#db/outreach/automations/results.ts';
import { addEntries } from '#db/outreach/revenue/entries.ts';
import type { AttributedEntry } from '#domain/api/attribution.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { findAutomation } from '#db/outreach/automations/automations.ts';
import { type AutomationBody, automationBodySchema } from '#domain/api/automations.ts';
import type { MessagesBy } from '#domain/api/messages-by.ts';
import { listEntries } from '#db/outreach/automations/entries.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { fixture } from '#test/support/fixtures/fixture.ts';
import { eventCommand, inboxOf } from '#test/support/outreach/inbox-events.ts';
import { card, sentBy } from '#test/support/outreach/variant-sends.ts';
import { openSendingSite, type SendingSite } from '#test/support/services/sending-site.ts';
import { createAutomationSweep } from './automations.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('automations that are driven', () => {
  const database = useDatabase('outreach');
  let now = new Date();
  const site: SendingSite = fixture(async () => {
    const value = await openSendingSite(database, { now: () => now });
    return { value, close: () => value.close() };
  });
  const inbox = inboxOf(database, () => now);
  const author = () => ({ tenantId: site.tenant.tenantId, userId: 'operator', requestId: null });
  const pass = (ms: number) => void (now = new Date(now.getTime() + ms));
  const number = () => ({ tenantId: site.tenant.tenantId, serviceNumberId: 'sn-1' });
  const look = () => site.run(() => site.activities.lookAtAutomations(number()));
  /** Lets what is due wait for long enough, and sends it. */
  const drive = async () => {
    await look();
    pass(1000);
    return await look();
  };

  beforeEach(async () => {
    // Each test has its own automations only.
    await rows(
      database,
      `update campaign set status = 'closed', pause_reason = null where automation and status <> 'draft'`,
      {},
    );
    await rows(database, 'delete from automation_step', {});
    site.platform.calls.length = 0;
    site.platform.behave(() => null);
    pass(48 * HOUR);
  });

  const move = (automationId: string, action: AutomationMove) =>
    moveAutomation(database, author(), automationId, { action, now, appId: 'outreach', lookMs: null });
  async function active(more: Partial<AutomationBody> = {}): Promise<string> {
    const body = automationBodySchema.parse({
      name: 'Welcome',
      serviceNumberId: 'sn-1',
      trigger: { event: 'contact.followed' },
      steps: [{ messages: [card('Hello')] }],
      ...more,
    });
    const given = { now, appId: 'outreach', automationsPerTenant: 1000 };
    const { automationId } = await createAutomation(database, author(), body, given);
    await move(automationId, 'activate');
    pass(1);
    return automationId;
  }
  const names = { next: 0 };
  const person = () => `person-${(names.next += 1)}`;
  const followed = (contactId: string, more: object = {}, eventId: string = randomUUID()) =>
    eventCommand(
      site.tenant,
      'contact.followed',
      { contactId, serviceNumberId: 'sn-1', ...more },
      { eventId, occurredAt: now.toISOString() },
    );
  async function follow(contactId: string = person(), more: object = {}): Promise<string> {
    await inbox.store(followed(contactId, more));
    await inbox.handle();
    return contactId;
  }
  const sent = () => site.platform.of('A1').map((call) => sentBy(call));
  const entries = (automationId: string) =>
    rows<{ contactId: string; status: string; reason: string | null }>(
      database,
      `select contact_id, status, reason from automation_entry where automation_id = :automationId
       order by caused_at, contact_id`,
      { automationId },
    );
  const outcomes = async (automationId: string) =>
    (await entries(automationId)).map(({ status, reason }) => reason ?? status);
  async function click(contactId: string, automationId: string): Promise<void> {
    const [task] = await rows<{ key: string; taskId: string }>(
      database,
      `select t.key, t.task_id from broadcast_task t join automation_step s on s.sub_task_key = t.key
       where s.contact_id = :contactId and s.automation_id = :automationId order by s.claimed_at desc limit 1`,
      { contactId, automationId },
    );
    const data = { subTaskKey: task?.key, messageIndex: 0, bizEventCode: 'buy' };
    await inbox.store(
      eventCommand(
        site.tenant,
        'notice.clicked',
        {
          taskId: task?.taskId,
          noticeId: randomUUID(),
          actionIndex: 0,
          action: { type: 'Postback', data: JSON.stringify(data) },
          contactId,
          clickedAt: now.toISOString(),
        },
        { occurredAt: now.toISOString() },
      ),
    );
    await inbox.handle();
  }

  it('send to whoever entered within the window together, and to nobody twice', async () => {
    const automationId = await active();
    const before = now;
    const command = followed(person());
    await inbox.store(command, followed(person()));
    await inbox.handle();
    pass(50);
    await inbox.store({ ...command, eventId: command.eventId });
    await follow();
    const early = await look();
    expect(sent()).to.deep.equal([]);
    expect(Date.parse(early.nextLookAt ?? '') - before.getTime()).to.equal(300);
    pass(500);
    await look();
    await look();
    expect(sent().map(({ contactIds }) => contactIds.length)).to.deep.equal([3]);
    const [call] = site.platform.of('A1');
    expect(call?.body).to.deep.include({ name: 'Welcome', channels: ['default'], schedule: { type: 'immediate' } });
    const messages = call?.body['messages'] as { actions: { data: string }[] }[];
    expect(JSON.parse(messages[0]?.actions[0]?.data ?? '{}')).to.deep.include({
      campaignId: automationId,
      automationId,
      step: 0,
    });
    expect(await outcomes(automationId)).to.deep.equal(['sent', 'sent', 'sent']);
    expect((await findAutomation(database, { ...number(), automationId }))?.counts).to.deep.equal({
      entered: 3,
      waiting: 0,
      sent: 3,
      skipped: 0,
      unknown: 0,
    });
  });

  it('take only what happened after they were activated, to their own service number', async () => {
    const late = followed(person());
    const automationId = await active();
    await inbox.store(late);
    await inbox.handle();
    await inbox.store(
      eventCommand(
        site.tenant,
        'contact.followed',
        { contactId: person(), serviceNumberId: 'sn-2' },
        { occurredAt: now.toISOString(), serviceNumberId: 'sn-2' },
      ),
    );
    await inbox.handle();
    await drive();
    expect(await entries(automationId)).to.deep.equal([]);
  });

  it('refuse who entered, is held back, or is not asked for', async () => {
    const automationId = await active({ filter: { profile: { field: 'language', test: { op: 'eq', value: 'ja' } } } });
    const held = await active({ holdoutPercent: 50 });
    const one = await follow(person(), { language: 'ja' });
    const other = await follow(person(), { language: 'en' });
    await look();
    pass(10);
    await follow(one, { language: 'ja' });
    await follow(other, { language: 'ja' });
    await drive();
    expect(await outcomes(automationId)).to.have.members(['sent', 'filter', 'duplicate', 'sent']);
    for (let more = 0; more < 20; more += 1) await follow(person());
    await drive();
    const kept = (await entries(held)).filter(({ reason }) => reason === 'held_back').map(({ contactId }) => contactId);
    expect(kept.length).to.be.within(1, 20);
    const reached = sent().flatMap(({ contactIds }) => contactIds);
    expect((await entries(held)).filter(({ status }) => status === 'sent').length).to.be.within(1, 21);
    expect(reached.filter((id) => kept.includes(id))).to.deep.equal(kept.filter((id) => [one, other].includes(id)));
  });

  it('begin with tags, given and taken back, each time anew', async () => {
    const tagId = `tag-${randomUUID()}`;
    await database('tag').insert({
      tag_id: tagId,
      tenant_id: site.tenant.tenantId,
      service_number_id: 'sn-1',
      name: tagId,
      source: 'app_manual',
      kind: 'permanent',
      status: 'active',
    });
    const given = await active({ trigger: { event: 'tag.assigned', tagId }, entry: 'every' });
    const taken = await active({ trigger: { event: 'tag.removed', tagId }, entry: 'every' });
    const contactId = await follow();
    for (let times = 0; times < 2; times += 1) {
      pass(1000);
      await assignTag(database, author(), tagId, [contactId], now);
      await assignTag(database, author(), tagId, [contactId], now);
      pass(1000);
      await unassignTag(database, author(), tagId, [contactId], now);
      await unassignTag(database, author(), tagId, [contactId], now);
    }
    expect((await entries(given)).length).to.equal(2);
    expect((await entries(taken)).length).to.equal(2);
    await drive();
    await drive();
    expect(await outcomes(given)).to.deep.equal(['sent', 'sent']);
    expect(await outcomes(taken)).to.deep.equal(['sent', 'limit'], 'three messages of all automations a day');
    expect(sent().map(({ contactIds }) => contactIds)).to.deep.equal([[contactId], [contactId], [contactId]]);
  });

  it('begin with clicks on others and with closed sessions, never with clicks on themselves', async () => {
    const welcome = await active();
    const clicked = await active({ trigger: { event: 'notice.clicked', campaignIds: [welcome], bizEventCode: 'buy' } });
    const any = await active({ trigger: { event: 'notice.clicked' }, entry: 'every' });
    const closed = await active({ trigger: { event: 'session.closed', minMessages: 2 } });
    const contactId = await follow();
    await drive();
    await click(contactId, welcome);
    await drive();
    expect((await entries(clicked)).length).to.equal(1);
    expect((await entries(any)).length).to.equal(1);
    await click(contactId, any);
    expect((await entries(any)).length).to.equal(1, 'the click was on a message of its own');
    for (const [sessionId, messageCount] of [
      [randomUUID(), 1],
      [randomUUID(), 2],
    ]) {
      const session = { sessionId, serviceNumberId: 'sn-1', contactId };
      const times = { occurredAt: now.toISOString() };
      const summary = { duration: 60, messageCount };
      await inbox.store(
        eventCommand(site.tenant, 'session.created', session, times),
        eventCommand(site.tenant, 'session.closed', { ...session, closedAt: now.toISOString(), summary }, times),
      );
      await inbox.handle();
    }
    expect((await entries(closed)).length).to.equal(1);
  });

  it('begin on the day that an attribute names, once for it, for whoever has the value then', async () => {
    now = new Date('2026-11-25T12:00:00Z');
    const trigger = {
      event: 'date',
      attribute: 'birthday',
      offsetDays: 0,
      at: '09:00',
      zone: 'Asia/Taipei',
      yearly: true,
    } as const;
    const automationId = await active({ trigger, entry: 'every' });
    const one = await follow(person(), { attributes: { birthday: '1990-11-26' } });
    await follow(person(), { attributes: { birthday: '26.11.1990' } });
    await follow(person(), { attributes: { birthday: '1990-11-27' } });
    await drive();
    expect(await entries(automationId)).to.deep.equal([]);
    now = new Date('2026-11-26T01:00:00Z');
    await drive();
    expect((await entries(automationId)).map(({ contactId }) => contactId)).to.deep.equal([one]);
    await follow(person(), { attributes: { birthday: '1991-11-26' } });
    await drive();
    expect((await entries(automationId)).length).to.equal(1, 'a value that comes later');
    now = new Date('2026-11-27T03:00:00Z');
    await follow(person(), { attributes: { birthday: '1991-11-27' } });
    await drive();
    expect(await outcomes(automationId)).to.deep.equal(['sent', 'sent'], 'a look that comes later');
  });

  it('begin with whoever has come into a segment since the look before', async () => {
    const segment = { profile: { field: 'language' as const, test: { op: 'eq' as const, value: 'it' } } };
    const old = await follow(person(), { language: 'it' });
    const trigger = { event: 'segment.entered', segment, every: 'hour' } as const;
    const automationId = await active({ trigger, entry: 'every' });
    const one = await follow(person(), { language: 'it' });
    await drive();
    expect(await entries(automationId)).to.deep.equal([]);
    const hour = async (...languages: [string, string][]) => {
      for (const [contactId, language] of languages) {
        pass(1000);
        await follow(contactId, { language });
      }
      pass(HOUR);
      await drive();
      return (await entries(automationId)).map(({ contactId }) => contactId);
    };
    expect(await hour()).to.deep.equal([one]);
    expect(await hour([old, 'en'])).to.deep.equal([one]);
    expect(await hour([old, 'it'])).to.deep.equal([one, old]);
  });

  it('begin with orders of the contact that they name, or of the only one', async () => {
    const welcome = await active();
    const of = (more: object) => ({ event: 'order.paid', ...more }) as AutomationBody['trigger'];
    const paid = await active({ trigger: of({ minAmount: 100, currency: 'TWD' }), entry: 'every' });
    const refunded = await active({ trigger: { event: 'order.refunded' }, entry: 'every' });
    const [one, other] = [await follow(), await follow()];
    await drive();
    const [task] = await rows<{ key: string }>(
      database,
      'select key from broadcast_task where campaign_id = :welcome',
      { welcome },
    );
    let position =
      (await rows<{ position: number }>(database, 'select position from revenue_position', {}))[0]?.position ?? 0;
    const order = async (more: object, contactId: string | null) => {
      const after = position;
      position += 1;
      const entry = {
        position,
        platformTenantId: site.tenant.tenantId,
        movement: randomUUID(),
        campaignId: welcome,
        orderId: randomUUID(),
        kind: 'payment',
        amountMinor: 10_000,
        currency: 'TWD',
        at: now.toISOString(),
        subTaskKey: task?.key ?? '',
        messageIndex: 0,
        actionIndex: 0,
        contact: contactId && { serviceNumberId: 'sn-1', contactId, orderedAt: now.toISOString() },
        ...more,
      } as AttributedEntry;
      await addEntries(database, testEncryption, after, [entry]);
    };
    pass(1000);
    await order({}, one);
    await order({ amountMinor: 9_999 }, other);
    await order({ currency: 'USD' }, other);
    await order({}, 'a stranger');
    await order({}, null);
    await order({ kind: 'refund', amountMinor: -500 }, other);
    expect((await entries(paid)).map(({ contactId }) => contactId)).to.deep.equal([one]);
    expect((await entries(refunded)).map(({ contactId }) => contactId)).to.deep.equal([other]);
    const automation = await findAutomation(database, { ...number(), automationId: paid });
    expect(automation && (await readAutomationResults(database, automation)).withoutContact).to.equal(2);
  });

  it('go on with those who did, or did not do, what a step asks for', async () => {
    const steps = [
      { messages: [card('Hello')] },
      { messages: [card('Again')], delay: { minutes: 60 }, if: 'not_clicked' as const },
      { messages: [card('Last')], delay: { minutes: 60 } },
    ];
    const automationId = await active({ steps });
    const [one, other] = [await follow(), await follow()];
    await drive();
    await click(one, automationId);
    pass(59 * MINUTE);
    await drive();
    expect(sent().length).to.equal(1);
    pass(2 * MINUTE);
    await drive();
    expect(sent()[1]).to.deep.include({ title: 'Again', contactIds: [other] });
    const statuses = async () =>
      Object.fromEntries((await entries(automationId)).map(({ contactId, status }) => [contactId, status]));
    expect(await statuses()).to.deep.equal({ [one]: 'sent', [other]: 'waiting' });
    pass(61 * MINUTE);
    await drive();
    expect(sent()[2]).to.deep.include({ title: 'Last', contactIds: [other] });
    expect(await statuses()).to.deep.equal({ [one]: 'sent', [other]: 'sent' });
  });

  it('skip who leaves, cannot be reached, or got too much, and put off what is due in quiet hours', async () => {
    const exitOn = { profile: { field: 'region' as const, test: { op: 'eq' as const, value: 'away' } } };
    const automationId = await active({ exitOn, maxPerDay: 2, entry: 'every' });
    await follow(person(), { region: 'away' });
    const gone = await follow();
    await inbox.store(
      eventCommand(
        site.tenant,
        'contact.unfollowed',
        { contactId: gone, serviceNumberId: 'sn-1' },
        { occurredAt: new Date(now.getTime() + 1).toISOString() },
      ),
    );
    await inbox.handle();
    for (let more = 0; more < 3; more += 1) await follow();
    await drive();
    expect((await outcomes(automationId)).toSorted()).to.deep.equal(['exit', 'limit', 'sent', 'sent', 'unreachable']);

    await move(automationId, 'end');
    const hour = (at: Date) => `${String(at.getUTCHours()).padStart(2, '0')}:00`;
    const quietHours = { from: hour(now), to: hour(new Date(now.getTime() + 3 * HOUR)), zone: 'UTC' };
    const quiet = await active({ quietHours });
    await follow();
    await drive();
    expect(await outcomes(quiet)).to.deep.equal(['waiting']);
    pass(3 * HOUR);
    await drive();
    expect(await outcomes(quiet)).to.deep.equal(['sent']);
  });

  it('send nothing while paused, what is due after, and what is late never', async () => {
    const automationId = await active();
    await follow();
    await move(automationId, 'pause');
    await drive();
    expect(sent()).to.deep.equal([]);
    pass(25 * HOUR);
    await follow();
    await updateAutomation(database, author(), automationId, {
      patch: { steps: [{ messages: [card('New')] }] },
      now,
      appId: 'outreach',
    });
    await move(automationId, 'resume');
    await drive();
    expect(await outcomes(automationId)).to.deep.equal(['late', 'sent']);
    expect(sent().map(({ title }) => title)).to.deep.equal(['New']);
    await follow();
    await move(automationId, 'end');
    await drive();
    expect(await outcomes(automationId)).to.deep.equal(['late', 'sent', 'ended']);
    await follow();
    expect((await entries(automationId)).length).to.equal(3);
  });

  it('send nothing once their end has passed, whoever ends them', async () => {
    const automationId = await active({ endsAt: new Date(now.getTime() + HOUR).toISOString() });
    await follow();
    pass(HOUR + 1);
    await drive();
    expect(sent()).to.deep.equal([]);
    expect(await outcomes(automationId)).to.deep.equal(['ended']);
    const state = await findAutomation(database, { ...number(), automationId });
    expect(state).to.deep.include({ status: 'ended', endReason: 'ends_at' });
  });

  it('keep an unknown outcome until somebody says what became of it, and what follows with it', async () => {
    const steps = [{ messages: [card('Hello')] }, { messages: [card('Again')], delay: { minutes: 1 } }];
    const automationId = await active({ steps });
    const last = await active({ trigger: { event: 'contact.followed' } });
    await follow();
    site.platform.behave(({ route }) => (route === 'A1' ? 'reset' : null));
    await drive();
    expect(await outcomes(automationId)).to.deep.equal(['waiting']);
    expect(await outcomes(last)).to.deep.equal(['unknown']);
    site.platform.behave(() => null);
    pass(HOUR);
    await drive();
    expect(sent().length).to.equal(2, 'nothing is sent again');
    const [task] = await rows<{ key: string }>(
      database,
      'select key from broadcast_task where campaign_id = :automationId',
      { automationId },
    );
    await resolveSubTask(database, author(), {
      campaignId: automationId,
      key: task?.key ?? '',
      outcome: { outcome: 'not_sent' },
      submittedBefore: now,
      now,
    });
    expect(await outcomes(automationId)).to.deep.equal(['refused']);
  });

  it('say who was refused where the platform does not know some, and send to the others', async () => {
    const automationId = await active();
    const [one, other] = [await follow(), await follow()];
    let calls = 0;
    site.platform.behave(({ route }) => {
      if (route !== 'A1') return null;
      calls += 1;
      return calls > 1
        ? null
        : { status: 422, body: { code: 'contact_not_found', message: 'Unknown', contactIds: [one] } };
    });
    await drive();
    await drive();
    const found = await entries(automationId);
    expect(found.find(({ contactId }) => contactId === one)?.reason).to.equal('refused');
    expect(found.find(({ contactId }) => contactId === other)?.status).to.equal('sent');
  });

  it('pause where no secret is accepted, and go on with what waits', async () => {
    const automationId = await active();
    await follow();
    site.platform.behave(({ route }) => (route === 'A1' ? { status: 401, body: {} } : null));
    await drive();
    const state = () => findAutomation(database, { ...number(), automationId });
    expect(await state()).to.deep.include({ status: 'paused', pauseReason: 'unauthorized' });
    site.platform.behave(() => null);
    await move(automationId, 'resume');
    await drive();
    expect(await outcomes(automationId)).to.deep.equal(['sent']);
    const claims = await rows<{ status: string }>(
      database,
      'select status from broadcast_task where campaign_id = :automationId order by created_at',
      { automationId },
    );
    expect(claims.map(({ status }) => status)).to.deep.equal(['cancelled', 'completed']);
  });

  it('wait for approval where sends need it since', async () => {
    const automationId = await active();
    await follow();
    await rows(database, 'update tenant set sends_need_approval = 10 where tenant_id = :tenantId', { ...number() });
    await drive();
    const state = await findAutomation(database, { ...number(), automationId });
    expect(state).to.deep.include({ status: 'paused', pauseReason: 'approval' });
    expect(state?.approval).to.deep.include({ requestedBy: 'operator', outcome: null });
    expect(sent()).to.deep.equal([]);
    await rows(database, 'update tenant set sends_need_approval = null where tenant_id = :tenantId', { ...number() });
  });

  it('are paused after a restore, and go on when somebody resumes them', async () => {
    const automationId = await active();
    await follow();
    await look();
    const [restored, ...others] = await pauseRestoredAutomations(database, now);
    expect(others).to.deep.equal([]);
    expect(restored).to.deep.include({ automationId, name: 'Welcome', due: 1 });
    await drive();
    const state = () => findAutomation(database, { ...number(), automationId });
    expect(await state()).to.deep.include({ status: 'paused', pauseReason: 'restored' });
    expect(sent()).to.deep.equal([]);
    await move(automationId, 'resume');
    expect(await state()).to.deep.include({ status: 'active', pauseReason: null });
    await drive();
    expect(await outcomes(automationId)).to.deep.equal(['sent']);
    expect(await pauseRestoredAutomations(database, now)).to.have.length(1);
  });

  it('send one A1 for each step and case, and nothing to whoever is in none', async () => {
    const messagesBy = (title: string, otherwise: MessagesBy['otherwise']): MessagesBy => ({
      field: 'language',
      cases: [
        { values: ['zh-Hant', 'zh-TW'], messages: [card(`${title} 你好`)] },
        { values: ['ja'], messages: [card(`${title} こんにちは`)] },
      ],
      otherwise,
    });
    const automationId = await active({
      steps: [
        { messagesBy: messagesBy('1', [card('1 Hello')]) },
        { messagesBy: messagesBy('2', 'skip'), delay: { minutes: 1 } },
      ],
    });
    const [zh, tw, ja, en] = [
      await follow(person(), { language: 'ZH-hant' }),
      await follow(person(), { language: 'zh-tw' }),
      await follow(person(), { language: 'ja' }),
      await follow(person(), { language: 'en' }),
    ];
    await drive();
    const received = () => Object.fromEntries(sent().map(({ title, contactIds }) => [title, contactIds.toSorted()]));
    expect(received()).to.deep.equal({ '1 你好': [zh, tw].toSorted(), '1 こんにちは': [ja], '1 Hello': [en] });
    await click(tw, automationId);
    await click(ja, automationId);
    site.platform.calls.length = 0;
    pass(2 * MINUTE);
    await drive();
    expect(received()).to.deep.equal({ '2 你好': [zh, tw].toSorted(), '2 こんにちは': [ja] });
    const found = await listEntries(database, { ...number(), automationId }, { limit: 10 });
    const stepsOf = (contactId: string) =>
      found.items
        .find((one) => one.contactId === contactId)
        ?.steps.map((step) => [step.status, step.reason, step.case]);
    expect(stepsOf(ja)).to.deep.equal([
      ['sent', null, 1],
      ['sent', null, 1],
    ]);
    expect(stepsOf(en)).to.deep.equal([
      ['sent', null, 'otherwise'],
      ['skipped', 'no_case', null],
    ]);
    const automation = await findAutomation(database, { ...number(), automationId });
    if (!automation) throw new Error('no automation');
    const { steps, clicks } = await readAutomationResults(database, automation);
    expect(steps.map(({ byCase }) => byCase?.map((one) => [one.case, one.contacts, one.clicks.total]))).to.deep.equal([
      [
        [0, 2, 1],
        [1, 1, 1],
        ['otherwise', 1, 0],
      ],
      [
        [0, 2, 0],
        [1, 1, 0],
      ],
    ]);
    expect(steps[0]?.byCase?.[1]?.clicks.byAction.map(({ label }) => label)).to.deep.equal(['Order 1 こんにちは']);
    const sums = steps.map(({ byCase }) => byCase?.reduce((sum, one) => sum + one.contacts, 0));
    expect(sums).to.deep.equal(steps.map((step) => step.sent + step.unknown));
    expect(clicks.total).to.equal(2);
  });

  it('keep the lists that they ask for', async () => {
    const audienceId = `list-${randomUUID()}`;
    await database('audience').insert({
      audience_id: audienceId,
      tenant_id: site.tenant.tenantId,
      service_number_id: 'sn-1',
      name: audienceId,
      type: 'contacts',
      created_by: 'operator',
    });
    const key = { tenantId: site.tenant.tenantId, audienceId };
    const automationId = await active({ filter: { inList: { audienceId } } });
    expect(await usesOfAudience(database, key)).to.deep.equal([`automation/${automationId}`]);
    await move(automationId, 'end');
    expect(await usesOfAudience(database, key)).to.deep.equal([]);
  });

  it('keep nobody who enters waiting for what is due later', async () => {
    await active({ delay: { minutes: 5 } });
    await follow();
    const { decided, nextLookAt } = await look();
    expect([decided, nextLookAt], 'the sweep starts a driver for what comes meanwhile').to.deep.equal([1, null]);
  });

  it('are found by the sweep where something waits and nobody drives them', async () => {
    await active();
    const asked: string[] = [];
    const launcher = {
      ...site.deps.launcher,
      automations: async ({ tenantId }: { tenantId: string }) => {
        asked.push(tenantId);
        return 'running' as const;
      },
    };
    const sweep = createAutomationSweep({ ...site.deps, launcher });
    await sweep();
    expect(asked).to.deep.equal([]);
    await follow();
    await rows(database, 'update automation_entry set entered_at = :now where decided_at is null', { now });
    pass(MINUTE);
    await sweep();
    expect(asked).to.deep.equal([site.tenant.tenantId]);
  });
});
