import type { Database, Transaction } from '#db/database.ts';
import type { AutomationKey, AutomationRecord } from '#db/outreach/automations/automations.ts';
import {
  earlierEntries,
  heldBackOf,
  matchingOf,
  storeDecisions,
  takeUndecided,
  type Undecided,
} from '#db/outreach/automations/entering.ts';
import { membersOfControlGroup } from '#db/outreach/tenants/control-group.ts';
import { decideEach, type EntryFacts } from '#domain/automations/entering.ts';
import { lockAutomation } from './automations.ts';

/** Causes decided about in one transaction. */
const CAUSES_AT_ONCE = 1000;

/** What decides about causes of contacts, as of now. */
async function factsOf(
  transaction: Transaction,
  automation: AutomationRecord,
  undecided: Undecided[],
  now: Date,
): Promise<EntryFacts> {
  const { filter, holdoutPercent } = automation;
  const contactIds = [...new Set(undecided.map(({ contactId }) => contactId))];
  const matching = filter && (await matchingOf(transaction, automation, filter, { contactIds, now }));
  return {
    earlier: await earlierEntries(transaction, automation, contactIds),
    heldBack: await heldBackOf(transaction, automation, { contactIds, holdoutPercent }),
    controlGroup: await membersOfControlGroup(transaction, automation.tenantId, contactIds),
    matches: (index) => matching?.has(undecided[index]?.contactId ?? '') ?? true,
  };
}

/**
 * Decides who enters an automation, for the oldest causes about which nothing is decided: they are decided about one after the
 * other, whoever looks at them.
 * @returns how many there were, and whether there may be more.
 */
export function decideEntries(
  database: Database,
  key: AutomationKey,
  now: Date,
): Promise<{ causes: number; more: boolean }> {
  return database.transaction(async (transaction) => {
    const automation = await lockAutomation(transaction, key);
    const undecided = await takeUndecided(transaction, key, CAUSES_AT_ONCE);
    if (undecided.length === 0) return { causes: 0, more: false };
    const facts = await factsOf(transaction, automation, undecided, now);
    const refusals = decideEach(automation.entry, undecided, facts);
    const decided = undecided.map((one, index) => ({ ...one, reason: refusals[index] ?? null }));
    await storeDecisions(transaction, key, { decided, delayMinutes: automation.delayMinutes, now });
    return { causes: undecided.length, more: undecided.length === CAUSES_AT_ONCE };
  });
}
