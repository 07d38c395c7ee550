import type { Page } from 'playwright-core';

/** Far enough ahead that the clock is not there yet when it is stopped. */
const AHEAD_MS = 500;

/** Stops the page's timers; `page.clock.runFor()` moves them. The clock must be installed before the page is opened. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + AHEAD_MS);
}
