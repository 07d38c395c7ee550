import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import { ada } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { draftCampaign } from '../support/outreach/campaigns.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';

describe('lists in the console', function () {
  this.timeout(120_000);
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;
  let id: string;

  const open = (path: string) => page.goto(`${stack.addresses.bff}/app/${path}`);

  before(async function () {
    ({ page, complaints, stack, tenant, close } = await openConsole(this, { serviceNumberId: 'sn-rows', contacts: 3 }));
    await signIn(page, stack, ada);
    ({ id } = await draftCampaign(tenant, { name: 'Autumn tasting' }));
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  it('open the page of a row by a click anywhere on it, and leave its own buttons alone', async () => {
    await open('campaigns');
    const row = page.getByRole('row').filter({ hasText: 'Autumn tasting' });
    await row.getByRole('button', { name: 'Actions for Autumn tasting' }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor();
    await page.keyboard.press('Escape');
    expect(new URL(page.url()).pathname).to.equal('/app/campaigns');
    const added = page.context().waitForEvent('page');
    await row
      .getByRole('cell')
      .nth(1)
      .click({ modifiers: ['ControlOrMeta'], position: { x: 2, y: 2 } });
    const tab = await added;
    await tab.waitForURL(`**/campaigns/${id}/**`);
    await tab.close();
    await row
      .getByRole('cell')
      .nth(1)
      .click({ position: { x: 2, y: 2 } });
    await page.waitForURL(`**/campaigns/${id}/**`);
  });

  it('open a contact by a click beside its name', async () => {
    const [contactId = ''] = tenant.contactIds;
    await open('contacts');
    const row = page.getByRole('row').filter({ hasText: contactId });
    await row.getByRole('cell').nth(4).click();
    await page.waitForURL(`**/contacts/sn-rows/${contactId}*`);
  });

  it('keep filters under a name, apply them again after a reload, and forget them', async () => {
    await open('campaigns?status=draft&q=Autumn');
    const button = page.getByRole('button', { name: 'Saved filters' });
    await button.click();
    await page.getByLabel('Name for these filters').fill('Drafts of autumn');
    await expectAccessible(page);
    await takeScreenshot(page, 'saved-filters');
    await page.keyboard.press('Enter');
    await open('campaigns');
    await button.click();
    await page.getByRole('link', { name: 'Drafts of autumn' }).click();
    await page.waitForURL(({ search }) => search.includes('status=draft') && search.includes('q=Autumn'));
    await page.getByRole('row').filter({ hasText: 'Autumn tasting' }).waitFor();
    await open('tags');
    await page.getByRole('heading', { name: 'Tags', level: 1 }).waitFor();
    expect(await button.count(), 'other lists have their own').to.equal(0);
    await open('campaigns');
    await button.click();
    await page.getByRole('button', { name: 'Remove “Drafts of autumn”' }).click();
    await button.waitFor({ state: 'detached' });
  });

  it('threw no error on any page', () => {
    expect(complaints).to.deep.equal([]);
  });
});
