import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { GoodsData } from '#domain/orders/administration/catalogue.ts';
import type { AuditEntryData } from '#domain/orders/administration/audit.ts';
import type { RefundData } from '#domain/orders/administration/refunds.ts';
import type { CallbackEvent } from '#domain/orders/responses.ts';
import type { Difference } from '#domain/orders/administration/reconciliation.ts';
import { type JsonClient, jsonClient } from '#scripts/demo/client.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { fillDate } from '../support/browser/dates.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { chargePastUs } from '../support/http/gateway-charge.ts';
import { sendCallback } from '../support/http/gateway-callback.ts';
import { openShop, type Shop } from '../support/services/shop.ts';
import type { Stack } from '../support/services/stack.ts';
import { eventually } from '../support/time/eventually.ts';

describe('the money of orders in the console', function () {
  this.timeout(120_000);
  let ada: Person;
  let tenantId: string;
  let page: Page;
  let stack: Stack;
  let orders: Shop;
  let sandbox: JsonClient;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;

  const open = (path: string) => page.goto(`${stack.addresses.bff}/app/${path}`);
  const shot = (name: string) => takeScreenshot(page, `order-money-${name}`);
  const stock = async () => (await orders.read<GoodsData>(`/admin/goods/${orders.goodsId}`)).stock;
  const dialog = () => page.getByRole('dialog');
  async function confirm(name: string): Promise<void> {
    await expectAccessible(page);
    await dialog().getByRole('button', { name, exact: true }).click();
    await dialog().waitFor({ state: 'detached' });
  }
  const rejectRefunds = (isOn: boolean) =>
    sandbox.put('/sandbox/faults', {
      faults: isOn ? [{ route: 'charges.refund', mode: 'status', status: 422, code: 'charge_closed' }] : [],
    });

  before(async function () {
    ({ ada, page, complaints, stack, close } = await openConsole(this, {
      serviceNumberId: 'sn-order-money',
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

  it('never says that a refund was not made where its answer was lost, and makes it once however often it is asked for', async () => {
    const orderId = await orders.payBoxes('Lost answers');
    const asked: string[] = [];
    await page.route(/\/admin\/orders\/[^/]+\/refund$/, async (route) => {
      asked.push(String((route.request().postDataJSON() as { key: string }).key));
      await route.fetch();
      // The third answer arrives in the second dialog.
      if (asked.length <= 3) await route.abort('connectionreset');
      else await route.continue();
    });
    const refund = async () => {
      await page.getByRole('button', { name: 'Refund', exact: true }).click();
      await dialog().getByLabel('Amount in TWD').fill('100');
      await dialog().getByLabel('Reason').fill('Late');
      await dialog().getByRole('button', { name: 'Refund TWD 100.00' }).click();
    };
    await open(`orders/${orderId}`);
    await page.getByText('TWD 1,234.50 can still be refunded.').waitFor();
    await refund();
    await dialog().getByText('It is not known whether this was done').waitFor();
    expect(await dialog().getByText('Nothing was refunded').count()).to.equal(0);
    await expectAccessible(page);
    await shot('lost-answer');
    await dialog().getByRole('button', { name: 'Back' }).click();
    await refund();
    await dialog().waitFor({ state: 'detached' });
    await page.unroute(/\/admin\/orders\/[^/]+\/refund$/);
    expect(new Set(asked).size, 'one key').to.equal(1);
    await orders.becomes(orderId, '30/30/70');
    await page.getByText('TWD 1,134.50 can still be refunded.').waitFor();
    const { items } = await orders.read<{ items: RefundData[] }>(`/admin/refunds?status=confirmed`);
    expect(items.filter((item) => item.orderId === orderId)).to.have.length(1);
  });

  it('shows nothing of one order where another is opened, whatever was typed', async () => {
    const [first, second] = [await orders.payBoxes('First of two'), await orders.payBoxes('Second of two')];
    await open(`orders/${first}`);
    await page.getByText('TWD 1,234.50 can still be refunded.').waitFor();
    await page.getByRole('link', { name: 'Orders', exact: true }).first().click();
    await page.getByRole('link', { name: 'Second of two' }).click();
    await page.waitForURL(`**/app/orders/${second}`);
    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    await dialog().getByLabel('Amount in TWD').fill('77');
    await page.evaluate('history.go(-2)');
    await dialog().getByRole('button', { name: 'Discard' }).click();
    await page.waitForURL(`**/app/orders/${first}`);
    await page.getByRole('heading', { name: 'First of two' }).waitFor();
    expect(await dialog().count()).to.equal(0);
    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    expect(await dialog().getByLabel('Amount in TWD').inputValue()).to.equal('1234.5');
    await dialog().getByRole('button', { name: 'Back' }).click();
  });

  it('B7: refunds a part, then the rest with points and goods, and says the exact sum on the button', async () => {
    const orderId = await orders.payBoxes('Winter boxes');
    const before = { points: (await orders.balances()).tenant, stock: await stock() };
    await open(`orders/${orderId}`);
    await page.getByText('TWD 1,234.50 can still be refunded.').waitFor();
    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    await dialog().getByText('Return points and coupons').waitFor();
    await dialog().getByLabel('Amount in TWD').fill('1234.51');
    await dialog().getByText('Only TWD 1,234.50 can still be refunded.').waitFor();
    await dialog().getByLabel('Amount in TWD').fill('234.5');
    await dialog().getByText('Points and goods can only be returned with a full refund.').waitFor();
    expect(
      await dialog()
        .getByRole('switch', { name: /^Return/ })
        .count(),
    ).to.equal(0);
    expect(await dialog().getByRole('button', { name: 'Refund TWD 234.50' }).isDisabled(), 'no reason yet').to.equal(
      true,
    );
    await dialog().getByLabel('Reason').fill('One box was broken');
    await shot('refund-dialog');
    await confirm('Refund TWD 234.50');
    await orders.becomes(orderId, '30/30/70');
    const refunds = page.getByRole('table', { name: 'Refunds' });
    const first = refunds.getByRole('row').filter({ hasText: 'One box was broken' });
    await first
      .getByRole('cell')
      .filter({ hasText: /^StateConfirmed/ })
      .waitFor();
    await page.getByText('Partly refunded').first().waitFor();
    expect((await orders.balances()).tenant).to.deep.equal(before.points);

    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    expect(await dialog().getByLabel('Amount in TWD').inputValue()).to.equal('1000');
    await dialog().getByRole('switch', { name: 'Return points and coupons' }).click();
    await dialog().getByRole('switch', { name: 'Return the goods to stock' }).click();
    await dialog().getByLabel('Reason').fill('Everything came back');
    await confirm('Refund TWD 1,000.00');
    await orders.becomes(orderId, '30/50/60');
    await page.getByText('Nothing is left to refund.').waitFor();
    expect(await page.getByRole('button', { name: 'Refund', exact: true }).count()).to.equal(0);
    expect((await orders.stored(orderId)).refunds.map(({ amount, status }) => [amount, status])).to.have.deep.members([
      [234.5, 'confirmed'],
      [1000, 'confirmed'],
    ]);
    expect((await orders.balances()).tenant.available).to.equal(before.points.available + 40);
    expect(await stock()).to.equal((before.stock ?? 0) + 2);
    await expectAccessible(page);
    await shot('refunded');
  });

  it('refunds pieces with their points and goods, and the rest of the order later', async () => {
    const orderId = await orders.payBoxes('Boxes by piece');
    const before = { points: (await orders.balances()).tenant.available, stock: (await stock()) ?? 0 };
    await open(`orders/${orderId}`);
    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    await dialog().getByRole('switch', { name: 'Choose pieces' }).click();
    const [item] = (await orders.stored(orderId)).items;
    const pieces = dialog().getByLabel(item?.name ?? '', { exact: true });
    await pieces.fill('3');
    await dialog().getByText('at most what is left of each line').waitFor();
    await pieces.fill('1');
    await dialog().getByRole('switch', { name: 'Return points and coupons' }).click();
    await dialog().getByRole('switch', { name: 'Return the goods to stock' }).click();
    await dialog().getByLabel('Reason').fill('One box came back');
    await shot('refund-pieces');
    await confirm('Refund TWD 617.25');
    await orders.becomes(orderId, '30/30/70');
    const refunds = page.getByRole('table', { name: 'Refunds' });
    await refunds.getByText(`${item?.name} × 1`).waitFor();
    const shown = await orders.stored(orderId);
    expect(shown.items.map(({ refundedQty }) => refundedQty)).to.deep.equal([1]);
    expect(shown.refunds.map(({ amount, lines }) => [amount, lines])).to.deep.equal([
      [617.25, [{ lineId: item?.lineId, qty: 1 }]],
    ]);
    expect((await orders.balances()).tenant.available).to.equal(before.points + 20);
    expect(await stock()).to.equal(before.stock + 1);
  });

  it('enters the invoice of an order, voids it, and enters another one', async () => {
    const orderId = await orders.payBoxes('With an invoice');
    await open(`orders/${orderId}`);
    await page.getByText('No invoice has been entered.').waitFor();
    const invoice = page.getByRole('region', { name: 'Invoice', exact: true });
    await invoice.getByRole('button', { name: 'Enter an invoice' }).click();
    await dialog().getByLabel('Invoice number').fill('AB-12345678');
    await shot('invoice-dialog');
    await confirm('Save the invoice');
    await invoice.getByText('AB-12345678').waitFor();
    const first = (await orders.stored(orderId)).invoice;
    expect(first).to.include({ number: 'AB-12345678', voidedAt: null });

    await invoice.getByRole('button', { name: 'Change the invoice' }).click();
    expect(await dialog().getByLabel('Invoice number').isEditable()).to.equal(false);
    await dialog().getByRole('switch', { name: 'It was voided' }).click();
    await confirm('Save the invoice');
    await invoice.getByText('voided').waitFor();
    const { voidedAt, ...rest } = (await orders.stored(orderId)).invoice ?? {};
    expect(rest).to.deep.equal({ number: 'AB-12345678', issuedAt: first?.issuedAt });
    expect(voidedAt).to.be.a('string');

    await invoice.getByRole('button', { name: 'Enter an invoice' }).click();
    await dialog().getByLabel('Invoice number').fill('CD-1');
    await confirm('Save the invoice');
    await invoice.getByText('CD-1').waitFor();
    expect((await orders.stored(orderId)).invoice).to.include({ number: 'CD-1', voidedAt: null });
  });

  it('B7: finds a refund that needs staff, asks the gateway again, and notes what was done elsewhere', async () => {
    const again = await orders.payBoxes('Asked again');
    const elsewhere = await orders.payBoxes('Done elsewhere');
    await rejectRefunds(true);
    for (const orderId of [again, elsewhere])
      await orders.post(`/admin/orders/${orderId}/refund`, { reason: 'Returned', key: `refund-${orderId}` });
    for (const orderId of [again, elsewhere])
      await eventually('it needs staff', async () => (await orders.stored(orderId)).needsStaff);

    await open('orders');
    await page.getByRole('combobox', { name: 'State', exact: true }).selectOption('Money needs staff');
    await page.waitForURL('**/orders?needsStaff=true');
    await page.getByRole('link', { name: 'Winter boxes' }).waitFor({ state: 'detached' });
    await page.getByRole('row').filter({ hasText: 'Done elsewhere' }).getByText('Money needs staff').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Asked again' }).click();
    await page.getByText('The refund of TWD 1,234.50 needs a decision').waitFor();
    await expectAccessible(page);
    await shot('needs-staff');
    await rejectRefunds(false);
    await page.getByRole('button', { name: 'Ask the gateway again' }).click();
    await dialog().getByLabel('Note').fill('The shop is open again');
    await confirm('Ask the gateway again');
    await orders.becomes(again, '30/30/60');
    await page.getByText('The refund of TWD 1,234.50 needs a decision').waitFor({ state: 'detached' });

    await open(`orders/${elsewhere}`);
    await page.getByRole('button', { name: 'Refunded elsewhere' }).click();
    await dialog().getByLabel('Note').fill('Bank transfer 4711');
    await confirm('Count it as refunded');
    await orders.becomes(elsewhere, '30/30/60');
    await page.getByText('Ada Lin noted that it was refunded elsewhere. Bank transfer 4711').waitFor();
    const refundsOf = async (orderId: string) => {
      const [charge] = await orders.charges((await orders.stored(orderId)).orderNo);
      return (charge?.refunds ?? []).map(({ amount }) => amount);
    };
    expect(await refundsOf(again)).to.deep.equal([1234.5]);
    expect(await refundsOf(elsewhere), 'not paid back twice').to.deep.equal([]);
  });

  it('B6: does not complete a flagged order that the gateway does not show as paid, and says so', async () => {
    const { orderId, orderNo } = await orders.createBoxes('Never paid');
    await orders.post(`/user/order/${orderId}/pay`, { tenantId });
    const chargeId = (await orders.stored(orderId)).attempts[0]?.chargeId ?? '';
    // The same event with two contents, of a charge that nobody has paid.
    for (const amount of [1234.5, 1])
      await sendCallback(stack, { orderNo, shopId: orders.shopId, amount, chargeId, eventId: 'twice' });
    await eventually('flagged', async () => (await orders.stored(orderId)).flags.includes('event_conflict'));
    await open(`orders/${orderId}`);
    await page.getByText('One event arrived with two contents').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Complete for TWD 1,234.50' }).click();
    await dialog().getByRole('button', { name: 'Complete for TWD 1,234.50' }).click();
    await page.getByText('The gateway does not show this charge as paid. Nothing was changed.').waitFor();
    expect(await orders.statuses(orderId)).to.equal('20/10/10');
    await shot('not-paid');
  });

  it('B8: leaves unmatched money where it is with a note, or has it given back', async () => {
    for (const amount of [5, 7])
      await sendCallback(stack, { orderNo: `nothing-${amount}`, shopId: orders.shopId, amount });
    await open('orders');
    const stray = page.getByRole('region', { name: '2 payments match no order' });
    await stray.getByText('TWD 5.00').waitFor();
    await stray.getByRole('link', { name: 'Decide' }).click();
    await page.waitForURL('**/app/unmatched-money');
    const five = page.getByRole('listitem').filter({ hasText: 'TWD 5.00' });
    await five.getByText('As received').click();
    await five.getByText('"amount": 5').waitFor();
    await expectAccessible(page);
    await shot('unmatched');
    await five.getByRole('button', { name: 'Leave' }).click();
    await dialog().getByLabel('Note').fill('A test of the gateway');
    await confirm('Leave TWD 5.00 where it is');
    await five.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Refund' }).click();
    await dialog().getByLabel('Note').fill('Nobody ordered this');
    await confirm('Refund TWD 7.00');
    await page.getByText('No unmatched money').waitFor();
    const { items } = await orders.read<{ items: AuditEntryData[] }>('/admin/audit');
    const decided = items.filter(({ action }) => action === 'callback.resolve');
    expect(decided.map(({ after }) => [after?.['outcome'], after?.['note']])).to.have.deep.members([
      ['ignore', 'A test of the gateway'],
      ['refund', 'Nobody ordered this'],
    ]);
  });

  it('B8: lists the refunds that need staff, with and without an order, and decides on them there', async () => {
    await rejectRefunds(true);
    const orderId = await orders.payBoxes('Stuck in the list');
    await orders.post(`/admin/orders/${orderId}/refund`, { reason: 'Came too late', key: `refund-${orderId}` });
    // Unlike any other file's: the gateway is shared.
    const orderNo = `nobody-at-${tenantId}`;
    const chargeId = await chargePastUs(stack, { shopId: orders.shopId, orderNo, amount: 12 });
    await sandbox.post(`/sandbox/charges/${chargeId}:pay`, {});
    const { eventId } = await eventually('nobody ordered it', async () => {
      const { items } = await orders.read<{ items: CallbackEvent[] }>('/admin/callbacks/unmatched');
      return items.find((callback) => callback.chargeId === chargeId);
    });
    await orders.post(`/admin/callbacks/${eventId}/resolve`, { outcome: 'refund', note: 'Nobody ordered this' });
    const stuck = () => orders.read<{ items: RefundData[] }>('/admin/refunds?status=needs_staff');
    await eventually('both need staff', async () => (await stuck()).items.length === 2);
    await rejectRefunds(false);

    await open('orders');
    const waiting = page.getByRole('region', { name: '2 refunds need staff' });
    await waiting.getByText(chargeId).waitFor();
    await expectAccessible(page);
    await waiting.getByRole('link', { name: 'Decide' }).click();
    await page.waitForURL('**/app/unmatched-money/refunds');
    const stray = page.getByRole('row').filter({ hasText: 'TWD 12.00' });
    await stray.getByText('charge_closed').waitFor();
    await page.getByRole('link', { name: 'Stuck in the list' }).waitFor();
    await page.setViewportSize({ width: 320, height: 640 });
    await expectAccessible(page);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).to.equal(320);
    await shot('stuck-refunds-320');
    await page.setViewportSize({ width: 1280, height: 860 });
    await expectAccessible(page);
    await shot('stuck-refunds');

    await stray.getByRole('button', { name: 'Ask the gateway again' }).click();
    await dialog().getByText('The refund of TWD 12.00 needs a decision').waitFor();
    await dialog().getByLabel('Note').fill('The shop is open again');
    await confirm('Ask the gateway again');
    await stray.waitFor({ state: 'detached' });
    await eventually('the gateway gave it back', async () => {
      const [charge] = await orders.charges(orderNo);
      return charge?.refunds?.[0]?.amount === 12;
    });
    await page.getByRole('button', { name: 'Refunded elsewhere' }).click();
    await dialog().getByLabel('Note').fill('Bank transfer 4712');
    await confirm('Count it as refunded');
    await page.getByText('No refund needs staff').waitFor();
    await orders.becomes(orderId, '30/30/60');
    await page.getByRole('combobox', { name: 'State' }).selectOption('Confirmed');
    await page.waitForURL('**/unmatched-money/refunds?status=confirmed');
    await stray.getByText('Ada Lin asked the gateway again. The shop is open again').waitFor();
    await page.getByRole('link', { name: 'Stuck in the list' }).click();
    await page.waitForURL(`**/app/orders/${orderId}`);
    await page.getByText('Ada Lin noted that it was refunded elsewhere. Bank transfer 4712').waitFor();
  });

  it('B15: compares a day with the gateway, and leads from the day to what differs', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const agreed = await orders.payBoxes('Compared');
    const stray = await chargePastUs(stack, { shopId: orders.shopId, orderNo: 'counter-1', amount: 55 });
    await sandbox.post(`/sandbox/charges/${stray}:pay`, { callback: false });
    await open('reconciliation');
    await expectAccessible(page);
    await fillDate(page, 'Day (UTC)', today);
    await page.getByRole('button', { name: 'Open this day' }).click();
    await page.waitForURL(`**/app/reconciliation/${today}`);
    await page.getByText('This day has not been compared.').waitFor();
    await page.getByRole('button', { name: 'Compare now' }).click();
    const differences = page.getByRole('table', { name: 'Differences' });
    const unknown = differences.getByRole('row').filter({ hasText: 'Unknown order' });
    await unknown.getByText('55.00').waitFor();
    await expectAccessible(page);
    await shot('reconciliation');
    const { status, items } = await orders.read<{ status: string; items: Difference[] }>(
      `/admin/reconciliation?date=${today}`,
    );
    expect(status).to.equal('done');
    expect(items.filter(({ orderId }) => orderId === agreed)).to.deep.equal([]);
    await open('reconciliation');
    const row = page.getByRole('row').filter({ has: page.getByRole('link') });
    await row.first().getByText('Compared', { exact: true }).first().waitFor();
    await row.first().getByRole('link').click();
    await page.waitForURL(`**/app/reconciliation/${today}`);
  });

  it('threw no error on any page', () => {
    expect(complaints).to.deep.equal([]);
  });
});
