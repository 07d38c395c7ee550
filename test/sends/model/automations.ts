import { createAutomation } from '#commands/outreach/automations/create-automation.ts';
import { decideAutomation } from '#commands/outreach/automations/decide-automation.ts';
import { type AutomationMove, moveAutomation } from '#commands/outreach/automations/move-automation.ts';
import { rows } from '#db/database.ts';
import { findAutomation } from '#db/outreach/automations/automations.ts';
import { readAutomationResults } from '#db/outreach/automations/results.ts';
import { openApproval } from '#db/outreach/sends/approval/requests.ts';
import type { CampaignKey } from '#db/outreach/sends/ledger/campaign-key.ts';
import { automationBodySchema } from '#domain/api/automations.ts';
import { eventCommand, inboxOf } from '#test/support/outreach/inbox-events.ts';
import { card } from '#test/support/outreach/variant-sends.ts';
import { onceWritable } from './away.ts';
import type { Chances } from './chances.ts';
import { handleInbox } from './customers.ts';
import type { PlatformTask } from './platform-tasks.ts';
import type { Follow, World } from './state.ts';

const SECOND = 1000;
/** Few, so that some enter again. */
const PEOPLE = 6;
const number = 'sn-1';

/** The automation of the world as a campaign; none without one. */
export const automationKeys = ({ automationId, tenant: { tenantId } }: World): CampaignKey[] =>
  automationId === null ? [] : [{ tenantId, campaignId: automationId }];

function drawAutomation(chances: Chances) {
  const isFor = chances.pick(['clicked', 'not_clicked'] as const, 'second message is for');
  const again = { messages: [card('Welcome again')], delay: { minutes: 30 }, if: isFor };
  return automationBodySchema.parse({
    name: 'Welcome',
    serviceNumberId: number,
    trigger: { event: 'contact.followed' },
    entry: chances.pick(['once', 'every'], 'enters'),
    holdoutPercent: chances.fraction('automation holds back') < 0.3 ? 30 : null,
    steps: [{ messages: [card('Welcome')] }, ...(chances.fraction('welcomes again') < 0.5 ? [again] : [])],
  });
}

const wake = ({ flows, tenant: { tenantId } }: World) =>
  flows.launcher.automations({ tenantId, serviceNumberId: number }, { wake: true });

/** Carries it out as the operation does. @throws Problem */
export async function moveIt(world: World, action: AutomationMove): Promise<string> {
  const { database, author, clock, backend, automationId } = world;
  if (automationId === null) return 'there is none';
  const move = { action, now: clock.now(), appId: backend.appId, lookMs: null };
  const { status } = await moveAutomation(database, author, automationId, move);
  if (status === 'ended') world.automationEnded = true;
  await wake(world);
  return status;
}

/** A colleague approves what waits. */
async function approveIt(world: World): Promise<void> {
  const { database, author, clock, backend, tenant, automationId } = world;
  if (automationId === null) return;
  const key = { tenantId: tenant.tenantId, campaignId: automationId };
  const request = await database.transaction((transaction) => openApproval(transaction, key));
  if (!request) return;
  const { approvalId } = request;
  const answer = { approvalId, outcome: 'approved', now: clock.now(), appId: backend.appId, lookMs: null } as const;
  await decideAutomation(database, { ...author, userId: 'u2' }, automationId, answer);
}

/** Some tenants welcome who follows. */
export async function beginAutomation(world: World): Promise<void> {
  const { chances, database, author, clock, backend } = world;
  if (chances.fraction('automation') >= 0.2) return;
  const given = { now: clock.now(), appId: backend.appId, automationsPerTenant: 1 };
  const { automationId } = await createAutomation(database, author, drawAutomation(chances), given);
  world.automationId = automationId;
  await moveIt(world, 'activate');
  await approveIt(world);
}

/** People follow, and the platform tells of some of them twice. */
export async function peopleFollow(world: World): Promise<void> {
  const { chances, clock, database, tenant, automationId } = world;
  if (automationId === null) return;
  for (let index = 0; index < chances.between(2, 10, 'follow'); index += 1) {
    await clock.sleep(chances.pick([1, 10, 45, 90, 600], 'follows after', index) * SECOND);
    if (world.callsAtUninstall !== null) return;
    const contactId = `p${chances.between(1, PEOPLE, 'who follows', index)}`;
    const at = { occurredAt: new Date(clock.elsewhere()).toISOString() };
    const command = eventCommand(tenant, 'contact.followed', { contactId, serviceNumberId: number }, at);
    const follow = { eventId: command.eventId, contactId, counts: !world.automationEnded };
    for (let times = chances.fraction('told twice', index) < 0.3 ? 2 : 1; times > 0; times -= 1) {
      await onceWritable(clock, () => inboxOf(database, clock.now).store(command));
      await handleInbox(world);
    }
    // Whether it ended before or after this was handled nobody can tell.
    world.follows.push({ ...follow, counts: follow.counts && !world.automationEnded });
  }
}

