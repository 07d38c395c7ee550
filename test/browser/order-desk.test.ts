import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import type { AuditEntryData } from '#domain/orders/administration/audit.ts';
import type { CreatedData } from '#domain/orders/responses.ts';
import { type JsonClient, jsonClient } from '#scripts/demo/client.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { openPage, reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { openShop, type Shop } from '../support/services/shop.ts';
import type { Stack } from '../support/services/stack.ts';
import { eventually } from '../support/time/eventually.ts';

describe('the desk of order staff', function () {
  this.timeout(120_000);
  let ada: Person;
  let tenantId: string;
  let dan: Person;
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
    ({ ada, dan, browser, page, complaints, stack, close } = await openConsole(this, {
      serviceNumberId: 'sn-order-desk',
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
    await signIn(other.page, stack, dan, '/app/orders');
    await other.page.close();
    await open('settings');
    const people = page.getByRole('table', { name: 'People and roles' });
    const ofDan = people.getByRole('row').filter({ hasText: 'Dan Hsu' });
    await ofDan.getByText('Order administrator').waitFor();
    expect(await ofDan.getByRole('link', { name: 'What they did', exact: true }).count()).to.equal(0);
    const own = people.getByRole('row').filter({ hasText: ada.name });
    await own.getByText('Tenant administrator').waitFor();
    await own.getByText('Order administrator').waitFor();
    await expectAccessible(page);
    await shot('people');
    await own.getByRole('link', { name: 'What they did with orders' }).click();
    await page.waitForURL(`**/orders-audit?actor=${ada.sub}`);
    await page.getByRole('row').filter({ hasText: 'Refunded an order' }).waitFor();
  });

  it('says in one sentence where an order stands, and what its points are worth', async () => {
    const grant = { tenantId, userId: ada.sub, kind: 'wallet', amount: 1000, key: 'wallet' };
    await orders.post('/admin/points/grant', grant);
    const items = [{ goodsId: orders.goodsId, qty: 2 }];
    const order = await orders.create({ title: 'Waits', items, pointsPlan: { tenantPoints: 40, walletPoints: 400 } });
    await open(`orders/${order.orderId}`);
    await page.locator('[data-sentence="payable"]').getByText('Not paid yet. Nothing is held.').waitFor();
    await page.getByText('400 wallet points = TWD 100.00').waitFor();
    await orders.post(`/user/order/${order.orderId}/pay`, { tenantId, reserveTimeoutSeconds: 86_400 });
    await page.reload();
    await page
      .locator('[data-sentence="waiting"]')
      .getByText(/^Waiting for payment, 23h 59m left$/)
      .waitFor();
    await expectAccessible(page);
    await shot('waiting');
    await orders.post(`/user/order/${order.orderId}/cancel`, { tenantId });
    await page.locator('[data-sentence="cancelled"]').waitFor();
  });

  it('names what was received where somebody has to decide, counts it in the sidebar, and holds its callback', async () => {
    const { orderId } = await flagged('To decide');
    await open(`orders/${orderId}`);
    await page.getByText('Waiting for a decision: TWD 1,000.00 was received, TWD 1,234.50 was agreed').waitFor();
    await page.getByRole('button', { name: 'Complete with TWD 1,000.00 received' }).click();
    await dialog().getByText('although TWD 1,000.00 was received and TWD 1,234.50 was agreed').waitFor();
    await dialog().getByRole('button', { name: 'Back' }).click();
    await page.getByText('Held until staff decide').waitFor();
    await page.getByText('Staff decide whether it is kept or refunded.').waitFor();
    expect(await page.getByText('Nothing is left to refund').count(), 'the money is still there').to.equal(0);
    const sidebar = page.getByRole('navigation', { name: 'Pages' });
    await sidebar.getByRole('link', { name: /^Orders.*1 needs attention/ }).waitFor();
    expect(await orders.read('/admin/attention')).to.deep.equal({ orders: 1, unmatched: 0 });
    await expectAccessible(page);
    await shot('to-decide');

    const other = await openPage(browser);
    await signIn(other.page, stack, dan, `/app/orders/${orderId}`);
    await other.page.getByRole('link', { name: `Payer: ${ada.name}` }).waitFor();
    await other.page.goto(`${stack.addresses.bff}/app/orders?flagged=true`);
    await other.page.getByRole('row').filter({ hasText: 'To decide' }).getByText(ada.name).waitFor();
    await other.page.close();
  });

  it('takes a note and a decision from the palette', async () => {
    const order = await flagged('From the palette');
    await open(`orders/${order.orderId}`);
    const decision = 'Complete with TWD 1,000.00 received';
    await page.getByRole('button', { name: decision }).waitFor();
    const choose = async (typed: string, name: string) => {
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('Page, action, campaign, contact, order, tag or id').fill(typed);
      await page.getByRole('option', { name }).click();
    };
    await choose('note', 'Add note');
    await eventually('the note has the focus', () =>
      page.getByLabel('New note').evaluate((field) => field.matches(':focus')),
    );
    await page.keyboard.type('Seen');
    await page.getByRole('button', { name: 'Add note' }).click();
    await eventually('it is noted', async () => (await orders.stored(order.orderId)).notes.length === 1);
    await choose('refund', 'Refund the payer');
    await dialog().getByRole('button', { name: 'Back' }).click();
    await choose('complete', decision);
    await dialog().getByRole('button', { name: decision }).click();
    await orders.becomes(order.orderId, '30/30/30');
    await page.getByRole('button', { name: decision }).waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: 'Add note' }).waitFor();
    expect(await page.getByRole('option', { name: decision }).count(), 'it is decided').to.equal(0);
    await page.keyboard.press('Escape');
  });

  it('keeps notes with their author and time, for staff and in the audit', async () => {
    const { orderId } = await orders.createBoxes('Noted');
    await open(`orders/${orderId}`);
    const add = page.getByRole('button', { name: 'Add note' });
    for (const text of ['Called the payer', 'Pays tomorrow']) {
      await page.getByLabel('New note').fill(text);
      await add.click();
      await page.getByRole('list', { name: 'Notes' }).getByText(text).waitFor();
    }
    const written = page.getByRole('list', { name: 'Notes' }).getByRole('listitem');
    expect(await written.count()).to.equal(2);
    await written.first().getByText('Pays tomorrow').waitFor();
    await written.first().getByText(ada.name).waitFor();
    await expectAccessible(page);
    await page.setViewportSize({ width: 320, height: 640 });
    await expectAccessible(page);
    await shot('notes-320');
    await page.setViewportSize({ width: 1280, height: 860 });
    const { notes } = await orders.stored(orderId);
    expect(notes.map(({ author, authorName, text }) => [author, authorName, text])).to.deep.equal([
      [ada.sub, ada.name, 'Pays tomorrow'],
      [ada.sub, ada.name, 'Called the payer'],
    ]);
    const { items } = await orders.read<{ items: AuditEntryData[] }>('/admin/audit');
    expect(
      items.filter(({ subject }) => subject.id === orderId).map(({ action, after }) => [action, after?.['note']]),
    ).to.deep.equal([
      ['order.note', 'Pays tomorrow'],
      ['order.note', 'Called the payer'],
    ]);
  });

  it('gives payers a receipt of their merchant, which prints without buttons', async () => {
    const orderId = await orders.payBoxes('Bought');
    await open(`checkout/${orderId}?tenantId=${tenantId}`);
    await page.getByText('Harbor Coffee').first().waitFor();
    const receipt = page.getByRole('region', { name: 'Receipt' });
    const { received } = await orders.stored(orderId);
    await receipt.getByText(received?.chargeId ?? 'no charge').waitFor();
    await page.evaluate('window.print = () => { document.title = "printed"; }');
    await receipt.getByRole('button', { name: 'Print the receipt' }).click();
    await eventually('it is printed', async () => (await page.title()) === 'printed');
    await expectAccessible(page);
    await shot('receipt');
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button').count(), 'nothing to press on paper').to.equal(0);
    await page.emulateMedia({ media: 'screen' });
  });

  it('orders the list by amount', async () => {
    for (const [title, moneyAmount] of [
      ['Ordered small', 10],
      ['Ordered large', 900],
    ] as const)
      await orders.create({ title, grossMoneyAmount: moneyAmount, moneyAmount });
    await open('orders?q=Ordered');
    const titles = async () =>
      (await page.getByRole('row').allInnerTexts()).map((text) => text.split('\n')[0]).slice(1);
    const shows = (expected: string[]) =>
      eventually('the order follows', async () => (await titles()).join() === expected.join());
    await shows(['Ordered large', 'Ordered small']);
    const total = page.getByRole('columnheader', { name: 'Total' });
    await total.getByRole('button').click();
    await page.waitForURL('**sort=-amount**');
    await total.getByRole('button').click();
    await shows(['Ordered small', 'Ordered large']);
    expect(await total.getAttribute('aria-sort')).to.equal('ascending');
    await expectAccessible(page);
    await shot('ordered');
  });

  it('exports the list of orders as it is filtered', async () => {
    const bought = await orders.payBoxes('Exported');
    const waiting = await orders.createBoxes('Exported, unpaid');
    await open('orders?q=Exported&status=DONE');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).to.equal('orders.csv');
    const text = await readFile(await download.path(), 'utf8');
    expect(text).to.include(bought).and.not.to.include(waiting.orderId);
    await shot('export');
  });

  it('threw no error on any page', () => {
    expect(complaints).to.deep.equal([]);
  });
});
