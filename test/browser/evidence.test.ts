import type { Page } from 'playwright-core';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { draftCampaign, sendCampaign, subTasksOf } from '../support/outreach/campaigns.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

describe('what is known about a sub-task, in the console', function () {
  this.timeout(120_000);
  let ada: Person;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let close: (() => Promise<void>) | undefined;

  before(async function () {
    ({ ada, page, stack, tenant, close } = await openConsole(this, {
      serviceNumberId: 'sn-evidence',
      contacts: 40,
    }));
    await signIn(page, stack, ada);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  const database = () => stack.database.connect('outreach');
  const open = (path: string) => page.goto(`${stack.addresses.bff}/app${path}`);

  it('A1: shows a count that the platform has not reported as a dash', async () => {
    const at = new Date(Date.now() + 86_400_000).toISOString();
    const { id } = await draftCampaign(tenant, { name: 'Tomorrow', schedule: { type: 'scheduled', at } });
    await tenant.api.post(`/campaigns/${id}:send`);
    const isScheduled = async () => (await subTasksOf(tenant, id))[0]?.status === 'scheduled';
    await eventually('it is scheduled', isScheduled);
    await open(`/campaigns/${id}/progress`);
    const row = page.locator('#sub-tasks').getByRole('row').filter({ hasText: '40' });
    await row.getByRole('cell', { name: '–', exact: true }).nth(3).waitFor();
  });

  it('A2: says that the platform does not know a task any more, and offers both outcomes', async () => {
    const { campaign, tasks } = await sendCampaign(tenant, { name: 'Lost task' });
    await database()('broadcast_task').where({ campaign_id: campaign.id }).update({
      status: 'unknown',
      error_code: 'task_not_found',
      error_message: 'The platform does not know this task any more',
      next_poll_at: null,
    });
    await open('');
    await page.getByText('The platform no longer knows the task for 40 contacts.').waitFor();
    await page.getByRole('link', { name: 'Decide: Lost task' }).click();
    await page.getByText('The platform accepted it but no longer knows its task. We keep polling for a day.').waitFor();
    await takeScreenshot(page, 'evidence-task-not-found');
    await page.getByRole('button', { name: 'It was sent…' }).click();
    const dialog = page.getByRole('dialog', { name: 'What happened to this sub-task?' });
    await dialog.getByText(/^The platform accepted 40 contacts but no longer knows the task\./).waitFor();
    await eventually(
      'its task id is filled in',
      async () => (await dialog.getByLabel('Platform task id').inputValue()) === tasks[0]?.taskId,
    );
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Count 40 contacts as sent' }).click();
    await dialog.waitFor({ state: 'detached' });
    await eventually('it is completed', async () => (await subTasksOf(tenant, campaign.id))[0]?.status === 'completed');
  });

  it('A5: says that cancelling came too late', async () => {
    const { campaign } = await sendCampaign(tenant, { name: 'Too late' });
    await database()('campaign')
      .where({ campaign_id: campaign.id })
      .update({ cancel_requested: true, cancelled_at: new Date(), cancel_outcome: 'too_late' });
    await open(`/campaigns/${campaign.id}/progress`);
    await page.getByText('It was cancelled too late: the platform had begun to send everything.').waitFor();
    await takeScreenshot(page, 'evidence-too-late');
  });

  it('A3: says who got it twice, on the overview, the campaign and in its history', async () => {
    const { campaign } = await sendCampaign(tenant, { name: 'Doubled' });
    await database()('campaign')
      .where({ campaign_id: campaign.id })
      .update({ sent_twice: 40, sent_twice_at: new Date() });
    await database()('audit_log').insert({
      audit_id: `twice-${campaign.id}`,
      tenant_id: tenant.tenantId,
      actor: 'platform',
      action: 'campaign.sent_twice',
      object_type: 'campaign',
      object_id: campaign.id,
      after: JSON.stringify({ contacts: 40 }),
    });
    await open('');
    await page.getByRole('heading', { name: '1 campaign was sent to some people twice' }).waitFor();
    await takeScreenshot(page, 'evidence-sent-twice');
    await page.getByRole('link', { name: 'See why: Doubled' }).click();
    await page.getByText('Sent twice: 40 contacts', { exact: true }).waitFor();
    await page.getByText(/^Sent twice: 40 contacts\. An earlier sub-task turned out to have been sent\./).waitFor();
    await expectAccessible(page);
  });
});
