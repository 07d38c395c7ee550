import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import type { Campaign, Results } from '#domain/api/campaign.ts';
import type { Page as ApiPage } from '#domain/api/primitives.ts';
import type { Tag } from '#domain/api/tags.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import type { Person } from '../support/browser/people.ts';
import { broadcastCallsOf } from '../support/outreach/campaigns.ts';
import { eventually } from '../support/time/eventually.ts';
import { inOrder } from '../support/in-order.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import { pressOnPhone } from '../support/browser/phone.ts';
import { signIn } from '../support/browser/sign-in.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';

describe('the main job in the console', function () {
  this.timeout(120_000);
  inOrder(this);
  let ada: Person;
  let browser: Browser;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;

  before(async function () {
    ({ ada, browser, page, complaints, stack, tenant, close } = await openConsole(this, {
      serviceNumberId: 'sn-pier',
      contacts: 2500,
    }));
    const tag = await tenant.api.post<Tag>('/tags', {
      name: 'Regulars',
      serviceNumberId: 'sn-pier',
      kind: 'permanent',
    });
    await tenant.api.post(`/tags/${tag.tagId}/assignments`, { contactIds: tenant.contactIds });
    const interested = { name: 'Interested', serviceNumberId: 'sn-pier', kind: 'permanent' };
    const { tagId: targetTagId } = await tenant.api.post<Tag>('/tags', interested);
    const rule = { name: 'Clicked', triggerEvent: 'notice.clicked', matchCondition: { all: [] }, targetTagId };
    await tenant.api.post('/smart-tag-rules', { ...rule, status: 'active' });
  });

  afterEach(async function () {
    if (page) await takeScreenshot(page, `story-${this.currentTest?.title}`);
    await reportFailure(this.currentTest, page, stack);
  });

  after(() => close?.());

  it('signs in through the identity service', async () => {
    await signIn(page, stack, ada, '/app/campaigns');
    await page.getByRole('heading', { name: 'Campaigns' }).waitFor();
    const cookies = await page.context().cookies(stack.addresses.bff);
    expect(cookies.map(({ httpOnly, sameSite }) => ({ httpOnly, sameSite }))).to.deep.include({
      httpOnly: true,
      sameSite: 'Lax',
    });
    await expectAccessible(page);
  });

  it('writes a card with buttons, saved as a draft while typing', async () => {
    await page.keyboard.press('c');
    await page.waitForURL('**/campaigns/new**');
    await page.getByLabel('Name').fill('Winter menu');
    // Like the offer of copywriting, the banner comes from the installation's state.
    await page.getByText(/^Sandbox:/).waitFor();
    expect(await page.getByRole('button', { name: 'Write with AI' }).count(), 'TOOL_API_ENABLED is off').to.equal(0);
    await page.getByRole('textbox', { name: /^Title/ }).fill('Winter menu');
    await page.getByRole('textbox', { name: /^Text\*?$/ }).fill('Cinnamon is back.');
    await page.getByRole('textbox', { name: 'Label*', exact: true }).fill('See the menu');
    await page.getByRole('textbox', { name: /^Link/ }).fill('https://harbor-coffee.example/winter');
    await page.getByText('Saved as draft').waitFor();
    const drafts = await tenant.api.get<ApiPage<Campaign>>('/campaigns?status=draft');
    expect(drafts.items.map(({ name }) => name)).to.deep.equal(['Winter menu']);
    await expectAccessible(page);
  });

  it('counts the audience of a tag', async () => {
    await page.getByRole('button', { name: 'Next: Audience' }).click();
    await page.getByRole('button', { name: 'Tags' }).click();
    await page.getByRole('option', { name: /Regulars/ }).click();
    await page.keyboard.press('Escape');
    await page.getByText('2,500', { exact: true }).first().waitFor();
    await expectAccessible(page);
  });

  it('sends once to 2,500 contacts, although the button is pressed twice', async () => {
    await page.getByRole('button', { name: 'Next: When' }).click();
    await page.getByRole('button', { name: 'Next: Follow-ups' }).click();
    await page.getByRole('button', { name: 'Next: Review' }).click();
    await page.getByText('3 sub-tasks of at most').waitFor();
    await page.getByRole('button', { name: 'Send to 2,500 contacts' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send to 2,500 contacts' }).dblclick();
    await page.waitForURL('**/progress**');
    const calls = await eventually('the platform has three tasks', async () => {
      const found = await broadcastCallsOf(tenant);
      return found.length >= 3 ? found : undefined;
    });
    expect(calls.map(({ status }) => status)).to.deep.equal([201, 201, 201]);
  });

  it('follows three sub-tasks live until all of them are completed', async () => {
    await page.getByText('Completed', { exact: true }).first().waitFor({ timeout: 60_000 });
    const rows = page.getByRole('row').filter({ hasText: /Completed/ });
    await eventually('three sub-tasks are shown completed', async () => (await rows.count()) === 3);
    await expectAccessible(page);
  });

  it('shows the click of a customer on the phone in the results', async () => {
    const contact = tenant.contactIds[0] ?? '';
    await pressOnPhone(browser, { stack, tenant, contactId: contact }, 'See the menu');
    const [campaign] = (await tenant.api.get<ApiPage<Campaign>>('/campaigns')).items;
    await eventually('the click is attributed', async () => {
      const { clicks } = await tenant.api.get<Results>(`/campaigns/${campaign?.id}/results`);
      return clicks.total === 1 && clicks.byAction[0]?.label === 'See the menu';
    });
    await page
      .getByRole('tab', { name: 'Results' })
      .or(page.getByRole('link', { name: 'Results' }))
      .first()
      .click();
    await page.getByText('1 click', { exact: false }).first().waitFor();
    await expectAccessible(page);
    // The figure leads to the list behind it, which shows what followed.
    await page
      .getByRole('listitem')
      .filter({ hasText: /^Clicked/ })
      .getByRole('link', { name: '1', exact: true })
      .click();
    await page.waitForURL('**/clicks**');
    await page.getByRole('row').filter({ hasText: contact }).getByRole('link', { name: 'Interested' }).waitFor();
    await expectAccessible(page);
  });

  it('finds in the history what people did, separate from the steps of the system', async () => {
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByText('by the workflow dispatchCampaign').first().waitFor();
    await page.getByLabel('Changed by').selectOption('People');
    await page.waitForURL('**by=people**');
    await page.getByText('by the workflow').first().waitFor({ state: 'detached' });
    await page.getByText('Confirmed for 2,500 contacts').waitFor();
    await expectAccessible(page);
  });

  it('threw no error on any page', () => {
    expect(complaints).to.deep.equal([]);
  });
});
