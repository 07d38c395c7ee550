import type { Page } from 'playwright-core';

/** Tenths of a second after which nobody waits any longer. */
const LONGEST = 300;

/**
 * How many seconds the page lives, from now on, until it shows the text. They are counted by the page itself, tenth by
 * tenth: what a busy machine keeps it, or whoever asks, from running is not the page's doing.
 * @throws Error after 30 of these seconds.
 */
export function ownSecondsUntil(page: Page, text: string): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve, reject) => {
    let tenths = 0;
    const timer = setInterval(() => {
      tenths += 1;
      const isThere = document.body.textContent.includes(${JSON.stringify(text)});
      if (!isThere && tenths < ${LONGEST}) return;
      clearInterval(timer);
      if (isThere) resolve(tenths / 10);
      else reject(new Error(${JSON.stringify(`the page never said “${text}”`)}));
    }, 100);
  })`);
}
