import { expect } from 'chai';
import type { Browser, Page, Request } from 'playwright-core';
import type { Campaign } from '#domain/api/campaign.ts';
import type { Page as ApiPage } from '#domain/api/primitives.ts';
import type { Rule } from '#domain/api/rules.ts';
import type { ContactTag, Tag } from '#domain/api/tags.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { contactList } from '../support/outreach/contact-list.ts';
import type { Person } from '../support/browser/people.ts';
import { eventually } from '../support/time/eventually.ts';
import { inOrder } from '../support/in-order.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { openPage, reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import { pressOnPhone } from '../support/browser/phone.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { sandboxToken } from '../support/services/sandbox-token.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';

const serviceNumberId = 'sn-tags-rules-contacts';
/** `npm run test:all` scrolls through 100,000. */
const manyContacts = Number(process.env['LISTED_CONTACTS'] ?? 5000);
const CONTACTS_PER_PAGE = 200;

describe('tags, rules and contacts in the console', function () {
  this.timeout(120_000);
  inOrder(this);
  let ada: Person;
  let browser: Browser;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let tag: Tag;
  let rule: Rule;
  let clicker: string;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;
  const app = (path: string) => `${stack.addresses.bff}/app${path}`;

  before(async function () {
    ({ ada, browser, page, complaints, stack, tenant, close } = await openConsole(this, {
      serviceNumberId,
      contacts: 20,
    }));
    clicker = tenant.contactIds[0] ?? '';
    tag = await tenant.api.post<Tag>('/tags', { name: 'interested', serviceNumberId, kind: 'permanent' });
    await signIn(page, stack, ada, '/app/rules');
    await page.getByRole('heading', { name: 'Rules' }).waitFor();
  });

  afterEach(async function () {
    if (page) await takeScreenshot(page, `tags-${this.currentTest?.title}`, 'window');
    await reportFailure(this.currentTest, page, stack);
  });

  after(() => close?.());

  const readRule = () => tenant.api.get<Rule>(`/smart-tag-rules/${rule.ruleId}`);
  const tagsOf = async (contactId: string) =>
    (await tenant.api.get<ApiPage<ContactTag>>(`/contacts/${serviceNumberId}/${contactId}/tags`)).items;

  async function choose(control: ReturnType<Page['getByRole']>, option: string | RegExp): Promise<void> {
    await control.click();
    await page.getByRole('option', { name: option }).first().click();
    await page.getByRole('listbox').waitFor({ state: 'hidden' });
  }

  it('writes a rule that reads as a sentence, with a group in its condition', async () => {
    await page.getByRole('link', { name: 'New rule' }).first().click();
    await page.getByRole('button', { name: 'Create rule' }).click();
    await page.getByText('Give it a name of at most 100 characters').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('Claimers');
    await page.getByRole('button', { name: 'Add condition' }).click();
    await page.getByRole('textbox', { name: 'Value' }).fill('coupon-claimed');
    await page.getByRole('button', { name: 'Add group' }).click();
    const group = page.getByRole('group', { name: 'Group 2' });
    await group.getByRole('combobox', { name: 'How conditions combine' }).selectOption('None of these holds');
    await group.getByRole('button', { name: 'Add condition' }).click();
    await group.getByRole('combobox', { name: 'Field' }).selectOption('Button number (from 0)');
    await group.getByRole('textbox', { name: 'Value' }).fill('one');
    await page.getByText('A number, for example 3').waitFor();
    await group.getByRole('textbox', { name: 'Value' }).fill('3');
    await choose(page.getByRole('button', { name: 'Add the tag' }), 'interested');
    await page
      .getByText(
        'When a notice is clicked and event code is coupon-claimed and not (button number, counted from 0, is 3), tag interested for good',
      )
      .waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create rule' }).click();
    await page.getByRole('heading', { name: 'Test on past events' }).waitFor();
    [rule] = (await tenant.api.get<ApiPage<Rule>>('/smart-tag-rules')).items as [Rule];
    expect(rule).to.deep.include({ name: 'Claimers', targetTagId: tag.tagId, status: 'active' });
    expect(rule.matchCondition).to.deep.equal({
      all: [
        { field: 'bizEventCode', op: 'eq', value: 'coupon-claimed' },
        { not: { field: 'actionIndex', op: 'eq', value: 3 } },
      ],
    });
  });

  it('pauses a rule at once, and undoes that', async () => {
    await page.getByRole('button', { name: 'Pause' }).click();
    const undo = page.getByRole('button', { name: 'Undo' });
    // A toast stays while the pointer is over it.
    await undo.hover();
    await eventually('the rule is paused', async () => (await readRule()).status === 'paused');
    await undo.click();
    await eventually('the rule is active', async () => (await readRule()).status === 'active');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
  });

  it('shows what a new version changed', async () => {
    await page.getByRole('link', { name: 'Edit rule' }).click();
    await page.getByRole('button', { name: 'Remove group 2' }).click();
    await page.getByRole('button', { name: 'Save as version 2' }).click();
    await page.getByRole('heading', { name: /Version 2, in use/ }).waitFor();
    expect((await readRule()).matchCondition).to.deep.equal({
      all: [{ field: 'bizEventCode', op: 'eq', value: 'coupon-claimed' }],
    });
    await page.getByRole('deletion').getByText('not (button number').waitFor();
    await expectAccessible(page);
  });

  it('saves nothing over what somebody else has changed since the page was opened', async () => {
    await page.getByRole('link', { name: 'Edit rule' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Mine');
    const path = `/smart-tag-rules/${rule.ruleId}`;
    await tenant.api.patch(path, { status: 'paused' });
    await page.getByRole('button', { name: 'Save rule' }).click();
    await page.getByText('Someone else changed this first').waitFor();
    expect(await readRule()).to.include({ name: 'Claimers', status: 'paused', version: 2 });
    await tenant.api.patch(path, { status: 'active' });
    await page.goBack();
    await page.getByRole('button', { name: 'Leave and discard' }).click();
    await page.getByRole('link', { name: 'Edit rule' }).waitFor();
  });

  it('explains why a contact has a tag, hop by hop, after its click', async () => {
    const actions = [{ type: 'Postback', label: 'Claim', data: { bizEventCode: 'coupon-claimed' } }];
    const campaign = await tenant.api.post<Campaign>('/campaigns', {
      name: 'Winter menu',
      serviceNumberId,
      messages: [{ type: 'buttons', title: 'Winter menu', text: 'Cinnamon is back.', actions }],
      audience: { type: 'contacts', contactIds: tenant.contactIds },
      schedule: { type: 'immediate' },
    });
    await tenant.api.post(`/campaigns/${campaign.id}:send`, {});
    await eventually('the campaign is sent', async () => {
      return (await tenant.api.get<Campaign>(`/campaigns/${campaign.id}`)).status === 'completed';
    });
    await pressOnPhone(browser, { stack, tenant, contactId: clicker }, 'Claim');
    await eventually('the rule has tagged', async () => (await tagsOf(clicker)).length === 1);
    await page.goto(app(`/contacts/${serviceNumberId}/${clicker}`));
    const why = page.getByRole('list', { name: 'Why' }).first();
    await why.getByRole('link', { name: 'Rule Claimers, version 2' }).waitFor();
    const hops = ['Rule Claimers, version 2', 'Click with coupon-claimed', 'Winter menu', 'Button “Claim”'];
    await eventually(
      'it is told hop by hop',
      async () => (await why.getByRole('link').allTextContents()).join() === hops.join(),
    );
    await page.getByRole('button', { name: 'Conversions', exact: true }).click();
    await eventually('only the conversion is shown', async () => {
      const entries = page.locator('section', { hasText: 'Timeline' }).locator('ol > li > div');
      return (await entries.count()) === 1 && (await entries.first().innerText()).includes('Tagged interested');
    });
    await expectAccessible(page);
    await why.getByRole('link', { name: /^Rule/ }).click();
    await page.getByRole('heading', { name: 'Version 2, in use' }).waitFor();
  });

  it('runs the rule over the past: how many events, which contacts, and why no earlier', async () => {
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText('1 matching event').waitFor();
    await page.getByRole('list', { name: 'Contacts that would have been tagged' }).getByText(clicker).click();
    await page.waitForURL(`**/contacts/${serviceNumberId}/${clicker}`);
    const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
    await page.goto(app(`/rules/${rule.ruleId}?from=${dayBefore(200)}&to=${dayBefore(170)}`));
    await page.getByText('Events are kept for 90 days.').waitFor();
    await eventually('it cannot be tried', () => page.getByRole('button', { name: 'Try it' }).isDisabled());
  });

  it('gives a tag to pasted contacts and reports how many, and undoes that', async () => {
    await page.goto(app(`/tags/${tag.tagId}`));
    await page.getByRole('button', { name: 'Add to contacts' }).click();
    const [, second, third] = tenant.contactIds;
    await page.getByLabel('Contact ids').fill(`${second}\n${third}, ${second}`);
    await page.getByText('1 duplicate id counts once.').waitFor();
    await page.getByRole('button', { name: 'Add to 2 contacts' }).click();
    await page.getByText('Added “interested” to 2 contacts.').waitFor();
    // A toast stays while the pointer is over it.
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.hover();
    const count = async () => (await tenant.api.get<Tag>(`/tags/${tag.tagId}`)).contactCount;
    expect(await count()).to.equal(3);
    await page.getByRole('link', { name: '3 contacts' }).waitFor();
    await expectAccessible(page);
    await undo.click();
    await eventually('only the clicker has the tag', async () => (await count()) === 1);
  });

  it('gives one contact a tag manually, and removes a tag of a rule only after a confirmation', async () => {
    const other = tenant.contactIds[4] ?? '';
    await page.goto(app(`/contacts/${serviceNumberId}/${other}`));
    await choose(page.getByRole('button', { name: 'Add tag' }), 'interested');
    const undo = page.getByRole('button', { name: 'Undo' });
    // A toast stays while the pointer is over it.
    await undo.hover();
    await eventually('the tag is given', async () => (await tagsOf(other)).length === 1);
    await page.getByText('By hand: Ada').first().waitFor();
    await undo.click();
    await eventually('the tag is taken back', async () => (await tagsOf(other)).length === 0);
    await page.goto(app(`/contacts/${serviceNumberId}/${clicker}`));
    await page.getByRole('button', { name: 'Remove “interested”' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove “interested”?' });
    await dialog.getByText('Claimers added it.').waitFor();
    await dialog.getByRole('button', { name: 'Back' }).click();
    expect(await tagsOf(clicker)).to.have.length(1);
  });

  it('shows an agent what was sent to a contact and what came of it, and shows a viewer nothing', async () => {
    const open = async (roles: string[]) => {
      const person = { sub: 'ada', name: 'Ada', tenantId: tenant.tenantId, roles };
      const token = await sandboxToken(tenant.sandbox, person);
      const opened = await openPage(browser, { viewport: { width: 320, height: 640 } });
      const panel = opened.page;
      const context = new URLSearchParams({
        token,
        tenantId: tenant.tenantId,
        serviceNumberId,
        contactId: clicker,
        locale: 'zh-Hant',
        theme: 'dark',
      });
      await panel.goto(`${stack.addresses.bff}/embed/contact-touch#${context.toString()}`);
      return opened;
    };
    const { page: agent, complaints: ofAgent } = await open(['marketing_operator']);
    await agent.getByText('已發送').first().waitFor();
    await agent.getByText('轉換', { exact: true }).last().waitFor();
    await agent.locator('html.dark').waitFor();
    await eventually(
      'it fits',
      async () => (await agent.evaluate<number>('document.documentElement.scrollWidth')) === 320,
    );
    expect(await agent.getByRole('link').count()).to.equal(0);
    await expectAccessible(agent);
    await takeScreenshot(agent, 'contact-touch');
    await agent.close();
    expect(ofAgent).to.deep.equal([]);
    const { page: viewer, complaints: ofViewer } = await open(['viewer']);
    await viewer.getByText('此頁面僅供管理員與行銷人員使用。').waitFor();
    expect(await viewer.getByText(clicker).count()).to.equal(0);
    await viewer.close();
    expect(ofViewer).to.deep.equal([]);
  });

  describe(`with ${manyContacts} contacts`, () => {
    before(async () => {
      await stack.database.connect('outreach').raw(
        `insert into contact_profile (tenant_id, service_number_id, contact_id, display_name, channel, language, region,
           follow_state, entered_at, last_event_at)
         select ?, ?, 'z-' || lpad(n::text, 6, '0'), 'Contact ' || n, 'line', 'zh-TW', 'Taipei', 'following', now(), now()
         from generate_series(1, ?::int) as n`,
        [tenant.tenantId, serviceNumberId, manyContacts - tenant.contactIds.length],
      );
    });

    const list = () => contactList(page);

    it('pages through contacts on scroll: few rows in the page, each page requested once', async () => {
      const asked: string[] = [];
      const note = (request: Request) => {
        const { pathname, searchParams } = new URL(request.url());
        // Before the service numbers are known, the page asks for those of all of them, once.
        if (pathname === '/api/v1/contacts' && searchParams.has('serviceNumberId')) asked.push(request.url());
      };
      page.on('request', note);
      await page.goto(app(`/contacts?sn=${serviceNumberId}`));
      await page.getByText('200 contacts so far').waitFor();
      await expectAccessible(page);
      const rowsSeen = [
        await list().scrollTo(manyContacts * 0.2),
        await list().jumpTo(manyContacts * 0.8),
        await list().scrollTo(manyContacts),
      ];
      page.off('request', note);
      expect(Math.max(...rowsSeen)).to.be.within(10, 60);
      expect(asked).to.have.length(manyContacts / CONTACTS_PER_PAGE);
      expect(new Set(asked).size).to.equal(asked.length);
      await page.getByText(`${manyContacts.toLocaleString('en')} contacts`, { exact: true }).waitFor();
      await page.locator(`[role=table][aria-rowcount="${manyContacts + 1}"]`).waitFor();
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
      await page.getByText(`Contact ${manyContacts - tenant.contactIds.length}`, { exact: true }).waitFor();
    }).timeout(240_000);

    it('returns to the same scroll position', async () => {
      const name = await page.getByRole('table').getByRole('link').nth(12).innerText();
      const row = page.getByRole('link', { name, exact: true });
      // A click scrolls its target into view, so scroll there before measuring.
      await row.hover();
      const before = await page.evaluate<number>('window.scrollY');
      await row.click();
      await page.getByRole('heading', { name: 'Timeline' }).waitFor();
      await page.goBack();
      await row.waitFor();
      await eventually('the scroll position is kept', async () => {
        return Math.abs((await page.evaluate<number>('window.scrollY')) - before) < 50;
      });
    });
  });

  it('threw no error on any page', () => {
    expect(complaints).to.deep.equal([]);
  });
});
