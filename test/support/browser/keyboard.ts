import type { Locator, Page } from 'playwright-core';

/** More Tabs than it takes to reach anything on a page. */
const FAR = 90;

/** A user with only a keyboard. */
export function keyboardOn(page: Page) {
  /** Presses Tab until the element has the focus. */
  async function tabTo(target: Locator): Promise<void> {
    await target.waitFor();
    for (let pressed = 0; pressed < FAR; pressed += 1) {
      if (await target.evaluate((element) => element.matches(':focus'))) return;
      await page.keyboard.press('Tab');
    }
    throw new Error('Not reachable with Tab');
  }
  return {
    tabTo,
    async type(target: Locator, text: string): Promise<void> {
      await tabTo(target);
      await page.keyboard.type(text);
    },
    /**
     * Moves to the next option in a group of radio buttons. The arrow key is held until the option is selected:
     * released earlier, it selects nothing.
     */
    async arrow(key: 'ArrowDown' | 'ArrowRight', to: Locator): Promise<void> {
      await page.keyboard.down(key);
      await to.and(page.locator('[aria-checked=true]')).waitFor();
      await page.keyboard.up(key);
    },
    async press(target: Locator): Promise<void> {
      await tabTo(target);
      await page.keyboard.press('Enter');
    },
  };
}
