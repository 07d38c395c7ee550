import type { Browser, Page } from 'playwright-core';
import { seedDemo } from '../scripts/demo.ts';
import { addressesOf } from '../test/support/browser/console-addresses.ts';
import { samplesOfDemo } from '../test/support/browser/console-samples.ts';
import { startBrowser } from '../test/support/browser/launch.ts';
import { openPage } from '../test/support/browser/open-page.ts';
import { ada } from '../test/support/browser/people.ts';
import { signIn } from '../test/support/browser/sign-in.ts';
import { contactList } from '../test/support/outreach/contact-list.ts';
import { type Stack, startStack } from '../test/support/services/stack.ts';
import { apiAs } from '../test/support/services/tenant.ts';
import { eventually } from '../test/support/time/eventually.ts';
import { serveStaticPage } from './floors/static-page.ts';
import { mainThreadTasks } from './main-thread.ts';
import { median } from './rounds.ts';

const CONTACTS = 20_000;
const LONG_TASK_MS = 50;
/** The specification's limits: largest contentful paint in milliseconds, and cumulative layout shift. */
const LIMITS = { lcp: 1000, cls: 0.1, longestTaskMs: LONG_TASK_MS };

interface Vitals {
  lcp: number;
  cls: number;
}

/** Collects the vitals in the page from its start. */
const observe = `
  window.vitals = { lcp: 0, cls: 0 };
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) window.vitals.lcp = startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) window.vitals.cls += value;
  }).observe({ type: 'layout-shift', buffered: true });`;

async function visit(page: Page, address: string): Promise<Vitals> {
  await page.goto(address);
  const { lcp, cls } = await eventually('the page has painted everything', async () => {
    const loading = await page.evaluate<boolean>(`Boolean(document.querySelector('.animate-pulse'))`);
    const vitals = await page.evaluate<Vitals>('window.vitals');
    return !loading && vitals.lcp > 0 && vitals;
  });
  return { lcp: Math.round(lcp), cls: Math.round(cls * 1000) / 1000 };
}

async function visitEveryPage(page: Page, stack: Stack): Promise<Record<string, Vitals>> {
  await page.addInitScript(observe);
  const vitals: Record<string, Vitals> = {};
  const samples = await samplesOfDemo(await apiAs(stack, ada));
  for (const { name, address } of await addressesOf(page, 'app', samples))
    vitals[name] = await visit(page, `${stack.addresses.bff}${address}`);
  return vitals;
}

interface FirstPaint {
  lcpMs: number;
  floorMs: number;
  /** Files requested until then, with the page itself, without calls of the API. */
  files: number;
}

/** How soon the overview shows in a browser that has nothing of it, beside a page of the same files that runs nothing. */
async function firstPaint(browser: Browser, page: Page, stack: Stack, rounds: number): Promise<FirstPaint> {
  const address = `${stack.addresses.bff}/app`;
  const storageState = await page.context().storageState();
  const html = (await (await page.goto(address))?.text()) ?? '';
  const floor = await serveStaticPage(html);
  async function cold(at: string): Promise<{ lcp: number; files: number }> {
    const { page: fresh } = await openPage(browser, { storageState });
    await fresh.addInitScript(observe);
    const { lcp } = await visit(fresh, at);
    const files = `performance.getEntriesByType('resource').filter(({ name, startTime }) =>
      startTime < ${lcp} && !name.includes('/api/')).map(({ name }) => name)`;
    const names = new Set(await fresh.evaluate<string[]>(files));
    await fresh.context().close();
    return { lcp, files: names.size + 1 };
  }
  const shown: { lcp: number; files: number }[] = [];
  const least: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    shown.push(await cold(address));
    least.push((await cold(floor.address)).lcp);
  }
  floor.stop();
  const lcpMs = median(shown.map(({ lcp }) => lcp));
  return { lcpMs, floorMs: median(least), files: Math.max(...shown.map(({ files }) => files)) };
}

/** Scrolls the list of contacts from start to end and measures the main thread's tasks. */
async function scrollContacts(browser: Browser, page: Page, stack: Stack) {
  const { tenantId, serviceNumberId } = ada;
  await stack.database.connect('outreach', 'owner').raw(
    `insert into contact_profile (tenant_id, service_number_id, contact_id, display_name, follow_state, last_event_at)
     select ?, ?, 'z-' || lpad(n::text, 6, '0'), 'Contact ' || n, 'following', now() from generate_series(1, ?::int) as n`,
    [tenantId, serviceNumberId, CONTACTS],
  );
  await page.goto(`${stack.addresses.bff}/app/contacts?sn=${serviceNumberId}`);
  await page.getByRole('row').nth(10).waitFor();
  const tasks = await mainThreadTasks(browser, page, async () => void (await contactList(page).scrollTo(CONTACTS)));
  const longestTaskMs = Math.round(Math.max(...tasks));
  return { contacts: CONTACTS, longestTaskMs, longTasks: tasks.filter((ms) => ms > LONG_TASK_MS).length };
}

/**
 * How soon each page of the console appears and whether it stays stable, and the main thread's tasks while
 * scrolling.
 */
export async function consoleVitals({ rounds = 5 }: { rounds?: number }) {
  const browser = await startBrowser();
  if (!browser) throw new Error('There is no browser: install Chromium or set CHROME_PATH');
  const stack = await startStack({ web: true });
  try {
    await seedDemo(stack.settings);
    const { page } = await openPage(browser);
    await signIn(page, stack, ada);
    const overview = await firstPaint(browser, page, stack, rounds);
    const scrolling = await scrollContacts(browser, page, stack);
    return { limits: LIMITS, overview, scrolling, pages: await visitEveryPage(page, stack) };
  } finally {
    await browser.close();
    await stack.stop();
  }
}
