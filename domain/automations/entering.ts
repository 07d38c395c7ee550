import type { AutomationEntryRule } from '../api/automations.ts';

const DAY_MS = 24 * 60 * 60_000;

/** A cause that may bring a contact into an automation. */
export interface Cause {
  contactId: string;
  causedAt: Date;
}

/** Why a cause brings nobody in; null: it does. */
export type EntryRefusal = 'duplicate' | 'held_back' | 'control_group' | 'filter';

/** Of whom each holds. */
export interface EntryFacts {
  /** When contacts entered before, of entries that keep from another one. */
  earlier: ReadonlyMap<string, readonly Date[]>;
  heldBack: ReadonlySet<string>;
  controlGroup: ReadonlySet<string>;
  /** Whether the filter matches the contact of a cause, by its place. */
  matches: (index: number) => boolean;
}

/** Whether the rule keeps a contact that entered then from entering for this cause, which may have come late. */
function isDuplicate(rule: AutomationEntryRule, earlier: readonly Date[], at: Date): boolean {
  if (rule === 'every') return false;
  if (rule === 'once') return earlier.length > 0;
  return earlier.some((time) => Math.abs(at.getTime() - time.getTime()) < rule.afterDays * DAY_MS);
}

/**
 * Decides about causes one after the other, in the order given: who enters for one may be kept from the next by that.
 * @returns the refusal of each, null for those that enter.
 */
export function decideEach(
  rule: AutomationEntryRule,
  causes: readonly Cause[],
  { earlier, heldBack, controlGroup, matches }: EntryFacts,
): (EntryRefusal | null)[] {
  const times = new Map([...earlier].map(([contactId, known]) => [contactId, [...known]]));
  return causes.map(({ contactId, causedAt }, index) => {
    const known = times.get(contactId) ?? [];
    if (isDuplicate(rule, known, causedAt)) return 'duplicate';
    const isHeldBack = heldBack.has(contactId);
    const passes = !controlGroup.has(contactId) && matches(index);
    if (isHeldBack || passes) times.set(contactId, [...known, causedAt]);
    if (isHeldBack) return 'held_back';
    if (controlGroup.has(contactId)) return 'control_group';
    return passes ? null : 'filter';
  });
}
