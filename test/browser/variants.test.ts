import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { VariantTest } from '../../domain/api/variant-test.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import { ada } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { inOrder } from '../support/in-order.ts';
import { draftCampaign, subTasksOf } from '../support/outreach/campaigns.ts';
import { against, card } from '../support/outreach/variant-sends.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

const CONTACTS = 300;

interface Task {
  taskId: string;
  contactIds: string[];
  messages: { title?: string }[];
}

describe('a test of variants in the console', function () {
  this.timeout(120_000);
  inOrder(this);
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;
  let id: string;

  before(async function () {
    const scope = { serviceNumberId: 'sn-quay', contacts: CONTACTS };
    ({ page, complaints, stack, tenant, close } = await openConsole(this, scope));
    const variants = against([30, 30]);
    ({ id } = await draftCampaign(tenant, { name: 'Breakfast', messages: [card('A')], variants }));
    await tenant.api.post(`/campaigns/${id}:send`);
    await signIn(page, stack, ada);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  const test = () => tenant.api.get<VariantTest>(`/campaigns/${id}/variants`);
  /** The platform's tasks of the campaign. */
  async function tasks(): Promise<Task[]> {
    const taskIds = (await subTasksOf(tenant, id)).flatMap(({ taskId }) => taskId ?? []);
    return await Promise.all(taskIds.map((taskId) => tenant.sandbox.get<Task>(`/sandbox/tasks/${taskId}`)));
  }
  const titles = async () => (await tasks()).map(({ messages: [first] }) => first?.title).toSorted();

  it('shows what each variant brought about, and that the other one is ahead', async () => {
    await eventually('both variants are delivered', async () =>
      (await test()).variants.every(({ contacts, outcomes }) => contacts > 0 && outcomes.notYet === 0),
    );
    expect(await titles()).to.deep.equal(['A', 'B']);
    const ofB = (await tasks()).find(({ messages: [first] }) => first?.title === 'B');
    for (const contactId of ofB?.contactIds.slice(0, 25) ?? [])
      await tenant.sandbox.post('/sandbox/clicks', { taskId: ofB?.taskId, contactId }).catch(() => undefined);
    await eventually('the clicks are proof', async () => (await test()).verdict.verdict === 'proven');
    await page.goto(`${stack.addresses.bff}/app/campaigns/${id}/results`);
    await page.getByRole('heading', { name: 'Test of variants' }).waitFor();
    await page.getByText('B is proven to be better than every other one.').waitFor();
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 860 });
      await expectAccessible(page);
      await takeScreenshot(page, `variants-running-${width}`);
    }
  });

  it('sends to the rest what is chosen, after a confirmation', async () => {
    await page.getByRole('button', { name: 'Choose B' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send B to the rest?' });
    await dialog.getByText('This cannot be taken back.').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Choose B' }).click();
    await page.getByText('it was proven to be better.').waitFor();
    await eventually('the rest is submitted', async () => (await tasks()).length === 3);
    expect(await titles()).to.deep.equal(['A', 'B', 'B']);
    const sentTo = (await tasks()).flatMap(({ contactIds }) => contactIds);
    expect([sentTo.length, new Set(sentTo).size]).to.deep.equal([CONTACTS, CONTACTS]);
    expect(await page.getByRole('button', { name: 'Choose B' }).count()).to.equal(0);
    expect(complaints).to.deep.equal([]);
  });
});
