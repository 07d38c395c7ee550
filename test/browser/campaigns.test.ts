import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { SavedAudience } from '#domain/api/audiences.ts';
import type { Campaign, Progress } from '#domain/api/campaign.ts';
import type { Page as ApiPage } from '#domain/api/primitives.ts';
import type { Tag } from '#domain/api/tags.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { cardMessage, draftCampaign, type GivenCampaign } from '../support/outreach/campaigns.ts';
import type { Person } from '../support/browser/people.ts';
import { eventually } from '../support/time/eventually.ts';
import { keyboardOn } from '../support/browser/keyboard.ts';
import { openWithClock, stopClock } from '../support/browser/clock.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import { signIn } from '../support/browser/sign-in.ts';
import type { Stack } from '../support/services/stack.ts';
import { type TestTenant, unsubscribe } from '../support/services/tenant.ts';

const serviceNumberId = 'sn-campaigns';

describe('campaigns and audiences in the console', function () {
  this.timeout(120_000);
  let ada: Person;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;

  const open = (path: string, on = page) => on.goto(`${stack.addresses.bff}/app/${path}`);
  const shot = (name: string) => takeScreenshot(page, `campaigns-${name}`);
  const named = async (name: string) => {
    const { items } = await tenant.api.get<ApiPage<Campaign>>(`/campaigns?q=${encodeURIComponent(name)}`);
    return items[0];
  };
  const draft = (name: string, more: GivenCampaign = {}) =>
    draftCampaign(tenant, { name, messages: [cardMessage], ...more });

  before(async function () {
    ({ ada, page, complaints, stack, tenant, close } = await openConsole(this, {
      serviceNumberId,
      contacts: 1200,
      alone: true,
    }));
    await signIn(page, stack, ada);
  });

  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });

  after(() => close?.());

  it('creates, schedules and cancels a campaign with only the keyboard', async () => {
    const { tabTo, type, press, arrow } = keyboardOn(page);
    await open('campaigns');
    await page.waitForURL('**/campaigns?sn=**');
    await page.keyboard.press('c');
    await page.waitForURL('**/campaigns/new**');
    await type(page.getByLabel('Name', { exact: false }).first(), 'By keyboard');
    await type(page.getByLabel('Title'), 'Hello');
    await type(page.getByRole('textbox', { name: /^Text\*?$/ }), 'From the keyboard');
    await type(page.getByRole('textbox', { name: 'Label*', exact: true }), 'Look');
    await type(page.getByRole('textbox', { name: /^Link/ }), 'https://harbor-coffee.example');
    await press(page.getByRole('button', { name: 'Next: Audience' }));
    await tabTo(page.getByRole('radio', { name: 'Contacts with tags' }));
    await arrow('ArrowRight', page.getByRole('radio', { name: 'A list of contacts' }));
    await type(page.getByLabel('Contact ids'), tenant.contactIds[0] ?? '');
    await press(page.getByRole('button', { name: 'Next: When' }));
    await tabTo(page.getByRole('radio', { name: 'Now' }));
    await arrow('ArrowDown', page.getByRole('radio', { name: 'Later' }));
    await page.getByText(/Taipei = .* UTC, in /).waitFor();
    await press(page.getByRole('button', { name: 'Next: Follow-ups' }));
    await press(page.getByRole('button', { name: 'Next: Review' }));
    const send = page.getByRole('button', { name: 'Schedule for 1 contact' });
    await eventually('it may be sent', () => send.isEnabled());
    await press(send);
    await press(page.getByRole('dialog').getByRole('button', { name: 'Schedule for 1 contact' }));
    await page.waitForURL('**/progress**');
    await eventually('it is scheduled', async () => (await named('By keyboard'))?.status === 'scheduled');
    await press(page.getByRole('main').getByRole('button', { name: /^Actions/ }));
    await page.getByRole('menuitem', { name: 'Cancel campaign' }).waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await press(page.getByRole('dialog').getByRole('button', { name: 'Cancel campaign' }));
    await eventually('it is cancelled', async () => (await named('By keyboard'))?.status === 'cancelled');
    await page.getByText('Cancelled', { exact: true }).first().waitFor();
  });

  it('uploads a CSV as a saved list: invalid lines, cancelling, duplicates; and starts a campaign from it', async () => {
    await open('audiences');
    await page.getByRole('button', { name: 'New audience' }).first().click();
    await page.getByRole('dialog').getByLabel('Name').fill('Guests of the fair');
    await page.getByRole('dialog').getByRole('button', { name: 'Create audience' }).click();
    await page.waitForURL(/audiences\/[\w-]+/);
    const file = (text: string) => ({ name: 'guests.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    const input = page.locator('input[type=file]');
    const [first = '', second = ''] = tenant.contactIds;
    const upload = (count: string) => page.getByRole('button', { name: `Upload ${count}`, exact: true }).click();
    await input.setInputFiles(file(`${first}\na,b\n"open\n`));
    await upload('3 lines');
    await page.getByText('2 lines are not contact ids').waitFor();
    await page.getByText('Line 2, “a,b”: more than one column, or quotes in the wrong place').waitFor();
    const audienceId = page.url().split('/').at(-1)?.split('?')[0] ?? '';
    const stored = () => tenant.api.get<SavedAudience>(`/audiences/${audienceId}`);
    expect((await stored()).memberCount).to.equal(0);

    await page.route('**/contacts?separator=*', () => {}, { times: 1 });
    await input.setInputFiles(file(`${first}\n`));
    await upload('1 line');
    await page.getByRole('button', { name: 'Cancel upload' }).click();
    await page.getByText('The upload was cancelled; nothing was changed.').first().waitFor();
    expect((await stored()).memberCount).to.equal(0);

    await input.setInputFiles(file(`${first}\n${second}\n${first}\nnobody\n`));
    await upload('4 lines');
    await page.getByText('1 of 3 ids is not a known contact of this service number').waitFor();
    await page.getByText('3 contacts stored.').waitFor();
    await page.getByText('1 line repeated an id and counts once.').waitFor();
    expect((await stored()).memberCount).to.equal(3);
    await eventually('the counts follow', async () => (await page.getByText('A list of 3 contacts.').count()) === 1);
    const figures = page.getByRole('complementary', { name: 'Counts' });
    await figures.getByRole('link', { name: '−1' }).click();
    await page.waitForURL(/reach=unreachable/);
    const members = page.getByRole('table', { name: 'Contacts in it now' });
    await members.getByText('Unknown to this service number').waitFor();
    await eventually('one row is left', async () => (await members.getByRole('row').count()) === 2);
    await figures.getByRole('link', { name: '3', exact: true }).click();
    await members.getByText(second).waitFor();
    expect(await members.getByText('Reachable', { exact: true }).count()).to.equal(2);
    await expectAccessible(page);
    await shot('audience');
    await page.getByRole('link', { name: 'New campaign for this audience' }).click();
    await page.waitForURL('**/campaigns/new**');
    await page.getByRole('button', { name: 'Next: Audience' }).click();
    const choice = page.getByRole('combobox', { name: 'Saved audience' });
    await eventually('it goes to this list', async () => (await choice.inputValue()) === audienceId);
  });

  it('reports a cut stream before any timer of the page fires, and ends up equal to REST', async () => {
    // Rate limiting keeps the platform from finishing before the stream is cut, so there is still something to
    // report.
    const busy = { route: 'A1', mode: 'status', status: 429, code: 'rate_limited', retryAfter: 1 };
    await tenant.sandbox.put('/sandbox/faults', { faults: [busy] });
    const { id } = await draft('Cut stream');
    await tenant.api.post(`/campaigns/${id}:send`);
    const watching = await openWithClock(page.context().browser());
    const streamed = watching.waitForResponse((response) => response.url().endsWith(`/campaigns/${id}/stream`));
    await signIn(watching, stack, ada, `/app/campaigns/${id}/progress`);
    await watching.getByText('1,200 contacts in total').waitFor();
    await streamed;
    await stopClock(watching);
    try {
      await stack.kill('bff');
      await tenant.sandbox.put('/sandbox/faults', { faults: [] });
      await watching.getByText('Live updates are interrupted. Reconnecting').waitFor();
    } finally {
      await stack.restart('bff');
      await watching.clock.resume();
    }
    await watching.getByText('Completed', { exact: true }).first().waitFor({ timeout: 30_000 });
    const { summary, audienceCount } = await tenant.api.get<Progress>(`/campaigns/${id}/progress`);
    expect(summary.sent).to.equal(1200);
    const figures = watching.locator('dl').first();
    for (const count of [audienceCount, summary.sent, summary.delivered])
      await figures.getByText(count.toLocaleString('en-GB'), { exact: true }).first().waitFor();
  });

  it('shows who was in the frozen audience, how it differs from the dry run, and who did what', async () => {
    const contactIds = tenant.contactIds.slice(0, 3);
    const [leaving = '', staying = ''] = contactIds;
    const { id } = await draft('Drifting', { audience: { type: 'contacts', contactIds } });
    await tenant.api.post(`/campaigns/${id}:dry-run`);
    await unsubscribe(tenant, leaving);
    await tenant.api.post(`/campaigns/${id}:send`);
    await open(`campaigns/${id}/audience`);
    await page.getByText('1 contact removed').waitFor();
    await page.getByText(/^Compares the last dry run, of .+, with the first send, of .+\.$/).waitFor();
    await page.getByLabel('Contact id').fill(leaving);
    await page.keyboard.press('Enter');
    await page.getByText(`${leaving} was not in the frozen audience of any send.`).waitFor();
    await page.getByLabel('Contact id').fill(staying);
    await page.keyboard.press('Enter');
    await page.getByText(`${staying} was in the frozen audience.`).waitFor();
    await page.waitForURL(({ searchParams }) => searchParams.get('contact') === staying);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'History' }).click();
    for (const reported of ['Confirmed for 2 contacts', 'Dry run: reaches 3 contacts', 'Draft created'])
      await page.getByText(reported).waitFor();
    await expectAccessible(page);
  });

  it('A16: saves the lists of a campaign, a tag, an audience and the audit log as files', async () => {
    // Some of the first have left in the meantime.
    const member = tenant.contactIds.at(-1) ?? '';
    const tag = await tenant.api.post<Tag>('/tags', { name: 'Exported', serviceNumberId, kind: 'permanent' });
    await tenant.api.post(`/tags/${tag.tagId}/assignments`, { contactIds: [member] });
    const list = { name: 'Exported list', serviceNumberId, type: 'contacts', contactIds: [member] };
    const { audienceId } = await tenant.api.post<SavedAudience>('/audiences', list);
    const { id } = await draft('Exported', { audience: { type: 'contacts', contactIds: [member] } });
    await tenant.api.post(`/campaigns/${id}:send`);
    for (const [address, button, name, content] of [
      [`campaigns/${id}/audience`, 'Export recipients as CSV', `recipients-${id}.csv`, `\n${member},`],
      [`campaigns/${id}/clicks`, 'Export as CSV', `clicks-${id}.csv`, 'contactId,clickedAt,'],
      [`tags/${tag.tagId}`, 'Export as CSV', `assignments-${tag.tagId}.csv`, `\n${member},`],
      [`audiences/${audienceId}`, 'Export as CSV', `contacts-${audienceId}.csv`, `\n${member},true`],
      ['audit-log?what=tag', 'Export as CSV', 'audit-log.csv', `tag.assign,tag:${tag.tagId},`],
    ] as const) {
      await open(address);
      const saving = page.waitForEvent('download');
      await page.getByRole('button', { name: button }).click();
      const file = await saving;
      expect(file.suggestedFilename()).to.equal(name);
      expect(await readFile(await file.path(), 'utf8'), name).to.include(content);
    }
  });

  it('keeps filters in the address, through a reload and Back; deletes a draft from its row', async () => {
    await draft('To be thrown away');
    await open('campaigns');
    await page.getByLabel('Search campaigns').fill('thrown');
    await page.waitForURL('**q=thrown**');
    const row = page.getByRole('row').filter({ hasText: 'To be thrown away' });
    await eventually('one row is left', async () => (await page.getByRole('row').count()) === 2);
    await page.reload();
    await row.waitFor();
    await eventually('one row is left', async () => (await page.getByRole('row').count()) === 2);
    await row.getByRole('link').first().click();
    await page.waitForURL('**/edit**');
    await page.goBack();
    await row.waitFor();
    await eventually(
      'the search is unchanged',
      async () => (await page.getByLabel('Search campaigns').inputValue()) === 'thrown',
    );
    await row.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Delete draft' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete draft' }).click();
    await eventually('it is gone', async () => (await named('To be thrown away')) === undefined);
    await page.getByText('No results for these filters').waitFor();
  });

  it('threw no error on any page', () => {
    expect(complaints).to.deep.equal([]);
  });
});
