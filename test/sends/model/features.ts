import { expect } from 'chai';
import { cancelCampaign } from '#commands/outreach/sends/cancel-campaign.ts';
import { chooseVariant } from '#commands/outreach/sends/variants/choose-variant.ts';
import { driveSends } from '#activities/outreach/sends/drive.ts';
import { firstRow, rows } from '#db/database.ts';
import type { CampaignKey } from '#db/outreach/sends/ledger/campaign-key.ts';
import type { CampaignRecord } from '#db/outreach/campaigns/campaigns.ts';
import { Problem } from '#domain/api/problem.ts';
import type { Pace } from '#domain/api/pace.ts';
import type { Schedule } from '#domain/api/campaign.ts';
import type { Step } from '#domain/api/steps.ts';
import type { Message } from '#domain/api/messages.ts';
import { isQuiet } from '#domain/campaigns/pace/quiet-hours.ts';
import { messagesOf, REST_ARM, variantsOf } from '#domain/campaigns/variants/variants.ts';
import type { DraftFeatures } from '#test/support/outreach/rows.ts';
import { against, card } from '#test/support/outreach/variant-sends.ts';
import type { Chances } from './chances.ts';
import type { Clock } from './clock.ts';
import type { PlatformTask } from './platform-tasks.ts';
import type { Submission } from './platform.ts';
import type { World } from './state.ts';

const MINUTE = 60_000;
/** Of the variants of a campaign that has them. */
const NAMES = ['A', 'B'] as const;

/** The pace of a campaign from a moment on, in milliseconds since the epoch. */
export interface PaceSince {
  since: number;
  pace: Pace | null;
}

const timeOfDay = (time: number): string => new Date(time).toISOString().slice(11, 16);

/** A pace from `start` on, as the seed has it: a rate, hours in which nothing is submitted, or a time after which nothing is. */
export function drawPace(chances: Chances, start: Date, ...about: unknown[]): Pace | null {
  const perMinute = chances.pick([10, 20, 60], 'contacts a minute', ...about);
  const from = start.getTime() + chances.between(1, 10, 'quiet after', ...about) * MINUTE;
  const quietHours = { from: timeOfDay(from), to: timeOfDay(from + 30 * MINUTE), zone: 'UTC' };
  const deadline = new Date(
    start.getTime() + chances.between(1, 90, 'deadline after', ...about) * MINUTE,
  ).toISOString();
  switch (chances.draw({ none: 20, rate: 40, quiet: 25, deadline: 15 }, 'pace', ...about)) {
    case 'none':
      return null;
    case 'rate':
      return { perMinute };
    case 'quiet':
      return { perMinute, quietHours };
    case 'deadline':
      return { perMinute, deadline };
  }
}

/** When it starts, and whether its audience is whom the tag has then. */
function drawSchedule(chances: Chances, clock: Clock): Schedule {
  const minutes = Number(chances.draw({ 0: 50, 3: 20, 30: 30 }, 'starts after'));
  if (minutes === 0) return { type: 'immediate' };
  const at = new Date(clock.now().getTime() + minutes * MINUTE).toISOString();
  const audience = chances.fraction('at start') < 0.5 ? ({ audience: 'at_start' } as const) : {};
  return { type: 'scheduled', at, ...audience };
}

function drawTake(chances: Chances): Pick<DraftFeatures, 'take'> {
  const take = chances.draw({ none: 70, percent: 15, atMost: 15 }, 'take');
  if (take === 'none') return {};
  return { take: take === 'percent' ? { percent: 50 } : { atMost: 15 } };
}

/** What follows a campaign, as the seed has it. */
function drawSteps(chances: Chances): Step[] | null {
  if (chances.fraction('steps') >= 0.45) return null;
  return Array.from({ length: chances.between(1, 2, 'how many steps') }, (_, index) => ({
    after: { amount: 1, unit: 'hours' },
    condition: { outcome: chances.pick(['clicked', 'not_clicked', 'not_clicked'], 'step is for', index) },
    messages: [card(`Step ${index + 1}`)],
  }));
}

