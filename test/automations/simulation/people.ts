import { randomUUID } from 'node:crypto';
import { addEntries, readPosition } from '#db/outreach/revenue/entries.ts';
import { beginErasure } from '#commands/outreach/erasure/begin-erasure.ts';
import { erase } from '#commands/outreach/erasure/erase.ts';
import { assignTag } from '#commands/outreach/tags/assign-tag.ts';
import { unassignTag } from '#commands/outreach/tags/unassign-tag.ts';
import { rows } from '#db/database.ts';
import type { HandledEventType, IntakeCommand } from '#domain/api/events.ts';
import { eventCommand, inboxOf } from '#test/support/outreach/inbox-events.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { serviceNumberId } from './bodies.ts';
import type { World } from './state.ts';

const DAY = 24 * 60 * 60_000;

/** Who does something this time; each does one thing, so that nobody's causes are at the same time. */
interface Round {
  world: World;
  number: number;
  busy: Set<string>;
  commands: IntakeCommand[];
}

/** A message that somebody has got. */
export interface Received {
  contact: string;
  key: string;
  taskId: string;
  automationId: string;
}

const selectReceived = `
  select s.contact_id as contact, t.key, t.task_id, s.automation_id from automation_step s
    join broadcast_task t on t.key = s.sub_task_key
  where s.tenant_id = :tenantId and t.status = 'completed' and s.sent_at > :since order by s.sent_at, s.contact_id`;

/** Of the day before, what people have got and still can react to. */
function receivedSince({ database, tenant, clock, known }: World): Promise<Received[]> {
  const since = new Date(clock.elsewhere() - DAY);
  return rows<Received>(database, selectReceived, { tenantId: tenant.tenantId, since }).then((found) =>
    found.filter(({ contact }) => known.has(contact)),
  );
}

/** Something that a platform tells: when it happened, to the millisecond before it is told. */
function tell(round: Round, eventType: HandledEventType, dataAt: (at: number) => object): number {
  const { world, commands } = round;
  // The latest is told first of all; nobody is told of two at the same time.
  const at = world.clock.elsewhere() - 1 - commands.length;
  commands.push(eventCommand(world.tenant, eventType, dataAt(at), { occurredAt: new Date(at).toISOString() }));
  return at;
}

function profileOf({ world: { chances, start }, number }: Round, contactId: string) {
  const born = new Date(start + chances.between(0, 70, 'born', contactId) * DAY).toISOString();
  const language = chances.pick(['en', 'zh', 'ja'], 'language', contactId, number);
  return { contactId, serviceNumberId, language, attributes: { born: `1990${born.slice(4, 10)}` } };
}

function follow(round: Round, contactId: string): void {
  const profile = profileOf(round, contactId);
  const at = tell(round, 'contact.followed', () => profile);
  const { language, attributes } = profile;
  round.world.known.add(contactId);
  round.world.record((oracle) => oracle.follows(contactId, at, { language, born: attributes.born }));
}

function click(round: Round, { contact, key, taskId, automationId }: Received): void {
  const data = { subTaskKey: key, messageIndex: 0, bizEventCode: 'buy' };
  const action = { type: 'Postback', data: JSON.stringify(data) };
  const click = { taskId, noticeId: `notice-${key}`, actionIndex: 0, action, contactId: contact };
  const again = `${contact} ${key}`;
  const at = tell(round, 'notice.clicked', (time) => ({ ...click, clickedAt: new Date(time).toISOString() }));
  // A second click on the same button is none.
  if (round.world.clicked.has(again)) return;
  round.world.clicked.add(again);
  round.world.record((oracle) => oracle.clicks(contact, at, { key, automationId }));
}

function talk(round: Round, { contact, automationId }: Received): void {
  const entryReason = { type: 'activity', name: 'Talk', id: automationId, data: {} };
  const session = { sessionId: randomUUID(), contactId: contact, channel: 'default', entryReason };
  const at = tell(round, 'session.created', () => session);
  round.world.record((oracle) => oracle.talks(contact, at));
}

async function buy({ world }: Round, { contact, key, automationId }: Received): Promise<void> {
  const { database, clock, tenant } = world;
  const after = await readPosition(database);
  const at = clock.elsewhere();
  const entry = {
    position: after + 1,
    platformTenantId: tenant.tenantId,
    movement: randomUUID(),
    campaignId: automationId,
    orderId: randomUUID(),
    kind: 'payment' as const,
    amountMinor: 10_000,
    currency: 'TWD',
    at: new Date(at).toISOString(),
    subTaskKey: key,
    messageIndex: 0,
    actionIndex: 0,
    contact: { serviceNumberId, contactId: contact, orderedAt: new Date(at).toISOString() },
  };
  await addEntries(database, testEncryption, after, [entry]);
  world.record((oracle) => oracle.buys(contact, at));
}

