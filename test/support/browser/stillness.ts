import type { Frame, Page } from 'playwright-core';
import { eventually } from '../time/eventually.ts';

const nothingMoves = `document.getAnimations().every(
  ({ playState, effect }) => playState !== 'running' || effect.getComputedTiming().endTime === Infinity
)`;

/**
 * Waits until no colour or position is in transition; endless animations are ignored. Polls from here, because the
 * console's content security policy blocks a condition that the page would evaluate repeatedly.
 */
export async function untilStill(page: Page | Frame): Promise<void> {
  await eventually('nothing moves', () => page.evaluate<boolean>(nothingMoves));
}
