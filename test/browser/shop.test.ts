import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { StaffOrderData } from '#domain/orders/responses.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { openShop, type Shop } from '../support/services/shop.ts';
import type { Stack } from '../support/services/stack.ts';

describe('the shop of the sandbox', function () {
  this.timeout(120_000);
  let ada: Person;
  let tenantId: string;
  let userId: string;
  let page: Page;
  let stack: Stack;
  let orders: Shop;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;

  const stage = (name: string) => page.locator(`[data-stage="${name}"]`).waitFor();
  async function order(what: RegExp): Promise<void> {
    await page.goto(`${stack.addresses.sandbox}/shop?person=${userId}`);
    await page.getByRole('button', { name: what }).click();
    await page.waitForURL('**/app/checkout/**');
    await stage('payable');
  }

  before(async function () {
    ({ ada, page, complaints, stack, close } = await openConsole(this, { serviceNumberId: 'sn-shop', contacts: 1 }));
    ({ tenantId, sub: userId } = ada);
    orders = await openShop(stack, ada);
    await orders.post('/admin/points/grant', { tenantId, userId, kind: 'wallet', amount: 1000, key: 'wallet' });
    await orders.put('/admin/coupons/shop-tea', { tenantId, userId, name: 'Free tea' });
    await signIn(page, stack, ada);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  it('creates orders of every kind, each for the checkout', async () => {
    await page.goto(`${stack.addresses.sandbox}/shop`);
    await page.getByRole('heading', { name: 'Goods', exact: true }).waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'sandbox-shop');
    await page.setViewportSize({ width: 320, height: 640 });
    await expectAccessible(page);
    await page.setViewportSize({ width: 1280, height: 860 });
    for (const what of [
      /^Order Winter box/,
      /^Order Money: /,
      /^Order Money and wallet/,
      /^Order Points/,
      /^Order A coupon/,
    ])
      await order(what);
    const { items } = await orders.read<{ items: StaffOrderData[] }>('/admin/orders');
    expect(
      items.map(({ totalMoney, pointsPlan: plan }) => [totalMoney, plan.tenantPoints, plan.walletPoints]),
    ).to.deep.equal([
      [0, 0, 0],
      [0, 60, 0],
      [150, 0, 400],
      [250, 0, 0],
      [617.25, 20, 0],
    ]);
    expect(items[0]?.pointsPlan.couponIds).to.deep.equal(['shop-tea']);
  });

  it('leads from its order to a payment', async () => {
    await order(/^Order Money: /);
    await page.getByRole('button', { name: 'Pay NT$250' }).click();
    await page.waitForURL('**/payment-gateway/pay/**');
    await page.getByRole('button', { name: /^Pay/ }).click();
    await page.waitForURL('**/app/checkout/**returned=paid');
    await stage('paid');
  });

  it('says why the order service refused', async () => {
    await page.goto(`${stack.addresses.sandbox}/shop?person=eva`);
    await page.getByRole('button', { name: /^Order Money: / }).click();
    await page.getByRole('alert').getByText('Nothing was ordered. 90201').waitFor();
  });

  it('threw no error on any page', () => {
    expect(complaints).to.deep.equal([]);
  });
});
