import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import type { AuditEntryData } from '#domain/orders/administration/audit.ts';
import type { CouponData, GoodsData } from '#domain/orders/administration/catalogue.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { openShop, ordersAs, type Shop } from '../support/services/shop.ts';
import type { Stack } from '../support/services/stack.ts';
import { eventually } from '../support/time/eventually.ts';

describe('goods, coupons and points in the console', function () {
  this.timeout(120_000);
  let ada: Person;
  let userId: string;
  let page: Page;
  let stack: Stack;
  let orders: Shop;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;

  const open = (path: string) => page.goto(`${stack.addresses.bff}/app/${path}`);
  const goods = (id: string) => orders.read<GoodsData>(`/admin/goods/${id}`);
  const dialog = () => page.getByRole('dialog');
  /** Presses a dialog's button and waits until the dialog is gone. */
  async function confirm(name: string | RegExp): Promise<void> {
    await expectAccessible(page);
    await dialog().getByRole('button', { name, exact: true }).click();
    await dialog().waitFor({ state: 'detached' });
  }
  const cellsOf = (row: Locator): Promise<string[]> => row.getByRole('cell').allInnerTexts();

  before(async function () {
    ({ ada, page, complaints, stack, close } = await openConsole(this, { serviceNumberId: 'sn-sales', contacts: 1 }));
    ({ sub: userId } = ada);
    orders = await openShop(stack, ada);
    await signIn(page, stack, ada);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  it('creates goods, refuses an id that is taken, and finds them by name', async () => {
    await open('goods');
    await page.getByRole('button', { name: 'New goods' }).click();
    await dialog().getByLabel('Id', { exact: true }).fill(orders.goodsId);
    await dialog().getByLabel('Name', { exact: true }).first().fill('Spring tea');
    await dialog().getByLabel('Points', { exact: true }).fill('10');
    await dialog().getByLabel('Money', { exact: true }).fill('99.50');
    await dialog().getByLabel('Stock', { exact: true }).fill('12');
    await dialog().getByRole('button', { name: 'Create' }).click();
    await dialog().getByText('This id is already in use.').waitFor();
    expect((await goods(orders.goodsId)).name).to.equal('Winter box');
    await dialog().getByLabel('Id', { exact: true }).fill('tea');
    await confirm('Create');
    await page.waitForURL('**/app/goods/tea');
    expect(await goods('tea')).to.deep.include({
      name: 'Spring tea',
      stock: 12,
      paymentOptions: [{ paymentOptionId: 'DEFAULT', name: 'DEFAULT', pointAmount: 10, cashAmount: 99.5 }],
    });
    await open('goods');
    await page.getByRole('searchbox').fill('spring');
    await page.waitForURL('**/goods?q=spring');
    await page.getByRole('link', { name: 'Winter box' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Spring tea' }).click();
    await page.getByRole('heading', { name: 'Spring tea', level: 1 }).waitFor();
  });

  it('edits goods as they are, and not over what other staff changed meanwhile', async () => {
    await open('goods/tea');
    const edit = page.getByRole('button', { name: 'Edit', exact: true });
    const money = dialog().getByLabel('Money', { exact: true });
    await edit.click();
    await orders.post('/admin/goods/tea/stock', { delta: -2, reason: 'Broken', key: 'while-editing' });
    const before = await goods('tea');
    await money.fill('1.555');
    await dialog().getByText('Enter an amount with at most two decimals.').waitFor();
    await money.fill('120');
    await dialog().getByRole('button', { name: 'Save', exact: true }).click();
    await dialog().getByText('Somebody else has changed this since you opened it.').waitFor();
    expect(await goods('tea')).to.deep.equal(before);
    await page.keyboard.press('Escape');
    await dialog().getByRole('button', { name: 'Discard' }).click();
    await dialog().waitFor({ state: 'hidden' });
    await page.reload();
    await edit.click();
    await money.fill('120');
    await confirm('Save');
    await page.getByRole('cell', { name: '120.00' }).waitFor();
    expect((await goods('tea')).stock).to.equal(10);
  });

  it('corrects a stock with a reason, once, and shows it in the history', async () => {
    await page.reload();
    await page.getByRole('button', { name: 'Correct stock' }).click();
    await dialog().getByLabel('Change', { exact: true }).fill('-11');
    await dialog().getByText('Only 10 are available.').waitFor();
    await dialog().getByLabel('Change', { exact: true }).fill('-3');
    await dialog().getByText('Stock goes from 10 to 7.').waitFor();
    await dialog().getByLabel('Reason').fill('Counted again');
    await confirm('Remove 3 items');
    const history = page.getByRole('table', { name: 'History' });
    const row = history.getByRole('row').filter({ hasText: 'Counted again' });
    await row.waitFor();
    expect((await cellsOf(row)).slice(0, 4).map((text) => text.split('\n').at(-1))).to.deep.equal([
      'Counted again',
      '-3',
      '7',
      'Ada Lin',
    ]);
    expect((await goods('tea')).stock).to.equal(7);
    await expectAccessible(page);
    await takeScreenshot(page, 'sales-goods');

    await page.getByRole('button', { name: 'Make it unlimited' }).click();
    await confirm('Make it unlimited');
    await page.getByText('Unlimited').first().waitFor();
    expect((await goods('tea')).stock).to.equal(null);
    await page.getByRole('button', { name: 'Limit stock' }).click();
    await dialog().getByLabel('Stock').fill('5');
    await confirm('Set stock to 5');
    await eventually('limited again', async () => (await goods('tea')).stock === 5);
  });

  it('gives a coupon, and filters by user and status', async () => {
    await open('coupons');
    await page.getByRole('button', { name: 'Give a coupon' }).first().click();
    await dialog().getByLabel('User id').fill('bela');
    await dialog().getByLabel('Coupon', { exact: true }).fill('Tea for two');
    await confirm('Give one coupon');
    await page.getByRole('row').filter({ hasText: 'Tea for two' }).getByText('Available').waitFor();
    const { items } = await orders.read<{ items: CouponData[] }>(`/admin/coupons?userId=bela`);
    expect(items.map(({ name, status }) => [name, status])).to.deep.equal([['Tea for two', 'available']]);
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Used');
    await page.waitForURL('**/coupons?status=used');
    await page.getByText('No results for these filters').waitFor();
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await page.getByRole('searchbox', { name: 'User id' }).fill('nobody');
    await page.waitForURL('**/coupons?userId=nobody');
    await page.getByText('No results for these filters').waitFor();
    await page.getByRole('searchbox', { name: 'User id' }).fill('bela');
    await page.getByRole('row').filter({ hasText: 'Tea for two' }).waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'sales-coupons');
  });

  it('grants and corrects points, never below what is available, and shows by whom', async () => {
    await open('points');
    await page.getByRole('searchbox').fill(userId);
    await page.waitForURL(`**/points?q=${userId}`);
    await page.getByRole('link', { name: 'Ada Lin' }).click();
    await page.waitForURL(`**/points/${userId}`);
    await page.getByRole('button', { name: 'Grant points' }).click();
    await dialog().getByLabel('Kind').selectOption('Wallet points');
    await dialog().getByLabel('Amount').fill('200');
    await confirm('Add 200 points');
    expect((await orders.balances()).wallet.available).to.equal(200);

    await page.getByRole('button', { name: 'Correct', exact: true }).click();
    await dialog().getByLabel('Change', { exact: true }).fill('-1001');
    await dialog().getByText('Only 1,000 points are available.').waitFor();
    await dialog().getByLabel('Change', { exact: true }).fill('-50');
    await dialog().getByText('Available points go from 1,000 to 950.').waitFor();
    await dialog().getByLabel('Reason').fill('Given by mistake');
    await confirm('Take 50 points back');
    expect((await orders.balances()).tenant.available).to.equal(950);
    const ledger = page.getByRole('table', { name: 'Ledger' });
    const correction = ledger.getByRole('row').filter({ hasText: 'Given by mistake' });
    await correction.getByText('Ada Lin').waitFor();
    await correction.getByText('-50').waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'sales-points');
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('Wallet points');
    await page.waitForURL('**/points/*?kind=wallet');
    await correction.waitFor({ state: 'detached' });
    await ledger.getByText('Granted').waitFor();
  });

  it('shows who changed what, before and after, and filters by person', async () => {
    await open('orders-audit');
    const row = page.getByRole('row').filter({ hasText: 'Corrected a stock' }).first();
    await row.getByText('Ada Lin').waitFor();
    await row.getByText('-3 in stock, from 10 to 7: Counted again').waitFor();
    await row.locator('summary').click();
    await row.locator('del', { hasText: /^10$/ }).waitFor();
    await row.locator('ins', { hasText: /^7$/ }).waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'sales-audit');
    await page.getByRole('combobox', { name: 'Who' }).selectOption('Ada Lin');
    await page.waitForURL(`**/orders-audit?actor=${userId}`);
    await row.waitFor();
    const { items } = await orders.read<{ items: AuditEntryData[] }>(`/admin/audit?actor=${userId}`);
    expect(items.map(({ action }) => action)).to.include.members([
      'goods.put',
      'goods.stock',
      'coupon.put',
      'points.grant',
      'points.adjust',
    ]);
    await row.getByRole('link', { name: 'Corrected a stock' }).click();
    await page.waitForURL('**/app/goods/tea');
    await open('orders-audit?actor=nobody');
    await page.getByText('No results for these filters').waitFor();
  });

  it('leads from the audit of a member to what that member has', async () => {
    const tenantId = 'pier-cafe';
    const member = await ordersAs(stack, { ...ada, tenantId });
    await member.put(`/admin/tenants/${tenantId}`, {
      name: 'Pier Café',
      businessType: 1,
      headquartersTenantId: ada.tenantId,
    });
    await orders.post('/admin/points/grant', { tenantId, userId, kind: 'tenant', amount: 77, key: 'member' });
    await open(`orders-audit?tenantId=${tenantId}`);
    await page.getByRole('link', { name: 'Granted points' }).click();
    await page.waitForURL(`**/app/points/${userId}?tenantId=${tenantId}`);
    await page.getByRole('list', { name: 'Balances' }).getByText('77').waitFor();
  });

  it('shows a list that cannot be read as a problem, and not as an empty table', async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    await page.route('**/admin/goods?*', (route) =>
      route.fulfill({ status: 500, json: { code: 90999, message: '', data: null, requestId: 'req-lost' } }),
    );
    await open('goods');
    await page.getByRole('alert').getByText('req-lost').waitFor();
    expect(await page.getByRole('table').count()).to.equal(0);
    await expectAccessible(page);
    await page.unroute('**/admin/goods?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'Winter box' }).waitFor();
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  it('reaches every page by its keys', async () => {
    await open('orders');
    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
    for (const [key, path] of Object.entries({ g: 'goods', k: 'coupons', n: 'points', u: 'unmatched-money' })) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await page.waitForURL(`**/app/${path}`);
    }
  });

  it('threw no error on any page', () => {
    expect(complaints).to.deep.equal([]);
  });
});
