import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Campaign } from '#domain/api/campaign.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { fillDate, fillTime } from '../support/browser/dates.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { cardMessage, draftCampaign, subTasksOf } from '../support/outreach/campaigns.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

interface A1Call {
  body: { name: string; schedule: { at?: string }; audience: { contactIds: string[] } };
}

describe('changing a scheduled campaign in the console', function () {
  this.timeout(120_000);
  let ada: Person;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;

  before(async function () {
    ({ ada, page, complaints, stack, tenant, close } = await openConsole(this, {
      serviceNumberId: 'sn-later',
      contacts: 12,
    }));
    await signIn(page, stack, ada);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  const at = new Date(Date.now() + 7_200_000);
  const read = (id: string) => tenant.api.get<Campaign>(`/campaigns/${id}`);

  async function scheduled(name: string): Promise<string> {
    const schedule = { type: 'scheduled' as const, at: at.toISOString() };
    const { id } = await draftCampaign(tenant, { name, messages: [cardMessage], schedule });
    await tenant.api.post(`/campaigns/${id}:send`);
    await eventually('it is scheduled at the platform', async () =>
      (await subTasksOf(tenant, id)).every(({ status }) => status === 'scheduled'),
    );
    return id;
  }

  it('saves a new name and end at once, asks first, and shows what was changed', async () => {
    const id = await scheduled('Harbor tasting');
    await page.goto(`${stack.addresses.bff}/app/campaigns/${id}/progress`);
    await page.getByRole('link', { name: 'Change', exact: true }).click();
    await page.waitForURL('**/change');
    const save = page.getByRole('button', { name: 'Save the change' });
    expect(await save.isDisabled(), 'nothing differs yet').to.equal(true);
    await page.getByText('The audience is fixed: it was decided when the campaign was confirmed.').waitFor();
    expect(await page.getByRole('radio', { name: 'Fixed at the start' }).count()).to.equal(0);
    await page.getByLabel('Name', { exact: true }).fill('Harbor tasting, moved');
    await page.getByRole('textbox', { name: /^Text\*?$/ }).fill('One cup is on us, a little later.');
    await expectAccessible(page);
    await takeScreenshot(page, 'scheduled-change');
    await save.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The scheduled tasks for 12 contacts are cancelled at the platform').waitFor();
    await dialog.getByRole('button', { name: 'Change for 12 contacts' }).click();
    await page.waitForURL('**/progress');
    await page.getByRole('heading', { name: 'Harbor tasting, moved' }).waitFor();
    expect(await read(id)).to.include({ name: 'Harbor tasting, moved', status: 'scheduled' });
    const bodies = await eventually('it is submitted again', async () => {
      const { items } = await tenant.sandbox.get<{ items: A1Call[] }>('/sandbox/calls?route=A1&bodies=1');
      const again = items.filter(({ body }) => body.name === 'Harbor tasting, moved');
      return again.length > 0 && again;
    });
    expect(bodies.flatMap(({ body }) => body.audience.contactIds).toSorted()).to.deep.equal(tenant.contactIds);
    await page.getByRole('link', { name: 'History' }).click();
    await page
      .getByText(/^Changed: .*Name/)
      .first()
      .waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it('moves a campaign from its own page, with the number of contacts on the button', async () => {
    const id = await scheduled('Lighthouse tour');
    await page.goto(`${stack.addresses.bff}/app/campaigns/${id}/progress`);
    await page.getByRole('button', { name: 'Change time' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change the time of “Lighthouse tour”' });
    const confirm = dialog.getByRole('button', { name: 'Schedule for 12 contacts' });
    await dialog.getByRole('group', { name: 'Date (start)' }).waitFor();
    expect(await confirm.isDisabled(), 'nothing differs yet').to.equal(true);
    const later = new Date(at.getTime() + 86_400_000);
    const date = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Taipei', dateStyle: 'short' }).format(later);
    await fillDate(dialog, 'Date (start)', date);
    await expectAccessible(page);
    await takeScreenshot(page, 'scheduled-change-time');
    await confirm.click();
    await dialog.waitFor({ state: 'detached' });
    // The input has minutes only.
    const moved = new Date(Math.floor(later.getTime() / 60_000) * 60_000).toISOString();
    const { schedule } = await read(id);
    expect(schedule).to.include({ type: 'scheduled', at: moved });
    await eventually('the platform has it at the new time', async () => {
      const { items } = await tenant.sandbox.get<{ items: A1Call[] }>('/sandbox/calls?route=A1&bodies=1');
      return items.some(({ body }) => body.name === 'Lighthouse tour' && body.schedule.at === moved);
    });
    expect(complaints).to.deep.equal([]);
  });

  it('takes a date and a time in the order and words of the console’s language, by keyboard and from a calendar', async () => {
    const year = new Date().getUTCFullYear() + 1;
    const schedule = { type: 'scheduled' as const, at: `${year}-03-09T04:00:00.000Z` };
    const { id } = await draftCampaign(tenant, { name: 'Night walk', messages: [cardMessage], schedule });
    const edit = () => page.goto(`${stack.addresses.bff}/app/campaigns/${id}/edit?step=when`);
    const isSaved = (moment: string) =>
      eventually(`${moment} is saved`, async () => {
        const stored = (await read(id)).schedule;
        return stored.type === 'scheduled' && stored.at === moment;
      });
    const partsOf = async (label: string) =>
      (await page.getByRole('group', { name: label, exact: true }).innerText()).replaceAll(/\s/g, '');
    await edit();
    await page.getByRole('group', { name: 'Date (start)' }).waitFor();
    expect([await partsOf('Date (start)'), await partsOf('Time')]).to.deep.equal([`09/03/${year}`, '12:00']);
    await fillTime(page, 'Time', '18:30');
    await isSaved(`${year}-03-09T10:30:00.000Z`);
    const day = page.getByRole('group', { name: 'Date (start)' }).getByRole('spinbutton', { name: 'Day' });
    await day.press('ArrowUp');
    await isSaved(`${year}-03-10T10:30:00.000Z`);
    await expectAccessible(page);
    await takeScreenshot(page, 'date-input');
    await page.getByRole('button', { name: 'Open the calendar: Date (start)' }).press('Enter');
    await page.getByRole('button', { name: /17 March/ }).waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'date-calendar');
    await page.getByRole('button', { name: /17 March/ }).click();
    await isSaved(`${year}-03-17T10:30:00.000Z`);

    await page.getByRole('button', { name: 'Account and language' }).click();
    await page.getByRole('menuitemcheckbox', { name: '繁體中文' }).click();
    await eventually('the year comes first', async () => (await partsOf('日期（開始）')) === `${year}/3/17`);
    await fillDate(page, '日期（開始）', `${year}-04-02`);
    await isSaved(`${year}-04-02T10:30:00.000Z`);
    await page.getByRole('spinbutton', { name: '月', exact: true }).waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'date-input-zh');
    await page.goto(`${stack.addresses.bff}/app/audit-log`);
    await page.getByRole('combobox', { name: '期間' }).selectOption({ label: '自訂起訖日…' });
    await fillDate(page, '起始日', '2026-01-02');
    await page.waitForURL(/from=2026-01-02/);
    await page.getByRole('button', { name: '帳號與語言' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'English' }).click();
    expect(complaints).to.deep.equal([]);
  });

  it('says when the audience is fixed, and offers to fix it at the start', async () => {
    const schedule = { type: 'scheduled' as const, at: at.toISOString() };
    const { id } = await draftCampaign(tenant, { name: 'Night market', messages: [cardMessage], schedule });
    await page.goto(`${stack.addresses.bff}/app/campaigns/${id}/edit?step=when`);
    const atStart = page.getByRole('radio', { name: 'Fixed at the start' });
    await page.getByText(/^Everybody in the audience when you confirm gets it/).waitFor();
    expect(await page.getByRole('radio', { name: 'Fixed now' }).isChecked()).to.equal(true);
    await atStart.click();
    await expectAccessible(page);
    await takeScreenshot(page, 'scheduled-audience');
    await page.getByRole('button', { name: 'Next: Follow-ups' }).click();
    await page.getByRole('button', { name: 'Next: Review' }).click();
    await page.getByText(/ Taipei = \d\d:\d\d UTC, to everybody in the audience then$/).waitFor();
    await page.getByRole('button', { name: 'Schedule for 12 contacts' }).click();
    const dialog = page.getByRole('dialog', { name: 'Schedule “Night market”?' });
    await dialog.getByRole('button', { name: 'Schedule for 12 contacts' }).click();
    await page.waitForURL('**/progress');
    expect((await read(id)).schedule).to.include({ type: 'scheduled', audience: 'at_start' });
    await page.getByText('The audience is determined when the campaign starts.').waitFor();
    await page.goto(`${stack.addresses.bff}/app`);
    const latest = page.getByRole('listitem').filter({ hasText: 'Night market' });
    await latest.getByText('Delivered').waitFor();
    expect(await latest.innerText(), 'nothing was sent that could be shared out').not.to.match(/ of those /);
  });

  it('asks before unsaved changes are left, and keeps them if the answer is no', async () => {
    const id = await scheduled('Pier walk');
    await page.goto(`${stack.addresses.bff}/app/campaigns/${id}/change`);
    await page.getByLabel('Name', { exact: true }).fill('Pier run');
    await page.getByRole('link', { name: 'Back' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).to.equal('Pier run');
    expect((await read(id)).name).to.equal('Pier walk');
  });

  it('says so where a campaign cannot be changed any more', async () => {
    const id = await scheduled('Begun');
    await tenant.api.post(`/campaigns/${id}:cancel`);
    await eventually('it is cancelled', async () => (await read(id)).status === 'cancelled');
    await page.goto(`${stack.addresses.bff}/app/campaigns/${id}/change`);
    await page.getByText('This campaign cannot be changed now').waitFor();
    await page.getByRole('link', { name: 'To the campaign' }).click();
    await page.waitForURL('**/progress');
    expect(await page.getByRole('link', { name: 'Change', exact: true }).count()).to.equal(0);
  });
});