/** What a large campaign has beside its message. */
export function drawFeatures(chances: Chances, clock: Clock): DraftFeatures {
  const variants = chances.draw({ none: 50, all: 15, rest: 35 }, 'variants');
  const decide = chances.draw({ hand: 50, automatic: 50 }, 'decides by');
  const winner = { decide, afterHours: 1 } as const;
  const schedule = drawSchedule(chances, clock);
  const start = schedule.type === 'scheduled' ? new Date(schedule.at) : clock.now();
  return {
    messages: [card('A')],
    schedule,
    pace: drawPace(chances, start, 'of the draft'),
    ...drawTake(chances),
    holdoutPercent: chances.fraction('holdout') < 0.4 ? 20 : null,
    steps: drawSteps(chances),
    variants: variants === 'none' ? null : against(variants === 'all' ? [50, 50] : [30, 30], winner),
  };
}

/** Those of the audience whom the campaign holds back. */
export async function heldBack({ database, send: { campaignId } }: World): Promise<Set<string>> {
  const found = await rows<{ contactId: string }>(
    database,
    `select unnest(c.contact_ids) as contact_id from dispatch d join dispatch_control c using (dispatch_id)
     where d.campaign_id = :campaignId`,
    { campaignId },
  );
  return new Set(found.map(({ contactId }) => contactId));
}

/** Those of the audience who are not in its sample; nobody before it is frozen. */
export async function leftOut(world: World): Promise<Set<string>> {
  const { database, send, audience } = world;
  const { campaignId } = send;
  const frozen = await firstRow<{ leftOutCount: number; contactIds: string[] }>(
    database,
    `select d.left_out_count, (select coalesce(json_agg(r.contact_id), '[]') from dispatch_recipient r
       where r.dispatch_id = d.dispatch_id) as contact_ids
     from dispatch d where d.campaign_id = :campaignId and d.retry_of is null and d.frozen_at is not null`,
    { campaignId },
  );
  if (!frozen || frozen.leftOutCount === 0) return new Set();
  const reached = new Set([...frozen.contactIds, ...(await heldBack(world))]);
  const found = audience.filter((contactId) => !reached.has(contactId));
  expect(found.length, 'those left out').to.equal(frozen.leftOutCount);
  return new Set(found);
}

interface Test {
  chosen: number | null;
}

const readTest = ({ database }: World, { campaignId }: CampaignKey): Promise<Test | null> =>
  firstRow<Test>(database, 'select chosen from variant_test where campaign_id = :campaignId', { campaignId });

/** @throws Problem, as the operation does. */
async function chooseByName(world: World, { tenantId, campaignId }: CampaignKey, name: string): Promise<string> {
  const { database, author, clock, flows } = world;
  await chooseVariant(database, author, campaignId, name, clock.now());
  await driveSends({ database, launcher: flows.launcher }, { tenantId, campaignId });
  await flows.launcher.variantTest({ tenantId, campaignId }, { wake: true });
  return name;
}

/** An operator chooses a variant for the rest. @throws Problem, as the operation does. */
export const choose = (world: World, step: number): Promise<string> =>
  chooseByName(world, world.send, world.chances.pick(NAMES, 'chosen', step));

/** Chooses if the rest waits for it. Where the platform has refused all variants nothing can be chosen: the campaign is cancelled. */
export async function chooseAtLast(world: World, key: CampaignKey): Promise<string> {
  const { database, author, clock, flows } = world;
  const test = await readTest(world, key);
  if (!test || test.chosen !== null) return 'nothing is to be chosen';
  for (const name of NAMES)
    try {
      return await chooseByName(world, key, name);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.code !== 'invalid_content') return error.code;
    }
  await cancelCampaign(database, author, key.campaignId, clock.now());
  await flows.launcher.polling(key, { wake: true });
  return 'nothing can be chosen, cancelled';
}

const rateOf = (pace: Pace | null): number => pace?.perMinute ?? Infinity;

/** The paces of which each held for a moment at least. */
const pacesBetween = (paces: PaceSince[], from: number, to: number): (Pace | null)[] =>
  paces.flatMap(({ since, pace }, index) =>
    since <= to && (paces[index + 1]?.since ?? Infinity) >= from ? [pace] : [],
  );

