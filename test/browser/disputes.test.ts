import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { DisputeData } from '#domain/orders/administration/disputes.ts';
import { type JsonClient, jsonClient } from '#scripts/demo/client.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { openShop, type Shop } from '../support/services/shop.ts';
import type { Stack } from '../support/services/stack.ts';
import { eventually } from '../support/time/eventually.ts';

describe('disputes in the console', function () {
  this.timeout(120_000);
  let page: Page;
  let stack: Stack;
  let orders: Shop;
  let sandbox: JsonClient;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;

  const open = (path: string) => page.goto(`${stack.addresses.bff}/app/${path}`);
  const dialog = () => page.getByRole('dialog');

  before(async function () {
    let ada: Person;
    ({ ada, page, complaints, stack, close } = await openConsole(this, {
      serviceNumberId: 'sn-disputes',
      contacts: 1,
    }));
    orders = await openShop(stack, ada);
    sandbox = jsonClient(stack.addresses.sandbox);
    await signIn(page, stack, ada);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  it('shows what is due when, keeps notes, and what became of it', async () => {
    const orderId = await orders.payBoxes('Disputed boxes');
    const [charge] = await orders.charges((await orders.stored(orderId)).orderNo);
    const control = (verb: string, body: object) => sandbox.post(`/sandbox/charges/${charge?.chargeId}:${verb}`, body);
    await control('dispute', { amount: 234.5, reason: 'product_not_received', dueAt: '2030-01-02T03:04:05Z' });
    await eventually('it is booked', async () => (await orders.stored(orderId)).disputes.length === 1);

    await open('orders');
    await page.getByRole('row').filter({ hasText: orderId }).or(page.getByText('Disputed boxes')).first().waitFor();
    await page.getByText('Disputed', { exact: true }).first().waitFor();
    await open('unmatched-money');
    await page.getByRole('link', { name: 'Disputes' }).click();
    await page.waitForURL('**/app/unmatched-money/disputes');
    const row = page.getByRole('row').filter({ hasText: 'TWD 234.50' });
    await row.getByText('product_not_received').waitFor();
    await row.getByText('Evidence until').waitFor();
    await row.getByText('2030').waitFor();
    await page.setViewportSize({ width: 320, height: 640 });
    await expectAccessible(page);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).to.equal(320);
    await page.setViewportSize({ width: 1280, height: 860 });
    await expectAccessible(page);
    await takeScreenshot(page, 'disputes');
    await row.getByRole('button', { name: 'Add a note' }).click();
    await dialog().getByLabel('Note').fill('Sent the courier’s receipt');
    await expectAccessible(page);
    await dialog().getByRole('button', { name: 'Add note' }).click();
    await dialog().waitFor({ state: 'detached' });
    await row.getByText('Sent the courier’s receipt').waitFor();
    const { items } = await orders.read<{ items: DisputeData[] }>('/admin/disputes');
    expect(items.flatMap(({ notes }) => notes.map(({ authorName, text }) => [authorName, text]))).to.deep.equal([
      ['Ada Lin', 'Sent the courier’s receipt'],
    ]);

    await open(`orders/${orderId}`);
    await page.getByText('TWD 1,000.00 can still be refunded.').waitFor();
    const own = page.getByRole('table', { name: 'Disputes' });
    await own.getByText('Sent the courier’s receipt').waitFor();
    await expectAccessible(page);
    await control('close-dispute', { outcome: 'lost' });
    await orders.becomes(orderId, '30/30/70');
    await page.reload();
    await own.getByText('Lost', { exact: true }).waitFor();
    const refunds = page.getByRole('table', { name: 'Refunds' });
    await refunds.getByText('Lost in a dispute').waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'dispute-lost');
    expect(complaints).to.deep.equal([]);
  });
});
