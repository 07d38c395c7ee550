import type { Database, Transaction } from '#db/database.ts';
import type { AutomationKey, AutomationRecord } from '#db/outreach/automations/automations.ts';
import {
  contactLimit,
  countOneByOne,
  type DueStep,
  insertBatches,
  putOff,
  reachableOf,
  receivedWithinDay,
  sentWithinDay,
  skipSteps,
  takeDue,
} from '#db/outreach/automations/batches.ts';
import { casesOfContacts } from '#db/outreach/sends/cases.ts';
import { matchingOf } from '#db/outreach/automations/entering.ts';
import { batchesOf, byCase, type ClaimFacts, decideSteps } from '#domain/automations/claiming.ts';
import { choiceOfVariant } from '#domain/campaigns/variants/variants.ts';
import { isQuiet, nextOpen } from '#domain/campaigns/pace/quiet-hours.ts';
import { holdUnapproved } from './approval.ts';
import { lockAutomation } from './automations.ts';
import { endWhenOver } from './move-automation.ts';

/** Steps that one transaction looks at. */
const STEPS_AT_ONCE = 2000;

export interface Claimed {
  /** Steps that were put into sub-tasks. */
  steps: number;
  /** Whether more may be due. */
  more: boolean;
}

const nothing: Claimed = { steps: 0, more: false };

/** In quiet hours what is due waits for their end, unless the automation ends before. */
async function waitForQuiet(
  transaction: Transaction,
  { quietHours, endsAt }: AutomationRecord,
  due: DueStep[],
  now: Date,
): Promise<void> {
  const until = nextOpen(quietHours ?? undefined, now);
  if (endsAt !== null && until > endsAt)
    await skipSteps(
      transaction,
      due.map((step) => ({ ...step, reason: 'quiet' })),
    );
  else await putOff(transaction, due, until);
}

async function factsOf(
  transaction: Transaction,
  automation: AutomationRecord,
  due: DueStep[],
  now: Date,
): Promise<ClaimFacts> {
  const { tenantId, exitOn, maxPerDay } = automation;
  const given = { contactIds: [...new Set(due.map(({ contactId }) => contactId))], now };
  await countOneByOne(transaction, tenantId);
  return {
    now,
    leaving: exitOn === null ? new Set() : await matchingOf(transaction, automation, exitOn, given),
    reachable: await reachableOf(transaction, automation, given),
    left: maxPerDay === null ? null : Math.max(0, maxPerDay - (await sentWithinDay(transaction, automation, now))),
    received: await receivedWithinDay(transaction, automation, given),
    perContact: await contactLimit(transaction, tenantId),
  };
}

/** The steps of one batch, which are of one step of the automation, each with the case of its contact. */
async function inCases(transaction: Transaction, automation: AutomationRecord, batch: DueStep[]) {
  const { messagesBy } = choiceOfVariant(automation, batch[0]?.step ?? null);
  if (messagesBy === null) return batch.map((one) => ({ ...one, messageCase: null, lacksCase: false }));
  const contactIds = batch.map(({ contactId }) => contactId);
  const cases = await casesOfContacts(transaction, automation, { messagesBy, contactIds });
  return batch.map((one) => {
    const messageCase = cases.get(one.contactId) ?? null;
    return { ...one, messageCase, lacksCase: messageCase === null };
  });
}

async function claim(transaction: Transaction, automation: AutomationRecord, due: DueStep[], now: Date) {
  const { timing, startedBy, createdBy } = automation;
  const { batches: found, left } = batchesOf(due);
  const batches = [];
  for (const batch of found) batches.push(await inCases(transaction, automation, batch));
  const steps = batches.flat();
  const facts = await factsOf(transaction, automation, steps, now);
  const conditions = steps.map((one) => ({ ...one, condition: timing[one.step]?.if ?? null }));
  const refusals = decideSteps(conditions, facts);
  await skipSteps(
    transaction,
    steps.flatMap((one, index) => (refusals[index] ? [{ ...one, reason: refusals[index] }] : [])),
  );
  const sent = new Set(steps.filter((_, index) => refusals[index] === null));
  const filled = batches.flatMap((batch) => byCase(batch.filter((one) => sent.has(one))));
  if (filled.length > 0)
    await insertBatches(transaction, automation, { batches: filled, startedBy: startedBy ?? createdBy, now });
  return { steps: sent.size, more: left.length > 0 || due.length === STEPS_AT_ONCE };
}

/**
 * Puts the steps of an automation that are due into sub-tasks, one for each step and case of it, and skips those that are not to be sent. Does
 * nothing unless it is active; one that nobody approved, though sends need that now, is paused.
 */
export function claimSteps(database: Database, key: AutomationKey, now: Date): Promise<Claimed> {
  return database.transaction(async (transaction) => {
    const automation = await lockAutomation(transaction, key);
    const { status, serviceNumberId, quietHours, startedBy, createdBy } = automation;
    if (status !== 'active') return nothing;
    // Nobody may have noticed its end.
    const isOver = automation.endsAt !== null && automation.endsAt <= now;
    if (isOver && (await endWhenOver(transaction, key, now))) return nothing;
    const due = await takeDue(transaction, key, { serviceNumberId, now, limit: STEPS_AT_ONCE });
    if (due.length === 0) return nothing;
    const author = { tenantId: key.tenantId, userId: 'service:schedule', requestId: null };
    if (await holdUnapproved(transaction, author, automation, { requestedBy: startedBy ?? createdBy, now }))
      return nothing;
    if (quietHours === null || !isQuiet(quietHours, now)) return await claim(transaction, automation, due, now);
    await waitForQuiet(transaction, automation, due, now);
    return { steps: 0, more: due.length === STEPS_AT_ONCE };
  });
}
