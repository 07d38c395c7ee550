import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { CreatedData } from '#domain/orders/responses.ts';
import { type JsonClient, jsonClient } from '#scripts/demo/client.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { openShop, type Shop } from '../support/services/shop.ts';
import type { Stack } from '../support/services/stack.ts';
import { eventually } from '../support/time/eventually.ts';

describe('what the checkout says of payments that go another way', function () {
  this.timeout(120_000);
  let ada: Person;
  let tenantId: string;
  let page: Page;
  let stack: Stack;
  let orders: Shop;
  let sandbox: JsonClient;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;

  const open = ({ orderId }: Pick<CreatedData, 'orderId'>) =>
    page.goto(`${stack.addresses.bff}/app/checkout/${orderId}?tenantId=${tenantId}`);
  const stage = (name: string) => page.locator(`[data-stage="${name}"]`).waitFor();
  const shot = (name: string) => takeScreenshot(page, `checkout-${name}`);
  const charges = async ({ orderNo }: Pick<CreatedData, 'orderNo'>) =>
    (await orders.charges(orderNo)).map(({ amount, status }) => ({ amount, status }));
  const payButton = () => page.getByRole('button', { name: 'Pay NT$1,234.50' });
  const actions = () => page.getByRole('button', { name: /^(Pay|Cancel)/ }).count();

  /** An order whose charge was paid with another amount than agreed. */
  async function flagged(title: string): Promise<CreatedData> {
    const order = await orders.createBoxes(title);
    await orders.post(`/user/order/${order.orderId}/pay`, { tenantId });
    const [charge] = await orders.charges(order.orderNo);
    await sandbox.post(`/sandbox/charges/${charge?.chargeId}:pay`, { charge: { amount: 1000 } });
    await eventually('it is flagged', async () => (await orders.stored(order.orderId)).flags.length > 0);
    return order;
  }
  const cancelAtGateway = async () => {
    await page.waitForURL('**/payment-gateway/pay/**');
    await page.getByRole('button', { name: 'Cancel' }).click();
  };

  before(async function () {
    ({ ada, page, complaints, stack, close } = await openConsole(this, {
      serviceNumberId: 'sn-checkout-truth',
      contacts: 1,
    }));
    ({ tenantId } = ada);
    orders = await openShop(stack, ada);
    sandbox = jsonClient(stack.addresses.sandbox);
    await signIn(page, stack, ada);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  it('says that another amount is being checked, what was received, and offers nothing; then follows the decision', async () => {
    const order = await flagged('Paid with too little');
    await open(order);
    await stage('checking');
    await page.getByText('We are checking your payment').waitFor();
    await page.getByText('We received NT$1,000; the order is for NT$1,234.50.').waitFor();
    expect(await actions(), 'nothing to press').to.equal(0);
    expect(await page.getByRole('timer').count(), 'no time runs out').to.equal(0);
    await expectAccessible(page);
    await shot('checking');
    await orders.post(`/admin/orders/${order.orderId}/resolve`, { outcome: 'complete' });
    await stage('paid');
    await page.getByText('Your payment of NT$1,000 has arrived').waitFor();
    expect(await orders.statuses(order.orderId)).to.equal('30/30/30');
  });

  it('pays anew after a cancel at the gateway, where the first charge is dead', async () => {
    const order = await orders.createBoxes('Second thoughts');
    const before = (await orders.balances()).tenant;
    await open(order);
    await payButton().click();
    await cancelAtGateway();
    await page.waitForURL('**/app/checkout/**returned=cancelled');
    await page.getByText('You left the payment page').waitFor();
    await expectAccessible(page);
    await shot('left');
    await payButton().click();
    await page.waitForURL('**/payment-gateway/pay/**');
    await page.getByRole('button', { name: 'Pay TWD 1,234.5' }).click();
    await page.waitForURL('**/app/checkout/**returned=paid');
    await stage('paid');
    expect(await orders.statuses(order.orderId)).to.equal('30/30/30');
    expect(await charges(order)).to.deep.equal([
      { amount: 1234.5, status: 'cancelled' },
      { amount: 1234.5, status: 'paid' },
    ]);
    const { available, committed } = (await orders.balances()).tenant;
    expect({ available, committed }, 'held twice, taken once').to.deep.equal({
      available: before.available - 40,
      committed: before.committed + 40,
    });
    const { attempts } = await orders.stored(order.orderId);
    expect(attempts.map(({ holdStatus }) => holdStatus)).to.deep.equal(['released', 'committed']);
  });

  it('stays open beside a payment page that knows no way back, and follows what happens there', async () => {
    const order = await orders.createBoxes('No way back');
    await orders.post(`/user/order/${order.orderId}/pay`, { tenantId });
    await open(order);
    await stage('waiting');
    const [tab] = await Promise.all([page.waitForEvent('popup'), payButton().click()]);
    await tab.waitForURL('**/payment-gateway/pay/**');
    await tab.getByRole('button', { name: /^Pay/ }).click();
    await tab.getByText('Go back to the page you came from').waitFor();
    await tab.close();
    await stage('paid');
    expect(await orders.statuses(order.orderId)).to.equal('30/30/30');
  });

  it('leads from an order that ended to a new one of the same goods, once', async () => {
    const order = await orders.createBoxes('Once more');
    await orders.post(`/user/order/${order.orderId}/cancel`, { tenantId });
    await open(order);
    await stage('cancelled');
    await page.getByRole('button', { name: 'Order again' }).dblclick();
    await stage('payable');
    await payButton().waitFor();
    const { items } = await orders.read<{ items: { orderStatus: number; orderNo: string }[] }>(
      '/admin/orders?q=Once more',
    );
    expect(items.map(({ orderStatus }) => orderStatus)).to.deep.equal([0, 60]);
    expect(page.url()).to.not.contain(order.orderId);
    const money = await orders.create({ title: 'Money alone', moneyAmount: 50, grossMoneyAmount: 50 });
    await orders.post(`/user/order/${money.orderId}/cancel`, { tenantId });
    await open(money);
    await page.getByRole('button', { name: 'Order again' }).click();
    await page.getByRole('button', { name: 'Pay NT$50' }).waitFor();
  });

  it('asks for nothing any more where an order is paid, cancelled or refunded', async () => {
    const paid = await orders.payBoxes('Paid');
    await open({ orderId: paid });
    await stage('paid');
    const amounts = page.getByRole('region', { name: 'Amounts' });
    await amounts.getByText('Paid', { exact: true }).waitFor();
    expect(await amounts.getByText('To pay').count()).to.equal(0);

    await orders.post(`/admin/orders/${paid}/refund`, { reason: 'Returned', key: `refund-${paid}` });
    await orders.becomes(paid, '30/30/60');
    await open({ orderId: paid });
    await stage('returned');
    await amounts.getByText('Paid', { exact: true }).waitFor();
    expect(await amounts.getByText('To pay').count()).to.equal(0);

    const cancelled = await orders.createBoxes('Cancelled');
    await orders.post(`/user/order/${cancelled.orderId}/cancel`, { tenantId });
    await open(cancelled);
    await stage('cancelled');
    await amounts.getByText('Order total', { exact: true }).waitFor();
    expect(await amounts.getByText('To pay').count()).to.equal(0);
    await expectAccessible(page);
  });

  it('threw no error on any page', () => {
    expect(complaints).to.deep.equal([]);
  });
});
