import { claimSteps } from '#commands/outreach/automations/claim-steps.ts';
import { decideEntries } from '#commands/outreach/automations/decide-entries.ts';
import { lookByTime } from '#commands/outreach/automations/look-by-time.ts';
import type { AudienceOwner } from '#db/outreach/audiences/owner.ts';
import {
  neglectedNumbers,
  nextTimes,
  type NextTimes,
  unsettledSends,
  withDue,
  withDueLooks,
  withDuePolls,
  withoutSource,
  withUndecided,
} from '#db/outreach/automations/driving.ts';
import { withHeartbeat } from '../concurrency.ts';
import type { OutreachDeps } from '../deps.ts';
import { forEachAlone } from '../each-alone.ts';
import { lacksEntrySource, prepareEntrySource } from '../entry-sources/create.ts';
import { type NextLook, toNextLook } from '../next-look.ts';
import { submitRange } from '../sends/dispatch.ts';
import { pollDue } from '../sends/poll.ts';
import { createUnstoredOutcomes, type UnstoredOutcomes } from '../sends/unstored.ts';

/** A look at the automations of a service number; without a next one nothing is due soon. */
export interface AutomationLook extends NextLook {
  /** Causes that were decided about. */
  decided: number;
  /** Messages that were put into sub-tasks. */
  claimed: number;
}

/** What is due within a window waits for three quarters of it, and has the rest to be submitted. */
const HELD = 0.75;

const AT_ONCE = 200;

/**
 * Creates missing entry sources (F1). One that cannot be created now keeps its automation, and no other, from sending.
 * @returns the automations that lack one.
 */
async function prepareSources(deps: OutreachDeps, { tenantId, serviceNumberId }: AudienceOwner): Promise<Set<string>> {
  const lacking = new Set<string>();
  for (const send of await withoutSource(deps.database, { tenantId, serviceNumberId })) {
    const first = { tenantId, ...send, number: 1 };
    if (!(await lacksEntrySource(deps, first))) continue;
    try {
      await prepareEntrySource(deps, first);
    } catch (error) {
      deps.log.warn({ err: error, campaignId: send.campaignId }, 'the entry source of an automation is missing');
    }
    if (await lacksEntrySource(deps, first)) lacking.add(send.campaignId);
  }
  return lacking;
}

async function decideAll({ database, now }: OutreachDeps, number: AudienceOwner): Promise<number> {
  let decided = 0;
  for (const automationId of await withUndecided(database, number))
    for (let more = true; more;) {
      const round = await decideEntries(database, { tenantId: number.tenantId, automationId }, now());
      decided += round.causes;
      ({ more } = round);
    }
  return decided;
}

/** Of automations of which something has waited for long enough, all that is due. */
async function claimAll(deps: OutreachDeps, number: AudienceOwner, lacking: Set<string>): Promise<number> {
  const { database, now, settings } = deps;
  let claimed = 0;
  const by = new Date(now().getTime() - settings.AUTOMATIONS_WINDOW_MS * HELD);
  for (const automationId of await withDue(database, number, by)) {
    if (lacking.has(automationId)) continue;
    for (let more = true; more;) {
      const round = await claimSteps(database, { tenantId: number.tenantId, automationId }, now());
      claimed += round.steps;
      ({ more } = round);
    }
  }
  return claimed;
}

/**
 * When something is to be done next; null: not soon, and the sweep starts another driver when it is. Nobody wakes one that waits, so
 * that it waits for no longer than contacts that enter meanwhile may. What is not submitted yet says so itself.
 */
function nextLook(
  { dueAt, pollAt, lookAt, isUndecided }: NextTimes,
  { now, windowMs, waits, isHeld }: { now: Date; windowMs: number; waits: (string | null)[]; isHeld: boolean },
): Date | null {
  const soonest = now.getTime() + windowMs * HELD;
  const times = waits.flatMap((wait) => (wait === null ? [] : [Date.parse(wait)]));
  if (dueAt) times.push(Math.max(dueAt.getTime() + windowMs * HELD, isHeld ? soonest : now.getTime()));
  if (pollAt) times.push(Math.max(pollAt.getTime(), soonest));
  if (lookAt) times.push(Math.max(lookAt.getTime(), now.getTime()));
  if (isUndecided) times.push(now.getTime());
  const next = Math.min(...times);
  return next > soonest ? null : new Date(next);
}

async function look(
  deps: OutreachDeps,
  number: AudienceOwner,
  cancelled: AbortSignal,
  unstored: UnstoredOutcomes,
): Promise<AutomationLook> {
  const { database, now, settings } = deps;
  const { tenantId } = number;
  const lacking = await prepareSources(deps, number);
  const lookMs = settings.AUTOMATIONS_LOOK_MS ?? null;
  for (const automationId of await withDueLooks(database, number, now()))
    await lookByTime(database, { tenantId, automationId }, { now: now(), lookMs });
  const decided = await decideAll(deps, number);
  const claimed = await claimAll(deps, number, lacking);
  const waits: (string | null)[] = [];
  for (const range of await unsettledSends(database, number))
    waits.push((await submitRange(deps, range, cancelled, unstored)).waitUntil);
  for (const campaignId of await withDuePolls(database, number, now()))
    await pollDue(deps, { tenantId, campaignId }, cancelled);
  const times = await nextTimes(database, number);
  const at = { now: now(), windowMs: settings.AUTOMATIONS_WINDOW_MS, waits, isHeld: lacking.size > 0 };
  return { decided, claimed, ...toNextLook(nextLook(times, at), at.now) };
}

export function createAutomationActivities(deps: OutreachDeps) {
  return {
    /**
     * Decides who enters the automations of a service number, puts what is due into sub-tasks, submits those and polls their
     * tasks. Safe to repeat: each cause is decided about once, each step claimed once.
     */
    lookAtAutomations: ({ tenantId, serviceNumberId }: AudienceOwner): Promise<AutomationLook> => {
      const unstored = createUnstoredOutcomes(deps);
      return withHeartbeat((cancelled) => look(deps, { tenantId, serviceNumberId }, cancelled, unstored), {
        details: unstored.list,
      });
    },
  };
}

/** Starts what drives automations where something is due and nobody does. */
export function createAutomationSweep(deps: OutreachDeps): () => Promise<void> {
  const { database, launcher, now, settings } = deps;
  return async () => {
    const before = new Date(now().getTime() - settings.AUTOMATIONS_WINDOW_MS / 4);
    const neglected = await neglectedNumbers(database, { before, limit: AT_ONCE });
    await forEachAlone(deps, neglected, async (number) => void (await launcher.automations(number, { wake: false })));
  };
}
