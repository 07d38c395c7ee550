import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import type { AuditEntryData } from '../../domain/orders/administration/audit.ts';
import type { CreatedData } from '../../domain/orders/responses.ts';
import { type JsonClient, jsonClient } from '../../scripts/demo/client.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { openPage, reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import { ada } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { openShop, type Shop } from '../support/services/shop.ts';
import type { Stack } from '../support/services/stack.ts';
import { eventually } from '../support/time/eventually.ts';

const { tenantId } = ada;

describe('the desk of order staff', function () {
  this.timeout(120_000);
  let browser: Browser;
  let page: Page;
  let stack: Stack;
  let orders: Shop;
  let sandbox: JsonClient;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;

  const open = (path: string) => page.goto(`${stack.addresses.bff}/app/${path}`);
  const shot = (name: string) => takeScreenshot(page, `order-desk-${name}`);
  const dialog = () => page.getByRole('dialog');

  /** An order whose charge was paid with another amount than agreed. */
  async function flagged(title: string): Promise<CreatedData> {
    const order = await orders.createBoxes(title);
    await orders.post(`/user/order/${order.orderId}/pay`, { tenantId });
    const [charge] = await orders.charges(order.orderNo);
    await sandbox.post(`/sandbox/charges/${charge?.chargeId}:pay`, { charge: { amount: 1000 } });
    await eventually('it is flagged', async () => (await orders.stored(order.orderId)).flags.length > 0);
    return order;
  }

  before(async function () {
    ({ browser, page, complaints, stack, close } = await openConsole(this, {
      serviceNumberId: 'sn-pier',
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

  it('finds what was decided about orders from the audit log, with who decided', async () => {
    const { orderId } = await flagged('Decided');
    await open(`orders/${orderId}`);
    await page.getByRole('button', { name: /^Complete/ }).click();
    await dialog()
      .getByRole('button', { name: /^Complete/ })
      .click();
    await orders.becomes(orderId, '30/30/30');
    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    await dialog().getByLabel('Reason').fill('Came back');
    await dialog()
      .getByRole('button', { name: /^Refund TWD/ })
      .click();
    await orders.becomes(orderId, '30/30/60');
    const { items } = await orders.read<{ items: AuditEntryData[] }>('/admin/audit');
    expect(
      items.filter(({ subject }) => subject.id === orderId).map(({ action, actor }) => [action, actor]),
    ).to.deep.equal([
      ['order.refund', ada.sub],
      ['order.resolve', ada.sub],
    ]);

    await open('audit-log');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Open the sales audit log' }).click();
    await page.waitForURL('**/app/orders-audit');
    for (const action of ['Decided on an order', 'Refunded an order']) {
      const row = page.getByRole('row').filter({ hasText: action });
      await row.getByRole('link', { name: orderId }).waitFor();
      await row.getByText(ada.name).waitFor();
    }
    await expectAccessible(page);
  });

  it('are among the people with all their roles, also with orders alone', async () => {
    const other = await openPage(browser);
    await signIn(other.page, stack, { name: 'Dan Hsu' }, '/app/orders');
    await other.page.close();
    await open('settings');
    const people = page.getByRole('table', { name: 'People and roles' });
    const dan = people.getByRole('row').filter({ hasText: 'Dan Hsu' });
    await dan.getByText('Order administrator').waitFor();
    expect(await dan.getByRole('link', { name: 'What they did', exact: true }).count()).to.equal(0);
    const own = people.getByRole('row').filter({ hasText: ada.name });
    await own.getByText('Tenant administrator').waitFor();
    await own.getByText('Order administrator').waitFor();
    await expectAccessible(page);
    await shot('people');
    await own.getByRole('link', { name: 'What they did with orders' }).click();
    await page.waitForURL(`**/orders-audit?actor=${ada.sub}`);
    await page.getByRole('row').filter({ hasText: 'Refunded an order' }).waitFor();
  });

  it('threw no error on any page', () => {
    expect(complaints).to.deep.equal([]);
  });
});
