import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { SavedAudience } from '#domain/api/audiences.ts';
import type { Campaign, CampaignBody, Progress } from '#domain/api/campaign.ts';
import type { DryRun } from '#domain/api/dry-run.ts';
import type { Rule } from '#domain/api/rules.ts';
import type { Tag } from '#domain/api/tags.ts';
import { dispatchWorkflowId } from '#workflows/contracts/dispatch-campaign.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { draftCampaign, sendCampaign, subTasksOf } from '../support/outreach/campaigns.ts';
import { currentDetails } from '../support/services/outreach-worker.ts';
import type { Stack } from '../support/services/stack.ts';
import { signerOf, type TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

describe('what the pages of a campaign say about it', function () {
  this.timeout(120_000);
  let ada: Person;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;

  before(async function () {
    ({ ada, page, complaints, stack, tenant, close } = await openConsole(this, {
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
    const dialog = page.getByRole('dialog', { name: 'What happened to this sub-task?' });
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

  const later = new Date(Date.now() + 3 * 86_400_000 + 3_600_000);
  const inThreeDays = { type: 'scheduled' as const, at: later.toISOString() };
  /** As the console writes it for people in Taipei. */
  const clock = (time: Date) =>
    new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'Asia/Taipei' }).format(time);

  async function schedule(name: string, audience: CampaignBody['audience']): Promise<string> {
    const { id } = await draftCampaign(tenant, { name, audience, schedule: inThreeDays });
    await tenant.api.post(`/campaigns/${id}:send`);
    await eventually('it is scheduled at the platform', async () =>
      (await subTasksOf(tenant, id)).every(({ status }) => status === 'scheduled'),
    );
    return id;
  }

  it('tells apart when a campaign is scheduled for, who confirmed it and when it was sent', async () => {
    const contactIds = tenant.contactIds.slice(0, 7);
    const id = await schedule('Advent opening', { type: 'contacts', contactIds });
    await open(`/campaigns/${id}/progress`);
    await page.getByText(/^Scheduled for .*20\d\d/).waitFor();
    await page.getByText(/^Confirmed by Ada Lin, /).waitFor();
    expect(await page.getByText(/^Sent [A-Z]/).count(), 'nothing is sent').to.equal(0);
    await expectAccessible(page);
    await takeScreenshot(page, 'campaign-scheduled');
    await page.getByRole('link', { name: 'History' }).click();
    const confirmed = page.getByText(/^Confirmed for 7 contacts, scheduled for .+/);
    await confirmed.waitFor();
    expect(await confirmed.textContent()).to.contain(clock(later));

    await open('/campaigns');
    const row = page.getByRole('row').filter({ hasText: 'Advent opening' });
    await row.getByText(/^Due in 3 days/).waitFor();

    await tenant.api.post(`/campaigns/${id}:cancel`);
    const isCancelled = async () => (await tenant.api.get<Campaign>(`/campaigns/${id}`)).status === 'cancelled';
    await eventually('it is cancelled', isCancelled);
    expect(await tenant.api.get<Campaign>(`/campaigns/${id}`)).to.include({ startedAt: null });
    await open(`/campaigns/${id}/history`);
    await confirmed.waitFor();
    expect(await page.getByText(/Sent to/).count()).to.equal(0);
    await page.getByText('It was cancelled before anything was sent.').waitFor();
    expect(await page.getByText(/^Sent [A-Z]/).count()).to.equal(0);
    await open('/campaigns');
    await row.getByText(/^Confirmed .* ago|^Confirmed just now/).waitFor();
  });

  it('says once a campaign is sent when that was', async () => {
    const audience = { type: 'contacts' as const, contactIds: tenant.contactIds.slice(0, 8) };
    const { campaign } = await sendCampaign(tenant, { name: 'Lantern evening', audience });
    await open(`/campaigns/${campaign.id}/history`);
    await page.getByText(/^Sent [A-Z].*20\d\d/).waitFor();
    await page.getByText(/^Confirmed by Ada Lin, /).waitFor();
    await page.getByText('Confirmed for 8 contacts', { exact: true }).waitFor();
    expect(await page.getByText(/^Scheduled for/).count()).to.equal(0);
    await open('/campaigns');
    await page
      .getByRole('row')
      .filter({ hasText: 'Lantern evening' })
      .getByText(/^Sent /)
      .waitFor();
  });

  it('warns of a scheduled campaign to the same audience without saying that it went', async () => {
    const list = { name: 'Regulars', serviceNumberId: tenant.serviceNumberId, type: 'contacts' };
    const contactIds = tenant.contactIds.slice(0, 9);
    const { audienceId } = await tenant.api.post<SavedAudience>('/audiences', { ...list, contactIds });
    const audience = { type: 'contacts' as const, audienceId };
    await schedule('Waits for Thursday', audience);
    const { id } = await draftCampaign(tenant, { name: 'The same again', audience });
    const { warnings } = await tenant.api.post<DryRun>(`/campaigns/${id}:dry-run`);
    const { message = '' } = warnings.find(({ code }) => code === 'same_audience') ?? {};
    expect(message).to.match(/^"Waits for Thursday" is scheduled for exactly these contacts at /);

    await open(`/campaigns/${id}/edit`);
    await page
      .getByRole('button', { name: /Review/ })
      .first()
      .click();
    await page.getByText(/“Waits for Thursday” is scheduled for the same audience: .*20\d\d/).waitFor();
    expect(await page.getByText(/went to the same audience/).count()).to.equal(0);
    await expectAccessible(page);
    await takeScreenshot(page, 'campaign-review-scheduled');
    await page.getByRole('button', { name: 'Run without sending' }).click();
    await page.getByText('A recent or scheduled campaign has exactly the same contacts.').waitFor();
  });

  it('fills its bar by what became of the contacts, and names those between the audience and the sent', async () => {
    await tenant.sandbox.put('/sandbox/behaviour', { governanceShare: 0.3, failedShare: 0.2 });
    const { campaign } = await sendCampaign(tenant, { name: 'Held back' });
    await tenant.sandbox.put('/sandbox/behaviour', { governanceShare: 0, failedShare: 0 });
    const { audienceCount, summary, outcomes } = await progressOf(campaign.id);
    expect(outcomes.heldBack).to.equal(audienceCount - summary.sent);
    expect(outcomes).to.include({ delivered: summary.delivered, failed: summary.failed, notYet: 0 });
    expect([outcomes.heldBack > 0, outcomes.failed > 0], 'the seed holds back some and fails some').to.deep.equal([
      true,
      true,
    ]);
    await open(`/campaigns/${campaign.id}/progress`);
    const legend = page.getByRole('region', { name: 'Contacts by outcome' }).getByRole('listitem');
    const shown = async (label: string) =>
      Number(/\d+/.exec((await legend.filter({ hasText: label }).textContent()) ?? '')?.[0]);
    await legend.filter({ hasText: "Held back by the platform's rules" }).waitFor();
    expect(await shown("Held back by the platform's rules")).to.equal(outcomes.heldBack);
    expect((await shown('Delivered')) + (await shown('Failed')) + outcomes.heldBack).to.equal(audienceCount);
    await page.getByText(`${outcomes.heldBack} held back by the platform's rules`, { exact: true }).waitFor();
    await page.getByText('The platform does not say which contacts.').waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'campaign-outcomes');
    await page.setViewportSize({ width: 320, height: 860 });
    try {
      await expectAccessible(page);
      await takeScreenshot(page, 'campaign-outcomes-320');
    } finally {
      await page.setViewportSize({ width: 1280, height: 860 });
    }
  });

  it('keeps the bar empty until something is sent', async () => {
    const contactIds = tenant.contactIds.slice(0, 6);
    const id = await schedule('Still to come', { type: 'contacts', contactIds });
    await open(`/campaigns/${id}/progress`);
    const outcomes = page.getByRole('region', { name: 'Contacts by outcome' });
    await outcomes.getByRole('listitem').filter({ hasText: 'Not sent yet' }).getByText('6', { exact: true }).waitFor();
    expect(await outcomes.locator('[style*="width"]').count(), 'filled parts').to.equal(0);
  });

  it('shows in the selector the service number of the campaign, and leads to the list of another', async () => {
    const { tenantId: platformTenantId, serviceNumberId, sandbox } = tenant;
    const serviceNumbers = [serviceNumberId, 'sn-other'].map((id) => ({ serviceNumberId: id, name: id }));
    await sandbox.post('/sandbox/tenants', { platformTenantId, name: platformTenantId, serviceNumbers });
    const { tenantIntegrationId } = await signerOf(tenant);
    await sandbox.post(`/admin/tenant-integrations/${tenantIntegrationId}:update`, {});
    const { id } = await draftCampaign(tenant, { name: 'At the first number' });
    await tenant.api.post(`/campaigns/${id}:send`);
    const selector = page.getByRole('combobox', { name: 'Service number', exact: true });

    await open('/campaigns?sn=sn-other');
    await selector.selectOption('sn-other');
    await open(`/campaigns/${id}/progress`);
    await page.getByRole('heading', { name: 'At the first number' }).waitFor();
    await eventually('it shows the number of the campaign', async () => {
      const shown = await selector.inputValue();
      return shown === serviceNumberId;
    });
    await selector.selectOption('sn-other');
    await page.waitForURL('**/campaigns?sn=sn-other');
    await page.getByText('No campaign yet').waitFor();
    expect(await selector.inputValue()).to.equal('sn-other');
    await page.goBack();
    await page.getByRole('heading', { name: 'At the first number' }).waitFor();
    await page.getByRole('link', { name: 'Campaigns', exact: true }).first().click();
    await page.waitForURL(`**/campaigns?sn=${serviceNumberId}`);
    expect(await selector.inputValue()).to.equal(serviceNumberId);
  });

  it('gives each tab of a campaign, and a rule and its editor, a title of their own', async () => {
    const { campaign } = await sendCampaign(tenant, { name: 'Titled' });
    const titled = (title: string) => eventually(title, async () => (await page.title()) === title);
    await open(`/campaigns/${campaign.id}/progress`);
    await titled('Progress · Titled · Outreach');
    for (const tab of ['Results', 'Audience', 'Clicks', 'Contacts', 'History']) {
      await page.getByRole('link', { name: tab, exact: true }).last().click();
      await titled(`${tab} · Titled · Outreach`);
    }
    const { serviceNumberId } = tenant;
    const { tagId } = await tenant.api.post<Tag>('/tags', { name: 'Guests', serviceNumberId, kind: 'permanent' });
    const rule = { name: 'Everybody', triggerEvent: 'notice.clicked', matchCondition: { all: [] }, status: 'paused' };
    const { ruleId } = await tenant.api.post<Rule>('/smart-tag-rules', { ...rule, targetTagId: tagId });
    await open(`/rules/${ruleId}`);
    await titled('Everybody · Outreach');
    await open(`/rules/${ruleId}/edit`);
    await titled('Edit rule · Everybody · Outreach');
  });

  it('lists the contacts that the platform named when it refused them', async () => {
    const gone = 'sn-facts-gone';
    await stack.database.connect('outreach')('contact_profile').insert({
      tenant_id: tenant.tenantId,
      service_number_id: tenant.serviceNumberId,
      contact_id: gone,
      display_name: 'Grace Lee',
      follow_state: 'following',
      last_event_at: new Date(),
    });
    const audience = { type: 'contacts' as const, contactIds: [gone, ...tenant.contactIds.slice(0, 4)] };
    const { id } = await draftCampaign(tenant, { name: 'One is gone', audience });
    await tenant.api.post(`/campaigns/${id}:send`);
    await eventually('one is rejected', async () => (await progressOf(id)).subTasks.rejected?.contacts === 1);
    await open(`/campaigns/${id}/progress`);
    const row = page.locator('#sub-tasks').getByRole('row').filter({ hasText: 'Rejected' });
    await row.getByRole('button', { name: 'Show 1 contact' }).click();
    const dialog = page.getByRole('dialog', { name: '1 contact of this sub-task' });
    const contact = dialog.getByRole('link', { name: gone });
    await contact.waitFor();
    await dialog.getByText('Grace Lee').waitFor();
    expect(await dialog.getByRole('listitem').count()).to.equal(1);
    await expectAccessible(page);
    await takeScreenshot(page, 'campaign-rejected-contacts');
    await contact.click();
    await page.waitForURL(`**/contacts/**/${gone}`);
  });
});
