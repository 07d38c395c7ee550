import type { Page } from 'playwright-core';

const rows = "document.querySelectorAll('[role=row]').length";
const rowHeight = 44;

/** The console's list of contacts, which loads further pages on scroll. */
export function contactList(page: Page) {
  return {
    /**
     * Scrolls with the wheel, several screens at a time, until the given number of contacts is loaded.
     * @returns the most rows in the page at once.
     */
    async scrollTo(known: number): Promise<number> {
      let most = 0;
      let height = 0;
      await page.mouse.move(640, 500);
      while (height < known * rowHeight) {
        await page.mouse.wheel(0, 8000);
        const now = `new Promise((seen) => requestAnimationFrame(() => seen([${rows}, document.documentElement.scrollHeight])))`;
        const [count, tall] = await page.evaluate<[number, number]>(now);
        most = Math.max(most, count);
        height = tall;
      }
      return most;
    },
    /**
     * Scrolls to the end of what is loaded, frame by frame, until the given number of contacts is loaded.
     * @returns the most rows in the page at once.
     */
    jumpTo: (known: number) =>
      page.evaluate<number>(`(async () => {
        let most = 0;
        while (document.documentElement.scrollHeight < ${known * rowHeight}) {
          scrollTo(0, document.documentElement.scrollHeight);
          await new Promise(requestAnimationFrame);
          most = Math.max(most, ${rows});
        }
        return most;
      })()`),
  };
}
