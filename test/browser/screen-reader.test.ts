import { expect } from 'chai';
import { readFile, writeFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import type { SavedAudience } from '#domain/api/audiences.ts';
import type { Campaign } from '#domain/api/campaign.ts';
import type { Tag } from '#domain/api/tags.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import {
  cardMessage,
  draftCampaign,
  type GivenCampaign,
  plainMessage,
  sendCampaign,
} from '../support/outreach/campaigns.ts';
import { against } from '../support/outreach/variant-sends.ts';
import { openShop, type Shop } from '../support/services/shop.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';

/** What differs from run to run, by what stands in its place. */
const changing: [RegExp, string][] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22,}/g, '<id>'],
  [/\b(task|pt|ch|wf|cb|evt)[-_][\w-]{6,}/g, '<$1>'],
  [/\b\d{8}-[A-Z0-9]{10}\b/g, '<order number>'],
  [/\b\d{14,}\b/g, '<number>'],
  [/(Mon|Tue|Wed|Thu|Fri|Sat|Sun),? \d+ \w{3,4} \d{4},? (at )?\d\d:\d\d/g, '<time>'],
  [/\d{4}年\d+月\d+日週. \d\d:\d\d/g, '<time>'],
  [/(spinbutton "[^"]+"): "\d+"/g, '$1: <number>'],
  [/\b(just now|\d+ (second|minute)s? ago|in \d+ (second|minute|hour)s?)\b/g, '<ago>'],
  [/\b\d+(ms|s|m|h)( \d+(ms|s|m))?\b/g, '<span>'],
  [/http:\/\/127\.0\.0\.1:\d+/g, '<origin>'],
  [/namespaces\/[\w-]+/g, 'namespaces/<namespace>'],
  [/\b(\w+-of-)?tenant-\d+\b/g, '$1<tenant>'],
];

/**
 * What a screen reader finds on a page, or in a part of it, line by line, kept beside this test. `UPDATE_SNAPSHOTS=1` writes it
 * anew; its difference is then read like any other change.
 */
async function expectTree(page: Page, name: string, part: Locator = page.locator('main')): Promise<void> {
  const tree = await part.ariaSnapshot();
  const text = `${changing.reduce((now, [pattern, stand]) => now.replaceAll(pattern, stand), tree)}\n`;
  const file = new URL(`trees/${name}.yml`, import.meta.url);
  if (process.env['UPDATE_SNAPSHOTS']) await writeFile(file, text);
  expect(text.split('\n')).to.deep.equal((await readFile(file, 'utf8')).split('\n'));
}

