import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { SavedAudience } from '#domain/api/audiences.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';

const serviceNumberId = 'sn-lists';

describe('uploading a list in the console', function () {
  this.timeout(120_000);
  let ada: Person;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;

  before(async function () {
    ({ ada, page, complaints, stack, tenant, close } = await openConsole(this, { serviceNumberId, contacts: 30 }));
    await signIn(page, stack, ada);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  async function openList(name: string): Promise<{ count: () => Promise<number>; members: () => Promise<string[]> }> {
    const body = { name, serviceNumberId, type: 'contacts' };
    const { audienceId } = await tenant.api.post<SavedAudience>('/audiences', body);
    await page.goto(`${stack.addresses.bff}/app/audiences/${audienceId}`);
    await page.getByRole('heading', { name }).waitFor();
    const db = stack.database.connect('outreach', 'owner');
    return {
      count: async () => (await tenant.api.get<SavedAudience>(`/audiences/${audienceId}`)).memberCount,
      members: async () =>
        (await db('audience_member').where({ audience_id: audienceId }).orderBy('contact_id')).map(
          (row: { contactId: string }) => row.contactId,
        ),
    };
  }
  const give = (lines: string[]) =>
    page.locator('input[type=file]').setInputFiles({
      name: 'guests.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`\uFEFF${lines.join('\r\n')}\r\n`),
    });
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

  it('finds header and column, says which lines are wrong, and stores the good ones if asked to', async () => {
    const { count, members } = await openList('Guests of the fair');
    const known = tenant.contactIds.slice(0, 28);
    const rows = known.map((id, index) => `Guest ${index},${id}`);
    await give(['name,contactId', ...rows.slice(0, 10), 'No id,', '"Open,c-1', ...rows.slice(10)]);
    await page.getByText('How guests.csv begins').waitFor();
    const column = page.getByRole('combobox', { name: 'Column with contact ids' });
    expect(await column.inputValue()).to.equal('2');
    expect(await page.getByRole('switch', { name: 'The first line is a header' }).isChecked()).to.equal(true);
    await expectAccessible(page);
    await takeScreenshot(page, 'upload-preview');
    await press('Upload 30 lines');
    await page.getByText('2 lines are not contact ids').waitFor();
    await page.getByText('Line 12, “No id,”: no contact id in this column').waitFor();
    await page.getByText('Line 13, “"Open,c-1”: quotes in the wrong place').waitFor();
    expect(await count()).to.equal(0);
    await expectAccessible(page);
    await takeScreenshot(page, 'upload-refused');
    const saving = page.waitForEvent('download');
    await press('Save 2 invalid lines as CSV');
    const report = await readFile(await (await saving).path(), 'utf8');
    expect(report.split('\r\n')).to.deep.equal([
      '\uFEFFLine,Text,Reason',
      '12,"No id,",no contact id in this column',
      '13,"""Open,c-1",quotes in the wrong place',
      '',
    ]);
    await press('Import 28 valid lines');
    await page.getByText('28 contacts stored.').waitFor();
    await page.getByText('2 lines were left out.').waitFor();
    expect(await members()).to.deep.equal(known.toSorted());
    expect(await page.getByText('not known contacts').count()).to.equal(0);
    expect(complaints.filter((text) => !text.includes('422'))).to.deep.equal([]);
  });

  it('says how many ids nobody knows, and lets a wrong guess be corrected', async () => {
    const { members } = await openList('Old guests');
    await give(['guests', 'ghost-1', 'ghost-2', 'ghost-3', ...tenant.contactIds.slice(0, 5)]);
    const header = page.getByRole('switch', { name: 'The first line is a header' });
    expect(await header.isChecked()).to.equal(true);
    await header.click();
    await page.getByRole('button', { name: 'Upload 9 lines' }).waitFor();
    await header.click();
    await press('Upload 8 lines');
    await page.getByText('3 of 8 ids are not known contacts of this service number').waitFor();
    await page.getByText('8 contacts stored.').waitFor();
    expect(await members()).to.not.include('guests');
    await expectAccessible(page);
    await takeScreenshot(page, 'upload-unknown');
  });

  it('puts back the list that a file has replaced, and that file’s again', async () => {
    const { members } = await openList('Guests of both days');
    const [first = '', second = ''] = tenant.contactIds;
    await give([first]);
    await press('Upload 1 line');
    await page.getByText('1 contact stored.').waitFor();
    await give([first, second]);
    await press('Upload 2 lines');
    await page.getByText('2 contacts stored.').waitFor();
    await press('Put the previous list back');
    await page.getByText('A list of 1 contact.').waitFor();
    expect(await members()).to.deep.equal([first]);
    await expectAccessible(page);
    await takeScreenshot(page, 'upload-put-back');
    await press('Put the previous list back');
    await page.getByText('A list of 2 contacts.').waitFor();
    expect(await members()).to.deep.equal([first, second]);
  });
});
