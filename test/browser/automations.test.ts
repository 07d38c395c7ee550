import { expect } from 'chai';
import type { Browser, Locator, Page } from 'playwright-core';
import type { AutomationEntry } from '#domain/api/automation-entries.ts';
import type { Automation } from '#domain/api/automations.ts';
import type { Page as ListPage } from '#domain/api/primitives.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { openPage, reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { inOrder } from '../support/in-order.ts';
import { broadcastCallsOf, cardMessage, sendCampaign } from '../support/outreach/campaigns.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

const serviceNumberId = 'sn-automations';

describe('automations, in the console', function () {
  this.timeout(240_000);
  inOrder(this);
  let ada: Person;
  let ben: Person;
  let browser: Browser;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;

  before(async function () {
    const env = { AUTOMATIONS_WINDOW_MS: '300' };
    const given = { serviceNumberId, contacts: 8, env };
    ({ ada, ben, browser, page, complaints, stack, tenant, close } = await openConsole(this, given));
    await signIn(page, stack, ada);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  const main = () => page.getByRole('main');
  async function named(name: string): Promise<Automation> {
    const { items } = await tenant.api.get<ListPage<Automation>>('/automations');
    return items.find((one) => one.name === name) ?? expect.fail(`there is no automation ${name}`);
  }
  async function entriesOf({ automationId }: Automation): Promise<AutomationEntry[]> {
    return (await tenant.api.get<ListPage<AutomationEntry>>(`/automations/${automationId}/entries`)).items;
  }
  /** Screenshots of it at the width of a desk and of a phone. */
  async function look(name: string): Promise<void> {
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await expectAccessible(page);
      await takeScreenshot(page, `automations-${name}-${width}`);
    }
  }
  const part = (words: string): Locator => main().getByRole('region', { name: words, exact: true });
  /** Writes the text of a card with a button that opens a link. */
  async function writeCard(card: Locator, title: string): Promise<void> {
    await card.getByLabel('Title').fill(title);
    await card.getByLabel('Text', { exact: true }).first().fill('Cinnamon is back.');
    await card.getByRole('textbox', { name: 'Label*', exact: true }).fill('See it');
    await card.getByRole('textbox', { name: /^Link/ }).fill('https://harbor-coffee.example/winter');
  }
  /** Chooses in the open menu, which keeps the focus until it has closed. */
  async function choose(name: string): Promise<void> {
    await page.getByRole('option', { name }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('option', { name }).waitFor({ state: 'hidden' });
  }
  async function begin(): Promise<void> {
    await page.goto(`${stack.addresses.bff}/app/automations?sn=${serviceNumberId}`);
    await main().getByRole('link', { name: 'New automation' }).first().click();
    await page.getByRole('heading', { name: 'New automation', level: 1 }).waitFor();
  }
  async function activate(says: RegExp): Promise<void> {
    await main().getByRole('button', { name: 'Activate…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(says).waitFor();
    await takeScreenshot(page, 'automations-activate');
    await dialog.getByRole('button', { name: 'Activate', exact: true }).click();
    await main().getByText('Active', { exact: true }).waitFor();
  }
  const follow = (contactId: string) =>
    tenant.sandbox.post('/sandbox/contacts:act', {
      tenant: tenant.tenantId,
      serviceNumberId,
      action: 'follow',
      contactIds: [contactId],
      emit: true,
      wait: true,
    });

  it('welcomes each new follower, as it was built, within the window', async () => {
    await begin();
    await main().getByRole('button', { name: 'Save draft' }).click();
    await main().getByText('Something is missing or wrong: see the marked fields.').waitFor();
    await look('empty-form');
    await main().getByRole('textbox', { name: 'Name' }).fill('Welcome');
    await writeCard(part('send'), 'Welcome aboard');
    await main().getByRole('button', { name: 'Add a step' }).click();
    await main().getByLabel('Condition of step 2').selectOption({ label: 'If the contact did not click' });
    await writeCard(part('then'), 'Still there?');
    await look('form');
    await main().getByRole('button', { name: 'Save draft' }).click();
    await page.getByRole('heading', { name: 'Welcome', level: 1 }).waitFor();
    await main().getByText('a contact follows', { exact: true }).waitFor();
    await main().getByRole('button', { name: 'Run without sending' }).click();
    await main()
      .getByText(/^It would have taken \d+ of \d+ events?\.$/)
      .waitFor();
    await look('draft');
    await activate(/^From now on, when a contact follows, the contact gets up to 2 messages\. /);
    const [contactId = ''] = tenant.contactIds;
    await follow(contactId);
    const welcome = await named('Welcome');
    await eventually('the platform has the message', async () => {
      const [entry] = await entriesOf(welcome);
      return entry?.contactId === contactId && entry.steps[0]?.status === 'sent';
    });
    expect((await broadcastCallsOf(tenant)).length).to.equal(1);
    await main().getByText('1 contact waits for its next message').waitFor();
    await main().getByRole('link', { name: 'Entries', exact: true }).click();
    const row = main().getByRole('row', { name: /Followed/ });
    await row.getByRole('link', { name: 'Step 1' }).waitFor();
    await look('entries');
    await row.getByRole('link', { name: 'Step 1' }).click();
    await main().getByRole('heading', { name: 'Sub-tasks' }).waitFor();
    await look('tasks');
    await main().getByRole('link', { name: 'Results' }).click();
    await main().getByRole('heading', { name: 'By step' }).waitFor();
    await look('results');
  });

  it('asks those who clicked a campaign and did not talk, each once', async () => {
    const { campaign, tasks } = await sendCampaign(tenant, { name: 'Winter menu', messages: [cardMessage] });
    await begin();
    await main().getByRole('textbox', { name: 'Name' }).fill('Clicked, not talked');
    await main().getByLabel('What happens').selectOption({ label: 'A contact clicks a button' });
    await main()
      .getByLabel(/^Campaigns/)
      .click();
    await choose('Winter menu');
    await main()
      .getByRole('switch', { name: /^Only contacts that match conditions/ })
      .click();
    await part('only for').getByRole('button', { name: 'Add condition' }).click();
    await part('only for').getByLabel('What condition 1 is about').selectOption({
      label: 'Did not open a conversation from',
    });
    await part('only for').getByLabel('Campaigns', { exact: true }).click();
    await choose('Winter menu');
    await writeCard(part('send'), 'May we help?');
    await look('clicked-form');
    await main().getByRole('button', { name: 'Save draft' }).click();
    await main().getByText('a contact clicks any button of “Winter menu”').waitFor();
    await activate(/it matches the conditions/);
    const contactId = tenant.contactIds[1] ?? '';
    for (const actionIndex of [0, 0])
      await tenant.sandbox.post('/sandbox/clicks', { taskId: tasks[0]?.taskId, contactId, actionIndex });
    const asking = await named('Clicked, not talked');
    await eventually('the platform has the message', async () => {
      const entries = await entriesOf(asking);
      expect(entries.map(({ status, reason }) => [status, reason])).to.deep.equal([['sent', null]]);
      return true;
    });
    await main().getByRole('link', { name: 'Entries', exact: true }).click();
    const row = main().getByRole('row', { name: /Clicked in Winter menu/ });
    expect(await row.getByRole('link', { name: 'Winter menu' }).getAttribute('href')).to.contain(campaign.id);
  });

  it('is paused, changed in what may change, resumed and ended', async () => {
    await main().getByRole('button', { name: 'Pause', exact: true }).click();
    await main().getByText('Paused', { exact: true }).waitFor();
    await main().getByText('Somebody paused it. Contacts still enter; nothing is sent.').waitFor();
    await main().getByRole('link', { name: 'Change', exact: true }).click();
    await main()
      .getByText(/^It has begun\. /)
      .waitFor();
    expect(await main().getByLabel('What happens').count()).to.equal(0);
    await part('send').getByLabel('Title').fill('May we help you?');
    await main()
      .getByRole('switch', { name: /^Limit the messages a day/ })
      .click();
    await look('changed-form');
    await main().getByRole('button', { name: 'Save changes' }).click();
    await main().getByText('1000 messages in 24 hours').or(main().getByText('1,000 messages in 24 hours')).waitFor();
    expect(await named('Clicked, not talked')).to.deep.include({ maxPerDay: 1000, status: 'paused' });
    await main().getByRole('button', { name: 'Resume', exact: true }).click();
    await main().getByText('Active', { exact: true }).waitFor();
    await main().getByRole('button', { name: 'End…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End the automation' }).click();
    await main().getByText('Somebody ended it').waitFor();
    expect((await named('Clicked, not talked')).status).to.equal('ended');
  });

  it('begins on a birthday, and after a payment, as made by a program', async () => {
    const steps = [{ messages: [cardMessage] }];
    const made = async (name: string, trigger: object, more: object = {}) => {
      const body = { name, serviceNumberId, trigger, steps, ...more };
      const { automationId } = await tenant.api.post<Automation>('/automations', body);
      await tenant.api.post(`/automations/${automationId}:activate`);
      await page.goto(`${stack.addresses.bff}/app/automations/${automationId}`);
    };
    const date = {
      event: 'date',
      attribute: 'birthday',
      offsetDays: -1,
      at: '09:00',
      zone: 'Asia/Taipei',
      yearly: true,
    };
    await made('Happy birthday', date);
    await main().getByText('it is 09:00 in Taipei 1 day before the date in “birthday”, every year').waitFor();
    await look('birthday');
    const paid = { event: 'order.paid', minAmount: 500, currency: 'TWD' };
    await made('Thank you', paid, {
      delay: { minutes: 1440 },
      steps: Array.from({ length: 2 }, (_, index) => ({
        messages: [cardMessage],
        ...(index > 0 && { delay: { minutes: 30 }, if: 'clicked' }),
      })),
    });
    await main()
      .getByText(/^a contact pays an order of at least TWD\s500\.00$/)
      .waitFor();
    await main().getByText('30 minutes later, if the contact clicked: message 2').waitFor();
    await look('payment');
  });

  it('is written by language, step by step, with results by case', async () => {
    await begin();
    await main().getByRole('textbox', { name: 'Name' }).fill('In two languages');
    await main().getByLabel('What happens').selectOption({ label: 'A contact follows' });
    const first = main().getByRole('group', { name: 'Step 1', exact: true });
    await writeCard(first, 'Hello');
    await main().getByRole('button', { name: 'Add a step' }).click();
    const second = main().getByRole('group', { name: 'Step 2', exact: true });
    await writeCard(second, 'Bye');
    for (const [step, title] of [
      [first, 'こんにちは'],
      [second, 'さようなら'],
    ] as const) {
      await step.getByRole('switch', { name: 'Messages by language or another field' }).click();
      await step.getByRole('tab', { name: 'Case 1' }).waitFor();
      await step.getByLabel('Values').fill('ja');
      await step.getByLabel('Title').fill(title);
    }
    await main().getByLabel('Step shown in the preview').selectOption({ label: 'Step 2, ja' });
    const preview = page.getByRole('figure', { name: 'Preview on a phone' });
    await preview.getByText('さようなら', { exact: true }).waitFor();
    await look('cases-form');
    await main().getByRole('button', { name: 'Save draft' }).click();
    await page.getByRole('heading', { name: 'In two languages', level: 1 }).waitFor();
    const written = (await named('In two languages')).steps.map(({ messagesBy }) => messagesBy?.cases);
    expect(written.map((cases) => cases?.map(({ values }) => values))).to.deep.equal([[['ja']], [['ja']]]);
    await page.goto(`${page.url()}/results`);
    for (const step of [1, 2]) {
      const cases = main().getByRole('table', { name: `Step ${step} by case` });
      await cases.getByRole('row', { name: /^ja/ }).waitFor();
    }
    await look('cases-results');
  });

  it('asks another person to approve it, where sends need that', async () => {
    await tenant.api.patch('/tenant-settings', { sendsNeedApproval: 1000 });
    await begin();
    await main().getByRole('textbox', { name: 'Name' }).fill('To be approved');
    await writeCard(part('send'), 'Approved?');
    await main().getByRole('button', { name: 'Save draft' }).click();
    await main().getByRole('button', { name: 'Activate…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Ask for approval' }).click();
    await main().getByText('You asked for this.', { exact: false }).waitFor();
    await look('asked');
    const { automationId } = await named('To be approved');
    const other = await openPage(browser);
    await signIn(other.page, stack, ben, `/app/automations/${automationId}`);
    await other.page.getByRole('main').getByRole('button', { name: 'Approve' }).click();
    const dialog = other.page.getByRole('dialog');
    await dialog.getByText(/^From now on, when a contact follows/).waitFor();
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await other.page.getByRole('main').getByText('Active', { exact: true }).waitFor();
    expect((await named('To be approved')).approval).to.deep.include({ outcome: 'approved' });
    expect([...complaints, ...other.complaints]).to.deep.equal([]);
  });
});
