import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Campaign } from '#domain/api/campaign.ts';
import type { InboxItem } from '#domain/api/inbox.ts';
import type { ContactTag, Tag } from '#domain/api/tags.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { cardMessage, draftCampaign, subTasksOf } from '../support/outreach/campaigns.ts';
import { openShop } from '../support/services/shop.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

/** One more than a sub-task takes. */
const CONTACTS = 1001;

describe('the palette', function () {
  this.timeout(120_000);
  let ada: Person;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;

  before(async function () {
    const serviceNumberId = 'sn-palette';
    ({ ada, page, complaints, stack, tenant, close } = await openConsole(this, {
      serviceNumberId,
      contacts: CONTACTS,
    }));
    await signIn(page, stack, ada);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  const visit = async (path: string, heading: string) => {
    await page.goto(`${stack.addresses.bff}/app/${path}`);
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
  };
  const input = () => page.getByPlaceholder('Page, action, campaign, contact, order, tag or id');
  const option = (name: string | RegExp) => page.getByRole('option', { name });
  const group = (name: string) => page.getByRole('dialog').getByRole('group', { name });
  const read = (id: string) => tenant.api.get<Campaign>(`/campaigns/${id}`);
  const becomes = (id: string, status: string) =>
    eventually(`it is ${status}`, async () => (await read(id)).status === status);

  async function open(): Promise<void> {
    await page.keyboard.press('Control+k');
    await input().waitFor();
  }
  async function choose(typed: string, name: string | RegExp): Promise<void> {
    await open();
    await input().fill(typed);
    await option(name).first().click();
  }

  it('sends the draft on the page, by way of its review', async () => {
    const { id } = await draftCampaign(tenant, { name: 'Pier supper', messages: [cardMessage] });
    await visit(`campaigns/${id}/edit`, 'Pier supper');
    await choose('send', 'Send to 1,001 contacts');
    const dialog = page.getByRole('dialog', { name: 'Send “Pier supper”?' });
    await expectAccessible(page);
    await takeScreenshot(page, 'palette-send');
    expect(new URL(page.url()).searchParams.get('step')).to.equal('review');
    await dialog.getByRole('button', { name: 'Send to 1,001 contacts' }).click();
    await page.waitForURL('**/progress');
    await becomes(id, 'completed');
  });

  it('leads to the review, without a dialog, while something is left to fix', async () => {
    await visit('campaigns/new', 'New campaign');
    await choose('review', 'Review and send');
    await page.waitForURL(/step=review/);
    await page.getByText(/^Fix \d+ things? before sending$/).waitFor();
    expect(await page.getByRole('dialog').count()).to.equal(0);
  });

  it('pauses and resumes the campaign on the page, with the confirmation that its button asks', async () => {
    // Its pace leaves something to pause for ten minutes.
    const { id } = await draftCampaign(tenant, {
      name: 'Night market',
      messages: [cardMessage],
      pace: { perMinute: 100 },
    });
    await tenant.api.post(`/campaigns/${id}:send`);
    await visit(`campaigns/${id}/progress`, 'Night market');
    await page.getByRole('button', { name: 'Pause sending' }).waitFor();
    await choose('pause', 'Pause sending');
    const dialog = page.getByRole('dialog', { name: 'Pause “Night market”?' });
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Pause sending' }).click();
    await dialog.waitFor({ state: 'detached' });
    await becomes(id, 'paused');
    await page.getByRole('button', { name: /^Resume for / }).waitFor();
    await choose('resume', /^Resume for /);
    await page
      .getByRole('dialog', { name: 'Resume “Night market”?' })
      .getByRole('button', { name: /^Send to / })
      .click();
    await becomes(id, 'sending');
    await page.getByRole('button', { name: /^Resume for / }).waitFor({ state: 'detached' });
    await open();
    await option('Close campaign').waitFor();
    await takeScreenshot(page, 'palette-actions', 'window');
    await page.keyboard.press('Escape');
    await visit('tags', 'Tags');
    await open();
    await option('New campaign').waitFor();
    expect(await option('Close campaign').count(), 'it belongs to the campaign').to.equal(0);
  });

  it('exports what the page is about, from any of its tabs', async () => {
    const { id } = await tenant.api
      .get<{ items: Campaign[] }>('/campaigns?q=Pier+supper')
      .then(({ items }) => items[0] ?? { id: '' });
    await visit(`campaigns/${id}/progress`, 'Pier supper');
    const saving = page.waitForEvent('download');
    await choose('export', 'Export recipients as CSV');
    const file = await saving;
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n');
    expect(lines).to.have.length(CONTACTS + 1);
  });

  it('tags the contact on the page with a tag that is chosen there', async () => {
    const { serviceNumberId } = tenant;
    const body = { name: 'Regulars', serviceNumberId, kind: 'permanent' };
    const { tagId } = await tenant.api.post<Tag>('/tags', body);
    const [contactId = ''] = tenant.contactIds;
    await page.goto(`${stack.addresses.bff}/app/contacts/${serviceNumberId}/${contactId}`);
    await page
      .getByRole('button', { name: 'Add tag' })
      .or(page.getByRole('combobox', { name: 'Add tag' }))
      .waitFor();
    await choose('add tag', 'Add tag');
    await expectAccessible(page);
    await takeScreenshot(page, 'palette-tag', 'window');
    await page.getByPlaceholder('Search tags').fill('Regu');
    await option('Regulars').click();
    const tagsOf = async () =>
      (await tenant.api.get<{ items: ContactTag[] }>(`/contacts/${serviceNumberId}/${contactId}/tags`)).items;
    await eventually('the contact has the tag', async () => (await tagsOf()).some((tag) => tag.tagId === tagId));
    expect(await tagsOf()).to.have.length(1);
  });

  it('finds a received event, a sub-task by its key or its id at the platform, and an order, by the whole id', async () => {
    const [event] = (await tenant.api.get<{ items: InboxItem[] }>('/event-inbox')).items;
    const { eventId = '' } = event ?? {};
    await visit('settings', 'Settings');
    await open();
    await input().fill(eventId);
    await group('Events').getByRole('option').waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'palette-event', 'window');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/app/event-inbox/${eventId}`);

    const { items } = await tenant.api.get<{ items: Campaign[] }>('/campaigns?q=Pier+supper');
    const { id = '' } = items[0] ?? {};
    const [first, second] = await subTasksOf(tenant, id);
    expect(second?.taskId).to.be.a('string');
    for (const sought of [first?.key ?? '', second?.taskId ?? '']) {
      await open();
      await input().fill(sought);
      await group('Sub-tasks').getByRole('option', { name: 'Pier supper' }).click();
      await page.waitForURL(new RegExp(`/campaigns/${id}/progress\\?task=`));
      await page.getByRole('button', { name: `Show every sub-task, not only ${sought}` }).waitFor();
      const rows = page.getByRole('table', { name: 'Sub-tasks' }).getByRole('row');
      await eventually('one sub-task is listed', async () => (await rows.count()) === 2);
      await rows.getByText(sought === first?.key ? (first.taskId ?? '') : sought).waitFor();
    }
    await takeScreenshot(page, 'palette-sub-task');
    await expectAccessible(page);

    const shop = await openShop(stack, ada);
    const { orderId } = await shop.createBoxes('Box of tea');
    await open();
    await input().fill(orderId);
    await group('Orders').getByRole('option', { name: 'Box of tea' }).click();
    await page.waitForURL(`**/app/orders/${orderId}`);
    await page.getByRole('heading', { name: 'Box of tea', level: 1 }).waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it('finds repeats and automations by their names', async () => {
    const { serviceNumberId } = tenant;
    const template = await draftCampaign(tenant, { name: 'Weekly special', messages: [cardMessage] });
    const calendar = { type: 'daily', at: '09:00' };
    const repeat = { name: 'Kites again', campaignId: template.id, calendar, zone: 'Asia/Taipei' };
    await tenant.api.post('/repeats', repeat);
    const steps = [{ messages: [cardMessage] }];
    const automation = { name: 'Lanterns for all', serviceNumberId, trigger: { event: 'contact.followed' }, steps };
    await tenant.api.post('/automations', automation);
    for (const [kind, name] of [
      ['Automations', 'Lanterns for all'],
      ['Repeats', 'Kites again'],
    ] as const) {
      await visit('settings', 'Settings');
      await open();
      await input().fill(name.slice(0, 6).toLowerCase());
      await group(kind).getByRole('option', { name }).click();
      await page.getByRole('heading', { name, level: 1 }).waitFor();
    }
  });

  it('begins with what was open last, each once, and keeps no more than thirty, and no name of a person', async () => {
    const { serviceNumberId } = tenant;
    const [, contactId = ''] = tenant.contactIds;
    const ids = await Promise.all(
      ['First', 'Second'].map(async (name) => (await draftCampaign(tenant, { name, messages: [cardMessage] })).id),
    );
    await visit(`campaigns/${ids[0]}/edit`, 'First');
    await visit(`campaigns/${ids[1]}/edit`, 'Second');
    await visit(`campaigns/${ids[1]}/edit?step=when`, 'Second');
    const { displayName } = await tenant.api.get<{ displayName: string }>(`/contacts/${serviceNumberId}/${contactId}`);
    await visit(`contacts/${serviceNumberId}/${contactId}`, displayName);
    await visit('settings', 'Settings');
    await open();
    const recent = group('Recent').getByRole('option');
    await recent.first().waitFor();
    const shown = await recent.allInnerTexts();
    expect(shown.slice(0, 3)).to.deep.equal([`${contactId}Contacts`, 'SecondCampaigns', 'FirstCampaigns']);
    expect(await page.getByRole('dialog').getByRole('option').first().innerText(), 'they come first').to.contain(
      contactId,
    );
    await expectAccessible(page);
    await takeScreenshot(page, 'palette-recent', 'window');
    await recent.nth(2).click();
    await page.waitForURL(`**/campaigns/${ids[0]}/edit**`);

    const stored = () => page.evaluate<{ thing: string; who: string }[]>(`JSON.parse(localStorage['outreach.recent'])`);
    // A page is remembered once its title is known, which is after its address.
    await eventually('it is remembered', async () => (await stored())[0]?.thing === `app.campaign/${ids[0]}`);
    const kept = await stored();
    expect(JSON.stringify(kept)).not.to.contain(displayName);
    expect(new Set(kept.map(({ thing }) => thing)).size).to.equal(kept.length);
    const others = Array.from({ length: 40 }, (_, n) => {
      return { who: 'other/person', thing: `app.campaign/${n}`, title: `Theirs ${n}`, path: `/app/campaigns/${n}` };
    });
    await page.evaluate(`localStorage['outreach.recent'] = ${JSON.stringify(JSON.stringify(others))}`);
    await visit(`campaigns/${ids[1]}/edit`, 'Second');
    await eventually('it is remembered', async () => (await stored())[0]?.thing === `app.campaign/${ids[1]}`);
    expect(await stored()).to.have.length(30);
    await visit('settings', 'Settings');
    await open();
    expect(await recent.allInnerTexts()).to.have.length(1);
    expect(complaints).to.deep.equal([]);
  });
});
