import type { TestReason, TestState } from '#domain/api/variant-test.ts';
import type { Variants } from '#domain/api/variants.ts';
import { decidesAt } from './looks.ts';
import type { VariantVerdict } from './verdict.ts';

/**
 * What became of a variant's sub-tasks: some wait to be sent; all others are settled and some were sent; nobody knows of any of them;
 * the platform has refused all; nobody was drawn for it.
 */
export type ArmState = 'waits' | 'sent' | 'unknown' | 'refused' | 'empty';

/** What the rows of a test say. */
export interface TestFacts {
  variants: Variants;
  /** Why the rest has a variant; null while it has none. */
  decided: 'proven' | 'best' | 'chosen' | null;
  /** Why nothing more is sent. */
  over: 'cancelled' | 'closed' | null;
  /** The audience is not in sub-tasks yet. */
  preparing: boolean;
  /** Somebody is in no share, and can still be sent a variant. */
  left: boolean;
  arms: ArmState[];
  /** Contacts that the variants were sent to. */
  contacts: number;
  /** When the last sub-task of any variant had begun; null before. */
  since: Date | null;
  verdict: VariantVerdict;
}

export interface TestStanding {
  state: TestState;
  /** Null while it waits or runs. */
  reason: TestReason | null;
}

const mayBeSent = (arm: ArmState): boolean => arm === 'waits' || arm === 'sent' || arm === 'unknown';

/** Where a test of variants stands, and why: it runs only where it is going to be decided by itself. */
export function testStanding(facts: TestFacts, now: Date): TestStanding {
  const { variants, decided, over, preparing, left, arms, since } = facts;
  const { decide, otherwise, minimum } = variants.winner;
  const waiting = { state: 'waiting', reason: null } as const;
  const asking = (reason: TestReason) => ({ state: 'asking', reason }) as const;
  if (decided) return { state: 'decided', reason: decided };
  if (over) return { state: 'ended', reason: over };
  if (preparing) return waiting;
  const waits = arms.includes('waits');
  if (!left) return waits ? waiting : { state: 'ended', reason: 'nothing_left' };
  if (arms.filter(mayBeSent).length < 2) return asking('arms_refused');
  if (waits || since === null) return waiting;
  if (decide === 'hand') return asking('by_hand');
  if (otherwise === 'hand' && facts.contacts < minimum) return asking('minimum_out_of_reach');
  if (otherwise === 'hand' && facts.verdict !== 'proven' && now >= decidesAt(variants, since))
    return asking('time_over');
  return { state: 'running', reason: null };
}