/** What must not be of what was submitted within a minute, of which this is the last: more than the paces in it allow, and a sub-task. */
function complaintsAboutMinute(last: Submission, submissions: Submission[], paces: PaceSince[]): string[] {
  const { at, settings } = last;
  // How much time passes while its clock is set, the service cannot know.
  const until = submissions.filter((one) => one.settings === settings && one.at <= at);
  // A changed pace holds from the next claim on, whatever went out before.
  const begins = [at - MINUTE, ...paces.flatMap(({ since }) => (since > at - MINUTE && since < at ? [since] : []))];
  for (const begin of begins) {
    const within = until.filter((one) => one.at > begin);
    const count = within.reduce((sum, one) => sum + one.contactIds.length, 0);
    const largest = Math.max(...within.map((one) => one.contactIds.length));
    const allowed = Math.max(...pacesBetween(paces, begin + 1, at).map(rateOf)) + largest;
    if (count > allowed)
      return [`${count} contacts were submitted in the minute before ${new Date(at).toISOString()}, not ${allowed}`];
  }
  return [];
}

/** What must not be of the calls that submitted a campaign: more in a minute than its pace and a sub-task, or any in quiet hours. */
export const complaintsAboutPace = (submissions: Submission[], paces: PaceSince[]): string[] =>
  submissions.flatMap((last) => {
    const { at, byClock, contactIds } = last;
    const isQuietInAll = pacesBetween(paces, at, at).every(
      (pace) => pace?.quietHours !== undefined && isQuiet(pace.quietHours, byClock),
    );
    const time = new Date(at).toISOString();
    const quiet = isQuietInAll ? [`${contactIds.length} contacts were submitted in quiet hours, at ${time}`] : [];
    return [...complaintsAboutMinute(last, submissions, paces), ...quiet];
  });

const saysOf = (messages: Message[]): string => {
  const [first] = messages;
  return (first && ('title' in first ? first.title : 'text' in first ? first.text : undefined)) ?? '';
};

/** What must not be of what contacts received: each gets its own variant, the rest what was chosen, and nobody an older text. */
export async function complaintsAboutContent(
  world: World,
  campaign: CampaignRecord,
  sent: PlatformTask[],
): Promise<string[]> {
  const { database } = world;
  const { id: campaignId, tenantId } = campaign;
  const arms = await rows<{ contactId: string; arm: number | null }>(
    database,
    `select r.contact_id, t.arm from dispatch d join dispatch_recipient r using (dispatch_id)
     join broadcast_task t on t.dispatch_id = r.dispatch_id and t.chunk = r.chunk where d.campaign_id = :campaignId`,
    { campaignId },
  );
  const chosen = (await readTest(world, { tenantId, campaignId }))?.chosen ?? null;
  const armsOf = new Map<string, Set<number | null>>();
  for (const { contactId, arm } of arms) armsOf.set(contactId, (armsOf.get(contactId) ?? new Set()).add(arm));
  const complaints = [...armsOf].flatMap(([contactId, { size }]) =>
    size > 1 ? [`${contactId} is in ${size} arms`] : [],
  );
  for (const { contactIds, says } of sent)
    for (const contactId of contactIds) {
      // Of a task that nobody knew of, since an operator said that there was none, the content could not be changed.
      if (world.excused.has(contactId)) continue;
      const [arm = null] = armsOf.get(contactId) ?? [];
      const variant = arm === REST_ARM ? chosen : arm;
      const expected = saysOf(messagesOf(campaign, variantsOf(campaign).length > 0 ? variant : null));
      if (says !== expected) complaints.push(`${contactId} received “${says}” and not “${expected}”`);
    }
  return complaints;
}

/** Those whom the campaign is for, as far as it is known. */
export async function addressees(world: World): Promise<string[]> {
  const [held, left] = [await heldBack(world), await leftOut(world)];
  return world.audience.filter((contactId) => !held.has(contactId) && !left.has(contactId));
}

/** A held-back contact stays one: nothing else shows that the same are drawn by every page and retry. */
export async function expectHeldBackOnce(world: World): Promise<void> {
  const held = await heldBack(world);
  for (const contactId of world.heldBack) expect(held.has(contactId), `${contactId} is still held back`).to.equal(true);
  world.heldBack = held;
}
