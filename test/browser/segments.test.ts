import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { SavedAudience } from '#domain/api/audiences.ts';
import type { Campaign, Results } from '#domain/api/campaign.ts';
import type { Page as ApiPage } from '#domain/api/primitives.ts';
import type { Tag } from '#domain/api/tags.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { keyboardOn } from '../support/browser/keyboard.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { inOrder } from '../support/in-order.ts';
import { cardMessage, draftCampaign, sendCampaign, subTasksOf } from '../support/outreach/campaigns.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

const serviceNumberId = 'sn-segments';

describe('segments in the console', function () {
  this.timeout(120_000);
  inOrder(this);
  let ada: Person;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;
  let springId: string;
  let tagId: string;
  let draftId: string;

  /** Reached by Spring: 1 to 6; clicked: 1 and 2; regulars: 2 to 5. */
  const contacts = (...numbers: number[]) => numbers.map((number) => tenant.contactIds[number - 1] ?? '');

  before(async function () {
    ({ ada, page, complaints, stack, tenant, close } = await openConsole(this, { serviceNumberId, contacts: 8 }));
    const named = { name: 'Regulars', serviceNumberId, kind: 'permanent' };
    ({ tagId } = await tenant.api.post<Tag>('/tags', named));
    await tenant.api.post(`/tags/${tagId}/assignments`, { contactIds: contacts(2, 3, 4, 5) });
    const { campaign, tasks } = await sendCampaign(tenant, {
      name: 'Spring',
      messages: [cardMessage],
      audience: { type: 'contacts', contactIds: contacts(1, 2, 3, 4, 5, 6) },
    });
    springId = campaign.id;
    for (const contactId of contacts(1, 2))
      await tenant.sandbox.post('/sandbox/clicks', { taskId: tasks[0]?.taskId, contactId, actionIndex: 0 });
    await eventually('the clicks are counted', async () => {
      const { clicks } = await tenant.api.get<Results>(`/campaigns/${springId}/results`);
      return clicks.total === 2;
    });
    const none = { type: 'contacts' as const, contactIds: [] };
    ({ id: draftId } = await draftCampaign(tenant, { name: 'Again', messages: [cardMessage], audience: none }));
    await signIn(page, stack, ada);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  const open = (path: string) => page.goto(`${stack.addresses.bff}/app/${path}`);
  const condition = (number: number) => page.getByRole('group', { name: `Condition ${number}`, exact: true });
  const shows = (number: number, count: string) => condition(number).getByText(count, { exact: true }).waitFor();

  async function addCondition(number: number, what: string): Promise<void> {
    await page.getByRole('button', { name: 'Add condition' }).click();
    await condition(number)
      .getByRole('combobox', { name: `What condition ${number} is about` })
      .selectOption(what);
  }
  async function choose(number: number, list: 'Campaigns' | 'Tag', option: string): Promise<void> {
    await condition(number).getByRole('button', { name: list }).click();
    await page.getByRole('option', { name: option }).click();
    if (list === 'Campaigns') await page.keyboard.press('Escape');
  }
  /** Screenshots of it at the width of a desk and of a phone. */
  async function look(name: string): Promise<void> {
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 860 });
      await expectAccessible(page);
      await takeScreenshot(page, `segments-${name}-${width}`);
    }
  }
  const sentence =
    'Contacts who were reached by “Spring” and did not click any button of “Spring” and have the tag “Regulars”';
  const stored = () => ({
    all: [
      { reached: { campaignIds: [springId] } },
      { not: { clicked: { campaigns: { campaignIds: [springId] } } } },
      { tag: tagId },
    ],
  });
  const audienceOf = async () => (await tenant.api.get<Campaign>(`/campaigns/${draftId}`)).audience;

  it('composes who was reached, did not click and has a tag, with a count beside each part', async () => {
    await open(`campaigns/${draftId}/edit?step=audience`);
    await page.getByRole('radio', { name: 'Contacts by what they did' }).click();
    await page.getByText('No conditions yet: nobody matches.').waitFor();
    await addCondition(1, 'Reached by');
    await condition(1).getByText('Choose campaigns, or 1 to 366 days.').waitFor();
    await choose(1, 'Campaigns', 'Spring');
    await shows(1, '6 contacts');
    await addCondition(2, 'Did not click');
    await choose(2, 'Campaigns', 'Spring');
    await shows(2, '6 contacts');
    await addCondition(3, 'Has the tag');
    await choose(3, 'Tag', 'Regulars');
    await shows(3, '4 contacts');
    await page.getByText(sentence).waitFor();
    await page.getByRole('group', { name: 'Conditions' }).getByText('3 contacts', { exact: true }).first().waitFor();
    const partsOf = (audience: Campaign['audience']) =>
      audience.type === 'segment' && 'all' in audience.segment ? audience.segment.all.length : 0;
    await eventually('all of it is saved', async () => partsOf(await audienceOf()) === 3);
    expect(await audienceOf()).to.deep.equal({ type: 'segment', segment: stored() });
    await look('editor');
  });

  it('keeps the segment when the editor is opened again, and counts the clicks of one button by keyboard', async () => {
    await page.reload();
    await shows(3, '4 contacts');
    const { tabTo } = keyboardOn(page);
    await tabTo(condition(2).getByRole('combobox', { name: 'Button' }));
    await page.keyboard.press('ArrowDown');
    await page.getByText('did not click “See it” of “Spring”').waitFor();
    await page.keyboard.press('ArrowUp');
    await page.getByText(sentence).waitFor();
    await tabTo(page.getByRole('button', { name: 'Add condition' }));
    await page.keyboard.press('Enter');
    await condition(4).locator('select:focus').waitFor();
    await tabTo(page.getByRole('button', { name: 'Remove condition 4' }));
    await page.keyboard.press('Enter');
    await condition(4).waitFor({ state: 'detached' });
    await page.getByText('Saved as draft').waitFor();
    await eventually('it is saved as before', async () => {
      const audience = await audienceOf();
      return audience.type === 'segment' && JSON.stringify(audience.segment) === JSON.stringify(stored());
    });
  });

  it('says the segment in the review, and sends to exactly these contacts', async () => {
    await open(`campaigns/${draftId}/edit?step=review`);
    await page.getByText(sentence).waitFor();
    await look('review');
    await page.getByRole('button', { name: 'Send to 3 contacts' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send to 3 contacts' }).click();
    await page.waitForURL('**/progress**');
    const taskId = await eventually('the platform has the task', async () => {
      const [task] = await subTasksOf(tenant, draftId);
      return task?.taskId ?? undefined;
    });
    const { contactIds } = await tenant.sandbox.get<{ contactIds: string[] }>(`/sandbox/tasks/${taskId}`);
    expect(contactIds.toSorted()).to.deep.equal(contacts(3, 4, 5));
  });

  it('saves a segment as an audience, reads it in words in both languages, changes it and undoes that', async () => {
    await open('audiences');
    await page.getByRole('button', { name: 'New audience' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Silent regulars');
    await dialog.getByRole('radio', { name: 'Contacts by what they did' }).click();
    const create = dialog.getByRole('button', { name: 'Create audience' });
    await dialog.getByText('No conditions yet: nobody matches.').waitFor();
    expect(await create.isDisabled()).to.equal(true);
    await addCondition(1, 'Not reached by');
    await choose(1, 'Campaigns', 'Spring');
    await shows(1, '2 contacts');
    await addCondition(2, 'Has in the profile');
    await condition(2).getByText('Fill in the value to compare with.').waitFor();
    await condition(2).getByRole('combobox', { name: 'Comparison' }).selectOption('has a value');
    await look('dialog');
    await create.click();
    // The dialog says the conditions in the same words until it is gone.
    await dialog.waitFor({ state: 'detached' });
    const inWords = 'Contacts who were not reached by “Spring” and have a value for channel';
    await page.getByText(inWords).waitFor();
    await look('audience');
    const { items } = await tenant.api.get<ApiPage<SavedAudience>>('/audiences');
    const saved = items.find(({ name }) => name === 'Silent regulars');
    const before = {
      all: [
        { not: { reached: { campaignIds: [springId] } } },
        { profile: { field: 'channel', test: { op: 'exists' } } },
      ],
    };
    expect(saved?.segment).to.deep.equal(before);
    const segment = async () => (await tenant.api.get<SavedAudience>(`/audiences/${saved?.audienceId}`)).segment;

    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByRole('button', { name: 'Remove condition 2' }).click();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Contacts who were not reached by “Spring”', { exact: true }).waitFor();
    expect(await segment()).to.deep.equal({ all: [{ not: { reached: { campaignIds: [springId] } } }] });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText(inWords).waitFor();
    expect(await segment()).to.deep.equal(before);

    await page.evaluate(`localStorage.setItem('outreach.preferences', '{"locale":"zh-Hant"}')`);
    await open('audiences');
    await page.getByText('未收到「Spring」，且有管道的聯絡人').waitFor();
    await look('list');
    expect(complaints).to.deep.equal([]);
  });
});
