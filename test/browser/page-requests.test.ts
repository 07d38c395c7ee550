import { expect } from 'chai';
import type { Browser, Frame, Page, Request } from 'playwright-core';
import { isWhole } from '../support/extent.ts';
import { launchBrowser } from '../support/browser/launch.ts';
import { addressesOf } from '../support/browser/console-addresses.ts';
import { samplesOfDemo } from '../support/browser/console-samples.ts';
import { type DemoConsole, demoConsole } from '../support/browser/demo-console.ts';
import { ada } from '../support/browser/people.ts';
import { eventually } from '../support/time/eventually.ts';
import { openPage } from '../support/browser/open-page.ts';
import { shiftOf } from '../support/browser/shift.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { apiAs } from '../support/services/tenant.ts';
import { builtLater } from '#web/check-budget.ts';

/** For one page opened afresh; a list that fills a tall window loads up to four pages of 200 rows, 45 KB each. */
const LIMITS = { calls: 12, bytes: 200_000, shift: 0.1 };

/** The requests of a page to the frontend API until it showed everything. */
interface Load {
  calls: number;
  /** Of all responses, as sent. */
  bytes: number;
  /** Requests made more than once. */
  repeated: string[];
  /** How far what was visible has moved meanwhile. */
  shift: number;
  /** Scripts and styles of the page that its HTML does not name: the browser had to wait for others to hear of them. */
  unannounced: string[];
  /** The slowest request of any kind and how many milliseconds it took: what to look at when a page was not complete in time. */
  slowest: string;
  /** Milliseconds until it was complete. */
  took: number;
  /** What was missing when it was last looked at before it was complete: requests, and the words around what is loading. */
  missing: string[];
}

const isCall = (request: Request): boolean => new URL(request.url()).pathname.startsWith('/api/v1/');
const isAsset = (request: Request): boolean => new URL(request.url()).pathname.startsWith('/assets/');
const isStream = (request: Request): boolean => request.url().endsWith('/stream');

/** The requests of the page from now on, until it is stopped. */
function follow(page: Page) {
  const assets = new Set<string>();
  const begun: Request[] = [];
  const finished: Request[] = [];
  const failed: Request[] = [];
  const ended: Request[] = [];
  const isCounted = (request: Request) => isCall(request) && !isStream(request);
  const onRequest = (request: Request) => {
    if (isAsset(request)) assets.add(new URL(request.url()).pathname.slice(1));
    if (isCounted(request)) begun.push(request);
  };
  const onFinished = (request: Request) => {
    ended.push(request);
    if (isCounted(request)) finished.push(request);
  };
  const onFailed = (request: Request) => failed.push(request);
  // A request of the page before, made while this one is asked for, may neither finish nor fail. What comes later is the
  // page's own change of its address.
  let isHere = false;
  const onNavigated = (frame: Frame) => {
    if (frame !== page.mainFrame() || isHere) return;
    isHere = true;
    assets.clear();
    for (const requests of [begun, finished, failed, ended]) requests.length = 0;
  };
  page.on('request', onRequest).on('requestfinished', onFinished).on('requestfailed', onFailed);
  page.on('framenavigated', onNavigated);
  return {
    assets,
    begun,
    finished,
    /** Those that finished, of any kind. */
    ended,
    open: () => begun.filter((request) => !finished.includes(request) && !failed.includes(request)),
    stop: () => {
      page.off('request', onRequest).off('requestfinished', onFinished).off('requestfailed', onFailed);
      page.off('framenavigated', onNavigated);
    },
  };
}

describe('the requests of a page until it is complete', function () {
  this.timeout(240_000);
  let browser: Browser;
  let stack: DemoConsole;
  let page: Page;
  let complaints: string[];

  before(async function () {
    browser = await launchBrowser(this);
    this.timeout(240_000);
    stack = await demoConsole();
    ({ page, complaints } = await openPage(browser));
    await signIn(page, stack, ada);
  });
  after(() => browser?.close());

  /** What is loaded once a page shows, such as charts. */
  let later: Set<string>;
  before(() => {
    later = builtLater();
  });

  async function load(path: string): Promise<Load> {
    const { assets, begun, finished, ended, open, stop } = follow(page);
    const opened = performance.now();
    const html = (await (await page.goto(`${stack.addresses.bff}${path}`))?.text()) ?? '';
    await page.locator('main').waitFor();
    let missing: string[] = [];
    await eventually('the page shows everything', async () => {
      const loading = await page.evaluate<string[]>(
        `[...document.querySelectorAll('.animate-pulse')].map(({ parentElement }) => parentElement.outerHTML.slice(0, 300))`,
      );
      const lacking = [...open().map((request) => request.url()), ...loading];
      if (lacking.length === 0) return begun.length > 0;
      missing = lacking;
      throw new Error(`${path} lacks ${missing.join(', ')}; ${finished.length} of ${begun.length} requests finished`);
    });
    stop();
    const took = Math.round(performance.now() - opened);
    const sizes = await Promise.all(finished.map((request) => request.sizes()));
    const urls = begun.map((request) => request.url());
    const [slowest] = ended.toSorted((a, b) => b.timing().responseEnd - a.timing().responseEnd);
    return {
      calls: urls.length,
      bytes: sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0),
      shift: await shiftOf(page),
      repeated: urls.filter((url, index) => urls.indexOf(url) !== index),
      slowest: `${Math.round(slowest?.timing().responseEnd ?? 0)} ms: ${slowest?.url()}`,
      took,
      missing,
      unannounced: [...assets].filter((name) => !html.includes(`"/${name}"`) && !later.has(name)),
    };
  }

  it('are few, unique and small, and their responses move nothing that is visible', async () => {
    const samples = await samplesOfDemo(await apiAs(stack, ada));
    const over: Record<string, Load> = {};
    const pages = await addressesOf(page, 'app', samples);
    for (const { name, address } of isWhole(import.meta.url) ? pages : pages.filter((_, turn) => turn % 4 === 0)) {
      const counted = await load(address);
      const { calls, bytes, shift, repeated, unannounced } = counted;
      if (
        calls > LIMITS.calls ||
        bytes > LIMITS.bytes ||
        shift > LIMITS.shift ||
        repeated.length + unannounced.length > 0
      )
        over[name] = counted;
    }
    expect(over).to.deep.equal({});
    expect(complaints).to.deep.equal([]);
  });

  for (const [path, last] of [
    ['/app/settings', 'integration'],
    ['/app/campaigns/new', 'me'],
  ] as const)
    it(`move nothing at ${path} where ${last}, which it begins with, comes last`, async () => {
      const late = `**/api/v1/${last}`;
      await page.route(late, async (route) => {
        await eventually('everything else is there', async () => (await page.getByRole('switch').count()) > 0, {
          timeoutMs: 1500,
        }).catch(() => undefined);
        await route.continue();
      });
      const { shift } = await load(path);
      await page.unroute(late);
      expect(shift).to.be.below(LIMITS.shift);
    });
});
