import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { AudiencePreview, SavedAudience } from '#domain/api/audiences.ts';
import type { CampaignContact } from '#domain/api/campaign-contacts.ts';
import type { Campaign, SubTask } from '#domain/api/campaign.ts';
import type { Page as ApiPage } from '#domain/api/primitives.ts';
import type { Rule } from '#domain/api/rules.ts';
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

const serviceNumberId = 'sn-contact-outcomes';

describe('what each contact of a campaign did, in the console', function () {
  this.timeout(120_000);
  let ada: Person;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;
  let id: string;
  let task: SubTask | undefined;
  let rule: Rule;

  // Of six contacts, the first two ask, which opens a conversation and gives a tag by a rule, and the third says not now.
  before(async function () {
    ({ ada, page, complaints, stack, tenant, close } = await openConsole(this, { serviceNumberId, contacts: 6 }));
    const { tagId } = await tenant.api.post<Tag>('/tags', { name: 'Asked', serviceNumberId, kind: 'permanent' });
    const matchCondition = { field: 'bizEventCode', op: 'eq', value: 'ask' };
    rule = await tenant.api.post<Rule>('/smart-tag-rules', {
      name: 'Who asks',
      triggerEvent: 'notice.clicked',
      matchCondition,
      targetTagId: tagId,
      status: 'active',
    });
    const postback = (label: string, data: object) => ({ type: 'Postback', label, data });
    const actions = [
      postback('Ask us', { event: 'InboundReason', bizEventCode: 'ask' }),
      postback('Not now', { bizEventCode: 'later' }),
    ];
    const messages = [{ type: 'buttons', title: 'Winter', text: 'The menu is here.', actions }];
    const { campaign, tasks } = await sendCampaign(tenant, { name: 'Winter menu', messages });
    ({ id } = campaign);
    [task] = tasks;
    for (const [contact, actionIndex] of [0, 0, 1].entries())
      await tenant.sandbox.post('/sandbox/clicks', {
        taskId: task?.taskId,
        contactId: tenant.contactIds[contact],
        actionIndex,
      });
    await eventually('everything that followed is there', async () => {
      const of = async (outcome: string) =>
        (await tenant.api.get<ApiPage<CampaignContact>>(`/campaigns/${id}/contacts?outcome=${outcome}`)).items.length;
      return [await of('clicked'), await of('conversed'), await of('converted')].join() === '3,2,2';
    });
    await signIn(page, stack, ada);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  const open = (query = '') => page.goto(`${stack.addresses.bff}/app/campaigns/${id}/contacts${query}`);
  const rowOf = (index: number) => page.getByRole('row').filter({ hasText: tenant.contactIds[index] ?? '' });
  const shows = (indexes: number[]) =>
    eventually('the list follows', async () => {
      const shown = await page.getByRole('table', { name: 'Contacts' }).getByRole('row').allTextContents();
      const found = tenant.contactIds.flatMap((contactId, index) =>
        shown.some((text) => text.includes(contactId)) ? [index] : [],
      );
      return found.join() === indexes.join();
    });
  const choose = (label: string, option: string) => page.getByLabel(label, { exact: true }).selectOption(option);

  it('shows who received it, clicked, opened a conversation and was given a tag, and filters by it', async () => {
    await page.goto(`${stack.addresses.bff}/app/campaigns/${id}/results`);
    await page.locator('main').getByRole('link', { name: 'Contacts', exact: true }).click();
    await page.waitForURL(/campaigns\/[\w-]+\/contacts/);
    await shows([0, 1, 2, 3, 4, 5]);
    for (const text of ['Completed', 'Send 1', 'Ask us', 'Asked']) await rowOf(0).getByText(text).waitFor();
    await rowOf(2).getByText('Not now').waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'contacts-of-a-campaign');
    await choose('Contact', 'Clicked');
    await shows([0, 1, 2]);
    await choose('Button', 'Ask us');
    await shows([0, 1]);
    await page.reload();
    await shows([0, 1]);
    await choose('Contact', 'Received it and did not click');
    await shows([2, 3, 4, 5]);
    await choose('Button', 'All buttons');
    await shows([3, 4, 5]);
    await choose('Contact', 'Opened a conversation');
    await shows([0, 1]);
    await choose('Contact', 'Did not receive it');
    await shows([]);
  });

  it('leads to what says so: the sub-task, the event and the rule', async () => {
    await open();
    await rowOf(0).getByRole('link', { name: 'Completed' }).click();
    await page.waitForURL((url) => url.searchParams.get('task') === task?.key);
    await open();
    await rowOf(0).getByRole('link', { name: 'Ask us' }).click();
    await page.waitForURL(/inbox/);
    await page.getByText('notice.clicked').first().waitFor();
    await open();
    await rowOf(0).getByRole('link', { name: 'Asked' }).click();
    await page.waitForURL((url) => url.pathname.endsWith(`/rules/${rule.ruleId}`));
  });

  it('exports those that it shows', async () => {
    await open('?outcome=converted');
    await shows([0, 1]);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export as CSV' }).click(),
    ]);
    const lines = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(lines.slice(1).map((line) => line.split(',')[0])).to.deep.equal(tenant.contactIds.slice(0, 2));
    expect(lines[1]).to.match(/,completed,true,.*,Ask us,.*,Asked$/);
  });

  it('saves those who did not click as an audience that follows the campaign', async () => {
    await open('?outcome=not_clicked');
    await shows([3, 4, 5]);
    await page.getByRole('button', { name: 'Save as audience' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Name').inputValue()).to.equal('Received Winter menu and did not click');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save as audience' }).click();
    await page.waitForURL(/audiences\/[\w-]+/);
    const audienceId = /audiences\/([\w-]+)/.exec(page.url())?.[1] ?? '';
    const { segment } = await tenant.api.get<SavedAudience>(`/audiences/${audienceId}`);
    const campaigns = { campaignIds: [id] };
    expect(segment).to.deep.equal({ all: [{ reached: campaigns }, { not: { clicked: { campaigns } } }] });
    const audience = { type: 'segment', segment };
    const counted = await tenant.api.post<AudiencePreview>('/audiences:preview', { serviceNumberId, audience });
    expect(counted.reachableCount).to.equal(3);
  });

  /** The draft that the editor shows. */
  async function opened(): Promise<Campaign> {
    await page.waitForURL(/campaigns\/[\w-]+\/edit/);
    await page.locator('h1').first().waitFor();
    const [, draftId] = /campaigns\/([\w-]+)\/edit/.exec(page.url()) ?? [];
    return tenant.api.get<Campaign>(`/campaigns/${draftId}`);
  }

  it('sends to those who did not click by one press in the results: a draft that follows the campaign', async () => {
    await page.goto(`${stack.addresses.bff}/app/campaigns/${id}/results`);
    const press = page.getByRole('button', { name: 'Send to those who did not click' });
    await press.waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'results-with-follow-up');
    await press.dblclick();
    const draft = await opened();
    const campaigns = { campaignIds: [id] };
    const segment = { all: [{ reached: campaigns }, { not: { clicked: { campaigns } } }] };
    expect(draft).to.deep.include({ status: 'draft', name: 'Winter menu: follow-up', serviceNumberId });
    expect(draft.audience).to.deep.equal({ type: 'segment', segment });
    expect(draft.messages).to.deep.equal((await tenant.api.get<Campaign>(`/campaigns/${id}`)).messages);
    const { items } = await tenant.api.get<ApiPage<Campaign>>('/campaigns?status=draft');
    expect(items.filter(({ name }) => name === draft.name)).to.have.length(1);
    const counted = await tenant.api.post<AudiencePreview>('/audiences:preview', {
      serviceNumberId,
      audience: draft.audience,
    });
    expect(counted.reachableCount).to.equal(3);
  });

  it('makes a draft for those who clicked a button, from the list of contacts', async () => {
    await open('?outcome=clicked');
    await choose('Button', 'Ask us');
    await shows([0, 1]);
    await page.getByRole('button', { name: 'New campaign for these' }).click();
    const { audience, name } = await opened();
    const clicked = { campaigns: { campaignIds: [id] }, messageIndex: 0, actionIndex: 0 };
    expect(audience).to.deep.equal({ type: 'segment', segment: { all: [{ clicked }] } });
    expect(name).to.equal('Winter menu: for those who clicked');
    await open('?outcome=not_received');
    await shows([]);
    expect(await page.getByRole('button', { name: 'New campaign for these' }).count(), 'no segment says that').to.equal(
      0,
    );
  });

  it('saves those of whom no segment can say who they are as a list, and tags them', async () => {
    await open('?outcome=converted');
    await shows([0, 1]);
    await page.getByRole('button', { name: 'Save as audience' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The list is fixed now.').waitFor();
    await dialog.getByRole('button', { name: 'Save as audience' }).click();
    await page.waitForURL(/audiences\/[\w-]+/);
    const audienceId = /audiences\/([\w-]+)/.exec(page.url())?.[1] ?? '';
    const saved = await tenant.api.get<SavedAudience>(`/audiences/${audienceId}`);
    expect(saved).to.include({ name: 'Were given a tag after Winter menu', type: 'contacts', memberCount: 2 });

    const named = { name: 'Quiet', serviceNumberId, kind: 'permanent' };
    const { tagId } = await tenant.api.post<Tag>('/tags', named);
    await open('?outcome=not_clicked');
    await shows([3, 4, 5]);
    await page.getByRole('button', { name: 'Tag these' }).click();
    await dialog.getByLabel('Tag', { exact: true }).selectOption('Quiet');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Tag them' }).click();
    await page.getByText('Tagged 3 contacts.').first().waitFor();
    expect((await tenant.api.get<Tag>(`/tags/${tagId}`)).contactCount).to.equal(3);
    expect(complaints).to.deep.equal([]);
  });
});
