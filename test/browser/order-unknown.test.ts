import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { type CuttingProxy, startCuttingProxy } from '../orders/support/cutting-proxy.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { launchBrowser } from '../support/browser/launch.ts';
import { openPage, reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import { ada } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { sharedPostgres } from '../support/servers/servers.ts';
import { openShop, type Shop } from '../support/services/shop.ts';
import { type Stack, startStack } from '../support/services/stack.ts';
import { installTenant } from '../support/services/tenant.ts';

const LOCK = 5_108_010;

/** Whatever settles an order whose reservation is unknown waits until the lock is free. */
const holdBack = `
  create function wait_to_settle() returns trigger language plpgsql as $$
  begin
    if old.order_status = 10 then perform pg_advisory_xact_lock(${LOCK}); end if;
    return new;
  end $$;
  create trigger wait_to_settle before update on customer_order for each row execute function wait_to_settle();`;

describe('an order whose reservation is unknown', function () {
  this.timeout(120_000);
  let browser: Browser;
  let page: Page;
  let stack: Stack;
  let orders: Shop;
  let proxy: CuttingProxy;
  let complaints: string[];

  before(async function () {
    browser = await launchBrowser(this);
    this.timeout(240_000);
    proxy = await startCuttingProxy(await sharedPostgres());
    stack = await startStack({ web: true, postgres: proxy.url });
    await installTenant(stack, { tenantId: ada.tenantId, serviceNumberId: 'sn-unknown', contacts: 1 });
    orders = await openShop(stack, ada);
    ({ page, complaints } = await openPage(browser));
    await signIn(page, stack, ada);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(async () => {
    await browser?.close();
    await stack?.stop();
    await proxy?.stop();
  });

  it('says that it is being found out, and goes on once it is', async () => {
    const owner = stack.database.connect('orders', 'owner');
    await owner.raw(holdBack);
    const { orderId } = await orders.createBoxes('Whose answer was lost');
    const lock = await owner.transaction();
    await lock.raw(`select pg_advisory_xact_lock(${LOCK})`);
    proxy.arm('after-commit', 'open-payment');
    await orders.post(`/user/order/${orderId}/pay`, { tenantId: ada.tenantId }).catch(() => undefined);
    expect(proxy.cuts(), 'the answer was lost').to.equal(1);
    await orders.becomes(orderId, '10/20/0');

    await page.goto(`${stack.addresses.bff}/app/orders/${orderId}`);
    await page
      .locator('[data-sentence="pointsUnknown"]')
      .getByText('Finding out whether points, goods and coupons are held')
      .waitFor();
    await page.getByText("Not known yet: the database's response was lost").waitFor();
    expect(await page.getByText('No current holds').count(), 'they may be held').to.equal(0);
    expect(await page.getByRole('button', { name: 'Refund' }).count()).to.equal(0);
    await expectAccessible(page);
    await takeScreenshot(page, 'order-unknown');
    await page.goto(`${stack.addresses.bff}/app/checkout/${orderId}?tenantId=${ada.tenantId}`);
    await page.getByText('Checking your points').waitFor();
    expect(await page.getByRole('button', { name: /^(Pay|Cancel)/ }).count(), 'nothing to pay yet').to.equal(0);
    await expectAccessible(page);
    await takeScreenshot(page, 'checkout-unknown');

    await lock.commit();
    await orders.becomes(orderId, '20/10/10');
    await page.getByText('Checking your points').waitFor({ state: 'detached' });
    await page.goto(`${stack.addresses.bff}/app/orders/${orderId}`);
    await page.locator('[data-sentence="waiting"]').waitFor();
    expect((await orders.balances()).tenant.reserved).to.equal(40);
    expect(complaints).to.deep.equal([]);
  });
});
