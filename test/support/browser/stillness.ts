import type { Frame, Page } from 'playwright-core';
import { eventually } from '../time/eventually.ts';

const nothingMoves = `document.getAnimations().every(
  ({ playState, effect }) => playState !== 'running' || effect.getComputedTiming().endTime === Infinity
)`;

/**
 * Waits until no colour or place is on its way to another; what goes round for ever is left out. The browser is asked
 * again and again from here: a condition that the page itself would look at again is refused by the console's policy.
 */
export async function untilStill(page: Page | Frame): Promise<void> {
  await eventually('nothing moves', () => page.evaluate<boolean>(nothingMoves));
}
