import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { SavedAudience } from '#domain/api/audiences.ts';
import type { Campaign, Results } from '#domain/api/campaign.ts';
import type { Page as ApiPage } from '#domain/api/primitives.ts';
import type { Tag } from '#domain/api/tags.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { sendCampaign } from '../support/outreach/campaigns.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

const serviceNumberId = 'sn-doors';

describe('from the clicks of a campaign in the console', function () {
  this.timeout(120_000);
  let ada: Person;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;
  let id: string;

  before(async function () {
    ({ ada, page, complaints, stack, tenant, close } = await openConsole(this, { serviceNumberId, contacts: 6 }));
    const postback = (label: string, bizEventCode: string) => ({ type: 'Postback', label, data: { bizEventCode } });
    const actions = [postback('Book a table', 'booked'), postback('Not now', 'later')];
    const messages = [{ type: 'buttons', title: 'Winter', text: 'The menu is here.', actions }];
    const { campaign, tasks } = await sendCampaign(tenant, { name: 'Winter menu', messages });
    ({ id } = campaign);
    const click = (contact: number, actionIndex: number) =>
      tenant.sandbox.post('/sandbox/clicks', {
        taskId: tasks[0]?.taskId,
        contactId: tenant.contactIds[contact],
        actionIndex,
      });
    await click(0, 0);
    await click(1, 0);
    await click(2, 1);
    await eventually('the clicks are counted', async () => {
      const { clicks } = await tenant.api.get<Results>(`/campaigns/${id}/results`);
      return clicks.total === 3;
    });
    await signIn(page, stack, ada);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  const open = (tab: string) => page.goto(`${stack.addresses.bff}/app/campaigns/${id}/${tab}`);
  const rowsOf = () => page.getByRole('table', { name: 'Clicks' }).getByRole('row');
  const shows = (count: number) => eventually('the list follows', async () => (await rowsOf().count()) === count + 1);
  const membersOf = async (audienceId: string): Promise<string[]> =>
    (
      await stack.database
        .connect(
          'outreach',
          'owner',
        )('audience_member')
        .where({ audience_id: audienceId })
        .orderBy('contact_id')
    ).map((row: { contactId: string }) => row.contactId);

  it('leads from the figure of a button or event code to who clicked, by name, and exports just these', async () => {
    await open('results');
    await page.getByRole('link', { name: '2 clicks 2 contacts' }).click();
    await page.waitForURL(/clicks\?.*button=0\.0/);
    await shows(2);
    expect(await page.getByRole('combobox', { name: 'Button' }).inputValue()).to.equal('0.0');
    const [first = '', , third = ''] = tenant.contactIds;
    await rowsOf().filter({ hasText: first }).waitFor();
    expect(await rowsOf().filter({ hasText: third }).count()).to.equal(0);
    await expectAccessible(page);
    await takeScreenshot(page, 'clicks-of-a-button');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export as CSV' }).click(),
    ]);
    expect(download.url()).to.include('messageIndex=0').and.to.include('actionIndex=0');
    await open('results');
    await page.getByRole('row').filter({ hasText: 'later' }).getByRole('link').first().click();
    await page.waitForURL(/clicks\?.*code=later/);
    await shows(1);
    await page.getByRole('button', { name: 'Show every event code, not only later' }).click();
    await shows(3);
  });

  it('saves those who clicked a button as an audience', async () => {
    await page.goto(`${stack.addresses.bff}/app/campaigns/${id}/clicks?button=0.0`);
    await page.getByRole('button', { name: 'Save as audience' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Name').inputValue()).to.equal('Clicked “Book a table” in Winter menu');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save 2 contacts' }).click();
    await page.waitForURL(/audiences\/[\w-]+/);
    await page.getByText('A list of 2 contacts.').waitFor();
    const { items } = await tenant.api.get<ApiPage<SavedAudience>>('/audiences');
    const saved = items.find(({ name }) => name.startsWith('Clicked “Book'));
    expect(await membersOf(saved?.audienceId ?? '')).to.deep.equal(tenant.contactIds.slice(0, 2));
  });

  it('tags those who clicked', async () => {
    const { tagId } = await tenant.api.post<Tag>('/tags', { name: 'Keen', serviceNumberId, kind: 'permanent' });
    await open('clicks');
    await page.getByRole('button', { name: 'Tag these' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Tag').selectOption({ label: 'Keen' });
    await takeScreenshot(page, 'tag-clickers');
    await dialog.getByRole('button', { name: 'Tag 3 contacts' }).click();
    await page.getByText('Tagged 3 contacts.').waitFor();
    expect((await tenant.api.get<Tag>(`/tags/${tagId}`)).contactCount).to.equal(3);
  });

  it('drafts a campaign to those who did not click, which can be sent', async () => {
    await open('clicks');
    await page.getByRole('button', { name: 'Send to those who did not click' }).click();
    const dialog = page.getByRole('dialog');
    await expectAccessible(page);
    await takeScreenshot(page, 'follow-up');
    await dialog.getByRole('button', { name: 'Create draft' }).click();
    await page.waitForURL(/campaigns\/[\w-]+\/edit/);
    const draftId = /campaigns\/([\w-]+)\/edit/.exec(page.url())?.[1] ?? '';
    const draft = await tenant.api.get<Campaign>(`/campaigns/${draftId}`);
    expect([draft.status, draft.name]).to.deep.equal(['draft', 'Winter menu: follow-up']);
    const audienceId = draft.audience.type === 'contacts' ? (draft.audience.audienceId ?? '') : '';
    expect(await membersOf(audienceId)).to.deep.equal(tenant.contactIds.slice(3));
    await page.goto(`${stack.addresses.bff}/app/campaigns/${draftId}/edit?step=review`);
    await page.getByRole('button', { name: /^Send to 3 contacts$/ }).waitFor();
    expect(complaints).to.deep.equal([]);
  });
});
