import type { Browser, Page } from 'playwright-core';
import { openPage } from './open-page.ts';

/** How far ahead it is stopped: on a busy machine the nearer moments are over by then. */
const AHEAD_MS = [500, 1000, 2000, 4000];

/** A page in its own context, whose clock can be stopped. */
export async function openWithClock(browser: Browser | null): Promise<Page> {
  if (!browser) throw new Error('The page has no browser');
  const { page } = await openPage(browser);
  await page.clock.install();
  return page;
}

/** Stops the page's timers; `page.clock.runFor()` moves them. */
export async function stopClock(page: Page): Promise<void> {
  for (const ahead of AHEAD_MS) {
    const at = (await page.evaluate<number>('Date.now()')) + ahead;
    const stopped = await page.clock.pauseAt(at).then(
      () => true,
      (error: unknown) => {
        if (ahead !== AHEAD_MS.at(-1) && String(error).includes('to the past')) return false;
        throw error;
      },
    );
    if (stopped) return;
  }
}
