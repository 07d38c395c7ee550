import type { Outcomes } from '#domain/api/campaign.ts';
import { outcomeNames } from '#domain/campaigns/outcomes.ts';

/** Nothing has become of anybody, but for what a test specifies. */
export function outcomesOf(given: Partial<Outcomes> = {}): Outcomes {
  const none = { delivered: 0, sent: 0, failed: 0, heldBack: 0, uncounted: 0, refused: 0 };
  return { ...none, cancelled: 0, unknown: 0, notYet: 0, ...given };
}

/** Contacts of which anything is known or expected. */
export const totalOf = (outcomes: Outcomes): number => outcomeNames.reduce((sum, name) => sum + outcomes[name], 0);
