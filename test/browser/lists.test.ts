import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Campaign } from '#domain/api/campaign.ts';
import type { Contact } from '#domain/api/contacts.ts';
import type { Page as ApiPage } from '#domain/api/primitives.ts';
import type { Rule } from '#domain/api/rules.ts';
import type { Tag } from '#domain/api/tags.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { draftCampaign } from '../support/outreach/campaigns.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

describe('lists in the console', function () {
  this.timeout(120_000);
  let ada: Person;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;
  let id: string;

  const open = (path: string) => page.goto(`${stack.addresses.bff}/app/${path}`);

  before(async function () {
    ({ ada, page, complaints, stack, tenant, close } = await openConsole(this, {
      serviceNumberId: 'sn-rows',
      contacts: 3,
    }));
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
      .nth(2)
      .click({ modifiers: ['ControlOrMeta'], position: { x: 2, y: 2 } });
    const tab = await added;
    await tab.waitForURL(`**/campaigns/${id}/**`);
    await tab.close();
    await row
      .getByRole('cell')
      .nth(2)
      .click({ position: { x: 2, y: 2 } });
    await page.waitForURL(`**/campaigns/${id}/**`);
  });

  it('open a contact by a click beside its name', async () => {
    const [contactId = ''] = tenant.contactIds;
    await open('contacts');
    const row = page.getByRole('row').filter({ hasText: contactId });
    await row.getByRole('cell').nth(5).click();
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

  const bar = () => page.getByRole('region', { name: 'Selected rows' });
  const dialog = () => page.getByRole('dialog');
  const select = (name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true });

  it('archive the tags that were selected by keyboard, and save them as a file', async () => {
    const named = { serviceNumberId: 'sn-rows', kind: 'permanent' };
    const [one, other] = await Promise.all(
      ['Spring', 'Summer'].map((name) => tenant.api.post<Tag>('/tags', { ...named, name })),
    );
    await open('tags');
    await select('Spring').focus();
    await page.keyboard.press('Space');
    await select('Summer').check();
    await bar().getByText('2 selected').waitFor();
    expect(new URL(page.url()).pathname, 'a checkbox opens nothing').to.equal('/app/tags');
    await expectAccessible(page);
    await takeScreenshot(page, 'selected-tags');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      bar().getByRole('button', { name: 'Export 2 as CSV' }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    expect(lines.slice(1).map((line) => line.split(',')[1])).to.deep.equal(['Spring', 'Summer']);
    await bar().getByRole('button', { name: 'Archive 2 tags' }).click();
    await expectAccessible(page);
    // Somebody else archives one of them in the meantime.
    await tenant.api.post('/tags:archive', { tagIds: [other?.tagId] });
    await dialog().getByRole('button', { name: 'Archive 2 tags' }).click();
    await dialog().getByRole('heading', { name: 'Archived 1 tag.' }).waitFor();
    await dialog().getByText('1 was already so.').waitFor();
    await takeScreenshot(page, 'partly-archived');
    await dialog().getByRole('button', { name: 'Close' }).last().click();
    await bar().waitFor({ state: 'detached' });
    expect((await tenant.api.get<Tag>(`/tags/${one?.tagId}`)).status).to.equal('archived');
  });

  it('tag the contacts that were selected', async () => {
    const named = { serviceNumberId: 'sn-rows', kind: 'permanent', name: 'Tasters' };
    const { tagId } = await tenant.api.post<Tag>('/tags', named);
    await open('contacts');
    await page.getByRole('checkbox', { name: 'Select all rows' }).check();
    await bar().getByText('3 selected').waitFor();
    const [contactId = ''] = tenant.contactIds;
    await page.getByRole('row').filter({ hasText: contactId }).getByRole('checkbox').uncheck();
    await expectAccessible(page);
    await takeScreenshot(page, 'selected-contacts');
    await bar().getByRole('button', { name: 'Tag 2 contacts' }).click();
    await dialog().getByLabel('Tag').selectOption({ label: 'Tasters' });
    await expectAccessible(page);
    await dialog().getByRole('button', { name: 'Tag 2 contacts' }).click();
    await page.getByText('Tagged 2 contacts.').waitFor();
    expect((await tenant.api.get<Tag>(`/tags/${tagId}`)).contactCount).to.equal(2);
    await bar().getByRole('button', { name: 'Clear selection' }).click();
    const focused = await page.evaluate<string>('document.activeElement.getAttribute("aria-label")');
    expect(focused, 'the focus stays in the list').to.equal('Select all rows');
  });

  it('are selected on a phone, too', async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    try {
      await open('campaigns');
      await select('Autumn tasting').check();
      await bar().getByRole('button', { name: 'Close 1 campaign' }).waitFor();
      await expectAccessible(page);
      await takeScreenshot(page, 'selected-on-a-phone');
      await bar().getByRole('button', { name: 'Close 1 campaign' }).click();
      await dialog().getByRole('button', { name: 'Close 1 campaign' }).click();
      await dialog().getByText('Autumn tasting: This is no longer possible').waitFor();
      expect((await tenant.api.get<Campaign>(`/campaigns/${id}`)).status, 'a draft stays one').to.equal('draft');
    } finally {
      await page.setViewportSize({ width: 1280, height: 800 });
    }
  });

  it('remove the rules that were selected', async () => {
    const { items } = await tenant.api.get<ApiPage<Rule>>('/smart-tag-rules');
    expect(items).to.have.length(1);
    await open('rules');
    await select(items[0]?.name ?? '').check();
    await bar().getByRole('button', { name: 'Remove 1 rule' }).click();
    await dialog().getByRole('button', { name: 'Remove 1 rule' }).click();
    await page.getByText('Removed 1 rule.').waitFor();
    expect((await tenant.api.get<ApiPage<Rule>>('/smart-tag-rules')).items).to.deep.equal([]);
  });

  it('are ordered by a column, either way, in the address, and as usual again', async () => {
    const header = page.getByRole('columnheader', { name: 'Tag' });
    const sorted = async (direction: string) =>
      eventually(`it says ${direction}`, async () => (await header.getAttribute('aria-sort')) === direction);
    const listed = (names: string[]) =>
      eventually(`the order is ${names.join(', ')}`, async () => {
        const shown = await page.getByRole('table').getByRole('link').allInnerTexts();
        return shown.filter((name) => names.includes(name)).join() === names.join();
      });
    await open('tags');
    await sorted('ascending');
    await listed(['Regulars', 'Tasters']);
    await header.getByRole('button').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**sort=-name**');
    await sorted('descending');
    await listed(['Tasters', 'Regulars']);
    await expectAccessible(page);
    await takeScreenshot(page, 'ordered');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export as CSV' }).click(),
    ]);
    const text = await readFile(await download.path(), 'utf8');
    expect(text.indexOf('Tasters'), 'the file is in the same order').to.be.lessThan(text.indexOf('Regulars'));
    await page.reload();
    await listed(['Tasters', 'Regulars']);
    await header.getByRole('button').click();
    await sorted('ascending');
    expect(new URL(page.url()).searchParams.has('sort')).to.equal(false);
    await page.getByRole('columnheader', { name: 'Created' }).getByRole('button').click();
    await page.waitForURL('**sort=-createdAt**');
    await listed(['Tasters', 'Regulars']);
    await sorted('none');
  });

  it('order contacts by when they came, on a phone by a select', async () => {
    const newest = await tenant.api.get<ApiPage<Contact>>('/contacts?serviceNumberId=sn-rows&sort=-enteredAt');
    const expected = newest.items.map(({ contactId }) => contactId);
    const shown = async () =>
      (await page.getByRole('row').allInnerTexts()).flatMap((text) => /sn-rows-\d+/.exec(text)?.[0] ?? []);
    const listed = (ids: string[]) =>
      eventually('the order follows', async () => (await shown()).join() === ids.join());
    await open('contacts');
    await page.getByRole('columnheader', { name: 'Since' }).getByRole('button').click();
    await listed(expected);
    await page.setViewportSize({ width: 320, height: 640 });
    try {
      await page.getByRole('button', { name: 'Filters', exact: true }).click();
      await page.getByLabel('Sort by').selectOption({ label: 'Since, ascending' });
      await page.waitForURL('**sort=enteredAt**');
      await listed(expected.toReversed());
      await expectAccessible(page);
      await takeScreenshot(page, 'ordered-on-a-phone');
    } finally {
      await page.setViewportSize({ width: 1280, height: 800 });
    }
  });

  it('threw no error on any page', () => {
    expect(complaints).to.deep.equal([]);
  });
});
