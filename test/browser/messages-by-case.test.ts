import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { rows } from '#db/database.ts';
import type { Campaign, Results } from '#domain/api/campaign.ts';
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

describe('a campaign in three languages, in the console', function () {
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
    const scope = { serviceNumberId: 'sn-languages', contacts: CONTACTS };
    ({ ada, page, complaints, stack, tenant, close } = await openConsole(this, scope));
    await rows(
      stack.database.connect('outreach'),
      `update contact_profile p set language = (array['zh-Hant', 'ja', 'en'])[1 + g.n % 3]
       from (select contact_id, row_number() over (order by contact_id) as n from contact_profile
         where service_number_id = :number) g
       where p.service_number_id = :number and p.contact_id = g.contact_id`,
      { number: tenant.serviceNumberId },
    );
    ({ id } = await draftCampaign(tenant, { name: 'Breakfast', messages: [card('Porridge')] }));
    await signIn(page, stack, ada);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  const open = (path: string) => page.goto(`${stack.addresses.bff}/app/campaigns/${id}${path}`);
  const stored = () => tenant.api.get<Campaign>(`/campaigns/${id}`);
  const tab = (name: string) => page.getByRole('tab', { name });
  const preview = () => page.getByRole('figure', { name: 'Preview on a phone' });
  const title = () => page.getByLabel('Title', { exact: false }).first();
  async function look(name: string): Promise<void> {
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 860 });
      await expectAccessible(page);
      await takeScreenshot(page, `cases-${name}-${width}`);
    }
  }

  it('is written case by case, each with its own preview, and says which one lacks something', async () => {
    await open('/edit');
    await page.getByRole('switch', { name: 'Messages by language or another field' }).click();
    await tab('Case 1').getByText('(incomplete)').waitFor({ state: 'attached' });
    await page.getByLabel('Values').fill('zh-Hant, zh-TW');
    await title().fill('粥');
    await preview().getByText('粥', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Add case' }).click();
    await page.getByLabel('Values').fill('zh-tw');
    await title().fill('お粥');
    await page.getByText('Another case has one of these values').first().waitFor();
    await page.getByLabel('Values').fill('ja');
    await tab('Everybody else').click();
    await preview().getByText('Porridge', { exact: true }).waitFor();
    await look('editor');
    await tab('ja').click();
    await page.getByLabel('Text', { exact: true }).first().fill('できたて');
    await page.getByLabel('Label', { exact: true }).first().fill('注文');
    await page.getByLabel('Link', { exact: true }).first().fill('https://shop.example/okayu');
    await eventually('it is saved', async () => {
      const { messages, messagesBy } = await stored();
      return messages === null && messagesBy?.cases.map(({ values }) => values.join()).join(' ') === 'zh-Hant,zh-TW ja';
    });
  });

  it('says who gets what before it is sent', async () => {
    await open('/edit?step=review');
    await page.getByRole('button', { name: 'Run without sending' }).click();
    const counts = page.getByLabel('By case');
    await counts.getByText('zh-Hant, zh-TW').waitFor();
    expect(await counts.getByText('4 contacts').count()).to.equal(3);
    await look('review');
  });

  it('is sent to each in their language, with results by case', async () => {
    await tenant.api.post(`/campaigns/${id}:send`);
    await eventually('it is completed', async () => (await stored()).status === 'completed');
    const taskIds = (await subTasksOf(tenant, id)).flatMap(({ taskId }) => taskId ?? []);
    const tasks = await Promise.all(
      taskIds.map((taskId) =>
        tenant.sandbox.get<{ contactIds: string[]; messages: { title: string }[] }>(`/sandbox/tasks/${taskId}`),
      ),
    );
    const sent = tasks.map(({ contactIds, messages: [first] }) => [first?.title, contactIds.length]);
    expect(Object.fromEntries(sent)).to.deep.equal({ 粥: 4, お粥: 4, Porridge: 4 });
    const { byCase } = await tenant.api.get<Results>(`/campaigns/${id}/results`);
    expect(byCase?.map(({ contacts, summary }) => [contacts, summary.delivered])).to.deep.equal([
      [4, 4],
      [4, 4],
      [4, 4],
    ]);
    await open('/results');
    const row = page.getByRole('table', { name: 'By case' }).getByRole('row', { name: 'Everybody else' });
    await row.waitFor();
    await page.getByLabel('Case shown').selectOption('ja');
    await preview().getByText('お粥', { exact: true }).waitFor();
    await look('results');
  });

  it('reads the same in Chinese', async () => {
    const copy = await tenant.api.post<Campaign>(`/campaigns/${id}:duplicate`, {});
    await page.evaluate(`localStorage.setItem('outreach.preferences', '{"locale":"zh-Hant"}')`);
    await page.goto(`${stack.addresses.bff}/app/campaigns/${copy.id}/edit`);
    await page.getByRole('tab', { name: '其餘聯絡人' }).click();
    await page.getByText('不發送給其餘聯絡人').waitFor();
    await look('chinese');
    expect(complaints).to.deep.equal([]);
  });
});