describe('what a screen reader finds', function () {
  this.timeout(120_000);
  let ada: Person;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let shop: Shop;
  let close: (() => Promise<void>) | undefined;

  const open = (path: string) => page.goto(`${stack.addresses.bff}/app/${path}`);

  before(async function () {
    ({ ada, page, stack, tenant, close } = await openConsole(this, { serviceNumberId: 'sn-heard', contacts: 12 }));
    shop = await openShop(stack, ada);
    await signIn(page, stack, ada);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  it('in the editor of a campaign', async () => {
    const { id } = await draftCampaign(tenant, { name: 'Winter menu', messages: [cardMessage] });
    await open(`campaigns/${id}/edit`);
    await page.getByText('Saved as draft').waitFor();
    await expectTree(page, 'editor');
  });

  it('on a campaign on a calendar', async () => {
    const { id } = await draftCampaign(tenant, { name: 'Weekly letter', messages: [cardMessage] });
    const calendar = { type: 'weekly', days: [1, 4], at: '09:00' };
    const body = { name: 'Every week', campaignId: id, calendar, zone: 'Europe/Berlin', maxRuns: 5, skipReached: true };
    const { repeatId } = await tenant.api.post<{ repeatId: string }>('/repeats', body);
    await open(`repeats/${repeatId}`);
    await page.getByText('No run yet').waitFor();
    await expectTree(page, 'repeat');
  });

  it('on the progress of a campaign', async () => {
    await tenant.sandbox.put('/sandbox/behaviour', { governanceShare: 0, failedShare: 0, readShare: 0 });
    const { campaign } = await sendCampaign(tenant, { name: 'Winter menu, sent', messages: [cardMessage] });
    await open(`campaigns/${campaign.id}/progress`);
    await page.getByRole('table').getByText('Completed').first().waitFor();
    const { status } = await tenant.api.get<Campaign>(`/campaigns/${campaign.id}`);
    expect(status).to.equal('completed');
    await expectTree(page, 'progress');
  });

  it('on the page of an order', async () => {
    const orderId = await shop.payBoxes('Winter boxes');
    await open(`orders/${orderId}`);
    await page.getByRole('heading', { name: 'Winter boxes' }).first().waitFor();
    await page.getByText('Received TWD 1,234.50').first().waitFor();
    await page.locator('main .animate-pulse').first().waitFor({ state: 'detached' });
    await expectTree(page, 'order');
  });

  for (const locale of ['en', 'zh-Hant'] as const)
    it(`in the editor of a campaign that tests variants, in ${locale}`, async () => {
      const { id } = await draftCampaign(tenant, {
        name: 'Winter menu, tested',
        messages: [cardMessage],
        variants: against([20, 30], {}, [{ type: 'text', text: 'Only until Sunday.' }]),
      });
      await page.evaluate(`localStorage.setItem('outreach.preferences', '{"locale":"${locale}"}')`);
      await open(`campaigns/${id}/edit`);
      await page.getByRole('tab').nth(1).click();
      await page.getByRole('figure').getByText('Only until Sunday.').waitFor();
      await page.getByText(/About 4 contacts|約 4 位聯絡人/).waitFor();
      await expectTree(page, locale === 'en' ? 'variants' : 'variants-zh-Hant');
    });

  for (const locale of ['en', 'zh-Hant'] as const)
    it(`where an automation is written, in ${locale}`, async () => {
      const trigger = { event: 'date', attribute: 'birthday', offsetDays: 0, at: '09:00', zone: 'Europe/Berlin' };
      const messages = [plainMessage];
      const later = { messages, delay: { minutes: 60 }, if: 'clicked' };
      const body = { name: 'Happy birthday', serviceNumberId: 'sn-heard', trigger, steps: [{ messages }, later] };
      const { automationId } = await tenant.api.post<{ automationId: string }>('/automations', body);
      await page.evaluate(`localStorage.setItem('outreach.preferences', '{"locale":"${locale}"}')`);
      await open(`automations/${automationId}/edit`);
      await page.getByRole('spinbutton').first().waitFor();
      await expectTree(page, locale === 'en' ? 'automation' : 'automation-zh-Hant');
    });

  const steps = [
    {
      after: { amount: 2, unit: 'hours' as const },
      condition: { outcome: 'clicked' as const, messageIndex: 0, actionIndex: 0 },
      messages: [cardMessage, plainMessage],
    },
    {
      after: { amount: 1, unit: 'days' as const },
      condition: { outcome: 'not_conversed' as const },
      messages: [plainMessage],
    },
  ];
  for (const [locale, suffix, title] of [
    ['en', '', 'Follow-up messages'],
    ['zh-Hant', '-zh-Hant', '後續訊息'],
  ] as const)
    it(`where messages that follow are written, and on what became of them, in ${locale}`, async () => {
      const given = { name: 'Winter menu, twice more', messages: [cardMessage], steps };
      const { id } = await draftCampaign(tenant, given as GivenCampaign);
      await page.evaluate(`localStorage.setItem('outreach.preferences', '{"locale":"${locale}"}')`);
      await open(`campaigns/${id}/edit`);
      await page
        .getByRole('navigation')
        .getByRole('button', { name: /Follow-ups|後續訊息/ })
        .click();
      const section = page.getByRole('region', { name: title, exact: true });
      await section.getByRole('textbox').nth(1).waitFor();
      await expectTree(page, `following${suffix}`, section);
      const { campaign } = await sendCampaign(tenant, given as GivenCampaign);
      await open(`campaigns/${campaign.id}/progress`);
      const panel = page.locator('section', { has: page.getByRole('heading', { name: title }) });
      await panel.getByRole('row').nth(2).waitFor();
      await expectTree(page, `followed${suffix}`, panel);
    });

  for (const [locale, suffix, title] of [
    ['en', '', 'At an earlier time'],
    ['zh-Hant', '-zh-Hant', '過去的時間點'],
  ] as const)
    it(`on whom an audience had at an earlier time, in ${locale}`, async () => {
      const { serviceNumberId, contactIds, api } = tenant;
      const { tagId } = await api.post<Tag>('/tags', { name: `VIP ${locale}`, serviceNumberId, kind: 'permanent' });
      await api.post(`/tags/${tagId}/assignments`, { contactIds: contactIds.slice(0, 3) });
      const segment = { all: [{ tag: tagId }, { not: { conversed: { lastDays: 30 } } }] };
      const body = { name: `Regulars ${locale}`, serviceNumberId, type: 'segment', segment };
      const { audienceId } = await api.post<SavedAudience>('/audiences', body);
      await page.evaluate(`localStorage.setItem('outreach.preferences', '{"locale":"${locale}"}')`);
      const asked = new URLSearchParams({ at: new Date().toISOString(), contact: contactIds[0] ?? '' });
      await open(`audiences/${audienceId}?${asked.toString()}`);
      const section = page.locator('section', { has: page.getByRole('heading', { name: title }) });
      await section.getByRole('status').getByRole('listitem').nth(2).waitFor();
      await expectTree(page, `past${suffix}`, section);
    });
});
