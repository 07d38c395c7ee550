import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { untilStill } from '../support/browser/stillness.ts';
import { draftCampaign } from '../support/outreach/campaigns.ts';
import { openShop, type Shop } from '../support/services/shop.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

/** Operators read why something does not go on, and no longer once it does. */
describe('what stands still in the console', function () {
  this.timeout(180_000);
  let ada: Person;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let orders: Shop;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;

  before(async function () {
    ({ ada, page, complaints, stack, tenant, close } = await openConsole(this, {
      serviceNumberId: 'sn-standing',
      contacts: 2,
    }));
    orders = await openShop(stack, ada);
    await signIn(page, stack, ada);
  });
  afterEach(async function () {
    await tenant.sandbox.put('/sandbox/faults', { faults: [] });
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  const open = (path: string) => page.goto(`${stack.addresses.bff}/app/${path}`);
  const faults = (...given: object[]) => tenant.sandbox.put('/sandbox/faults', { faults: given });
  const alert = () => page.locator('[data-standing]');
  const tenMinutesAgo = () => new Date(Date.now() - 600_000);
  /** Sooner than the page asks again by itself, which that of the campaign is waited for to do. */
  const untilAfterReload = (what: string, answered: RegExp, isSo: () => Promise<boolean>) =>
    eventually(
      what,
      async () => {
        await Promise.all([page.waitForResponse((response) => answered.test(response.url())), page.reload()]);
        await untilStill(page);
        return isSo();
      },
      { timeoutMs: 120_000 },
    );
  const speak = (locale: string) =>
    page.evaluate(`localStorage.setItem('outreach.preferences', '{"locale":"${locale}"}')`);

  it('a campaign whose platform does not respond, on its page and in the list, in both languages', async () => {
    await faults({ route: 'A2', mode: 'reset' });
    const { id } = await draftCampaign(tenant, { name: 'Unheard of' });
    await tenant.api.post(`/campaigns/${id}:send`);
    const subTask = () => stack.database.connect('outreach', 'owner')('broadcast_task').where({ campaign_id: id });
    await eventually('a call has failed', async () => (await subTask().first('failing_with'))?.failingWith != null);
    await open(`campaigns/${id}/progress`);
    await page.getByRole('heading', { name: 'Unheard of' }).waitFor();
    expect(await alert().count()).to.equal(0);

    await subTask().update({ failing_since: tenMinutesAgo() });
    await alert().waitFor({ timeout: 60_000 });
    expect(await alert().getAttribute('role')).to.equal('status');
    expect(await alert().innerText()).to.match(
      /No status update on its tasks for 10m[^]*The platform does not respond/,
    );
    await expectAccessible(page);
    await takeScreenshot(page, 'standing-campaign');
    await open('campaigns');
    const row = page.getByRole('row').filter({ hasText: 'Unheard of' });
    await row.getByText('The platform does not respond.', { exact: false }).waitFor();
    await expectAccessible(page);
    await speak('zh-Hant');
    await open(`campaigns/${id}/progress`);
    await alert().getByText('平台沒有回應。', { exact: false }).waitFor();
    await speak('en');
    await open(`campaigns/${id}/progress`);
    await alert().waitFor();

    await faults();
    await alert().waitFor({ state: 'detached', timeout: 120_000 });
  });

  it('an order whose charge the gateway does not cancel', async () => {
    const { orderId, orderNo } = await orders.createBoxes('Held');
    await orders.post(`/user/order/${orderId}/pay`, { tenantId: ada.tenantId });
    expect(await orders.charges(orderNo)).to.have.length(1);
    await open(`orders/${orderId}`);
    await page.locator('[data-sentence]').waitFor();
    expect(await alert().count()).to.equal(0);

    await faults({ route: 'charges.cancel', mode: 'reset' });
    const cancel = orders.post(`/user/order/${orderId}/cancel`, { tenantId: ada.tenantId }).catch(() => undefined);
    const owner = stack.database.connect('orders', 'owner');
    const attempt = () => owner('payment_attempt').where({ order_id: orderId }).first('unanswered_since');
    await eventually('a call has failed', async () => (await attempt())?.unansweredSince != null);
    await owner('customer_order').where({ order_id: orderId }).update({ updated_at: tenMinutesAgo() });
    await untilAfterReload('it stands still', /\/standing$/, async () => (await alert().count()) === 1);
    expect(await alert().innerText()).to.match(/The payment should have ended 10m[^]*payment gateway does not respond/);
    await expectAccessible(page);
    await takeScreenshot(page, 'standing-order');
    await open('orders');
    const reason = page
      .getByRole('row')
      .filter({ hasText: orderNo })
      .getByText('The payment gateway does not respond', {
        exact: false,
      });
    await reason.waitFor();
    await expectAccessible(page);

    await faults();
    await cancel;
    await untilAfterReload('the list says nothing of it', /\/admin\/orders\?/, async () => {
      await page.getByRole('row').filter({ hasText: orderNo }).waitFor();
      return (await reason.count()) === 0;
    });
    await open(`orders/${orderId}`);
    await page.locator('[data-sentence]').waitFor();
    await alert().waitFor({ state: 'detached' });
  });

  it('nothing is complained about in the browser', () => {
    expect(complaints).to.deep.equal([]);
  });
});
