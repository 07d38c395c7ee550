import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { SavedAudience } from '#domain/api/audiences.ts';
import type { Campaign, Results } from '#domain/api/campaign.ts';
import type { Page as ApiPage } from '#domain/api/primitives.ts';
import type { Tag } from '#domain/api/tags.ts';
import { jsonClient } from '#scripts/demo/client.ts';
import { keyboardOn } from '../support/browser/keyboard.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { cardMessage, draftCampaign, sendCampaign, subTasksOf } from '../support/outreach/campaigns.ts';
import { openShop, type Shop } from '../support/services/shop.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

describe('with only the keyboard, the console', function () {
  this.timeout(120_000);
  let ada: Person;
  let tenantId: string;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let orders: Shop;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;
  let keyboard: ReturnType<typeof keyboardOn>;

  before(async function () {
    ({ ada, page, complaints, stack, tenant, close } = await openConsole(this, {
      serviceNumberId: 'sn-keyboard',
      contacts: 6,
    }));
    ({ tenantId } = ada);
    orders = await openShop(stack, ada);
    keyboard = keyboardOn(page);
    await signIn(page, stack, ada);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  const open = (path: string) => page.goto(`${stack.addresses.bff}/app/${path}`);
  const button = (name: RegExp | string) => page.getByRole('button', { name });
  const inDialog = (name: RegExp | string) => page.getByRole('dialog').getByRole('button', { name });
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

  it('moves a scheduled campaign by an hour', async () => {
    // The hour of the morning reads the same with 12 and 24 hours.
    const at = new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS + DAY_MS + 1.5 * HOUR_MS);
    const schedule = { type: 'scheduled' as const, at: at.toISOString() };
    const { id } = await draftCampaign(tenant, { name: 'Harbor tasting', messages: [cardMessage], schedule });
    await tenant.api.post(`/campaigns/${id}:send`);
    await eventually('it is scheduled at the platform', async () =>
      (await subTasksOf(tenant, id)).every(({ status }) => status === 'scheduled'),
    );
    await open(`campaigns/${id}/progress`);
    await keyboard.press(button('Change time'));
    const time = page.getByRole('dialog').getByRole('group', { name: 'Time', exact: true });
    await keyboard.tabTo(time.locator('[data-segment=hour]'));
    await page.keyboard.press('ArrowUp');
    await takeScreenshot(page, 'keyboard-change-time');
    await keyboard.press(inDialog('Schedule for 6 contacts'));
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { schedule: moved } = await tenant.api.get<Campaign>(`/campaigns/${id}`);
    expect(moved).to.include({ at: new Date(at.getTime() + HOUR_MS).toISOString() });
  });

  it('leads from a figure to who clicked, keeps them as an audience, tags them, and drafts for the others', async () => {
    const postback = (label: string, bizEventCode: string) => ({ type: 'Postback', label, data: { bizEventCode } });
    const messages = [{ ...cardMessage, actions: [postback('Book a table', 'booked'), postback('Not now', 'later')] }];
    const { campaign, tasks } = await sendCampaign(tenant, { name: 'Winter menu', messages });
    const clicked = tenant.contactIds.slice(0, 2);
    for (const contactId of clicked)
      await tenant.sandbox.post('/sandbox/clicks', { taskId: tasks[0]?.taskId, contactId, actionIndex: 0 });
    await eventually('the clicks are counted', async () => {
      const { clicks } = await tenant.api.get<Results>(`/campaigns/${campaign.id}/results`);
      return clicks.total === 2;
    });
    const { tagId } = await tenant.api.post<Tag>('/tags', {
      name: 'Keen',
      serviceNumberId: 'sn-keyboard',
      kind: 'permanent',
    });

    await open(`campaigns/${campaign.id}/results`);
    await keyboard.press(page.getByRole('link', { name: '2 clicks 2 contacts' }));
    await page.waitForURL(/clicks\?.*button=0\.0/);
    await keyboard.press(button('Tag these'));
    const choice = page.getByRole('dialog').getByLabel('Tag');
    // Before the tags are there, nothing is chosen by typing.
    await choice.getByRole('option', { name: 'Keen' }).waitFor({ state: 'attached' });
    await keyboard.type(choice, 'Keen');
    await keyboard.press(inDialog('Tag 2 contacts'));
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await tenant.api.get<Tag>(`/tags/${tagId}`)).contactCount).to.equal(2);

    await keyboard.press(button('Save as audience'));
    await keyboard.press(inDialog('Save 2 contacts'));
    await page.waitForURL(/audiences\/[\w-]+/);
    const { items } = await tenant.api.get<ApiPage<SavedAudience>>('/audiences');
    const saved = items.find(({ name }) => name.startsWith('Clicked “Book'));
    expect(await membersOf(saved?.audienceId ?? '')).to.deep.equal(clicked);

    await open(`campaigns/${campaign.id}/clicks`);
    await keyboard.press(button('Send to those who did not click'));
    await keyboard.press(inDialog('Create draft'));
    await page.waitForURL(/campaigns\/[\w-]+\/edit/);
    const draft = await tenant.api.get<Campaign>(`/campaigns/${/campaigns\/([\w-]+)\/edit/.exec(page.url())?.[1]}`);
    const audienceId = draft.audience.type === 'contacts' ? (draft.audience.audienceId ?? '') : '';
    expect(await membersOf(audienceId)).to.deep.equal(tenant.contactIds.slice(2));
  });

  it('takes a draft through the four steps of its editor', async () => {
    const { id } = await draftCampaign(tenant, { name: 'Pier walk', messages: [cardMessage] });
    await open(`campaigns/${id}/edit`);
    const title = page.getByRole('textbox', { name: /^Title/ });
    await keyboard.tabTo(title);
    await page.keyboard.press('End');
    await page.keyboard.type(' by the sea');
    await keyboard.press(button('Next: Audience'));
    await keyboard.press(button('Next: When'));
    await keyboard.press(button('Next: Follow-ups'));
    await keyboard.press(button('Next: Review'));
    await keyboard.press(button('Send to 6 contacts'));
    await keyboard.press(inDialog('Send to 6 contacts'));
    await page.waitForURL('**/progress');
    const { messages, status } = await tenant.api.get<Campaign>(`/campaigns/${id}`);
    expect(messages?.[0]).to.include({ title: 'Winter menu by the sea' });
    expect(status).to.not.equal('draft');
  });

  it('filters a list, keeps the filters, applies them again and opens a row', async () => {
    const { id } = await draftCampaign(tenant, { name: 'Autumn tasting' });
    await open('campaigns');
    await keyboard.type(page.getByRole('combobox', { name: 'Status' }), 'Draft');
    await page.waitForURL(/status=draft/);
    await keyboard.press(button('Saved filters'));
    await keyboard.type(page.getByLabel('Name for these filters'), 'Drafts');
    await page.keyboard.press('Enter');
    await page.getByLabel('Name for these filters').waitFor({ state: 'detached' });
    await open('campaigns');
    await keyboard.press(button('Saved filters'));
    await keyboard.press(page.getByRole('link', { name: 'Drafts', exact: true }));
    await page.waitForURL(/status=draft/);
    await keyboard.press(page.getByRole('link', { name: 'Autumn tasting', exact: true }));
    await page.waitForURL(`**/campaigns/${id}/**`);
  });

  it('notes something about an order and decides on it', async () => {
    const { orderId, orderNo } = await orders.createBoxes('To decide');
    await orders.post(`/user/order/${orderId}/pay`, { tenantId });
    const [charge] = await orders.charges(orderNo);
    const sandbox = jsonClient(stack.addresses.sandbox);
    await sandbox.post(`/sandbox/charges/${charge?.chargeId}:pay`, { charge: { amount: 1000 } });
    await eventually('it is flagged', async () => (await orders.stored(orderId)).flags.length > 0);
    await open('orders');
    await keyboard.press(page.getByRole('link', { name: 'To decide', exact: true }).first());
    await page.waitForURL(`**/orders/${orderId}`);
    await keyboard.type(page.getByLabel('New note'), 'The bank took a fee');
    await keyboard.press(button('Add note'));
    await page.getByRole('list', { name: 'Notes' }).getByText('The bank took a fee').waitFor();
    expect((await orders.stored(orderId)).notes.map(({ text }) => text)).to.deep.equal(['The bank took a fee']);
    await keyboard.press(button('Complete with TWD 1,000.00 received'));
    await keyboard.press(inDialog(/^Complete/));
    await orders.becomes(orderId, '30/30/30');
  });

  it('threw no error on any page', () => {
    expect(complaints).to.deep.equal([]);
  });
});
