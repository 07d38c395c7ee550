import type { Database, Transaction } from '#db/database.ts';
import type { AutomationKey, AutomationRecord } from '#db/outreach/automations/automations.ts';
import { enterByDate, lookAtSegment, lookTime, setLookTime } from '#db/outreach/automations/looking.ts';
import { datesOn, dayAt, isTimed, nextLookOf } from '#domain/automations/looks.ts';
import { lockAutomation } from './automations.ts';

/** Days that one look catches up with; the next one continues. */
const DAYS_AT_ONCE = 31;

/** Sets the first look of an automation that begins now, and learns who is in its segment already. */
export async function prepareLooks(
  transaction: Transaction,
  automation: AutomationRecord,
  { now, lookMs }: { now: Date; lookMs: number | null },
): Promise<void> {
  const { trigger } = automation;
  if (!isTimed(trigger)) return;
  if (trigger.event === 'segment.entered')
    await lookAtSegment(transaction, automation, trigger.segment, { now, moment: null });
  await setLookTime(transaction, automation, nextLookOf(trigger, now, lookMs));
}

/** Has contacts enter at one moment. @returns the next. */
async function lookOnce(
  transaction: Transaction,
  automation: AutomationRecord,
  { at, now, lookMs }: { at: Date; now: Date; lookMs: number | null },
): Promise<Date | null> {
  const { trigger } = automation;
  if (!isTimed(trigger)) return null;
  if (trigger.event === 'date') {
    const date = dayAt(at, trigger.zone);
    const moment = { at, causeKey: date, cause: { event: 'date', date }, now };
    await enterByDate(transaction, automation, { attribute: trigger.attribute, ...datesOn(date, trigger) }, moment);
    return nextLookOf(trigger, at, lookMs);
  }
  const moment = { at, causeKey: at.toISOString(), cause: { event: 'segment.entered' }, now };
  await lookAtSegment(transaction, automation, trigger.segment, { now, moment });
  // Looks that were missed would see what this one has seen.
  let next = nextLookOf(trigger, at, lookMs);
  while (next <= now) next = nextLookOf(trigger, lookMs === null ? next : now, lookMs);
  return next;
}

/** Has contacts enter an automation whose moment has come; of several callers one finds it due. */
export function lookByTime(
  database: Database,
  key: AutomationKey,
  { now, lookMs }: { now: Date; lookMs: number | null },
): Promise<void> {
  return database.transaction(async (transaction) => {
    const automation = await lockAutomation(transaction, key);
    let at = await lookTime(transaction, key);
    for (let days = 0; at !== null && at <= now && days < DAYS_AT_ONCE; days += 1)
      at = await lookOnce(transaction, automation, { at, now, lookMs });
    await setLookTime(transaction, key, at);
  });
}
