import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Tag } from '../../domain/api/tags.ts';
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

  it('export what they show, as they are filtered', async () => {
    const named = { serviceNumberId: 'sn-rows', kind: 'permanent' };
    const { tagId } = await tenant.api.post<Tag>('/tags', { ...named, name: 'Regulars' });
    const matchCondition = { field: 'bizEventCode', op: 'eq', value: 'x' };
    const rule = { name: 'Tasters', triggerEvent: 'notice.clicked', matchCondition, targetTagId: tagId };
    await tenant.api.post('/smart-tag-rules', rule);
    const [contactId = '', other = ''] = tenant.contactIds;
    for (const [path, file, shown, hidden] of [
      ['campaigns?q=Autumn', 'campaigns.csv', 'Autumn tasting', 'Nothing'],
      [`contacts?q=${contactId}`, 'contacts.csv', contactId, other],
      ['tags', 'tags.csv', 'Regulars', 'Nothing'],
      ['tags?status=archived', 'tags.csv', 'tagId', 'Regulars'],
      ['rules', 'rules.csv', 'Tasters', 'Nothing'],
    ] as const) {
      await open(path);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export as CSV' }).click(),
      ]);
      expect(download.suggestedFilename()).to.equal(file);
      const text = await readFile(await download.path(), 'utf8');
      expect(text, path).to.include(shown).and.not.to.include(hidden);
      await takeScreenshot(page, `export-${file}`);
    }
  });

  it('threw no error on any page', () => {
    expect(complaints).to.deep.equal([]);
  });
});
