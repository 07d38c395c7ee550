import { expect } from 'chai';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import type { Campaign } from '#domain/api/campaign.ts';
import type { Page as ApiPage } from '#domain/api/primitives.ts';
import type { Tag } from '#domain/api/tags.ts';
import { sharedBrowser } from '../support/browser/launch.ts';
import { sendCampaign } from '../support/outreach/campaigns.ts';
import { eventually } from '../support/time/eventually.ts';
import { openPage, reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { freshTenantId, sharedStack } from '../support/services/shared-stack.ts';
import type { Stack } from '../support/services/stack.ts';
import { installTenant, type TestTenant } from '../support/services/tenant.ts';

type Fields = Record<string, unknown>;

const tenantId = freshTenantId();
const serviceNumberId = 'sn-routes';
const slots = ['main', 'sn-campaigns', 'contact-touch', 'settings'];
const olga = { sub: 'olga', name: 'Olga Ode', tenantId, roles: ['marketing_operator'] };
const vera = { sub: 'vera', name: 'Vera Vail', tenantId, roles: ['viewer'] };

describe('S0: frontend routes', function () {
  this.timeout(120_000);
  let browser: Browser;
  let stack: Stack;
  let tenant: TestTenant;
  let page: Page;

  before(async function () {
    browser = await sharedBrowser(this);
    this.timeout(240_000);
    stack = await sharedStack();
    tenant = await installTenant(stack, { tenantId, serviceNumberId, contacts: 2 });
    for (const person of [olga, vera]) await tenant.sandbox.post('/sandbox/people', person);
    const tag = await tenant.api.post<Tag>('/tags', { name: 'Winter guests', serviceNumberId, kind: 'permanent' });
    await tenant.api.post('/smart-tag-rules', {
      name: 'Winter',
      triggerEvent: 'notice.clicked',
      matchCondition: { all: [] },
      targetTagId: tag.tagId,
    });
    const actions = [{ type: 'Postback', label: 'Book a table', data: { bizEventCode: 'booked' } }];
    const messages = [{ type: 'buttons', title: 'Winter', text: 'menu', actions }];
    const { tasks } = await sendCampaign(tenant, { name: 'Winter menu', messages });
    await tenant.sandbox.post('/sandbox/clicks', { taskId: tasks[0]?.taskId, contactId: tenant.contactIds[0] });
    await eventually('the click has given the tag', async () => {
      const { contactCount } = await tenant.api.get<Tag>(`/tags/${tag.tagId}`);
      return contactCount === 1;
    });
  });
  beforeEach(async () => {
    ({ page } = await openPage(browser));
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
    await page?.context().close();
  });

  /** The slot as the platform's desktop client shows it: in a frame, with the messages of its bridge. */
  async function openSlot(slot: string, as = 'olga'): Promise<FrameLocator> {
    const told = { slot, tenant: tenantId, serviceNumber: serviceNumberId, contact: tenant.contactIds[0] ?? '', as };
    await page.goto(`${stack.addresses.sandbox}/host?${new URLSearchParams(told).toString()}`);
    await page.locator('body[data-bridge="answered"]').waitFor();
    return page.frameLocator('iframe');
  }

  const sessions = async (kind: string): Promise<Fields[]> =>
    await stack.database.connect('bff', 'owner')('session').where({ kind, user_id: 'olga' });

  it('shows the desktop client on a narrow screen, without anything beside it', async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    await openSlot('contact-touch');
    const { beyond, heights } = await page.evaluate<{ beyond: number; heights: number[] }>(`({
      beyond: document.documentElement.scrollWidth - innerWidth,
      heights: [...document.querySelectorAll('nav a, select, input, iframe')].map((part) => part.offsetHeight),
    })`);
    expect(beyond).to.equal(0);
    expect(Math.min(...heights)).to.be.at.least(24);
    expect(heights.at(-1), 'the slot').to.be.above(400);
    await takeScreenshot(page, 'host-narrow');
  });

  it('S0-FR1: /app/* is the standalone console', async () => {
    await signIn(page, stack, olga, '/app/campaigns');
    await page.getByRole('heading', { name: 'Campaigns' }).waitFor();
    await page.getByText('Winter menu').first().waitFor();
    await page.goto(`${stack.addresses.bff}/app/tags`);
    await page.getByText('Winter guests').first().waitFor();
    expect(await page.locator('nav').count()).to.be.greaterThan(0);
  });

  it('S0-FR2: /embed/main is the slot of the main navigation: recent sends and their results, without links that lead out', async () => {
    const slot = await openSlot('main');
    await slot.getByText('Winter menu').first().waitFor();
    const figureOf = (term: string) =>
      slot
        .locator('dl > div')
        .filter({ has: slot.getByText(term, { exact: true }) })
        .locator('dd')
        .first();
    for (const [term, figure] of Object.entries({ Delivered: '2', 'Clicked contacts': '1' }))
      await eventually(`${term}: ${figure}`, async () => (await figureOf(term).innerText()) === figure);
    expect(await slot.locator('a').count()).to.equal(0);
  });

  it('S0-FR3: /embed/sn-campaigns is the tab of a service number: its campaigns, and a new one', async () => {
    const slot = await openSlot('sn-campaigns');
    await slot.getByText('Winter menu').first().waitFor();
    await slot.getByRole('link', { name: 'New campaign' }).click();
    await slot.getByRole('textbox', { name: /^Name/ }).fill('From the workbench');
    await slot.getByRole('textbox', { name: /^Title/ }).fill('Hello');
    await slot.getByRole('textbox', { name: /^Text\*?$/ }).fill('from the workbench');
    await slot.getByRole('textbox', { name: 'Label*', exact: true }).fill('Look');
    await slot.getByRole('textbox', { name: /^Link/ }).fill('https://harbor-coffee.example/');
    await slot.getByText('Saved as draft').waitFor();
    const { items } = await tenant.api.get<ApiPage<Campaign>>('/campaigns?status=draft');
    expect(items.map(({ name, serviceNumberId: sn }) => [name, sn])).to.deep.equal([
      ['From the workbench', serviceNumberId],
    ]);
  });

  it('S0-FR4: /embed/contact-touch shows recent notices and conversions of that contact, and of no other', async () => {
    const slot = await openSlot('contact-touch');
    await slot.getByText('Winter menu').first().waitFor();
    await slot.getByText('Winter guests').first().waitFor();
    await slot.getByText('Conversion', { exact: true }).first().waitFor();
    const other = new URLSearchParams({
      slot: 'contact-touch',
      tenant: tenantId,
      contact: tenant.contactIds[1] ?? '',
      as: 'olga',
    });
    await page.goto(`${stack.addresses.sandbox}/host?${other.toString()}`);
    const second = page.frameLocator('iframe');
    await second.getByText('Winter menu').first().waitFor();
    expect(await second.getByText('Winter guests').count()).to.equal(0);
  });

  it('S0-FR5: /embed/settings shows unsubscribing, frequency and time window', async () => {
    const slot = await openSlot('settings');
    for (const term of ['Unsubscribed customers', 'Frequency', 'Time window'])
      await slot.getByText(term, { exact: true }).waitFor();
    await slot.getByText(serviceNumberId).first().waitFor();
  });

  it('S0-C3: one frontend serves both families of routes: the same page and scripts under /app and /embed', async () => {
    const read = async (path: string) => await (await fetch(`${stack.addresses.bff}${path}`)).text();
    const app = await read('/app/campaigns');
    expect(app).to.match(/<script type="module"[^>]*src="\/assets\//);
    // What is loaded ahead depends on the address; the page and its script do not.
    const page = (html: string) =>
      html.replaceAll(/<link rel="(module)?preload"[^>]*>|<link rel="stylesheet"[^>]*>/g, '').replaceAll(/\s+/g, '');
    for (const slot of slots) expect(page(await read(`/embed/${slot}`))).to.equal(page(app));
  });

  it('S0-AU5: /app signs in at the identity service and gets a cookie; /embed gets its token from the host', async () => {
    const issuer = new URL(stack.settings.IDENTITY_ISSUER);
    const asked: URL[] = [];
    page.on('request', (request) => void asked.push(new URL(request.url())));
    await signIn(page, stack, olga, '/app/campaigns');
    expect(
      asked.some(({ origin, searchParams }) => origin === issuer.origin && searchParams.has('code_challenge')),
    ).to.equal(true);
    const cookies = await page.context().cookies(stack.addresses.bff);
    const cookie = cookies.find(({ name }) => name.includes('session'));
    expect(cookie).to.include({ httpOnly: true, sameSite: 'Lax' });
    expect(await sessions('cookie')).to.not.have.length(0);
    // A request of the console that is under way would be led to the sign-in, which sets a cookie.
    await page.goto('about:blank');
    await page.context().clearCookies();
    const before = (await sessions('bearer')).length;
    const slot = await openSlot('main');
    await slot.getByText('Winter menu').first().waitFor();
    expect(await sessions('bearer')).to.have.length(before + 1);
    expect(await page.context().cookies(stack.addresses.bff)).to.deep.equal([]);
  });

  it('S0-AU7: embedded slots show their content to administrators and marketing operators only', async () => {
    for (const name of slots) {
      const slot = await openSlot(name, 'vera');
      await slot.getByText('This page is for administrators and marketing operators.').waitFor();
      for (const hidden of ['Winter menu', 'Winter guests', 'Unsubscribed customers']) {
        expect(await slot.getByText(hidden).count(), `${name}: ${hidden}`).to.equal(0);
      }
    }
    const seen = await openSlot('main');
    await seen.getByText('Winter menu').first().waitFor();
    await tenant.sandbox.post('/sandbox/people', { ...vera, roles: ['tenant_admin'] });
    const admin = await openSlot('main', 'vera');
    await admin.getByText('Winter menu').first().waitFor();
  });
});
