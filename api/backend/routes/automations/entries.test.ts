import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { claimSteps } from '#commands/outreach/automations/claim-steps.ts';
import { decideEntries } from '#commands/outreach/automations/decide-entries.ts';
import { deleteExpiredRows } from '#commands/outreach/retention/delete-expired-rows.ts';
import type { AutomationEntry, AutomationResults } from '#domain/api/automation-entries.ts';
import { useTwoTenants } from '#test/support/fixtures/services.ts';
import { inboxOf } from '#test/support/outreach/inbox-events.ts';
import { card } from '#test/support/outreach/variant-sends.ts';
import { contactId } from '#test/support/services/backend.ts';

const DAY = 24 * 60 * 60_000;

describe('entries of automations', () => {
  const backend = useTwoTenants({ contacts: 8 });
  let now = new Date('2026-11-26T12:00:00Z');
  let token = '';
  async function pass(ms: number): Promise<void> {
    now = new Date(now.getTime() + ms);
    backend.setNow(now);
    token = await backend.token('a');
  }
  beforeEach(() => pass(DAY));
  after(() => backend.setNow(null));

  const call = (method: string, path: string, body?: object) =>
    backend.call(method, path, { token, ...(body && { body }) });
  const get = async (path: string) => (await call('GET', path)).body;
  const inbox = () => inboxOf(backend.db, () => now);
  async function follow(contact: string, language = 'en'): Promise<void> {
    await inbox().store({
      tenantIntegrationId: 'ti-a',
      eventId: randomUUID(),
      eventType: 'contact.followed',
      occurredAt: now.toISOString(),
      serviceNumberId: 'sn-1',
      payload: JSON.stringify({ contactId: contact, serviceNumberId: 'sn-1', language }),
    });
    await inbox().handle();
  }
  async function create(more: object = {}): Promise<{ path: string; automationId: string }> {
    const body = {
      name: 'Welcome',
      serviceNumberId: 'sn-1',
      trigger: { event: 'contact.followed' },
      steps: [{ messages: [card('Hello')] }, { messages: [card('Again')], delay: { minutes: 60 }, if: 'not_clicked' }],
      ...more,
    };
    const created = await call('POST', '/automations', body);
    expect(created.status, JSON.stringify(created.body)).to.equal(201);
    const { automationId } = created.body;
    return { automationId, path: `/automations/${automationId}` };
  }
  async function activate(path: string): Promise<void> {
    expect((await call('POST', `${path}:activate`)).status).to.equal(200);
    await pass(1);
  }
  /** Decides and claims as the driver does, and has the platform accept it. */
  async function send(automationId: string): Promise<void> {
    await decideEntries(backend.db, { tenantId: 'a', automationId }, now);
    await claimSteps(backend.db, { tenantId: 'a', automationId }, now);
    await backend
      .db('broadcast_task')
      .where({ campaign_id: automationId, status: 'pending' })
      .update({
        status: 'completed',
        task_id: backend.db.raw("'task-' || key"),
        sent: backend.db.raw('contact_count'),
        delivered: 1,
        submitted_at: now,
        finished_at: now,
      });
  }
  async function click(automationId: string, contact: string): Promise<void> {
    const [task] = await backend
      .db('broadcast_task as t')
      .join('automation_step as s', 's.sub_task_key', 't.key')
      .where({ 's.automation_id': automationId, 's.contact_id': contact })
      .select('t.task_id', 't.key');
    await inbox().store({
      tenantIntegrationId: 'ti-a',
      eventId: randomUUID(),
      eventType: 'notice.clicked',
      occurredAt: now.toISOString(),
      serviceNumberId: 'sn-1',
      payload: JSON.stringify({
        taskId: task.taskId,
        noticeId: randomUUID(),
        actionIndex: 0,
        action: {
          type: 'Postback',
          data: JSON.stringify({ subTaskKey: task.key, messageIndex: 0, bizEventCode: 'buy' }),
        },
        contactId: contact,
        clickedAt: now.toISOString(),
      }),
    });
    await inbox().handle();
  }

  it('say why each contact is there and what became of each step, in the list, the file and the results', async () => {
    const filter = { profile: { field: 'language', test: { op: 'ne', value: 'ja' } } };
    const { path, automationId } = await create({ filter });
    await activate(path);
    await follow(contactId(1));
    await pass(10);
    await follow(contactId(2));
    await pass(10);
    await follow(contactId(3), 'ja');
    await send(automationId);
    await click(automationId, contactId(1));
    const sentAt = now.toISOString();
    await pass(61 * 60_000);
    await send(automationId);
    const { items, nextCursor } = await get(`${path}/entries?limit=200`);
    expect(nextCursor).to.equal(null);
    const of = (n: number) => items.find((entry: AutomationEntry) => entry.contactId === contactId(n));
    expect(of(1)).to.deep.include({ status: 'sent', reason: null, dueAt: null });
    expect(of(1).cause).to.include({ event: 'contact.followed' });
    expect(of(1).steps.map(({ status, reason }: AutomationEntry) => [status, reason])).to.deep.equal([
      ['sent', null],
      ['skipped', 'condition'],
    ]);
    expect(of(1).steps[0]).to.include({ sentAt, case: null });
    expect(of(1).steps[0].taskId).to.equal(`task-${of(1).steps[0].subTaskKey}`);
    expect(of(2).steps.map(({ status }: AutomationEntry) => status)).to.deep.equal(['sent', 'sent']);
    expect([of(3).status, of(3).reason, of(3).steps[1].reason]).to.deep.equal(['skipped', 'filter', 'filter']);
    const pages: string[] = [];
    for (let cursor = ''; ;) {
      const part = await get(`${path}/entries?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`);
      pages.push(...part.items.map(({ contactId: id }: AutomationEntry) => id));
      if (part.nextCursor === null) break;
      cursor = part.nextCursor;
    }
    expect(pages).to.deep.equal(items.map(({ contactId: id }: AutomationEntry) => id));
    expect((await get(`${path}/entries?status=skipped`)).items.length).to.equal(1);
    expect((await get(`${path}/entries?contactId=${contactId(2)}`)).items.length).to.equal(1);

    const file = String(await get(`${path}/entries.csv`));
    const [header, ...lines] = file.trim().split('\r\n');
    expect(header).to.equal('contactId,enteredAt,status,reason,event,causeAt,causeId,stepsSent');
    expect(lines.find((line) => line.startsWith(contactId(2)))).to.match(/,sent,,contact\.followed,.*,2$/);

    const { status, body: results } = (await call('GET', `${path}/results`)) as {
      status: number;
      body: AutomationResults;
    };
    expect(status, JSON.stringify(results)).to.equal(200);
    expect(results.counts).to.deep.equal({ entered: 3, waiting: 0, sent: 2, skipped: 1, unknown: 0 });
    expect(results.skipped).to.deep.equal({ filter: 1 });
    expect(results.summary.sent).to.equal(3);
    expect(results.steps.map(({ step, sent, skipped, unknown }) => [step, sent, skipped, unknown])).to.deep.equal([
      [0, 2, 1, 0],
      [1, 1, 2, 0],
    ]);
    expect(results.steps.map(({ clicks }) => clicks.total)).to.deep.equal([1, 0]);
    expect(results.clicks).to.deep.include({ total: 1, uniqueContacts: 1 });
    expect(results.days).to.deep.equal([
      { date: now.toISOString().slice(0, 10), entered: 3, sent: 2, skipped: 1, clicks: 1 },
    ]);
  });

  it('name the sub-tasks of each step, and let people say what became of an unknown one', async () => {
    const { path, automationId } = await create();
    await activate(path);
    await follow(contactId(4));
    await decideEntries(backend.db, { tenantId: 'a', automationId }, now);
    await claimSteps(backend.db, { tenantId: 'a', automationId }, now);
    await backend.db('broadcast_task').where({ campaign_id: automationId }).update({ status: 'unknown' });
    const [task] = (await get(`${path}/tasks`)).items;
    expect(task).to.include({ step: 0, status: 'unknown', contactCount: 1 });
    expect((await get(`${path}/entries`)).items[0]).to.include({ status: 'waiting' });
    const resolved = await call('POST', `${path}/tasks/${task.key}:resolve`, { outcome: 'not_sent' });
    expect([resolved.status, resolved.body.status, resolved.body.step]).to.deep.equal([200, 'rejected', 0]);
    expect((await get(`${path}/entries`)).items[0]).to.include({ status: 'skipped', reason: 'refused' });
    expect((await call('POST', `${path}/tasks/none:resolve`, { outcome: 'not_sent' })).status).to.equal(404);
  });

  it('are rehearsed as they would have been decided, with the filter as of each cause', async () => {
    await pass(10 * DAY);
    const filter = { profile: { field: 'language', test: { op: 'eq', value: 'fr' } } };
    const { path, automationId } = await create({ filter, entry: { afterDays: 3 } });
    const live = await create({ filter, entry: { afterDays: 3 } });
    await activate(live.path);
    for (const language of ['fr', 'fr', 'en']) {
      await follow(contactId(5), language);
      await decideEntries(backend.db, { tenantId: 'a', automationId: live.automationId }, now);
      await pass(2 * DAY);
    }
    await follow(contactId(6), 'fr');
    await decideEntries(backend.db, { tenantId: 'a', automationId: live.automationId }, now);
    await pass(DAY / 2);
    const rehearsed = await call('POST', `${path}:dry-run`, { lastDays: 9 });
    expect(rehearsed.status).to.equal(200);
    const { days, examples, from, to } = rehearsed.body;
    expect(Date.parse(to) - Date.parse(from)).to.equal(9 * DAY);
    const sum = (valueOf: (day: { causes: number; entered: number; skipped: Record<string, number> }) => number) =>
      days.map(valueOf).reduce((total: number, value: number) => total + value, 0);
    expect(sum((day) => day.causes)).to.equal(4);
    expect(sum((day) => day.entered)).to.equal(2);
    expect(sum((day) => day.skipped['duplicate'] ?? 0)).to.equal(1);
    expect(sum((day) => day.skipped['filter'] ?? 0)).to.equal(1);
    const real = (await get(`${live.path}/entries`)).items.toReversed();
    expect(examples.map((one: { contactId: string; reason: string }) => [one.contactId, one.reason])).to.deep.equal(
      real.map((one: AutomationEntry) => [one.contactId, one.reason]),
    );
    expect((await call('POST', `${path}:dry-run`, { lastDays: 31 })).status).to.equal(400);
    expect((await get(`/automations/${automationId}`)).counts.entered).to.equal(0);
  });

  it('are rehearsed by dates and segments at the moments at which they would have entered', async () => {
    await pass(60 * DAY);
    const sum = async (trigger: object) => {
      const { path } = await create({ trigger, entry: 'every' });
      const { status, body } = await call('POST', `${path}:dry-run`, { lastDays: 3 });
      expect(status, JSON.stringify(body)).to.equal(200);
      return body.days.reduce((total: number, day: { causes: number }) => total + day.causes, 0);
    };
    const test = { op: 'eq', value: 'pt' };
    const segment = { profile: { field: 'language', test } };
    await follow(contactId(7), 'pt');
    const birthday = now.toISOString().slice(0, 10);
    await backend
      .db('contact_profile')
      .where({ contact_id: contactId(7) })
      .update({ attributes: JSON.stringify({ birthday }) });
    await pass(2 * DAY);
    const at = { at: '13:00', zone: 'UTC' };
    expect(await sum({ event: 'date', attribute: 'birthday', offsetDays: 1, ...at })).to.equal(1);
    expect(await sum({ event: 'date', attribute: 'birthday', offsetDays: 7, ...at })).to.equal(0);
    expect(await sum({ event: 'segment.entered', segment, every: 'hour' })).to.equal(1);
  });

  it('are deleted in time, and still counted', async () => {
    const filter = { profile: { field: 'language', test: { op: 'ne', value: 'ja' } } };
    const each = await create({ filter, entry: 'every' });
    const once = await create();
    for (const { path, automationId } of [each, once]) {
      await activate(path);
      await follow(contactId(1));
      await follow(contactId(2), 'ja');
      await send(automationId);
      await pass(2 * 60 * 60_000);
      await send(automationId);
    }
    await follow(contactId(3));
    const figures = async ({ path }: { path: string }) => {
      const { counts, skipped, steps, days } = await get(`${path}/results`);
      return { counts, skipped, steps, days };
    };
    const before = [await figures(each), await figures(once)];
    const forget = async () => {
      const retention = { events: 90, recipients: 400, timeline: 4000, audit: 4000, uninstalled: null };
      while ((await deleteExpiredRows(backend.db, retention, now)) > 0);
      const count = async ({ path }: { path: string }) => (await get(`${path}/entries?limit=200`)).items.length;
      return [await count(each), await count(once)];
    };
    await pass(399 * DAY);
    const all = await forget();
    await pass(2 * DAY);
    const waiting = await call('GET', `${each.path}/entries?status=waiting`);
    expect(await forget(), 'what waits, and whom one takes once').to.deep.equal([waiting.body.items.length, all[1]]);
    expect([await figures(each), await figures(once)]).to.deep.equal(before);
    for (const { path } of [each, once]) expect((await call('POST', `${path}:end`)).status).to.equal(200);
    const ended = [await figures(each), await figures(once)];
    await pass(401 * DAY);
    expect(await forget()).to.deep.equal([0, 0]);
    expect([await figures(each), await figures(once)]).to.deep.equal(ended);
  });

  it('are no part of campaigns, and begin in the calendar', async () => {
    const { path, automationId } = await create({ name: 'In the calendar' });
    await activate(path);
    const day = now.toISOString().slice(0, 10);
    const next = new Date(now.getTime() + DAY).toISOString().slice(0, 10);
    const { items } = await get(`/calendar?from=${day}&to=${next}`);
    expect(items.find(({ id }: { id: string }) => id === automationId)).to.include({
      kind: 'automation',
      status: 'active',
      name: 'In the calendar',
    });
  });
});
