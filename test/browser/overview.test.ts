import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { SavedAudience } from '#domain/api/audiences.ts';
import type { Campaign, Progress } from '#domain/api/campaign.ts';
import type { Overview } from '#domain/api/overview.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { draftCampaign } from '../support/outreach/campaigns.ts';
import type { Person } from '../support/browser/people.ts';
import { eventually } from '../support/time/eventually.ts';
import { expectNothingFaint } from '../support/browser/contrast.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import { signIn } from '../support/browser/sign-in.ts';
import type { Stack } from '../support/services/stack.ts';
import { signerOf, type TestTenant } from '../support/services/tenant.ts';

const serviceNumberId = 'sn-overview';

describe('overview and frame', function () {
  this.timeout(120_000);
  let ada: Person;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;

  before(async function () {
    ({ ada, page, complaints, stack, tenant, close } = await openConsole(this, { serviceNumberId, contacts: 40 }));
    const done = await send('Spring menu');
    await eventually('the campaign is completed', async () => (await progressOf(done)).status === 'completed');
    await signIn(page, stack, ada);
  });

  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  const shot = (name: string) => takeScreenshot(page, `overview-${name}`);
  const progressOf = (id: string) => tenant.api.get<Progress>(`/campaigns/${id}/progress`);

  async function send(name: string, schedule: object = { type: 'immediate' }): Promise<string> {
    const { id } = await tenant.api.post<Campaign>('/campaigns', {
      name,
      serviceNumberId,
      messages: [{ type: 'text', text: 'Cinnamon is back.' }],
      audience: { type: 'contacts', contactIds: tenant.contactIds },
      schedule,
    });
    await tenant.api.post(`/campaigns/${id}:send`, { expectedReachableCount: tenant.contactIds.length });
    return id;
  }

  it('opens with figures equal to the API, charted and listed with the same totals', async () => {
    expect(new URL(page.url()).pathname).to.equal('/app');
    const { figures } = await tenant.api.get<Overview>(`/overview?serviceNumberId=${serviceNumberId}`);
    expect(figures.delivered.current).to.equal(40);
    const delivered = page.locator('dl > div').filter({ hasText: 'Delivered' }).first();
    await delivered.getByText('40', { exact: true }).waitFor();
    const chart = page.getByRole('img', { name: /^Chart of Delivered and clicks over time/ });
    await eventually('the chart shows the same', async () => {
      const label = (await chart.getAttribute('aria-label')) ?? '';
      return label.includes('Delivered: 40') && label.includes('Clicks: 0');
    });
    await eventually('the title names the page', async () => (await page.title()) === 'Overview · Outreach');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Table' }).click();
    const total = page.getByRole('row').filter({ hasText: 'Total' });
    await eventually('the table has the same totals', async () => {
      const cells = await total.getByRole('cell').allInnerTexts();
      return cells.map((text) => text.trim()).join() === 'Total,40,0';
    });
    await draftCampaign(tenant, { name: `Only a draft ${'長'.repeat(60)} ${'W'.repeat(100)}` });
    await delivered.getByRole('link', { name: '40' }).click();
    await page.waitForURL(/\/app\/campaigns\?.*from=.*had=delivered/);
    await page.getByRole('table').getByRole('link', { name: 'Spring menu' }).waitFor();
    await page.getByRole('link', { name: 'Only a draft' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delivered in this period' }).click();
    await page.getByRole('link', { name: 'Only a draft' }).waitFor();
    const isWithin = (width: number) => async () =>
      (await page.evaluate<number>('document.documentElement.scrollWidth')) === width;
    await eventually('a long name leaves the other columns in view', isWithin(1280));
    await page.getByRole('link', { name: 'Only a draft' }).click();
    await page.setViewportSize({ width: 320, height: 640 });
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'Run without sending' }).waitFor();
    await eventually('and the review fits a narrow window', isWithin(320));
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  it('lists what needs a decision, with a link to it, and counts failed events beside the inbox', async () => {
    // Rate limiting leaves something to pause.
    const busy = { route: 'A1', mode: 'status', status: 429, code: 'rate_limited', retryAfter: 60 };
    await tenant.sandbox.put('/sandbox/faults', { faults: [busy] });
    const paused = await send('Autumn menu', {
      type: 'scheduled',
      at: new Date(Date.now() + 86_400_000).toISOString(),
    });
    await tenant.api.post(`/campaigns/${paused}:pause`, {});
    await tenant.sandbox.put('/sandbox/faults', { faults: [] });
    const db = stack.database.connect('outreach');
    const { tenantIntegrationId } = await signerOf(tenant);
    const ours = { tenant_integration_id: tenantIntegrationId };
    const event = await db('event_inbox').where(ours).first<{ eventId: string }>('event_id');
    expect(await db('event_inbox').where(ours).where(event).update({ status: 'failed', error: 'odd' })).to.equal(1);
    await page.goto(`${stack.addresses.bff}/app`);
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
    await page.getByRole('heading', { name: '1 paused campaign' }).waitFor();
    await page.getByRole('heading', { name: '1 failed event' }).waitFor();
    const goesOut = page.getByRole('listitem').filter({ hasText: 'Audience', has: page.getByText('Autumn menu') });
    await goesOut.getByText(/^(tomorrow|in 2\d hours)$/).waitFor();
    await page.getByRole('link', { name: /^Event inbox.*1 needs attention/ }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Resume or cancel: Autumn menu' }).click();
    await page.waitForURL(`**/campaigns/${paused}/progress**`);
  });

  it('A18: dismisses a failed event with a reason, which then needs nobody, and can replay it', async () => {
    await page.goto(`${stack.addresses.bff}/app/event-inbox?status=failed`);
    await page
      .getByRole('link', { name: /^\w+\.\w+$/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    const dialog = page.getByRole('dialog', { name: 'Dismiss this event?' });
    await expectAccessible(page);
    expect(await dialog.getByRole('button', { name: 'Dismiss' }).isDisabled()).to.equal(true);
    await dialog.getByLabel('Reason').fill('The platform knows');
    await dialog.getByRole('button', { name: 'Dismiss' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('status').filter({ hasText: 'Dismissed' }).waitFor();
    await page.goto(`${stack.addresses.bff}/app`);
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
    await page.getByRole('heading', { name: '1 failed event' }).waitFor({ state: 'detached' });
    await page.goto(`${stack.addresses.bff}/app/event-inbox`);
    await page.getByRole('combobox', { name: 'Status', exact: true }).selectOption('Dismissed');
    await page.waitForURL('**/event-inbox?status=dismissed');
    await page.getByRole('table', { name: 'Event inbox' }).getByRole('link').first().click();
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByRole('status').filter({ hasText: 'Processed' }).waitFor();
  });

  it('leads to a sub-task whose response was lost, with both outcomes, and counts it once the platform confirms', async () => {
    await tenant.sandbox.put('/sandbox/faults', { faults: [{ route: 'A1', mode: 'lost-answer', count: 1 }] });
    const id = await send('Answer lost');
    const isNow = (status: string) => async () =>
      (await tenant.api.get<Campaign>(`/campaigns/${id}`)).status === status;
    await eventually('it is unknown', async () => (await progressOf(id)).subTasks.unknown?.tasks === 1);
    await page.goto(`${stack.addresses.bff}/app`);
    await page.getByRole('link', { name: 'Decide: Answer lost' }).click();
    await page.getByText(/^Submitted .*; the platform did not respond\.$/).waitFor();
    await shot('unknown');
    await page.getByRole('button', { name: 'It was not sent…' }).click();
    const dialog = page.getByRole('dialog', { name: 'What happened to this sub-task?' });
    await dialog.getByRole('button', { name: 'Mark 40 contacts as not sent' }).waitFor();
    await dialog.getByText(/^Submitted .*; the platform did not respond\.$/).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'It was sent…' }).click();
    const { items } = await tenant.sandbox.get<{ items: { taskId: string }[] }>('/sandbox/tasks');
    await dialog.getByLabel('Platform task id').fill(items.at(-1)?.taskId ?? '');
    await dialog.getByRole('button', { name: 'Count 40 contacts as sent' }).click();
    await dialog.waitFor({ state: 'detached' });
    await eventually('it is completed', isNow('completed'));
  });

  it('can be used with only the keyboard, and finds pages, campaigns and contacts from anywhere', async () => {
    // In quick succession: keys 0.8 s apart do not form a pair.
    const pressBoth = (keys: string[]) => Promise.all(keys.map((key) => page.keyboard.press(key)));
    await pressBoth(['g', 'i']);
    await page.waitForURL('**/app/event-inbox**');
    await pressBoth(['g', 'o']);
    await page.waitForURL(/\/app(\?|$)/);
    const palette = page.getByRole('dialog');
    for (const [typed, option, address] of [
      ['Settings', /^Settings/, '**/app/settings**'],
      ['Spring', /^Spring menu/, '**/campaigns/**'],
      ['000007', /000007/, '**/contacts/**'],
    ] as const) {
      await page.keyboard.press('/');
      await page.locator('input:focus').waitFor();
      await page.keyboard.press('Escape');
      await palette.waitFor({ state: 'detached' });
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('Page, action, campaign, contact, order, tag or id').fill(typed);
      await page.getByRole('option', { name: option }).first().click();
      await page.waitForURL(address);
      await palette.waitFor({ state: 'detached' });
      await page.locator('main:focus').waitFor();
    }
  });

  it('undoes a change of an audience while its toast is shown', async () => {
    const audience = { name: 'Pier guests', serviceNumberId, type: 'contacts' };
    const { audienceId } = await tenant.api.post<SavedAudience>('/audiences', audience);
    const isCalled = (name: string) => async () =>
      (await tenant.api.get<SavedAudience>(`/audiences/${audienceId}`)).name === name;
    await page.goto(`${stack.addresses.bff}/app/audiences/${audienceId}`);
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Guests of the pier');
    await expectNothingFaint(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectNothingFaint(page);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('“Pier guests” was changed').waitFor();
    await eventually('it is renamed', isCalled('Guests of the pier'));
    const undo = page.getByRole('button', { name: 'Undo' });
    // A toast stays while the pointer is over it.
    await undo.hover();
    await expectNothingFaint(page);
    await undo.click();
    await eventually('it has its old name', isCalled('Pier guests'));
    await page.getByRole('heading', { name: 'Pier guests', level: 1 }).waitFor();
  });

  it('is accessible with open menus and lists', async () => {
    const menu = async (name: string) => {
      await page.getByRole('button', { name }).click();
      await page.getByRole('menu').waitFor();
      await expectAccessible(page);
      await expectNothingFaint(page);
      await page.keyboard.press('Escape');
      await page.getByRole('menu').waitFor({ state: 'detached' });
    };
    await menu('Theme');
    await menu('Ada Lin');
    await tenant.api.post('/tags', { name: 'Regulars', serviceNumberId, kind: 'permanent' });
    await page.goto(`${stack.addresses.bff}/app/contacts`);
    await page.getByLabel(/^Tag/).click();
    await page.getByRole('listbox').getByRole('option', { name: 'Regulars' }).waitFor();
    await expectAccessible(page);
    await expectNothingFaint(page);
    await page.keyboard.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page
      .getByRole('option', { name: /^Settings/ })
      .first()
      .waitFor();
    await expectAccessible(page);
    await expectNothingFaint(page);
    await page.keyboard.press('Escape');
  });

  it('reports an error in the language of the reader, with the server’s message beside it', async () => {
    await tenant.api.post('/tags', { name: 'Night owls', serviceNumberId, kind: 'permanent' });
    await page.evaluate(`localStorage.setItem('outreach.preferences', '{"locale":"zh-Hant"}')`);
    await page.goto(`${stack.addresses.bff}/app/tags?sn=${serviceNumberId}`);
    await page.getByRole('button', { name: '新增標籤' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: '標籤' }).fill('night OWLS');
    await dialog.getByRole('button', { name: '建立標籤' }).click();
    const alert = dialog.getByRole('alert');
    await alert.getByText('此項目已先被變更').waitFor();
    await alert.getByText('已被使用').waitFor();
    const reported = alert.locator('[lang=en]');
    await eventually(
      'the server is quoted',
      async () => (await reported.allInnerTexts()).join() === 'The service number already has a tag with this name',
    );
    await expectAccessible(page);
    await shot('refusal');
  });

  it('threw no error on any page', () => {
    expect(complaints).to.deep.equal([]);
  });
});
