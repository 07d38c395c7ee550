import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { handleBatch } from '#activities/outreach/inbox/batch.ts';
import { droppingErased } from '#activities/outreach/inbox/handlers/erased.ts';
import { eventHandlers } from '#activities/outreach/inbox/handlers/index.ts';
import { storeEvents } from '#db/outreach/inbox/intake.ts';
import type { HandledEventType, IntakeCommand } from '#domain/api/events.ts';
import { chooseControl } from '../support/outreach/control-group.ts';
import { contactId } from '../support/services/backend.ts';
import type { TwoTenants } from '../support/services/two-tenants.ts';

/** Ids and texts that occur nowhere else. */
export const PERSON = 'person-7f3e91';
export const MARK = 'marker-5d1c20';

export const BEFORE = '2026-03-01T10:00:00.000Z';

/** An event of tenant `a` as the BFF stores it; about the person unless `data` says otherwise. */
export const eventOf = (eventType: HandledEventType, data: object, more: Partial<IntakeCommand> = {}) =>
  ({
    tenantIntegrationId: 'ti-a',
    eventId: randomUUID(),
    eventType,
    occurredAt: BEFORE,
    serviceNumberId: 'sn-1',
    payload: JSON.stringify({ contactId: PERSON, serviceNumberId: 'sn-1', ...data }),
    ...more,
  }) satisfies IntakeCommand;

/** Stores events and has them handled as a worker does. */
export async function receive(backend: TwoTenants, ...events: IntakeCommand[]): Promise<void> {
  await storeEvents(backend.db, events, 1);
  const handlers = droppingErased(eventHandlers, backend.encryption);
  while ((await handleBatch(backend.db, 0, handlers, new Date())).taken > 0);
}

export interface Story {
  /** A sent campaign, clicked by the person. */
  campaignId: string;
  subTaskKey: string;
  /** A draft that lists the person. */
  draftId: string;
  tagId: string;
  audienceId: string;
  events: IntakeCommand[];
}

export const clickOf = ({ campaignId, subTaskKey }: Pick<Story, 'campaignId' | 'subTaskKey'>, noticeId: string) =>
  eventOf('notice.clicked', {
    taskId: `task-${campaignId}`,
    noticeId,
    actionIndex: 0,
    action: { type: 'Postback', data: { subTaskKey, messageIndex: 0, bizEventCode: 'SPRING', note: MARK } },
    clickedAt: BEFORE,
  });

async function made(backend: TwoTenants, method: string, path: string, body: object, headers = {}) {
  const response = await backend.call(method, path, { body, headers });
  expect(response.status, JSON.stringify(response.body)).to.be.lessThan(300);
  return response;
}

/** A campaign whose dry run lacks the first contact and has the person; it is then sent to all three. */
async function sendToPerson(backend: TwoTenants): Promise<Pick<Story, 'campaignId' | 'subTaskKey'>> {
  const { db } = backend;
  const list = (contactIds: string[]) => ({ audience: { type: 'contacts' as const, contactIds } });
  const campaignId = await backend.draft(list([contactId(1), contactId(2)]));
  await made(backend, 'POST', `/campaigns/${campaignId}:dry-run`, {});
  await made(backend, 'PATCH', `/campaigns/${campaignId}`, list([PERSON, contactId(1), contactId(2)]), {
    'If-Match': '*',
  });
  await made(backend, 'POST', `/campaigns/${campaignId}:send`, {});
  const [task] = await db('broadcast_task').where({ campaign_id: campaignId });
  await db('broadcast_task')
    .where({ key: task.key })
    .update({ status: 'completed', task_id: `task-${campaignId}`, sent: 3, error_message: `${PERSON} was slow` });
  await db('dispatch').where({ campaign_id: campaignId }).update({ frozen_through: PERSON });
  return { campaignId, subTaskKey: task.key };
}

/** A campaign that holds the person back. */
async function holdBackPerson(backend: TwoTenants): Promise<void> {
  const audience = [PERSON, contactId(1), contactId(2)];
  const id = await backend.draft({ audience: { type: 'contacts', contactIds: audience }, holdoutPercent: 50 });
  await chooseControl(backend.db, id, { percent: 50, audience, control: [PERSON, contactId(1)] });
  await made(backend, 'POST', `/campaigns/${id}:send`, {});
}

async function tagPerson(backend: TwoTenants, campaignId: string): Promise<string> {
  const { db } = backend;
  const tag = await made(backend, 'POST', '/tags', { name: 'T', serviceNumberId: 'sn-1', kind: 'permanent' });
  const { tagId } = tag.body;
  await made(backend, 'POST', `/tags/${tagId}/assignments`, { contactIds: [PERSON, contactId(1)] });
  // A rule's: the campaign earned it.
  await db('tag_assignment').where({ tag_id: tagId, contact_id: PERSON }).delete();
  await db('tag_assignment').insert({
    tenant_id: 'a',
    tag_id: tagId,
    contact_id: PERSON,
    assigned_at: BEFORE,
    source_campaign_id: campaignId,
  });
  await db('tag_assignment_past').insert({
    tenant_id: 'a',
    tag_id: tagId,
    contact_id: PERSON,
    since: new Date(Date.parse(BEFORE) - 1000),
    until: BEFORE,
  });
  await db('removed_assignment').insert({
    tag_id: tagId,
    contact_id: PERSON,
    rule_id: 'rule-1',
    cause: 'cause-1',
    removed_at: BEFORE,
  });
  return tagId;
}

