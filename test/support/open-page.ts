import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Stack } from './stack.ts';

const screenshots = fileURLToPath(new URL('../../dist/screenshots/', import.meta.url));

export interface OpenedPage {
  page: Page;
  /** What this page, and others of its context, threw: each with its address. */
  complaints: string[];
}

/** Opens a page in a desktop window in Taipei, with cookies of its own; what differs is given. */
export async function openPage(browser: Browser, different: BrowserContextOptions = {}): Promise<OpenedPage> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    timezoneId: 'Asia/Taipei',
    locale: 'en-GB',
    // What is still fading in has no contrast to measure.
    reducedMotion: 'reduce',
    ...different,
  });
  context.setDefaultTimeout(15_000);
  const complaints: string[] = [];
  context.on('weberror', (thrown) => complaints.push(`${thrown.page()?.url()}: ${String(thrown.error())}`));
  return { page: await context.newPage(), complaints };
}

/** Keeps how the whole page looks, under `dist/screenshots/`; what no file may be called is left out of the name. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: `${screenshots}${name.replaceAll(/[^\w/]+/g, '-')}.png`, fullPage: true });
}

/** Where a test failed: how the page looks, its address, and what the services wrote last. */
export async function reportFailure(test: Mocha.Test | undefined, page: Page | undefined, stack: Stack): Promise<void> {
  if (!page || !test?.isFailed()) return;
  await takeScreenshot(page, `failed-${test.fullTitle()}`);
  process.stdout.write(`${page.url()}\n${stack.logs()}\n`);
}
