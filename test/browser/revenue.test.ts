import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Campaign, Results } from '#domain/api/campaign.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { keyboardOn } from '../support/browser/keyboard.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { inOrder } from '../support/in-order.ts';
import { draftCampaign, subTasksOf } from '../support/outreach/campaigns.ts';
import { openShop, type Shop } from '../support/services/shop.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

describe('the revenue of a campaign in the console', function () {
  this.timeout(120_000);
  inOrder(this);
  let ada: Person;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let orders: Shop;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;
  let id: string;
  let orderId: string;

  before(async function () {
    ({ ada, page, complaints, stack, tenant, close } = await openConsole(this, {
      serviceNumberId: 'sn-kiln',
      contacts: 3,
    }));
    orders = await openShop(stack, ada);
    const actions = [{ type: 'Url', label: 'To the shop', url: `${stack.addresses.sandbox}/shop` }];
    const messages = [{ type: 'buttons', title: 'From the kiln', text: 'Each one is different.', actions }];
    ({ id } = await draftCampaign(tenant, { name: 'From the kiln', messages }));
    await signIn(page, stack, ada);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  const open = (path: string) => page.goto(`${stack.addresses.bff}/app/${path}`);
  const campaign = () => tenant.api.get<Campaign>(`/campaigns/${id}`);
  const net = async () => (await tenant.api.get<Results>(`/campaigns/${id}/results`)).revenue?.totals[0]?.net;
  /** Screenshots of it at the width of a desk and of a phone. */
  async function look(name: string): Promise<void> {
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 860 });
      await expectAccessible(page);
      await takeScreenshot(page, `revenue-${name}-${width}`);
    }
  }
  const refund = async (amount: number) => {
    await orders.post(`/admin/orders/${orderId}/refund`, { amount, reason: 'A crack', key: `${amount}` });
    await orders.becomes(orderId, amount === 100 ? '30/30/70' : '30/30/60');
  };

  it('is followed where the draft says so, for as many days as it says', async () => {
    await open(`campaigns/${id}/edit?step=when`);
    const { tabTo } = keyboardOn(page);
    await tabTo(page.getByRole('switch', { name: 'Track orders from its links' }));
    await page.keyboard.press('Space');
    const days = page.getByLabel('Days in which orders count');
    await tabTo(days);
    await days.fill('40');
    await page.keyboard.press('Tab');
    await page.getByText('A whole number from 1 to 30', { exact: true }).waitFor();
    await days.fill('5');
    await eventually('it is saved', async () => (await campaign()).revenueWindowDays === 5);
    await look('editor');
    await open(`campaigns/${id}/edit?step=review`);
    await page.getByText('Orders from its links paid within 5 days of the send').waitFor();
  });

  it('begins with nothing, and says so', async () => {
    await tenant.api.post(`/campaigns/${id}:send`, {});
    await eventually('it is sent', async () => (await campaign()).status === 'completed');
    await open(`campaigns/${id}/results`);
    await page.getByText('No order has been paid yet.').waitFor();
  });

  it('is what an order from the link that was sent is paid', async () => {
    const [task] = await subTasksOf(tenant, id);
    const { messages } = await tenant.sandbox.get<{ messages: { actions: { url: string }[] }[] }>(
      `/sandbox/tasks/${task?.taskId}`,
    );
    const link = messages[0]?.actions[0]?.url ?? '';
    expect(link).to.match(/\/shop\?clickToken=[\w-]{75}$/);
    await page.goto(`${link}&person=${ada.sub}`);
    await page.getByRole('button', { name: /^Order Winter box/ }).click();
    await page.waitForURL('**/app/checkout/**');
    orderId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await orders.post(`/user/order/${orderId}/pay`, { tenantId: ada.tenantId });
    const { attempts } = await orders.stored(orderId);
    await tenant.sandbox.post(`/sandbox/charges/${attempts[0]?.chargeId}:pay`, {});
    await orders.becomes(orderId, '30/30/30');
    await eventually('its results say so', async () => (await net()) === 617.25);
    await open(`campaigns/${id}/results`);
    const revenue = page.getByRole('table', { name: 'Revenue', exact: true });
    await revenue.getByRole('cell', { name: 'TWD 617.25' }).first().waitFor();
    await page.getByRole('table', { name: 'Revenue by button' }).getByRole('cell', { name: 'To the shop' }).waitFor();
    await look('results');
  });

  it('says on the order which button it came from', async () => {
    await open(`orders/${orderId}`);
    await page.getByRole('link', { name: 'From the button “To the shop” of the campaign “From the kiln”' }).click();
    await page.waitForURL(`**/campaigns/${id}/results`);
  });

  it('is taken back by a refund, a part or all of it', async () => {
    await refund(100);
    await eventually('its results say so', async () => (await net()) === 517.25);
    await open(`campaigns/${id}/results`);
    await page.getByRole('cell', { name: 'TWD 517.25' }).first().waitFor();
    await open('');
    await page.getByText('Revenue from campaigns').waitFor();
    await page.getByText('TWD 517.25').waitFor();
    await page.getByText('1 order, TWD 100.00 refunded').waitFor();
    await look('overview');
    await refund(517.25);
    await eventually('nothing is left', async () => (await net()) === 0);
    await open(`campaigns/${id}/results`);
    await page.getByRole('cell', { name: 'TWD 0.00' }).first().waitFor();
  });

  it('has caused no complaint of the browser', () => {
    expect(complaints).to.deep.equal([]);
  });
});