/** An automation that the person has entered, and whose message waits. */
async function enterAutomation(backend: TwoTenants): Promise<void> {
  const automation = {
    name: 'Welcome',
    serviceNumberId: 'sn-1',
    trigger: { event: 'contact.entered' },
    steps: [{ messages: [{ type: 'text', text: 'Hello' }] }],
  };
  const { automationId } = (await made(backend, 'POST', '/automations', automation)).body;
  const entry = { tenant_id: 'a', automation_id: automationId, contact_id: PERSON };
  const at = { caused_at: BEFORE, entered_at: BEFORE, decided_at: BEFORE };
  await backend.db('automation_entry').insert({ ...entry, ...at, entry_id: 'entry-1', cause_key: 'e-1', cause: '{}' });
  await backend.db('automation_step').insert({ ...entry, entry_id: 'entry-1', step: 0, due_at: BEFORE });
  await backend.db('automation_member').insert(entry);
}

/** Events of every kind and in every state that name the person. */
function eventsOf(story: Pick<Story, 'campaignId' | 'subTaskKey'>): IntakeCommand[] {
  const session = { sessionId: 'session-1', entryReason: { id: story.campaignId, data: { note: MARK } } };
  return [
    clickOf(story, 'n1'),
    clickOf(story, 'n1'),
    clickOf(story, 'n2'),
    eventOf('session.created', session),
    eventOf('session.closed', {
      contactId: undefined,
      sessionId: 'session-1',
      closedAt: BEFORE,
      summary: { duration: 3, messageCount: 2, topic: MARK },
    }),
    // Fails, and waits for a task that nobody knows.
    eventOf('contact.updated', { attributes: MARK }),
    eventOf('session.created', { sessionId: 7, note: `${MARK} ${PERSON}` }),
    clickOf({ campaignId: 'unknown', subTaskKey: 'unknown' }, 'n9'),
    // Somebody else's, which names the person.
    eventOf('contact.updated', { contactId: contactId(1), displayName: 'Friend', friend: PERSON }),
  ];
}

async function setWebhook(backend: TwoTenants, body: object): Promise<void> {
  const token = await backend.token('a', 'tenant_admin');
  expect((await backend.call('PUT', '/webhook', { token, body })).status).to.equal(200);
}

async function setTestContacts(backend: TwoTenants, contactIds: string[]): Promise<void> {
  const token = await backend.token('a', 'tenant_admin');
  const testContacts = contactIds.map((contactId) => ({ serviceNumberId: 'sn-1', contactId }));
  const { status } = await backend.call('PATCH', '/tenant-settings', { token, body: { testContacts } });
  expect(status).to.equal(200);
}

/** What an order that names the person was paid. */
async function payAsPerson({ db }: TwoTenants, campaignId: string): Promise<void> {
  await db('contact_revenue_entry').insert({
    tenant_id: 'a',
    movement: `receipt:${campaignId}`,
    service_number_id: 'sn-1',
    contact_id: PERSON,
    order_id: campaignId,
    kind: 'payment',
    amount_minor: 100,
    currency: 'TWD',
    at: BEFORE,
  });
}

/** A person in every place that the service has. */
export async function tellStory(backend: TwoTenants): Promise<Story> {
  await receive(
    backend,
    eventOf('contact.entered', { displayName: `Ada ${MARK}`, attributes: { note: `first ${MARK}` } }),
    eventOf('contact.followed', {}),
  );
  const later = { occurredAt: '2026-03-01T10:00:01.000Z' };
  await receive(backend, eventOf('contact.updated', { attributes: { note: MARK } }, later));
  const sent = await sendToPerson(backend);
  await payAsPerson(backend, sent.campaignId);
  await setTestContacts(backend, [contactId(1), PERSON]);
  await setWebhook(backend, { url: 'https://receiver.example/', eventTypes: ['contact.clicked'] });
  await holdBackPerson(backend);
  await enterAutomation(backend);
  const tagId = await tagPerson(backend, sent.campaignId);
  const list = { name: 'List', serviceNumberId: 'sn-1', type: 'contacts', contactIds: [PERSON, contactId(1)] };
  const { audienceId } = (await made(backend, 'POST', '/audiences', list)).body;
  const file = { raw: `${PERSON}\n${contactId(1)}\n`, contentType: 'text/csv' };
  expect((await backend.call('PUT', `/audiences/${audienceId}/contacts`, file)).status).to.equal(200);
  const draftId = await backend.draft({ audience: { type: 'contacts', contactIds: [PERSON, contactId(2)] } });
  await made(backend, 'POST', `/campaigns/${draftId}:dry-run`, {});
  const events = eventsOf(sent);
  await receive(backend, ...events);
  const [failed] = await backend.db('event_inbox').where({ status: 'failed' }).orderBy('received_at');
  await made(backend, 'POST', `/event-inbox/${failed.eventId}:dismiss`, { reason: `${PERSON} asked us to` });
  return { ...sent, draftId, tagId, audienceId, events };
}
