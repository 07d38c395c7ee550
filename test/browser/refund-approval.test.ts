import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { PutTenant } from '#domain/orders/administration.ts';
import type { AuditEntryData } from '#domain/orders/administration/audit.ts';
import type { CallbackEvent } from '#domain/orders/responses.ts';
import { jsonClient } from '#scripts/demo/client.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { openPage, reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { chargePastUs } from '../support/http/gateway-charge.ts';
import { openShop, ordersAs, type Shop } from '../support/services/shop.ts';
import type { Stack } from '../support/services/stack.ts';
import { eventually } from '../support/time/eventually.ts';

const record = { name: 'Harbor Coffee', businessType: 0 };

describe('refunds that another person approves in the console', function () {
  this.timeout(120_000);
  let ada: Person;
  let dan: Person;
  let tenantId: string;
  let adas: Page;
  let dans: Page;
  let stack: Stack;
  let orders: Shop;
  let complaints: string[][];
  let close: (() => Promise<void>) | undefined;

  const address = (path: string) => `${stack.addresses.bff}/app/${path}`;
  const shot = (page: Page, name: string) => takeScreenshot(page, `refund-approval-${name}`);
  const refundsAtGateway = async (orderId: string) => {
    const [charge] = await orders.charges((await orders.stored(orderId)).orderNo);
    return (charge?.refunds ?? []).map(({ amount }) => amount);
  };
  async function confirm(page: Page, name: string): Promise<void> {
    const dialog = page.getByRole('dialog');
    await expectAccessible(page);
    await dialog.getByRole('button', { name, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  }
  async function request(page: Page, orderId: string, reason: string): Promise<void> {
    await page.goto(address(`orders/${orderId}`));
    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Amount in TWD').fill('100');
    await page.getByRole('dialog').getByLabel('Reason').fill(reason);
    await confirm(page, 'Refund TWD 100.00');
    await page.getByText('A refund of TWD 100.00 waits for approval').waitFor();
  }

  before(async function () {
    const opened = await openConsole(this, { serviceNumberId: 'sn-refund-approval', contacts: 1 });
    ({ stack, close, ada, dan } = opened);
    ({ tenantId } = ada);
    adas = opened.page;
    const second = await openPage(opened.browser);
    dans = second.page;
    complaints = [opened.complaints, second.complaints];
    orders = await openShop(stack, ada);
    await orders.put(`/admin/tenants/${tenantId}`, {
      ...record,
      PAYGW_shopId: orders.shopId,
      refundsNeedApprovalAbove: 50,
    });
    await signIn(adas, stack, ada);
    await signIn(dans, stack, dan);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, adas, stack);
  });
  after(() => close?.());

  it('one asks, and sees that somebody else has to approve; the other approves, and it is refunded once', async () => {
    const orderId = await orders.payBoxes('Approved boxes');
    await request(adas, orderId, 'One box was broken');
    await adas.getByText('Requested by Ada Lin').waitFor();
    await adas.getByText('Nothing is refunded until another order administrator approves it.').waitFor();
    expect(await adas.getByRole('button', { name: /^Approve/ }).count()).to.equal(0);
    await expectAccessible(adas);
    await shot(adas, 'own');

    await dans.goto(address('orders?needsStaff=true'));
    await dans.getByRole('link', { name: 'Approved boxes' }).click();
    await dans.getByText('Requested by Ada Lin').waitFor();
    await dans.getByText('Reason: One box was broken').waitFor();
    expect(await dans.getByRole('button', { name: 'Withdraw' }).count()).to.equal(0);
    await expectAccessible(dans);
    await shot(dans, 'another');
    await dans.setViewportSize({ width: 320, height: 640 });
    await expectAccessible(dans);
    expect(await dans.evaluate<number>('document.documentElement.scrollWidth')).to.equal(320);
    await shot(dans, 'another-320');
    await dans.setViewportSize({ width: 1280, height: 860 });
    expect(await refundsAtGateway(orderId)).to.deep.equal([]);

    await dans.getByRole('button', { name: 'Approve refund of TWD 100.00' }).click();
    await confirm(dans, 'Approve refund of TWD 100.00');
    await orders.becomes(orderId, '30/30/70');
    await dans.getByText('Dan Hsu approved the refund of TWD 100.00 that Ada Lin requested.').waitFor();
    await shot(dans, 'approved');
    // Without anybody reloading it.
    await adas.getByText('Dan Hsu approved the refund of TWD 100.00 that Ada Lin requested.').waitFor();
    await adas.getByRole('table', { name: 'Refunds' }).getByText('Approved by Dan Hsu').waitFor();
    expect(await refundsAtGateway(orderId)).to.deep.equal([100]);
    const { items } = await orders.read<{ items: AuditEntryData[] }>(`/admin/audit?tenantId=${tenantId}`);
    const ofOrder = items.filter(({ subject }) => subject.id === orderId).map(({ actor, action }) => [actor, action]);
    expect(ofOrder).to.deep.equal([
      [dan.sub, 'approval.approve'],
      [ada.sub, 'approval.request'],
    ]);
    await adas.goto(address('orders-audit'));
    await adas.getByText('Approved a refund').first().waitFor();
    await expectAccessible(adas);
  });

  it('the other rejects with a reason; who asked withdraws', async () => {
    const orderId = await orders.payBoxes('Rejected boxes');
    await request(adas, orderId, 'No reason at all');
    await dans.goto(address(`orders/${orderId}`));
    await dans.getByRole('button', { name: 'Reject', exact: true }).click();
    const reject = dans.getByRole('dialog').getByRole('button', { name: 'Reject refund of TWD 100.00' });
    expect(await reject.isDisabled(), 'no reason yet').to.equal(true);
    await dans.getByRole('dialog').getByLabel('Reason').fill('The box is fine');
    await shot(dans, 'reject');
    await confirm(dans, 'Reject refund of TWD 100.00');
    const ended = 'Dan Hsu rejected the refund of TWD 100.00 that Ada Lin requested. The box is fine';
    await adas.getByText(ended).waitFor();

    await request(adas, orderId, 'Once more');
    await adas.getByRole('button', { name: 'Withdraw', exact: true }).click();
    await confirm(adas, 'Withdraw refund of TWD 100.00');
    await adas.getByText('Ada Lin withdrew the refund of TWD 100.00.').waitFor();
    expect(await refundsAtGateway(orderId)).to.deep.equal([]);
  });

  it('a tenant administrator decides in the settings above which amount', async () => {
    const limitIs = async () => (await orders.read<PutTenant>(`/admin/tenants/${tenantId}`)).refundsNeedApprovalAbove;
    const becomes = (above: number | null) => eventually(`above ${above}`, async () => (await limitIs()) === above);
    await adas.goto(address('settings'));
    await adas.getByText('Refunds above TWD 50.00 need the approval of another order administrator.').waitFor();
    await adas.getByLabel('Limit in TWD').fill('120.5');
    await adas.getByRole('button', { name: 'Save limit of refunds' }).click();
    await adas.getByText('Refunds above TWD 120.50 need the approval of another order administrator.').waitFor();
    expect(await limitIs()).to.equal(120.5);
    await expectAccessible(adas);
    await shot(adas, 'settings');
    await adas.getByRole('switch', { name: 'Large refunds need approval' }).click();
    await adas.getByText('Every order administrator can refund any amount.').waitFor();
    await becomes(null);
    await adas.getByLabel('Limit in TWD').waitFor({ state: 'detached' });
    await orders.put(`/admin/tenants/${tenantId}`, {
      ...record,
      PAYGW_shopId: orders.shopId,
      refundsNeedApprovalAbove: 50,
    });
  });

  it('the same for money that matches no order', async () => {
    // Unlike any other file's: the gateway is shared.
    const orderNo = `nobody-at-${tenantId}`;
    const chargeId = await chargePastUs(stack, { shopId: orders.shopId, orderNo, amount: 80 });
    const sandbox = jsonClient(stack.addresses.sandbox);
    await sandbox.post(`/sandbox/charges/${chargeId}:pay`, {});
    const { eventId } = await eventually('nobody ordered it', async () => {
      const { items } = await orders.read<{ items: CallbackEvent[] }>('/admin/callbacks/unmatched');
      return items.find((callback) => callback.chargeId === chargeId);
    });
    const others = await ordersAs(stack, dan);
    await others.post(`/admin/callbacks/${eventId}/resolve`, { outcome: 'refund', note: 'Nobody ordered this' });
    await adas.goto(address('unmatched-money'));
    await adas.getByText('A refund of TWD 80.00 waits for approval').waitFor();
    expect(await adas.getByRole('button', { name: `Refund charge ${chargeId}` }).count()).to.equal(0);
    await expectAccessible(adas);
    await shot(adas, 'unmatched');
    await adas.getByRole('button', { name: 'Approve refund of TWD 80.00' }).click();
    await confirm(adas, 'Approve refund of TWD 80.00');
    await eventually('the gateway gave it back', async () => {
      const [charge] = await orders.charges(orderNo);
      return charge?.refunds?.[0]?.amount === 80;
    });
    expect(complaints).to.deep.equal([[], []]);
  });
});
