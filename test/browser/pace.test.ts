import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Campaign } from '#domain/api/campaign.ts';
import type { Pace } from '#domain/api/pace.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { keyboardOn } from '../support/browser/keyboard.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { inOrder } from '../support/in-order.ts';
import { cardMessage, draftCampaign, subTasksOf } from '../support/outreach/campaigns.ts';
import { sandboxToken } from '../support/services/sandbox-token.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

const serviceNumberId = 'sn-quay';
const CONTACTS = 60;

describe('the pace of a campaign in the console', function () {
  this.timeout(120_000);
  inOrder(this);
  let ada: Person;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;
  let id: string;
  let kept: number;

  before(async function () {
    ({ ada, page, complaints, stack, tenant, close } = await openConsole(this, {
      serviceNumberId,
      contacts: CONTACTS,
    }));
    ({ id } = await draftCampaign(tenant, { name: 'Survey', messages: [cardMessage] }));
    await signIn(page, stack, ada);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  const open = (path: string) => page.goto(`${stack.addresses.bff}/app/campaigns/${id}${path}`);
  const campaign = () => tenant.api.get<Campaign>(`/campaigns/${id}`);
  /** Screenshots of it at the width of a desk and of a phone. */
  async function look(name: string): Promise<void> {
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 860 });
      await expectAccessible(page);
      await takeScreenshot(page, `pace-${name}-${width}`);
    }
  }
  async function change(pace: Pace): Promise<void> {
    const response = await fetch(`${stack.addresses.bff}/api/v1/campaigns/${id}`, {
      method: 'PATCH',
      headers: {
        Authorization: `Bearer ${await sandboxToken(tenant.sandbox, ada)}`,
        'Content-Type': 'application/json',
        'If-Match': '*',
      },
      body: JSON.stringify({ pace }),
    });
    expect(response.status).to.equal(200);
  }
  const submitted = async () =>
    (await subTasksOf(tenant, id)).filter(({ status }) => status !== 'pending' && status !== 'cancelled').length;

  it('is chosen by keyboard, forecasts the end, and says what to fix', async () => {
    await open('/edit?step=when');
    const { tabTo } = keyboardOn(page);
    const rate = page.getByRole('radio', { name: 'A fixed number per minute' });
    await tabTo(page.getByRole('radio', { name: 'All at once' }));
    await page.keyboard.press('ArrowDown');
    // The arrow also chooses, unless it is let go of at once, as here.
    await page.keyboard.press('Space');
    const perMinute = page.getByLabel('Contacts a minute', { exact: true });
    await perMinute.waitFor();
    expect(await rate.isChecked()).to.equal(true);
    await perMinute.fill('9');
    await page.keyboard.press('Tab');
    await page.getByText('At least 10 contacts a minute, and times that exist and differ').first().waitFor();
    await perMinute.fill('10');
    await page.getByText(/^Estimated finish: /).waitFor();
    await eventually('it is saved', async () => (await campaign()).pace?.perMinute === 10);
    await look('editor');
  });

  it('has quiet hours and a deadline', async () => {
    await page.getByRole('switch', { name: 'Quiet hours' }).click();
    await eventually('they are saved', async () => (await campaign()).pace?.quietHours?.from === '21:00');
    await page.getByRole('switch', { name: 'Deadline' }).click();
    await eventually('it is saved', async () => (await campaign()).pace?.deadline !== undefined);
    await look('deadline');
    await page.getByRole('switch', { name: 'Quiet hours' }).click();
    await eventually('they are gone', async () => (await campaign()).pace?.quietHours === undefined);
  });

  it('is said by the review and the dialog that sends, with the forecast', async () => {
    await open('/edit?step=review');
    await page.getByText('10 contacts a minute', { exact: true }).waitFor();
    const action = `Send to ${CONTACTS} contacts`;
    await page.getByRole('button', { name: action }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^Estimated finish: /).waitFor();
    await look('dialog');
    await dialog.getByRole('button', { name: action }).click();
    await page.waitForURL('**/progress**');
  });

  it('submits the first 10 contacts, and says when the next go and the last', async () => {
    await eventually('the first sub-task is submitted', async () => (await submitted()) === 1);
    await page.getByText(/^50 contacts are not submitted yet\. Next: .*\. Estimated finish: /).waitFor();
    const tasks = await subTasksOf(tenant, id);
    expect(tasks.map(({ contactCount }) => contactCount)).to.deep.equal([10, 10, 10, 10, 10, 10]);
    expect(await submitted()).to.equal(1);
    await look('progress');
  });

  it('keeps the rest back at the deadline, for an operator to decide', async () => {
    const deadline = new Date(Date.now() + 4000).toISOString();
    await change({ perMinute: 10, deadline });
    await eventually('it is paused', async () => (await campaign()).pauseReason === 'deadline');
    kept = CONTACTS - 10 * (await submitted());
    await page.reload();
    await page.getByText(`The deadline put ${kept} contacts on hold`).waitFor();
    await page
      .getByText(
        'Resume to send to them now, at the same pace. Change the pace to set another deadline. Cancel to skip them.',
      )
      .waitFor();
    await look('kept-back');
  });

  it('takes another pace and deadline, and waits for the operator all the same', async () => {
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Actions/ })
      .click();
    await page.getByRole('menuitem', { name: 'Change pace' }).click();
    await page.getByText(`${kept} contacts are not submitted yet. Nothing is submitted until you resume`).waitFor();
    const save = page.getByRole('button', { name: 'Change pace' });
    const perMinute = page.getByLabel('Contacts a minute', { exact: true });
    await perMinute.fill('9');
    await page.keyboard.press('Tab');
    await page.getByText('At least 10 contacts a minute, and times that exist and differ').first().waitFor();
    expect(await save.isDisabled()).to.equal(true);
    await perMinute.fill('60000');
    await page.getByText(/^Estimated finish: /).waitFor();
    expect(await page.getByText('When to send').count(), 'it has begun').to.equal(0);
    await look('changed');
    await save.click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    const { pace, status } = await campaign();
    expect(pace?.perMinute).to.equal(60_000);
    expect(new Date(pace?.deadline ?? 0)).to.be.greaterThan(new Date(Date.now() + 23 * 3_600_000));
    expect(status).to.equal('paused');
  });

  it('sends the rest at that pace once it is resumed', async () => {
    await page.getByRole('button', { name: 'Resume' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Send to \d+ contacts/ })
      .click();
    await eventually('it is completed', async () => (await campaign()).status === 'completed');
    expect((await subTasksOf(tenant, id)).reduce((sum, { contactCount }) => sum + contactCount, 0)).to.equal(CONTACTS);
    await open('/history');
    await page.getByText(/^Deadline: \d+ contacts on hold/).waitFor();
  });

  it('reads the same in Chinese', async () => {
    await page.evaluate(`localStorage.setItem('outreach.preferences', '{"locale":"zh-Hant"}')`);
    const copy = await tenant.api.post<Campaign>(`/campaigns/${id}:duplicate`, {});
    await page.goto(`${stack.addresses.bff}/app/campaigns/${copy.id}/edit?step=when`);
    await page.getByRole('radio', { name: '每分鐘固定人數' }).waitFor();
    await page.getByText(/^若無延誤，最後一批約在/).waitFor();
    await look('chinese');
    expect(complaints).to.deep.equal([]);
  });
});
