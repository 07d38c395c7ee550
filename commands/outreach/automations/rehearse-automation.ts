import type { Database, Transaction } from '#db/database.ts';
import { pastRelations } from '#db/outreach/audiences/relations.ts';
import type { AutomationRecord } from '#db/outreach/automations/automations.ts';
import { pastCauses, type PastCause } from '#db/outreach/automations/causes.ts';
import { heldBackOf, matchingOf } from '#db/outreach/automations/entering.ts';
import { membersOfControlGroup } from '#db/outreach/tenants/control-group.ts';
import type { AutomationRehearsal } from '#domain/api/automation-entries.ts';
import { decideEach, type EntryRefusal } from '#domain/automations/entering.ts';

/** Looks at a filter in one rehearsal, at most. */
const MOST_LOOKS = 2000;

const EXAMPLES = 10;

const DAY_MS = 24 * 60 * 60_000;

/** Of each cause whether the filter matched its contact then. */
async function matchedThen(
  transaction: Transaction,
  automation: AutomationRecord,
  causes: PastCause[],
): Promise<boolean[]> {
  const { filter } = automation;
  if (filter === null) return causes.map(() => true);
  const size = Math.ceil(causes.length / MOST_LOOKS);
  const matched: boolean[] = [];
  for (let first = 0; first < causes.length; first += size) {
    const some = causes.slice(first, first + size);
    const contactIds = [...new Set(some.map(({ contactId }) => contactId))];
    const now = some.at(-1)?.causedAt ?? new Date(0);
    const found = await matchingOf(transaction, automation, filter, { contactIds, now, relations: pastRelations });
    matched.push(...some.map(({ contactId }) => found.has(contactId)));
  }
  return matched;
}

const dateOf = (at: Date) => at.toISOString().slice(0, 10);

function daysOf(
  { from, to }: { from: Date; to: Date },
  causes: PastCause[],
  refusals: (EntryRefusal | null)[],
): AutomationRehearsal['days'] {
  const days = new Map<string, AutomationRehearsal['days'][number]>();
  for (let at = Date.parse(dateOf(from)); at <= to.getTime(); at += DAY_MS) {
    const date = dateOf(new Date(at));
    days.set(date, { date, causes: 0, entered: 0, skipped: {} });
  }
  for (const [index, { causedAt }] of causes.entries()) {
    const day = days.get(dateOf(causedAt));
    if (!day) continue;
    const reason = refusals[index] ?? null;
    day.causes += 1;
    if (reason === null) day.entered += 1;
    else day.skipped[reason] = (day.skipped[reason] ?? 0) + 1;
  }
  return [...days.values()];
}

/** The causes of an automation in a period, the oldest first, and why each would have brought nobody in; null: it would have. */
export async function decidePast(
  transaction: Transaction,
  automation: AutomationRecord,
  period: { from: Date; to: Date },
): Promise<{ causes: PastCause[]; refusals: (EntryRefusal | null)[] }> {
  const causes = await pastCauses(transaction, automation, automation.trigger, period);
  const contactIds = [...new Set(causes.map(({ contactId }) => contactId))];
  const { holdoutPercent } = automation;
  const heldBack = await heldBackOf(transaction, automation, { contactIds, holdoutPercent });
  const matched = await matchedThen(transaction, automation, causes);
  const refusals = decideEach(automation.entry, causes, {
    earlier: new Map(),
    heldBack,
    controlGroup: await membersOfControlGroup(transaction, automation.tenantId, contactIds),
    matches: (index) => matched[index] ?? false,
  });
  return { causes, refusals };
}

/** Whom an automation would have taken in the last days, decided as it decides. Nothing is stored. */
export function rehearseAutomation(
  database: Database,
  automation: AutomationRecord,
  { lastDays, now }: { lastDays: number; now: Date },
): Promise<AutomationRehearsal> {
  const period = { from: new Date(now.getTime() - lastDays * DAY_MS), to: now };
  return database.transaction(async (transaction) => {
    const { causes, refusals } = await decidePast(transaction, automation, period);
    const examples = causes.slice(-EXAMPLES).map(({ contactId, causedAt, cause }, index, last) => {
      const reason = refusals[causes.length - last.length + index] ?? null;
      const at = causedAt.toISOString();
      return {
        contactId,
        at,
        cause: { ...cause, at },
        outcome: reason === null ? ('entered' as const) : ('skipped' as const),
        reason,
      };
    });
    return {
      from: period.from.toISOString(),
      to: period.to.toISOString(),
      days: daysOf(period, causes, refusals),
      examples,
    };
  });
}
