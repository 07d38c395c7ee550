import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { expectAccessible } from '../support/browser/accessible.ts';
import { launchBrowser } from '../support/browser/launch.ts';
import { type DemoConsole, demoConsole } from '../support/browser/demo-console.ts';
import { eventually } from '../support/time/eventually.ts';
import { openPage, reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import { signIn } from '../support/browser/sign-in.ts';

describe('the console, by role', function () {
  this.timeout(120_000);
  let browser: Browser;
  let page: Page;
  let stack: DemoConsole;
  let complaints: string[];
  let rejected: string[];
  const app = (path: string) => `${stack.addresses.bff}/app${path}`;

  before(async function () {
    browser = await launchBrowser(this);
    this.timeout(240_000);
    stack = await demoConsole();
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => browser?.close());

  async function enter(sub: string, path: string): Promise<void> {
    ({ page, complaints } = await openPage(browser));
    rejected = [];
    page.on('response', (response) => void (response.status() === 403 && rejected.push(response.url())));
    await signIn(page, stack, { sub }, path);
  }

  function expectQuiet(): void {
    expect(rejected).to.deep.equal([]);
    expect(complaints).to.deep.equal([]);
  }

  describe('an order administrator without any other role', () => {
    before(() => enter('dan', '/app/orders'));

    it('finds any order by its number, in a sidebar with only what belongs to orders', async () => {
      const row = page.getByRole('row').filter({ hasText: 'Beans and a mug' });
      const orderNo = await row.getByText(/^\d{8}-/).innerText();
      const sidebar = page.getByRole('navigation', { name: 'Pages' });
      const pages = 'Orders,Goods,Coupons,Points,Unmatched money,Reconciliation,Sales audit log,Merchant webhook';
      await eventually(
        'there are no other pages',
        // A page's count of what needs a person is on a line of its own.
        async () =>
          (await sidebar.getByRole('link').allInnerTexts()).map((text) => text.split('\n')[0]).join() === pages,
      );
      await expectAccessible(page);
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByPlaceholder('Page, action, campaign').fill(orderNo);
      await page.getByRole('option', { name: orderNo }).click();
      await page.getByRole('heading', { name: 'Points ledger' }).waitFor();
      await page.getByRole('heading', { name: 'Beans and a mug', level: 1 }).waitFor();
      await takeScreenshot(page, 'order-administrator');
    });

    it('clears a search without results, and offers no retry for what remains missing', async () => {
      await page.goto(app('/orders'));
      await page.getByRole('link', { name: 'Beans and a mug' }).waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('nothing like it');
      await page.getByRole('link', { name: 'Clear filters' }).click();
      await page.getByRole('link', { name: 'Beans and a mug' }).waitFor();
      await eventually('the search is empty', async () => (await page.getByRole('searchbox').inputValue()) === '');
      // The focus stays in the filters.
      await page.locator('input:focus, select:focus').waitFor();
      await page.goto(app('/orders/nothing'));
      await page.getByText('This does not exist').waitFor();
      expect(await page.getByRole('button', { name: 'Try again' }).count()).to.equal(0);
    });

    it('sees a notice on every other page, and is led from the first page to the orders', async () => {
      await page.goto(app('/campaigns'));
      await page.getByText('Your role gives access to orders only.').waitFor();
      await expectAccessible(page);
      await page.goto(app(''));
      await page.waitForURL('**/app/orders');
      await page.getByRole('link', { name: 'Beans and a mug' }).waitFor();
    });

    it('requests nothing that is forbidden, and no page throws', expectQuiet);
  });

  describe('a viewer', () => {
    before(() => enter('cleo', '/app/campaigns'));

    it('has no link to the pages of order administrators, and is told whose they are', async () => {
      const sidebar = page.getByRole('navigation', { name: 'Pages' });
      await sidebar.getByRole('link', { name: 'Orders', exact: true }).waitFor();
      expect(await sidebar.getByRole('link', { name: 'Goods' }).count()).to.equal(0);
      await page.goto(app('/goods'));
      await page.getByText('Only order administrators can open this page.').waitFor();
      await page.goto(app('/campaigns'));
    });

    it('reads a whole draft and its estimated audience, and is offered no action that writes', async () => {
      await page.getByRole('link', { name: 'Winter menu' }).waitFor();
      expect(await page.getByRole('columnheader', { name: 'Actions' }).count(), 'no column without content').to.equal(
        0,
      );
      await page.getByRole('link', { name: 'Winter menu' }).click();
      await page.getByText('Your role can view campaigns but not edit them.').waitFor();
      await page.getByText('opens https://harbor-coffee.example/winter').waitFor();
      await page.getByRole('figure').getByText('Cinnamon is back').waitFor();
      await page.getByRole('complementary').getByText('Matched', { exact: true }).waitFor();
      expect(await page.getByRole('textbox').count()).to.equal(0);
      expect(await page.getByRole('button', { name: /Send|Save|Delete/ }).count()).to.equal(0);
      await expectAccessible(page);
      await takeScreenshot(page, 'viewer-draft');
    });

    it('requests nothing that is forbidden, and no page throws', expectQuiet);
  });
});
