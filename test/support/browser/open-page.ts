import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { ServedPlatform, Stack } from '../services/stack.ts';

const screenshots = fileURLToPath(new URL('../../../dist/screenshots/', import.meta.url));

export interface OpenedPage {
  page: Page;
  /** Errors thrown by this page and others of its context, each with the page's address. */
  complaints: string[];
}

/** Opens a page with its own cookies in a desktop window in Taipei; options override the defaults. */
export async function openPage(browser: Browser, different: BrowserContextOptions = {}): Promise<OpenedPage> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    timezoneId: 'Asia/Taipei',
    locale: 'en-GB',
    // The contrast of something that is still fading in cannot be measured.
    reducedMotion: 'reduce',
    ...different,
  });
  context.setDefaultTimeout(30_000);
  const complaints: string[] = [];
  context.on('weberror', (thrown) => complaints.push(`${thrown.page()?.url()}: ${String(thrown.error())}`));
  return { page: await context.newPage(), complaints };
}

type Extent = 'page' | 'window';

/** The name is made safe for a file name. */
async function saveScreenshot(page: Page, name: string, extent: Extent): Promise<void> {
  const path = `${screenshots}${name.replaceAll(/[^\w/]+/g, '-')}.png`;
  await page.screenshot({ path, fullPage: extent === 'page' });
}

/**
 * For a reader who wants to look at the console: saves a screenshot of the whole page or the viewport under
 * `dist/screenshots/` if `SCREENSHOTS` is set. Drawing several hundred of them takes minutes.
 */
export async function takeScreenshot(page: Page, name: string, extent: Extent = 'page'): Promise<void> {
  if (process.env.SCREENSHOTS) await saveScreenshot(page, name, extent);
}

/** The demonstration's services are another process's: their logs are where it ends. */
type Reported = Pick<ServedPlatform, 'addresses'> & Partial<Pick<Stack, 'logs'>>;

/** The state at a failure: a screenshot, the page's address, and the last lines the services logged. */
export async function reportFailure(
  test: Mocha.Test | undefined,
  page: Page | undefined,
  stack: Reported,
): Promise<void> {
  if (!page || !test?.isFailed()) return;
  // A long list is taller than a screenshot can be.
  await saveScreenshot(page, `failed-${test.fullTitle()}`, 'window');
  process.stdout.write(`${page.url()}\n${stack.logs?.() ?? ''}\n`);
}
