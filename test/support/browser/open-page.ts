import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Stack } from '../services/stack.ts';

const screenshots = fileURLToPath(new URL('../../../dist/screenshots/', import.meta.url));

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
  context.setDefaultTimeout(30_000);
  const complaints: string[] = [];
  context.on('weberror', (thrown) => complaints.push(`${thrown.page()?.url()}: ${String(thrown.error())}`));
  return { page: await context.newPage(), complaints };
}

/** Keeps how the page looks, all of it or what the window shows, under `dist/screenshots/`, by a name made fit for a file. */
export async function takeScreenshot(page: Page, name: string, extent: 'page' | 'window' = 'page'): Promise<void> {
  const path = `${screenshots}${name.replaceAll(/[^\w/]+/g, '-')}.png`;
  await page.screenshot({ path, fullPage: extent === 'page' });
}

/** Where a test failed: how the page looks, its address, and what the services wrote last. */
export async function reportFailure(test: Mocha.Test | undefined, page: Page | undefined, stack: Stack): Promise<void> {
  if (!page || !test?.isFailed()) return;
  // A long list is higher than a screenshot can be.
  await takeScreenshot(page, `failed-${test.fullTitle()}`, 'window');
  process.stdout.write(`${page.url()}\n${stack.logs()}\n`);
}
