import type { Page } from 'playwright-core';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure } from '../support/browser/open-page.ts';
import { openWithClock, stopClock } from '../support/browser/clock.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { draftCampaign } from '../support/outreach/campaigns.ts';
import type { Stack } from '../support/services/stack.ts';

/** By the page's clock. */
const LONGEST_SILENCE_MS = 3000;

describe('a live view whose network goes silent', function () {
  this.timeout(120_000);
  let page: Page;
  let stack: Stack;
  let close: (() => Promise<void>) | undefined;

  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  it('reports it after three missed heartbeats although no connection ends, and recovers by itself', async function () {
    const opened = await openConsole(this, { serviceNumberId: 'sn-silent', contacts: 1 });
    const { tenant, ada, browser } = opened;
    ({ stack, close } = opened);
    page = await openWithClock(browser);
    const at = new Date(Date.now() + 86_400_000).toISOString();
    const { id } = await draftCampaign(tenant, { schedule: { type: 'scheduled', at } });
    await tenant.api.post(`/campaigns/${id}:send`);
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