/** A person reacts to what was received. */
async function react(round: Round, received: Received): Promise<void> {
  const { world, busy, number } = round;
  const { contact, key } = received;
  if (busy.has(contact)) return;
  const what = world.chances.draw({ nothing: 55, clicks: 25, talks: 6, buys: 14 }, 'reacts', contact, key, number);
  if (what === 'nothing') return;
  busy.add(contact);
  if (what === 'clicks') click(round, received);
  else if (what === 'talks') talk(round, received);
  else await buy(round, received);
}

/** Somebody of whom the automations may hear. */
function act(round: Round, contactId: string): 'interested' | 'leaves' | 'comesBack' | null {
  const { world, number } = round;
  if (!world.known.has(contactId)) {
    follow(round, contactId);
    return null;
  }
  const weights = { follows: 12, unfollows: 8, speaks: 12, interested: 44, leaves: 6, comesBack: 18 };
  const what = world.chances.draw(weights, 'does', contactId, number);
  if (what === 'follows') follow(round, contactId);
  else if (what === 'unfollows') {
    tell(round, 'contact.unfollowed', () => ({ contactId, serviceNumberId }));
    world.record((oracle) => oracle.unfollows(contactId));
  } else if (what === 'speaks') {
    const profile = profileOf(round, contactId);
    tell(round, 'contact.updated', () => profile);
    world.record((oracle) => oracle.speaks(contactId, profile.language));
  } else return what;
  return null;
}

/** Tags are given and taken back; the one by which people enter is taken back, so that it can be given again. */
async function tag({ world }: Round, tagged: Map<string, string[]>): Promise<void> {
  const { database, author, clock, tags } = world;
  const at = clock.elsewhere();
  const now = clock.now();
  const [interested = [], leaving = [], back = []] = ['interested', 'leaves', 'comesBack'].map(
    (what) => tagged.get(what) ?? [],
  );
  if (interested.length > 0) await assignTag(database, author, tags.interested, interested, now);
  if (leaving.length > 0) await assignTag(database, author, tags.leaving, leaving, now);
  for (const tagId of back.length > 0 ? [tags.interested, tags.leaving] : [])
    await unassignTag(database, author, tagId, back, now);
  world.record((oracle) => {
    for (const contact of interested) oracle.isTagged(contact, tags.interested, at);
    for (const contact of leaving) oracle.isTagged(contact, tags.leaving, at);
    for (const contact of back) for (const tagId of [tags.interested, tags.leaving]) oracle.losesTag(contact, tagId);
  });
}

/** The platform tells what it has to tell, and something of before once more. */
async function tellAll({ world, commands, number }: Round): Promise<void> {
  const { database, clock, told, chances } = world;
  if (commands.length === 0) return;
  const again =
    told.length > 0 && chances.fraction('tells again', number) < 0.5 ? [chances.pick(told, 'again', number)] : [];
  told.push(...commands.slice(0, 2));
  const inbox = inboxOf(database, clock.now);
  await inbox.store(...commands, ...again);
  while ((await inbox.handle()).taken > 0);
}

async function eraseOne({ world, number, busy }: Round): Promise<void> {
  const { chances, known, database, author, clock } = world;
  const free = [...known].filter((contact) => !busy.has(contact));
  if (free.length === 0 || chances.fraction('erases', number) > 0.15) return;
  const contactId = chances.pick(free, 'erased', number);
  const erasure = await beginErasure(database, testEncryption, author, {
    contactId,
    reason: 'asked',
    now: clock.now(),
  });
  await erase(database, testEncryption, erasure, clock.now);
  const at = clock.elsewhere();
  known.delete(contactId);
  world.pseudonyms.set(erasure.pseudonym, contactId);
  world.record((oracle) => oracle.isErased(contactId, at));
}

/** Some people do something at the same moment. */
export async function haveRound(world: World, number: number): Promise<void> {
  const { chances, contacts, isLively } = world;
  const round: Round = { world, number, busy: new Set(), commands: [] };
  for (const received of await receivedSince(world)) await react(round, received);
  const tagged = new Map<string, string[]>();
  for (const contactId of contacts) {
    if (round.busy.has(contactId) || chances.fraction('acts', contactId, number) > (isLively ? 0.05 : 0.2)) continue;
    round.busy.add(contactId);
    const what = act(round, contactId);
    if (what !== null) tagged.set(what, [...(tagged.get(what) ?? []), contactId]);
  }
  await tellAll(round);
  await tag(round, tagged);
  await eraseOne(round);
}
