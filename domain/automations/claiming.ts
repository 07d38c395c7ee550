import type { AutomationStepCondition } from '../api/automations.ts';
import { LATE_AFTER_MS } from './limits.ts';

/** A step that is due, and what decides about it. */
export interface ClaimableStep {
  contactId: string;
  dueAt: Date;
  condition: AutomationStepCondition | null;
  /** What its contact did about the step before; null for the first. */
  clicked: boolean | null;
  conversed: boolean | null;
  /** Its messages are by case, and its contact is in none. */
  lacksCase: boolean;
}

/** Why a step is not sent. */
export type StepRefusal = 'late' | 'exit' | 'condition' | 'no_case' | 'unreachable' | 'limit';

export interface ClaimFacts {
  now: Date;
  /** For whom the exit condition holds. */
  leaving: ReadonlySet<string>;
  reachable: ReadonlySet<string>;
  /** How many messages the automation may still send today; null: any number. */
  left: number | null;
  /** How many messages each contact has got of all automations, and may get at most; null: any number. */
  received: ReadonlyMap<string, number>;
  perContact: number | null;
}

function holds(condition: AutomationStepCondition | null, { clicked, conversed }: ClaimableStep): boolean {
  switch (condition) {
    case null:
      return true;
    case 'clicked':
      return clicked === true;
    case 'not_clicked':
      return clicked !== true;
    case 'conversed':
      return conversed === true;
    case 'not_conversed':
      return conversed !== true;
  }
}

/** Decides about steps in the order given; those that are sent count for the next. @returns the refusal of each, or null. */
export function decideSteps(steps: readonly ClaimableStep[], facts: ClaimFacts): (StepRefusal | null)[] {
  let { left } = facts;
  const received = new Map(facts.received);
  return steps.map((step) => {
    const { contactId, dueAt } = step;
    if (facts.now.getTime() - dueAt.getTime() > LATE_AFTER_MS) return 'late';
    if (facts.leaving.has(contactId)) return 'exit';
    if (!holds(step.condition, step)) return 'condition';
    if (step.lacksCase) return 'no_case';
    if (!facts.reachable.has(contactId)) return 'unreachable';
    const known = received.get(contactId) ?? 0;
    if (left === 0 || (facts.perContact !== null && known >= facts.perContact)) return 'limit';
    if (left !== null) left -= 1;
    received.set(contactId, known + 1);
    return null;
  });
}

/** The same steps by case: a sub-task has one. */
export function byCase<Step extends { messageCase: number | null }>(batch: readonly Step[]): Step[][] {
  const cases = [...new Set(batch.map(({ messageCase }) => messageCase))];
  return cases.map((one) => batch.filter(({ messageCase }) => messageCase === one));
}

/** Contacts of one sub-task, at most. */
export const CONTACTS_PER_BATCH = 1000;

/**
 * Steps that go out together: for each step one sub-task of at most 1,000 contacts, each of them once. What is in none waits for
 * the next.
 */
export function batchesOf<Step extends { step: number; contactId: string }>(
  steps: readonly Step[],
): { batches: Step[][]; left: Step[] } {
  const byStep = new Map<number, Map<string, Step>>();
  const left: Step[] = [];
  for (const one of steps) {
    const batch = byStep.get(one.step) ?? new Map<string, Step>();
    byStep.set(one.step, batch);
    if (batch.has(one.contactId) || batch.size === CONTACTS_PER_BATCH) left.push(one);
    else batch.set(one.contactId, one);
  }
  return { batches: [...byStep.values()].map((batch) => [...batch.values()]), left };
}
