import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Me } from '#domain/api/session.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { openPage, reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import { signIn } from '../support/browser/sign-in.ts';
import type { Stack } from '../support/services/stack.ts';
import { apiAs } from '../support/services/tenant.ts';

describe('the service numbers that a person sees', function () {
  this.timeout(120_000);
  let opened: Awaited<ReturnType<typeof openConsole>>;
  let page: Page;
  let stack: Stack;

  before(async function () {
    opened = await openConsole(this, { serviceNumberId: 'sn-seen', contacts: 1 });
    ({ page, stack } = opened);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => opened.close());

  it('are chosen in the settings', async () => {
    const { ada, ben, browser } = opened;
    const { page: operator } = await openPage(browser);
    await signIn(operator, stack, ben);
    await operator.close();
    const seen = async () => (await (await apiAs(stack, ben)).get<Me>('/me')).serviceNumberIds;

    await signIn(page, stack, ada);
    await page.goto(`${stack.addresses.bff}/app/settings`);
    const row = page.getByRole('row').filter({ hasText: ben.sub });
    await row.getByText('All service numbers').waitFor();
    const dialog = page.getByRole('dialog');
    const change = async (choose: () => Promise<unknown>, shown: string) => {
      await row.getByRole('button', { name: /^Visibility of/ }).click();
      await choose();
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
      await row.getByText(shown, { exact: true }).waitFor();
    };
    const all = dialog.getByRole('checkbox', { name: 'All service numbers' });

    await change(() => all.uncheck(), 'No service numbers');
    expect(await seen()).to.deep.equal([]);
    await change(async () => {
      await dialog.getByText('No service numbers').click();
      await page.getByRole('option', { name: 'sn-seen' }).click();
      await page.keyboard.press('Escape');
      await takeScreenshot(page, 'service-numbers-of-a-person');
    }, 'sn-seen');
    expect(await seen()).to.deep.equal(['sn-seen']);
    await change(() => all.check(), 'All service numbers');
    expect(await seen()).to.equal(null);
  });
});
