import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Campaign } from '#domain/api/campaign.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { inOrder } from '../support/in-order.ts';
import { draftCampaign } from '../support/outreach/campaigns.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

const serviceNumberId = 'sn-calendar';
const DAY_MS = 86_400_000;

describe('the calendar in the console', function () {
  this.timeout(120_000);
  inOrder(this);
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;
  let id: string;
  /** Wednesday of the week after the next, so that neither neighbour is of another week; noon in Taipei. */
  const planned = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS + 4 * 3_600_000);
  planned.setUTCDate(planned.getUTCDate() + ((3 - planned.getUTCDay() + 7) % 7) + 14);
  const dayAfter = (days: number) => new Date(planned.getTime() + days * DAY_MS).toISOString();

  before(async function () {
    const opened = await openConsole(this, { serviceNumberId, contacts: 3 });
    ({ page, complaints, stack, tenant, close } = opened);
    const schedule = { type: 'scheduled' as const, at: planned.toISOString(), audience: 'at_start' as const };
    ({ id } = await draftCampaign(tenant, { name: 'Lanterns', schedule }));
    await tenant.api.post(`/campaigns/${id}:send`, {});
    const template = await draftCampaign(tenant, { name: 'Template' });
    await tenant.api.post('/repeats', {
      name: 'Kites',
      campaignId: template.id,
      calendar: { type: 'daily', at: '09:00' },
      zone: 'Asia/Taipei',
    });
    await signIn(page, stack, opened.ada);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  const open = (view: string) =>
    page.goto(
      `${stack.addresses.bff}/app/calendar?sn=${serviceNumberId}&view=${view}&day=${planned.toISOString().slice(0, 10)}`,
    );
  const entry = () => page.getByRole('link', { name: 'Lanterns' });
  const label = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' });
  const cellOf = (at: string) =>
    page.getByRole('listitem').filter({
      has: page.getByRole('heading', { name: label.format(new Date(at)), exact: true }),
    });
  const stored = async () => {
    const { schedule } = await tenant.api.get<Campaign>(`/campaigns/${id}`);
    return schedule.type === 'scheduled' ? schedule.at : null;
  };
  const confirm = () => page.getByRole('dialog').getByRole('button', { name: 'Move campaign' }).click();

  it('shows month and week, on a phone too', async () => {
    for (const view of ['month', 'week']) {
      await open(view);
      await entry().waitFor();
      await page.getByRole('link', { name: 'Kites' }).first().waitFor();
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 860 });
        await expectAccessible(page);
        await takeScreenshot(page, `calendar-${view}-${width}`);
      }
    }
    await page.getByRole('button', { name: 'Next week' }).click();
    await entry().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Previous week' }).click();
    await entry().waitFor();
  });

  it('moves a scheduled campaign by keys', async () => {
    await entry().focus();
    await page.keyboard.press('Shift+ArrowRight');
    await page.getByRole('dialog', { name: 'Move “Lanterns”?' }).waitFor();
    await takeScreenshot(page, 'calendar-move');
    await confirm();
    await eventually('it is a day later', async () => (await stored()) === dayAfter(1));
    await cellOf(dayAfter(1)).getByRole('link', { name: 'Lanterns' }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('moves a scheduled campaign by dragging', async () => {
    const target = cellOf(dayAfter(-1));
    await page.locator('[draggable=true]', { hasText: 'Lanterns' }).dragTo(target, { sourcePosition: { x: 8, y: 8 } });
    await confirm();
    await eventually('it is two days earlier', async () => (await stored()) === dayAfter(-1));
    await target.getByRole('link', { name: 'Lanterns' }).waitFor();
  });

  it('moves no run of a repeat', async () => {
    await page.getByRole('link', { name: 'Kites' }).first().focus();
    await page.keyboard.press('Shift+ArrowRight');
    expect(await page.getByRole('dialog').count()).to.equal(0);
  });

  it('threw no error on any page', () => {
    expect(complaints).to.deep.equal([]);
  });
});
