import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { openPage, reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import type { Stack } from '../support/services/stack.ts';

describe('the sessions in the settings', function () {
  this.timeout(120_000);
  let ada: Person;
  let ben: Person;
  let browser: Browser;
  let page: Page;
  let stack: Stack;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;

  before(async function () {
    ({ ada, ben, browser, page, stack, complaints, close } = await openConsole(this, {
      serviceNumberId: 'sn-sessions',
      contacts: 1,
    }));
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  const settings = () => page.goto(`${stack.addresses.bff}/app/settings`);
  const table = () => page.getByRole('table', { name: 'Signed-in sessions' });

  it('shows this session and ends another one of the same person', async () => {
    const { page: second } = await openPage(browser);
    await signIn(second, stack, ada);
    await signIn(page, stack, ada);
    await settings();
    await table().getByText('This session').waitFor();
    expect(await table().getByText('Chrome (Linux)').count()).to.equal(2);
    await expectAccessible(page);
    await takeScreenshot(page, 'sessions');
    await table()
      .getByRole('button', { name: /^End the session of Ada Lin in Chrome/ })
      .click();
    await page.getByRole('dialog').getByText('The browser is signed out at once.').waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'sessions-end');
    await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await table().getByText('Chrome (Linux)').count()).to.equal(1);
    await second.goto(`${stack.addresses.bff}/app`);
    await second.getByRole('heading', { name: 'Who are you?' }).waitFor();
    await second.close();
  });

  it('shows an administrator those of everybody, and an operator the own alone', async () => {
    const { page: operator } = await openPage(browser, { viewport: { width: 320, height: 640 }, colorScheme: 'dark' });
    await signIn(operator, stack, ben);
    await operator.goto(`${stack.addresses.bff}/app/settings`);
    const own = operator.getByRole('table', { name: 'Signed-in sessions' });
    await own.getByText('This session').waitFor();
    expect(await operator.getByLabel('Whose sessions').count()).to.equal(0);
    await expectAccessible(operator);
    await takeScreenshot(operator, 'sessions-narrow');
    await settings();
    await page.getByLabel('Whose sessions').selectOption({ label: 'Everybody’s' });
    await table()
      .getByRole('button', { name: /^End the session of Ben Wu/ })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await operator.goto(`${stack.addresses.bff}/app`);
    await operator.getByRole('heading', { name: 'Who are you?' }).waitFor();
    await operator.close();
    expect(complaints).to.deep.equal([]);
  });
});