/** It goes on, if it may. */
export async function goOnAtLast(world: World): Promise<string> {
  const { database, tenant, automationId } = world;
  if (automationId === null || world.callsAtUninstall !== null) return 'there is none';
  await approveIt(world);
  const found = await findAutomation(database, { tenantId: tenant.tenantId, automationId });
  if (found?.status === 'paused') await moveIt(world, 'resume');
  await wake(world);
  return found?.status ?? 'there is none';
}

interface Entry {
  entryId: string;
  eventId: string;
  contactId: string;
  status: string;
  reason: string | null;
  /** Steps of it that were put into sub-tasks. */
  keys: string[];
}

const selectEntries = `
  select e.entry_id, e.cause ->> 'eventId' as event_id, e.contact_id, e.status, e.reason,
    array(select s.sub_task_key from automation_step s where s.entry_id = e.entry_id and s.sub_task_key is not null) as keys
  from automation_entry e where e.automation_id = :automationId`;

function complaintsAboutFollows(follows: Follow[], entries: Entry[], isOver: boolean): string[] {
  return follows.flatMap(({ eventId, contactId, counts }) => {
    const found = entries.filter((entry) => entry.eventId === eventId).length;
    if (found > 1) return [`${contactId} entered ${found} times for one cause`];
    return found === 0 && counts && !isOver ? [`${contactId} followed and did not enter`] : [];
  });
}

function complaintsAboutEntry({ contactId, status, reason, keys }: Entry, sent: PlatformTask[]): string[] {
  const received = sent.filter((task) => keys.includes(task.key) && task.contactIds.includes(contactId)).length;
  if (received > keys.length) return [`${contactId} was sent to ${received} times for ${keys.length} steps`];
  if (status === 'skipped' && received > 0) return [`${contactId} received it and counts as skipped (${reason})`];
  return status === 'waiting' ? [`${contactId} still waits in the automation`] : [];
}

/** What must not be of the automation: an entry too many or too few, or that still waits, and messages that no entry explains. */
export async function complaintsAboutAutomation(
  world: World,
  { campaigns, sent }: { campaigns: Map<string, string>; sent: PlatformTask[] },
): Promise<string[]> {
  const { database, automationId, follows, excused, clock, tenant, callsAtUninstall } = world;
  if (automationId === null) return [];
  const found = await rows<Entry>(database, selectEntries, { automationId });
  const own = sent.filter(({ key }) => campaigns.get(key) === automationId);
  const isUninstalled = callsAtUninstall !== null;
  // Where the clock was set, events may seem to be from before the automation began.
  const complaints = complaintsAboutFollows(follows, found, isUninstalled || clock.settings() > 0);
  for (const entry of found)
    if (!excused.has(entry.contactId) && !isUninstalled) complaints.push(...complaintsAboutEntry(entry, own));
  for (const { key, contactIds } of own)
    for (const contactId of contactIds)
      if (!found.some((entry) => entry.contactId === contactId && entry.keys.includes(key)))
        complaints.push(`${contactId} received a message of the automation without an entry`);
  const kept = found.filter(({ reason }) => reason === 'held_back' || reason === 'control_group');
  for (const { contactId, reason } of kept)
    if (own.some(({ contactIds }) => contactIds.includes(contactId)))
      complaints.push(`${contactId} is ${reason} and was sent to`);
  const automation = await findAutomation(database, { tenantId: tenant.tenantId, automationId });
  if (automation) {
    const { counts } = automation;
    const { entered, waiting, sent: sentTo, skipped, unknown } = counts;
    const { days } = await readAutomationResults(database, automation);
    const byDay = days.reduce((sum, day) => sum + day.entered, 0);
    if (entered !== found.length || entered !== byDay || entered !== waiting + sentTo + skipped + unknown)
      complaints.push(`the counts of the automation do not add up: ${JSON.stringify(counts)}`);
  }
  return complaints;
}
