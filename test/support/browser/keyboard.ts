import type { Locator, Page } from 'playwright-core';

/** Most Tabs that anything on a page is away. */
const FAR = 90;

/** A person who has the keyboard alone. */
export function keyboardOn(page: Page) {
  /** Moves the focus by Tab alone until it is there. */
  async function tabTo(target: Locator): Promise<void> {
    await target.waitFor();
    for (let pressed = 0; pressed < FAR; pressed += 1) {
      if (await target.evaluate((element) => element.matches(':focus'))) return;
      await page.keyboard.press('Tab');
    }
    throw new Error('no number of Tabs leads there');
  }
  return {
    tabTo,
    async type(target: Locator, text: string): Promise<void> {
      await tabTo(target);
      await page.keyboard.type(text);
    },
    /** Moves on within a group of radio buttons. The arrow is held until it has chosen: let go before, it chooses nothing. */
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
