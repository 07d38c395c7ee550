import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { rows } from '#db/database.ts';
import type { CampaignStep } from '#domain/api/campaign-steps.ts';
import type { Campaign } from '#domain/api/campaign.ts';
import { stepsWakeSignal, stepsWorkflowId } from '#workflows/contracts/follow-steps.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { inOrder } from '../support/in-order.ts';
import { draftCampaign, subTasksOf } from '../support/outreach/campaigns.ts';
import { card } from '../support/outreach/variant-sends.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

const CONTACTS = 12;

describe('follow-up messages, in the console', function () {
  this.timeout(120_000);
  inOrder(this);
  let ada: Person;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;
  let id: string;

  before(async function () {
    const scope = { serviceNumberId: 'sn-steps', contacts: CONTACTS };
    ({ ada, page, complaints, stack, tenant, close } = await openConsole(this, scope));
    ({ id } = await draftCampaign(tenant, { name: 'Breakfast', messages: [card('First')] }));
    await signIn(page, stack, ada);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  const steps = async () => (await tenant.api.get<{ items: CampaignStep[] }>(`/campaigns/${id}/steps`)).items;
  /** Who was sent to, by the tasks that the platform has. */
  async function sentTo(campaignId: string): Promise<{ taskId: string; contactIds: string[] }[]> {
    const taskIds = (await subTasksOf(tenant, campaignId)).flatMap(({ taskId }) => taskId ?? []);
    return await Promise.all(
      taskIds.map((taskId) => tenant.sandbox.get<{ taskId: string; contactIds: string[] }>(`/sandbox/tasks/${taskId}`)),
    );
  }
  const openCampaign = (campaignId: string) => page.goto(`${stack.addresses.bff}/app/campaigns/${campaignId}/progress`);
  const message = (number: number) => page.getByRole('group', { name: `Follow-up message ${number}` });

  it('is written where the campaign is: when, to whom, and what it says', async () => {
    await page.goto(`${stack.addresses.bff}/app/campaigns/${id}/edit`);
    await page.getByRole('navigation', { name: 'Steps' }).getByText('Follow-ups').first().click();
    const add = page.getByRole('button', { name: 'Add a follow-up message' });
    for (const [number, title] of [
      [1, 'Still hungry?'],
      [2, 'The last rolls'],
    ] as const) {
      await add.click();
      const fields = message(number);
      await fields.getByLabel('Title').fill(title);
      await fields.getByLabel('Text', { exact: true }).first().fill('Fresh until noon.');
      await fields.getByRole('textbox', { name: 'Label*', exact: true }).fill('Order now');
      await fields.getByLabel('What it does').selectOption('Postback');
    }
    await message(1).getByLabel('Delay').fill('400');
    await message(1).getByLabel('Delay').blur();
    await message(1).getByText('A whole number from 1 to 365').waitFor();
    await message(1).getByLabel('Delay').fill('2');
    await message(1).getByLabel('Unit').selectOption('hours');
    await message(1).getByRole('button', { name: 'Add text' }).click();
    const second = message(1).getByRole('region', { name: 'Follow-up message 1, part 2' });
    await second.getByLabel('Text', { exact: true }).fill('Or come by.');
    await second.getByRole('button', { name: 'Move up' }).click();
    await message(1).getByText('Message moved to position 1 of 2').waitFor();
    await message(2).getByLabel('To those who').selectOption('clicked');
    await message(2).getByLabel('Button', { exact: true }).selectOption('Order now (part 2)');
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 860 });
      await expectAccessible(page);
      await takeScreenshot(page, `steps-editor-${width}`);
    }
    await eventually('it is stored', async () => {
      const { steps: stored } = await tenant.api.get<Campaign>(`/campaigns/${id}`);
      return stored?.length === 2 && stored[0]?.messages?.length === 2 && stored[1]?.condition.messageIndex === 1;
    });
    const { steps: stored } = await tenant.api.get<Campaign>(`/campaigns/${id}`);
    expect(stored?.map(({ after, condition }) => [after, condition])).to.deep.equal([
      [{ amount: 2, unit: 'hours' }, { outcome: 'not_clicked' }],
      [
        { amount: 1, unit: 'days' },
        { outcome: 'clicked', messageIndex: 1, actionIndex: 0 },
      ],
    ]);
    expect(stored?.map(({ messages }) => messages?.map(({ type }) => type))).to.deep.equal([
      ['text', 'buttons'],
      ['buttons'],
    ]);
  });

  it('goes to those who did not click once it is due, and says so on both pages', async () => {
    await tenant.api.post(`/campaigns/${id}:send`);
    await eventually('the campaign is over', async () => {
      const { status } = await tenant.api.get<Campaign>(`/campaigns/${id}`);
      return status === 'completed';
    });
    const [task] = await sentTo(id);
    const clickers = task?.contactIds.slice(0, 3) ?? [];
    let clicked = 0;
    for (const contactId of clickers)
      await tenant.sandbox
        .post('/sandbox/clicks', { taskId: task?.taskId, contactId })
        .then(() => (clicked += 1))
        .catch(() => undefined);
    await eventually('the clicks are counted', async () => {
      const { clickedContacts } = await tenant.api.get<Campaign>(`/campaigns/${id}`);
      return clickedContacts === clicked && clicked > 0;
    });
    await openCampaign(id);
    await page.getByRole('heading', { name: 'Follow-up messages' }).waitFor();
    await page.getByText('Waiting', { exact: true }).first().waitFor();
    // As if it had been sent three hours ago.
    await rows(
      stack.database.connect('outreach'),
      `update broadcast_task set submitted_at = submitted_at - interval '3 hours', started_at = started_at - interval '3 hours'
       where campaign_id = :id`,
      { id },
    );
    await stack.temporal.client.workflow.getHandle(stepsWorkflowId(id)).signal(stepsWakeSignal);
    const sent = await eventually('the first step is sent', async () => {
      const [first] = await steps();
      return first?.state === 'sent' && first.campaignStatus === 'completed' && first;
    });
    const reached = (await sentTo(sent.campaignId ?? '')).flatMap(({ contactIds }) => contactIds);
    expect(reached.filter((contactId) => clickers.slice(0, clicked).includes(contactId))).to.deep.equal([]);
    expect(reached.length).to.equal(sent.audienceCount);
    expect(reached.length).to.be.greaterThan(0);
    await openCampaign(id);
    await page.getByText('Sent', { exact: true }).first().waitFor();
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 860 });
      await expectAccessible(page);
      await takeScreenshot(page, `steps-panel-${width}`);
    }
    await page.getByRole('link', { name: 'Message 2' }).click();
    await page.getByText('Follow-up to').getByRole('link', { name: 'Breakfast' }).click();
    await page.getByRole('heading', { name: 'Follow-up messages' }).waitFor();
  });

  it('is cancelled after a confirmation, as far as it waits', async () => {
    await page.getByRole('button', { name: 'Cancel follow-ups' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel follow-ups' }).click();
    await page.getByText('Cancelled by hand').waitFor();
    expect((await steps()).map(({ state, reason }) => [state, reason])).to.deep.equal([
      ['sent', null],
      ['cancelled', 'operator'],
    ]);
    expect(complaints).to.deep.equal([]);
  });
});
