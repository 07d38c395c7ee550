import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { rows } from '#db/database.ts';
import type { Page as ListPage } from '#domain/api/primitives.ts';
import type { Repeat, RepeatRun } from '#domain/api/repeats.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { inOrder } from '../support/in-order.ts';
import { cardMessage, draftCampaign, subTasksOf } from '../support/outreach/campaigns.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

const serviceNumberId = 'sn-repeats';
const DAY = 86_400_000;

describe('a campaign on a calendar, in the console', function () {
  this.timeout(180_000);
  inOrder(this);
  let ada: Person;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;

  before(async function () {
    ({ ada, page, complaints, stack, tenant, close } = await openConsole(this, { serviceNumberId, contacts: 12 }));
    await draftCampaign(tenant, { name: 'Harbor letter', messages: [cardMessage] });
    await signIn(page, stack, ada);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  async function repeat(): Promise<Repeat> {
    const { items } = await tenant.api.get<ListPage<Repeat>>('/repeats');
    return items[0] ?? expect.fail('there is no repeat');
  }
  const runs = async () =>
    (await tenant.api.get<ListPage<RepeatRun>>(`/repeats/${(await repeat()).repeatId}/runs`)).items;
  /** Screenshots of it at the width of a desk and of a phone. */
  async function look(name: string): Promise<void> {
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 860 });
      await expectAccessible(page);
      await takeScreenshot(page, `repeats-${name}-${width}`);
    }
  }

  it('is chosen with days, time, zone and end, and says when it runs next', async () => {
    await page.goto(`${stack.addresses.bff}/app/repeats?sn=${serviceNumberId}`);
    await page.getByRole('button', { name: 'New repeat' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Weekly letter');
    await dialog.getByLabel(/^Campaign/).click();
    await page.getByRole('option', { name: /Harbor letter/ }).click();
    await dialog.getByRole('checkbox', { name: 'Monday' }).click();
    const start = dialog.getByRole('button', { name: 'Start the repeat' });
    await dialog.getByText('It would never run.').waitFor();
    expect(await start.isDisabled()).to.equal(true);
    await dialog.getByLabel('How often').selectOption({ label: 'Every day' });
    await dialog.getByText(/^Runs next: .+; .+; .+$/).waitFor();
    await dialog.getByRole('radio', { name: 'After a number of sends' }).click();
    await dialog.getByRole('textbox', { name: 'Number of sends' }).fill('3');
    await dialog.getByRole('switch', { name: /^Skip contacts already reached/ }).click();
    await look('dialog');
    await start.click();
    await page.getByRole('heading', { name: 'Weekly letter' }).waitFor();
    await page.getByText('No run yet').waitFor();
    expect(await repeat()).to.deep.include({
      calendar: { type: 'daily', at: '09:00' },
      maxRuns: 3,
      skipReached: true,
      status: 'active',
    });
  });

  it('sends at its time what the platform delivers, and lists its runs', async () => {
    const { repeatId, zone } = await repeat();
    const wall = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    const due = new Date(Math.floor((Date.now() - 60_000) / 60_000) * 60_000);
    // As if it had been made two days ago, and the services had been away yesterday.
    await rows(
      stack.database.connect('outreach'),
      `update campaign_repeat set next_at = :first, next_local_time = 'then', calendar = jsonb_build_object('type', 'daily',
         'at', :at::text) where repeat_id = :repeatId`,
      { first: new Date(due.getTime() - DAY), at: wall.format(due), repeatId },
    );
    await eventually('both times have had their run', async () => (await runs()).length === 2, { timeoutMs: 60_000 });
    const [sent, missed] = await runs();
    expect([sent?.outcome, missed?.outcome]).to.deep.equal(['sent', 'missed']);
    const campaignId = sent?.campaignId ?? expect.fail('it has no campaign');
    await eventually('the platform has sent it', async () => {
      const tasks = await subTasksOf(tenant, campaignId);
      return (
        tasks.length > 0 && tasks.every(({ status, summary }) => status === 'completed' && (summary.sent ?? 0) > 0)
      );
    });
    await page.reload();
    await page.getByRole('row', { name: /Sent/ }).waitFor();
    await page.getByRole('row', { name: /Missed/ }).waitFor();
    await look('runs');
    await page.getByRole('link', { name: /the campaign of / }).click();
    await page.getByRole('heading', { name: /^Weekly letter · \d{4}-\d\d-\d\d \d\d:\d\d$/ }).waitFor();
    await page.goBack();
  });

  it('is paused, resumed, changed and ended', async () => {
    await page.getByRole('main').getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByRole('main').getByText('Paused', { exact: true }).waitFor();
    expect((await repeat()).status).to.equal('paused');
    // As `npm run restored` pauses it.
    await stack.database
      .connect(
        'outreach',
        'owner',
      )('campaign_repeat')
      .where({ repeat_id: (await repeat()).repeatId })
      .update({ pause_reason: 'restored' });
    await page.reload();
    await page.getByText(/^Paused because the database was restored from a backup/).waitFor();
    await look('restored');
    await page.getByRole('main').getByRole('button', { name: 'Resume', exact: true }).click();
    await page.getByRole('main').getByText('Active', { exact: true }).waitFor();
    expect((await repeat()).status).to.equal('active');
    await page.getByRole('main').getByRole('button', { name: 'Change', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('How often').selectOption({ label: 'Every month' });
    await dialog.getByLabel('Day of the month').fill('31');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText(/^On day 31 of every month at /).waitFor();
    await page.getByRole('main').getByRole('button', { name: 'End the repeat' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End the repeat' }).click();
    await page.getByText('Somebody ended it').waitFor();
    expect(await repeat()).to.deep.include({ status: 'ended', endReason: 'operator', nextAt: null });
    expect(complaints).to.deep.equal([]);
  });
});
