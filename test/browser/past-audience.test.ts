import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { unassignTag } from '#commands/outreach/tags/unassign-tag.ts';
import type { SavedAudience } from '#domain/api/audiences.ts';
import type { Tag } from '#domain/api/tags.ts';
import { wallClockOf } from '#web/time/zone.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { fillDate, fillTime } from '../support/browser/dates.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { sendCampaign } from '../support/outreach/campaigns.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';

const serviceNumberId = 'sn-past';
const HOUR_MS = 3_600_000;

describe('an audience at an earlier time in the console', function () {
  this.timeout(120_000);
  let ada: Person;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;
  let audienceId: string;
  const contact = (number: number) => tenant.contactIds[number - 1] ?? '';

  before(async function () {
    ({ ada, page, complaints, stack, tenant, close } = await openConsole(this, { serviceNumberId, contacts: 4 }));
    const { tagId } = await tenant.api.post<Tag>('/tags', { name: 'VIP', serviceNumberId, kind: 'permanent' });
    const give = (...numbers: number[]) =>
      tenant.api.post(`/tags/${tagId}/assignments`, { contactIds: numbers.map(contact) });
    await give(1, 2, 3);
    // Two hours ago all three had it, as they have been known for long; the second lost it an hour ago.
    const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS);
    const outreach = stack.database.connect('outreach', 'owner');
    const { tenantId } = await outreach('tag').where({ tag_id: tagId }).first('tenant_id');
    await unassignTag(outreach, { tenantId, userId: ada.sub, requestId: null }, tagId, [contact(2)], new Date());
    await outreach('contact_profile')
      .where({ tenant_id: tenantId })
      .update({ changed_at: ago(5) });
    await outreach('tag_assignment')
      .where({ tenant_id: tenantId })
      .update({ assigned_at: ago(3) });
    await outreach('tag_assignment_past')
      .where({ tenant_id: tenantId })
      .update({ since: ago(3), until: ago(1) });
    const segment = {
      all: [{ tag: tagId }, { not: { profile: { field: 'language', test: { op: 'eq', value: 'xx' } } } }],
    };
    const body = { name: 'Regulars', serviceNumberId, type: 'segment', segment };
    ({ audienceId } = await tenant.api.post<SavedAudience>('/audiences', body));
    await signIn(page, stack, ada);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  async function ask(hoursAgo: number, contactId: string): Promise<void> {
    const zone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
    const { date, time } = wallClockOf(new Date(Date.now() - hoursAgo * HOUR_MS), zone);
    await fillDate(page, 'Date', date);
    const label = await page.getByRole('group', { name: /^Time \(/ }).getAttribute('aria-label');
    await fillTime(page, label ?? '', time);
    await page.getByLabel('Contact id (optional)').fill(contactId);
    await page.getByRole('button', { name: 'Show' }).click();
  }

  it('is counted, and says of a contact why it was in, and why it is not any more', async () => {
    await page.goto(`${stack.addresses.bff}/app/audiences/${audienceId}`);
    await page.getByRole('button', { name: 'Choose a time' }).click();
    const explanation = page.getByRole('status').filter({ hasText: contact(2) });
    await ask(2, contact(2));
    await explanation.getByText('was in the audience on').waitFor();
    await page.getByText('3 matched, 3 of them reachable.').waitFor();
    await explanation.getByText(/Tag “VIP” given .*, removed/).waitFor();
    expect(await explanation.getByText(/^True:/).count()).to.equal(1);
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 860 });
      await expectAccessible(page);
      await takeScreenshot(page, `past-audience-${width}`);
    }
    await ask(0, contact(2));
    await page.getByText('2 matched, 2 of them reachable.').waitFor();
    await explanation.getByText('was not in the audience on').waitFor();
    await explanation.getByText('Not true:').first().waitFor();
    await ask(4, contact(2));
    await explanation.getByText('was not in the audience on').waitFor();
  });

  it('is asked from the campaign that was sent to it, about the moment of the send and the contact that is looked up', async () => {
    const audience = { type: 'contacts', audienceId } as const;
    const { campaign } = await sendCampaign(tenant, { name: 'To regulars', audience });
    await page.goto(`${stack.addresses.bff}/app/campaigns/${campaign.id}/audience`);
    await page.getByRole('link', { name: 'The saved audience at the time of the send' }).waitFor();
    await page.getByLabel('Contact id').fill(contact(2));
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.getByText('was not in the frozen audience of any send').waitFor();
    await page.getByRole('link', { name: `Why ${contact(2)} was or wasn't in` }).click();
    await page.getByText('2 matched, 2 of them reachable.').waitFor();
    await page.getByRole('status').filter({ hasText: 'Not true:' }).getByText('was not in the audience on').waitFor();
    const asked = new URL(page.url()).searchParams;
    expect([asked.get('at'), asked.get('contact')]).to.deep.equal([campaign.sentAt, contact(2)]);
    expect(await page.getByLabel('Contact id (optional)').inputValue()).to.equal(contact(2));
  });

  it('says that what is to come is not known', async () => {
    await ask(-48, contact(1));
    await page.getByText(/is in the future/).waitFor();
    expect(complaints.filter((text) => !text.includes('422'))).to.deep.equal([]);
  });
});
