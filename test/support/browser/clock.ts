import type { Browser, Page } from 'playwright-core';
import { openPage } from './open-page.ts';

/** Far enough ahead that the clock has not got there by the time it is stopped. */
const AHEAD_MS = 500;

/** A page in its own context, whose clock can be stopped. */
export async function openWithClock(browser: Browser | null): Promise<Page> {
  if (!browser) throw new Error('The page has no browser');
  const { page } = await openPage(browser);
  await page.clock.install();
  return page;
}

/** Stops the page's timers; `page.clock.runFor()` moves them. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + AHEAD_MS);
}
