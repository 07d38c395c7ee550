import type { Locator, Page } from 'playwright-core';
import { eventually } from '../time/eventually.ts';

/** More Tabs than it takes to reach anything on a page. */
const FAR = 90;

const isFocused = (target: Locator): Promise<boolean> => target.evaluate((element) => element.matches(':focus'));

/** How an element shows the focus, if it does. */
const lookOf = (target: Locator): Promise<string> =>
  target.evaluate((element) => {
    const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor, backgroundColor } =
      element.ownerDocument.defaultView.getComputedStyle(element);
    const outline = outlineStyle === 'none' || outlineWidth === '0px' ? 'none' : `${outlineWidth} ${outlineColor}`;
    return [outline, boxShadow, borderColor, backgroundColor].join(' / ');
  });

/** A user with only a keyboard, who has to see where they are. */
export function keyboardOn(page: Page) {
  /**
   * Presses Tab until the element has the focus.
   * @throws Error if it is not reachable, or looks the same with the focus as without
   */
  async function tabTo(target: Locator): Promise<void> {
    await target.waitFor();
    if (await isFocused(target)) return;
    const before = await lookOf(target);
    for (let pressed = 0; pressed < FAR; pressed += 1) {
      await page.keyboard.press('Tab');
      if (await isFocused(target)) {
        await eventually('the focus is visible', async () => (await lookOf(target)) !== before);
        return;
      }
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
