import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { SavedAudience } from '#domain/api/audiences.ts';
import type { Campaign } from '#domain/api/campaign.ts';
import type { CampaignLift } from '#domain/api/lift.ts';
import type { Page as ApiPage } from '#domain/api/primitives.ts';
import type { Tag } from '#domain/api/tags.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { keyboardOn } from '../support/browser/keyboard.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { inOrder } from '../support/in-order.ts';
import { cardMessage, draftCampaign, subTasksOf } from '../support/outreach/campaigns.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

const serviceNumberId = 'sn-lift';
const CONTACTS = 600;

describe('a control group in the console', function () {
  this.timeout(120_000);
  inOrder(this);
  let ada: Person;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;
  let id: string;
  let sent: string[];
  let control: string[];

  before(async function () {
    ({ ada, page, complaints, stack, tenant, close } = await openConsole(this, {
      serviceNumberId,
      contacts: CONTACTS,
    }));
    ({ id } = await draftCampaign(tenant, { name: 'Breakfast', messages: [cardMessage] }));
    await signIn(page, stack, ada);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  const open = (path: string) => page.goto(`${stack.addresses.bff}/app/campaigns/${id}${path}`);
  const campaign = () => tenant.api.get<Campaign>(`/campaigns/${id}`);
  /** Screenshots of it at the width of a desk and of a phone. */
  async function look(name: string): Promise<void> {
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 860 });
      await expectAccessible(page);
      await takeScreenshot(page, `lift-${name}-${width}`);
    }
  }

  it('is switched on and sized by keyboard, and says how many get the message and how many do not', async () => {
    await open('/edit?step=audience');
    const { tabTo } = keyboardOn(page);
    const toggle = page.getByRole('switch', { name: 'Use a control group' });
    await tabTo(toggle);
    await page.keyboard.press('Space');
    await page.getByText('About 540 get it, and about 60 contacts are in the control group.').waitFor();
    const percent = page.getByLabel('Control group, in percent');
    await tabTo(percent);
    await percent.fill('60');
    await page.keyboard.press('Tab');
    await page.getByText('A whole number from 1 to 50', { exact: true }).waitFor();
    await percent.fill('50');
    await page.getByText('About 300 get it, and about 300 contacts are in the control group.').waitFor();
    await eventually('it is saved', async () => (await campaign()).holdoutPercent === 50);
    await look('editor');
  });

  it('is said by the review, the dry run and the dialog that sends', async () => {
    await open('/edit?step=review');
    await page.getByText('50% of the audience is in the control group').waitFor();
    await page.getByRole('button', { name: 'Run without sending' }).click();
    await page.getByText(/^\d+ contacts would be in the control group\.$/).waitFor();
    await look('review');
    const action = 'Send to about 300 contacts, 300 in the control group';
    await page.getByRole('button', { name: action }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^About 300 contacts of .* get it now, and about 300 are in the control group\./).waitFor();
    await look('dialog');
    await dialog.getByRole('button', { name: action }).click();
    await page.waitForURL('**/progress**');
    await eventually('it is sent', async () => (await campaign()).status === 'completed');
  });

  it('gets nothing: the platform has the others alone', async () => {
    const [task] = await subTasksOf(tenant, id);
    const { contactIds } = await tenant.sandbox.get<{ contactIds: string[] }>(`/sandbox/tasks/${task?.taskId}`);
    sent = contactIds;
    control = tenant.contactIds.filter((one) => !sent.includes(one));
    const { audienceCount, controlCount } = await campaign();
    expect([audienceCount, controlCount]).to.deep.equal([sent.length, control.length]);
    // 50 % of 600, six standard deviations either way.
    expect(control.length).to.be.within(226, 374);
    await open('/audience');
    await page.getByText(`Control group: ${control.length}`).waitFor();
    await page.getByLabel('Contact id').fill(control[0] ?? '');
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.getByText(`${control[0]} was in the control group.`).waitFor();
    await look('audience');
  });

  it('is listed contact by contact, and saved as an audience of its own', async () => {
    await open('/contacts');
    await page.getByRole('combobox', { name: 'Contact' }).selectOption('In the control group');
    const first = control.toSorted()[0] ?? '';
    const row = page.getByRole('row').filter({ hasText: first }).first();
    await row.getByText('In the control group').waitFor();
    await look('contacts');
    await page.getByRole('button', { name: 'Save as audience' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The list is fixed now.').waitFor();
    await dialog.getByRole('button', { name: 'Save as audience' }).click();
    await page.getByRole('heading', { name: 'Control group of Breakfast' }).waitFor();
    const { items } = await tenant.api.get<ApiPage<SavedAudience>>('/audiences');
    expect(items[0]?.memberCount).to.equal(control.length);
  });

  it('says that nothing can be said yet as long as too few converted', async () => {
    for (const contactId of [...sent.slice(0, 3), ...control.slice(0, 1)])
      await tenant.sandbox.post('/sandbox/webhooks', {
        tenant: tenant.tenantId,
        serviceNumberId,
        eventType: 'session.created',
        data: { sessionId: `of-${contactId}`, contactId, serviceNumberId },
        wait: true,
      });
    await eventually('the conversations are counted', async () => {
      const { comparisons } = await tenant.api.get<CampaignLift>(`/campaigns/${id}/lift`);
      return comparisons[0]?.sent.converted === 3 && comparisons[0].control.converted === 1;
    });
    await open('/results');
    await page.getByRole('heading', { name: 'Lift over the control group' }).waitFor();
    await page
      .getByText('Not enough data: needs 100 conversions per group (so far 3 and 1).', { exact: true })
      .waitFor();
    await look('too-few');
  });

  it('shows the difference and its interval in words, within the days that are chosen', async () => {
    const tag = { name: 'Bought', serviceNumberId, kind: 'permanent' };
    const { tagId } = await tenant.api.post<Tag>('/tags', tag);
    const contactIds = [...sent.slice(0, 200), ...control.slice(0, 110)];
    await tenant.api.post(`/tags/${tagId}/assignments`, { contactIds });
    await page.reload();
    await page.getByRole('link', { name: 'Got the tag “Bought”' }).waitFor();
    await page.getByText(/^\d[\d.]* points higher than the control group \(\+/).waitFor();
    await page.getByText(/^110 of \d+: /).waitFor();
    const { tabTo } = keyboardOn(page);
    await tabTo(page.getByRole('combobox', { name: 'Within' }));
    await page.keyboard.press('ArrowDown');
    await page.waitForURL(/window=14/);
    await page.getByText(/these figures still change/).waitFor();
    await look('results');
  });

  it('reads the same in Chinese', async () => {
    await page.evaluate(`localStorage.setItem('outreach.preferences', '{"locale":"zh-Hant"}')`);
    await open('/results');
    await page.getByRole('heading', { name: '已發送與對照組的比較' }).waitFor();
    await page.getByText(/^已發送者較多，差 \d/).waitFor();
    await page.getByText(/^還不能下結論/).waitFor();
    await look('chinese');
    expect(complaints).to.deep.equal([]);
  });

  it('holds nobody back of a copy that does not want it', async () => {
    const copy = await tenant.api.post<Campaign>(`/campaigns/${id}:duplicate`, {});
    expect(copy.holdoutPercent).to.equal(50);
    await page.goto(`${stack.addresses.bff}/app/campaigns/${copy.id}/edit?step=audience`);
    await page.getByRole('switch', { name: '保留對照組' }).click();
    await eventually('it is saved', async () => {
      const { items } = await tenant.api.get<ApiPage<Campaign>>('/campaigns?status=draft');
      return items.find((one) => one.id === copy.id)?.holdoutPercent === null;
    });
  });
});
