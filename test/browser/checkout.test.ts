import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { CreatedData, StaffOrderData } from '#domain/orders/responses.ts';
import { type JsonClient, jsonClient } from '#scripts/demo/client.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import type { Person } from '../support/browser/people.ts';
import { eventually } from '../support/time/eventually.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import { openShop, type Shop } from '../support/services/shop.ts';
import { signIn } from '../support/browser/sign-in.ts';
import type { Stack } from '../support/services/stack.ts';

describe("the payer's checkout", function () {
  this.timeout(120_000);
  let ada: Person;
  let tenantId: string;
  let userId: string;
  let page: Page;
  let stack: Stack;
  let orders: Shop;
  let sandbox: JsonClient;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;

  const charges = async ({ orderNo }: Pick<CreatedData, 'orderNo'>) =>
    (await orders.charges(orderNo)).map(({ amount, status }) => ({ amount, status }));
  const addressOf = ({ orderId }: CreatedData, query = `?tenantId=${tenantId}`) => `/app/checkout/${orderId}${query}`;
  const open = (order: CreatedData, query?: string) => page.goto(`${stack.addresses.bff}${addressOf(order, query)}`);
  const stage = (name: string) => page.locator(`[data-stage="${name}"]`).waitFor();
  const payButton = () => page.getByRole('button', { name: 'Pay NT$1,234.50' });
  /** A response of the order service that rejects a request. */
  const rejection = (code: number) => ({ status: 400, json: { code, message: '', data: null, requestId: 'req-test' } });
  const shot = (name: string) => takeScreenshot(page, `checkout-${name}`);

  before(async function () {
    ({ ada, page, complaints, stack, close } = await openConsole(this, {
      serviceNumberId: 'sn-checkout',
      contacts: 1,
    }));
    ({ tenantId, sub: userId } = ada);
    orders = await openShop(stack, ada);
    sandbox = jsonClient(stack.addresses.sandbox);
  });

  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  it('signs in, pays with points and cash on the hosted page, and returns to a paid order', async () => {
    const order = await orders.createBoxes('Winter boxes');
    await signIn(page, stack, ada, addressOf(order));
    await stage('payable');
    await page.getByRole('heading', { name: 'Winter boxes' }).waitFor();
    await page.getByText('Winter box × 2').waitFor();
    await expectAccessible(page);
    await shot('payable');

    await payButton().dblclick();
    await page.waitForURL('**/payment-gateway/pay/**');
    expect(await orders.statuses(order.orderId)).to.equal('20/10/10');

    // Back without paying: what is held, and until when.
    await open(order);
    await stage('waiting');
    await page.getByRole('timer').getByText('left').waitFor();
    await page.getByText('Held for you: 40 points and 2 items').waitFor();
    await expectAccessible(page);
    await shot('waiting');
    await payButton().click();
    await page.waitForURL('**/payment-gateway/pay/**');
    await page.getByRole('button', { name: /^Pay/ }).click();
    await page.waitForURL('**/app/checkout/**returned=paid');
    await stage('paid');
    expect(await page.getByRole('button', { name: /^Pay|Cancel/ }).count()).to.equal(0);
    await expectAccessible(page);
    await shot('paid');

    expect(await orders.statuses(order.orderId)).to.equal('30/30/30');
    expect(await charges(order)).to.deep.equal([{ amount: 1234.5, status: 'paid' }]);
    expect((await orders.balances()).tenant).to.deep.equal({ available: 960, reserved: 0, committed: 40 });
  });

  it('completes an order with nothing payable at once, in the session’s tenant', async () => {
    const order = await orders.create({ title: 'A free refill', pointsPlan: { tenantPoints: 60 } });
    await open(order, '');
    await stage('payable');
    await page.getByRole('button', { name: 'Pay with 60 points' }).dblclick();
    await stage('completed');
    await expectAccessible(page);
    await shot('completed');
    expect(await orders.statuses(order.orderId)).to.equal('30/30/0');
    expect(await charges(order)).to.deep.equal([]);
    expect((await orders.balances()).tenant).to.deep.equal({ available: 900, reserved: 0, committed: 100 });
  });

  it('cancels after a confirmation, on a narrow screen in Chinese and in dark mode; held points are released', async () => {
    const order = await orders.createBoxes('給自己的禮物');
    await page.setViewportSize({ width: 320, height: 640 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await open(order);
    await page.getByRole('button', { name: '繁體中文' }).click();
    await page.getByRole('button', { name: '支付 NT$1,234.50' }).click();
    await page.waitForURL('**/payment-gateway/pay/**');
    await page.goBack();
    await page.reload();
    await stage('waiting');
    expect((await orders.balances()).tenant.reserved).to.equal(40);
    await eventually(
      'it fits',
      async () => (await page.evaluate<number>('document.documentElement.scrollWidth')) === 320,
    );
    await expectAccessible(page);
    await shot('waiting-320-zh-dark');
    await page.getByRole('button', { name: '取消這筆訂單' }).click();
    await page.getByRole('dialog').waitFor();
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: '取消訂單' }).click();
    await stage('cancelled');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expectAccessible(page);
    await shot('cancelled-320-zh-dark');
    expect(await orders.statuses(order.orderId)).to.equal('60/40/40');
    expect(await charges(order)).to.deep.equal([{ amount: 1234.5, status: 'cancelled' }]);
    expect((await orders.balances()).tenant).to.deep.equal({ available: 900, reserved: 0, committed: 100 });
    await page.getByRole('button', { name: 'English' }).click();
  });

  it('reports insufficient points, and an order that is not the payer’s', async () => {
    const order = await orders.create({ title: 'Too much', pointsPlan: { tenantPoints: 5000 } });
    await open(order);
    await page.getByRole('button', { name: 'Pay with 5,000 points' }).click();
    await page.getByRole('alert').getByText('You do not have enough points').waitFor();
    await expectAccessible(page);
    await shot('points-insufficient');
    expect(await orders.statuses(order.orderId)).to.equal('0/0/0');

    await open({ ...order, orderId: '01900000-0000-7000-8000-000000000000' });
    await page.getByText('There is no such order for you').waitFor();
    await expectAccessible(page);
  });

  it('follows an order that is paid in another window', async () => {
    const order = await orders.createBoxes('Followed');
    await orders.post(`/user/order/${order.orderId}/pay`, { tenantId });
    await open(order);
    await stage('waiting');
    const [charge] = await orders.charges(order.orderNo);
    await sandbox.post(`/sandbox/charges/${charge?.chargeId}:pay`, {});
    await stage('paid');
    await eventually('the row says so', async () => (await orders.statuses(order.orderId)) === '30/30/30');
  });

  it('reports an abandoned payment page and a declined payment', async () => {
    const left = await orders.createBoxes('Left');
    await open(left);
    await payButton().click();
    await page.waitForURL('**/payment-gateway/pay/**');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForURL('**/app/checkout/**returned=cancelled');
    await page.getByText('You left the payment page').waitFor();
    await expectAccessible(page);

    const fault = { route: 'charges.create', mode: 'status', status: 422, code: 'shop_closed' };
    await sandbox.put('/sandbox/faults', { faults: [fault] });
    const rejected = await orders.createBoxes('Refused');
    await open(rejected);
    await payButton().click();
    await stage('refused');
    await page.getByText('held for it have been released').waitFor();
    expect(await page.getByRole('alert').count()).to.equal(0);
    await expectAccessible(page);
    await shot('refused');
    await sandbox.put('/sandbox/faults', { faults: [] });
    expect(await orders.statuses(rejected.orderId)).to.equal('40/40/40');
  });

  it('shows own points and coupons, and pays with what was chosen by a new order in place of the old', async () => {
    await orders.put('/admin/goods/mug', {
      tenantId,
      name: 'Harbor mug',
      pricingType: 'RATE_CONVERTED',
      stock: 10,
      paymentOptions: [{ paymentOptionId: 'mug', name: 'DEFAULT', pointAmount: 0, cashAmount: 480 }],
    });
    await orders.put('/admin/coupons/tea', { tenantId, userId, name: 'Free tea' });
    await orders.post('/admin/points/grant', { tenantId, userId, kind: 'wallet', amount: 100, key: 'wallet' });
    const old = await orders.create({ title: 'Mugs', items: [{ goodsId: 'mug', qty: 2 }], buyerName: 'Ada' });
    await open(old);
    const { tenant } = await orders.balances();
    await page.getByText(`You have ${tenant.available} points.`).waitFor();
    await page.getByText('You have 100; every 4 are worth NT$1.').waitFor();
    await expectAccessible(page);
    await shot('choose');
    await page.getByLabel('Wallet points').fill('101');
    await page.getByText('You have only 100.').waitFor();
    await page.getByLabel('Wallet points').fill('6');
    await page.getByText('Wallet points are used in multiples of 4.').waitFor();
    await page.getByLabel('Wallet points').fill('40');
    await page.getByLabel('Points', { exact: true }).fill('300');
    await page.getByRole('switch', { name: 'Free tea' }).click();
    await page.getByRole('button', { name: 'Use 300 points, 40 wallet points and 1 coupon' }).dblclick();
    await page.waitForURL(/chosen=yes/);
    await page.getByText('This order replaces your earlier one').waitFor();
    await page.getByRole('button', { name: 'Pay NT$650' }).waitFor();
    await expectAccessible(page);
    await shot('chosen');
    const { items } = await orders.read<{ items: StaffOrderData[] }>('/admin/orders?q=Mugs');
    expect(items.map(({ orderStatus, totalMoney, buyerName }) => [orderStatus, totalMoney, buyerName])).to.deep.equal([
      [0, 650, 'Ada'],
      [60, 960, 'Ada'],
    ]);

    // Whatever the service does not accept changes nothing.
    await page.getByLabel('Points', { exact: true }).fill('301');
    await page.route('**/user/order/create', (route) => route.fulfill(rejection(90212)), { times: 1 });
    await page.getByRole('button', { name: 'Use 301 points, 40 wallet points and 1 coupon' }).click();
    await page.getByRole('alert').getByText('These goods do not accept that many points.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Pay NT$650' }).click();
    await page.waitForURL('**/payment-gateway/pay/**');
    const [made] = items;
    if (!made) throw new Error('there is no new order');
    expect(await charges(made)).to.deep.equal([{ amount: 650, status: 'pending' }]);
    const { ledger } = await orders.stored(made.orderId);
    const reserved = ledger.filter(({ bucket, amount }) => bucket === 'reserved' && amount > 0);
    expect(reserved.map(({ kind, amount }) => [kind, amount])).to.have.deep.members([
      ['tenant', 300],
      ['wallet', 40],
    ]);
    await orders.post(`/user/order/${made.orderId}/cancel`, { tenantId });
  });

  it('leaves only one order payable where a choice was interrupted, whether it is finished or not', async () => {
    const payable = async (title: string): Promise<[number, number][]> => {
      const { items } = await orders.read<{ items: StaffOrderData[] }>(`/admin/orders?q=${title}`);
      return items.map(({ orderStatus, totalMoney }) => [orderStatus, totalMoney]);
    };
    const choose = async (title: string) => {
      await open(await orders.create({ title, items: [{ goodsId: 'mug', qty: 1 }] }));
      // The new order exists, and the old one cannot be cancelled.
      await page.route('**/user/order/*/cancel', (route) => route.abort());
      await page.getByLabel('Points', { exact: true }).fill('80');
      await page.getByRole('button', { name: 'Use 80 points' }).click();
      await page.getByText('Your choice is not finished').waitFor();
      expect(await payable(title)).to.have.deep.members([
        [0, 400],
        [0, 480],
      ]);
      await page.unroute('**/user/order/*/cancel');
      await page.reload();
      await page.getByText('Your choice is not finished').waitFor();
      await expectAccessible(page);
    };

    await choose('Interrupted');
    await shot('unfinished');
    await page.getByRole('button', { name: 'Finish my choice' }).click();
    await page.waitForURL(/chosen=yes/);
    await page.getByRole('button', { name: 'Pay NT$400' }).waitFor();
    expect(await payable('Interrupted')).to.have.deep.members([
      [0, 400],
      [60, 480],
    ]);

    await choose('Regretted');
    await page.getByRole('button', { name: 'Pay NT$480' }).click();
    await page.waitForURL('**/payment-gateway/pay/**');
    expect(await payable('Regretted')).to.have.deep.members([
      [60, 400],
      [20, 480],
    ]);
  });

  it('offers no choice where the shop has already decided on points', async () => {
    await open(await orders.createBoxes('Planned'));
    await stage('payable');
    await payButton().waitFor();
    expect(await page.getByRole('heading', { name: 'Your points and coupons' }).count()).to.equal(0);
  });

  it('B3: says that it is paid after the return without a reload, although the callback was lost', async () => {
    const order = await orders.createBoxes('Lost callback');
    await sandbox.put('/sandbox/faults', { faults: [{ route: 'callback', mode: 'lost' }] });
    await open(order);
    await payButton().click();
    await page.waitForURL('**/payment-gateway/pay/**');
    const pays: string[] = [];
    page.on('request', (request) => void (request.url().endsWith('/pay') && pays.push(request.url())));
    await page.getByRole('button', { name: /^Pay/ }).click();
    await page.waitForURL('**/app/checkout/**returned=paid');
    await stage('paid');
    await sandbox.put('/sandbox/faults', { faults: [] });
    expect(await orders.statuses(order.orderId)).to.equal('30/30/30');
    expect(
      pays.filter((url) => url.includes(order.orderId)),
      'asked once on return',
    ).to.have.length(1);
    expect((await orders.stored(order.orderId)).events, 'no callback arrived').to.deep.equal([]);
  });

  it('threw no error on any page', () => {
    expect(complaints).to.deep.equal([]);
  });
});
