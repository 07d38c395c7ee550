import type { Browser, Page } from 'playwright-core';
import type { Campaign } from '../../domain/api/campaign.ts';
import type { Page as ApiPage } from '../../domain/api/primitives.ts';
import { launchBrowser } from '../support/browser/launch.ts';
import { demoConsole } from '../support/browser/demo-console.ts';
import { ada } from '../support/browser/people.ts';
import { reportFailure } from '../support/browser/open-page.ts';
import { openWithClock, stopClock } from '../support/browser/clock.ts';
import { signIn } from '../support/browser/sign-in.ts';
import type { Stack } from '../support/services/stack.ts';
import { apiAs } from '../support/services/tenant.ts';

/** By the page's clock. */
const LONGEST_SILENCE_MS = 3000;

describe('a live view whose network goes silent', function () {
  this.timeout(120_000);
  let browser: Browser;
  let page: Page;
  let stack: Stack;

  before(async function () {
    browser = await launchBrowser(this);
    this.timeout(240_000);
    stack = await demoConsole();
    page = await openWithClock(browser);
  });

  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => browser?.close());

  it('reports it after three missed heartbeats although no connection ends, and recovers by itself', async () => {
    const api = await apiAs(stack, ada);
    const { items } = await api.get<ApiPage<Campaign>>('/campaigns?status=scheduled&limit=1');
    const id = items[0]?.id ?? '';
    const streamed = page.waitForResponse((response) => response.url().endsWith(`/campaigns/${id}/stream`));
    await signIn(page, stack, ada, `/app/campaigns/${id}/progress`);
    await streamed;
    const { pid } = stack.child('bff');
    const interrupted = 'Live updates are interrupted. Reconnecting';
    await stopClock(page);
    process.kill(pid, 'SIGSTOP');
    try {
      await page.clock.runFor(LONGEST_SILENCE_MS);
      await page.getByText(interrupted).waitFor();
    } finally {
      process.kill(pid, 'SIGCONT');
      await page.clock.resume();
    }
    await page.getByText(interrupted).waitFor({ state: 'hidden', timeout: 30_000 });
  });
});
