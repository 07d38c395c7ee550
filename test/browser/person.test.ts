import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import type { ContactExport } from '#domain/api/person.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { openPage, reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { inOrder } from '../support/in-order.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';

const serviceNumberId = 'sn-person';

describe('one person’s data in the console', function () {
  this.timeout(120_000);
  inOrder(this);
  let ada: Person;
  let ben: Person;
  let browser: Browser;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let person: string;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;

  before(async function () {
    ({ ada, ben, browser, page, complaints, stack, tenant, close } = await openConsole(this, {
      serviceNumberId,
      contacts: 3,
    }));
    person = tenant.contactIds[0] ?? '';
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  const address = () => `/app/contacts/${serviceNumberId}/${person}`;

  it('A14: offers nothing of it to who is no administrator', async () => {
    const other = await openPage(browser);
    await signIn(other.page, stack, ben, address());
    await other.page.getByRole('heading', { name: 'Tags and why' }).waitFor();
    expect(await other.page.getByRole('heading', { name: 'Personal data' }).count()).to.equal(0);
    expect(other.complaints).to.deep.equal([]);
  });

  it('A14: saves everything as a file', async () => {
    await signIn(page, stack, ada, address());
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export everything' }).click();
    const file = await saving;
    expect(file.suggestedFilename()).to.equal('contact.json');
    const saved = JSON.parse(await readFile(await file.path(), 'utf8')) as ContactExport;
    expect(saved.contactId).to.equal(person);
    expect(saved.profiles).to.have.length(1);
  });

  it('A14: erases after saying what goes, what stays and why it is asked for', async () => {
    const remembered = () => page.evaluate<string>(`localStorage['outreach.recent']`);
    expect(await remembered(), 'as a page that was open').to.contain(person);
    await page.getByRole('button', { name: 'Erase…' }).click();
    const dialog = page.getByRole('dialog');
    for (const text of ['Removed: ', 'Kept: ', 'cannot be undone']) await dialog.getByText(text).first().waitFor();
    const button = dialog.getByRole('button', { name: 'Erase this person' });
    expect(await button.isDisabled()).to.equal(true);
    await dialog.getByLabel('Reason').fill('She asked us to');
    await expectAccessible(page);
    await takeScreenshot(page, 'person-erase');
    await button.click();
    await page.getByText('The person was erased.').waitFor();
    await page
      .getByText(tenant.contactIds[1] ?? '')
      .first()
      .waitFor();
    expect(await page.getByText(person).count()).to.equal(0);
    expect(await remembered()).not.to.contain(person);
    const { items } = await tenant.api.get<{ items: { action: string; after: unknown }[] }>(
      '/audit-log?objectType=contact',
    );
    expect(items.map(({ action, after }) => [action, after])).to.deep.equal([
      ['contact.erase', { reason: 'She asked us to' }],
    ]);
  });

  it('threw no error on any page', () => expect(complaints).to.deep.equal([]));
});
