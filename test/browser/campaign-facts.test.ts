import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Progress } from '../../domain/api/campaign.ts';
import { dispatchWorkflowId } from '../../workflows/contracts/dispatch-campaign.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import { ada } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { draftCampaign, subTasksOf } from '../support/outreach/campaigns.ts';
import { currentDetails } from '../support/services/outreach-worker.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

describe('what the pages of a campaign say about it', function () {
  this.timeout(120_000);
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;

  before(async function () {
    ({ page, complaints, stack, tenant, close } = await openConsole(this, {
      serviceNumberId: 'sn-facts',
      contacts: 30,
    }));
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await signIn(page, stack, ada);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  const open = (path: string) => page.goto(`${stack.addresses.bff}/app${path}`);
  const progressOf = (id: string) => tenant.api.get<Progress>(`/campaigns/${id}/progress`);

  it('shows the key by which a sub-task without a response is found at the platform, where it is decided too', async () => {
    await tenant.sandbox.put('/sandbox/faults', { faults: [{ route: 'A1', mode: 'lost-answer', count: 1 }] });
    const { id } = await draftCampaign(tenant, { name: 'Answer lost' });
    await tenant.api.post(`/campaigns/${id}:send`);
    await eventually('it is unknown', async () => (await progressOf(id)).subTasks.unknown?.tasks === 1);
    const key = (await subTasksOf(tenant, id))[0]?.key ?? '';

    await open(`/campaigns/${id}/progress`);
    const row = page.locator('#sub-tasks').getByRole('row').filter({ hasText: 'Unknown' });
    await row.getByText(key, { exact: true }).waitFor();
    await row.getByRole('button', { name: 'Copy the sub-task key' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(key);
    await expectAccessible(page);
    await takeScreenshot(page, 'campaign-unknown');

    await row.getByRole('button', { name: 'It was not sent…' }).click();
    const dialog = page.getByRole('dialog', { name: 'What became of this sub-task?' });
    await dialog.getByText(key, { exact: true }).waitFor();
    const facts = dialog.locator('dl > div');
    await facts.filter({ hasText: 'Contacts' }).getByText('30', { exact: true }).waitFor();
    await facts.filter({ hasText: 'Submitted' }).getByRole('time').waitFor();
    await dialog.getByRole('button', { name: 'Copy the sub-task key' }).waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'campaign-unknown-dialog');

    const handle = dispatchWorkflowId(id, 1);
    await stack.temporal.client.workflow.getHandle(handle).result();
    expect(await currentDetails(stack.temporal.client, handle)).to.match(
      /^No sub-task is left to submit\. The outcome of 1 sub-task \(30 contacts\) is unknown:/,
    );
    expect(complaints).to.deep.equal([]);
  });
});
