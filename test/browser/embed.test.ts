import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import { jsonClient } from '#scripts/demo/client.ts';
import type { Tag } from '#domain/api/tags.ts';
import type { TenantSettings } from '#domain/api/tenant-settings.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { launchBrowser } from '../support/browser/launch.ts';
import { cardMessage, sendCampaign } from '../support/outreach/campaigns.ts';
import { takeScreenshot } from '../support/browser/open-page.ts';
import { ada } from '../support/browser/people.ts';
import { shiftOf } from '../support/browser/shift.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { eventually } from '../support/time/eventually.ts';
import { type Stack, startStack } from '../support/services/stack.ts';
import { sandboxToken } from '../support/services/sandbox-token.ts';
import { installTenant, type TestTenant } from '../support/services/tenant.ts';

const serviceNumberId = 'sn-pier';

/**
 * A page of the platform's desktop client, or of a third party: one frame as wide as the window, and optionally
 * another.
 */
const hostPage = (frames: string[]) => `<!doctype html><meta charset="utf-8"><style>body{margin:0}</style>
  ${frames.map((address) => `<iframe src="${address}" style="border:0;width:100%;height:640px"></iframe>`).join('')}
  <script>
    window.heard = [];
    addEventListener('message', ({ data, origin }) => window.heard.push({ data, origin }));
  </script>`;

interface Site {
  origin: string;
  server: Server;
  show: (path: string, html: string) => string;
}

async function openSite(): Promise<Site> {
  const pages = new Map<string, string>();
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(pages.get(request.url ?? '') ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, server, show: (path, html) => (pages.set(path, html), `${origin}${path}`) };
}

describe('the embedded console', function () {
  this.timeout(120_000);
  let browser: Browser;
  let context: BrowserContext;
  let stack: Stack;
  let tenant: TestTenant;
  let desk: Site;
  let stranger: Site;
  let reported: string[];
  let asked: string[];

  before(async function () {
    browser = await launchBrowser(this);
    this.timeout(240_000);
    [desk, stranger] = [await openSite(), await openSite()];
    stack = await startStack({ web: true, env: { EMBED_ALLOWED_ORIGINS: desk.origin } });
    tenant = await installTenant(stack, { tenantId: 'harbor-coffee', serviceNumberId, contacts: 12 });
    await stack.database
      .connect('outreach')('contact_profile')
      .whereIn('contact_id', tenant.contactIds.slice(0, 3))
      .update({ unsubscribed: true });
  });

  beforeEach(async () => {
    context = await browser.newContext({ viewport: { width: 320, height: 640 }, locale: 'en-GB' });
    context.setDefaultTimeout(30_000);
    reported = [];
    asked = [];
    context.on('console', (message) => reported.push(message.text()));
    context.on('request', (request) => asked.push(request.url()));
  });
  afterEach(() => context?.close());

  after(async () => {
    await browser?.close();
    await stack?.stop();
    for (const site of [desk, stranger]) site?.server.close();
  });

  const tokenIn = (tenantId: string, ...roles: string[]): Promise<string> =>
    sandboxToken(jsonClient(stack.addresses.sandbox), { sub: roles[0] ?? 'nobody', name: 'Bo', tenantId, roles });
  const tokenOf = (...roles: string[]): Promise<string> => tokenIn(tenant.tenantId, ...roles);

  const embedded = (slot: string) => `${stack.addresses.bff}/embed/${slot}`;

  async function host(site: Site, ...frames: string[]): Promise<{ page: Page; frame: Frame }> {
    const page = await context.newPage();
    await page.goto(site.show('/desk', hostPage(frames)));
    const frame = page.frames()[1];
    if (!frame) throw new Error('The page has no frame');
    return { page, frame };
  }

  /** Waits until the frame reports that it is ready, and replies as a host does. */
  async function begin(page: Page, init: object): Promise<void> {
    await page.waitForFunction(`window.heard.some(({ data }) => data.type === 'outreach:ready')`);
    const message = JSON.stringify({ type: 'outreach:init', ...init });
    await page.evaluate(`window.frames[0].postMessage(${message}, ${JSON.stringify(stack.addresses.bff)})`);
  }

  const storedBy = (frame: Frame): Promise<string> =>
    frame.evaluate(
      `JSON.stringify([location.href, { ...localStorage }, { ...sessionStorage }, document.cookie, history.state])`,
    );
  const heardBy = (page: Page): Promise<unknown[]> => page.evaluate('window.heard');
  const looksOf = (frame: Frame): Promise<string> =>
    frame.evaluate(`document.documentElement.lang + ' ' + document.documentElement.className`);
  const fits = (frame: Frame): Promise<boolean> =>
    frame.evaluate('document.documentElement.scrollWidth <= window.innerWidth');

  it('shows the overview at 320 px in the language, theme and time zone of the host, without links that lead out', async () => {
    const token = await tokenOf('marketing_operator');
    const { page, frame } = await host(desk, embedded('main'));
    await begin(page, { token, serviceNumberId, locale: 'zh-TW', theme: 'dark', timeZone: 'Pacific/Auckland' });
    await frame.getByRole('heading', { name: '總覽' }).waitFor();
    await frame.getByText('奧克蘭').first().waitFor();
    await eventually('it looks like the host', async () => (await looksOf(frame)) === 'zh-Hant dark');
    expect(await frame.getByRole('link').count()).to.equal(0);
    await eventually('it fits', () => fits(frame));
    await expectAccessible(frame);
  });

  it('shows a customer with what was sent, without moving anything that is visible', async () => {
    const tag = { name: 'Regulars', serviceNumberId, kind: 'permanent' };
    const { tagId } = await tenant.api.post<{ tagId: string }>('/tags', tag);
    const contactId = tenant.contactIds[5] ?? '';
    await tenant.api.post(`/tags/${tagId}/assignments`, { contactIds: [contactId] });
    await sendCampaign(tenant, { name: 'Harbor tasting', messages: [cardMessage] });
    const { page, frame } = await host(desk, embedded('contact-touch'));
    await begin(page, { token: await tokenOf('marketing_operator'), serviceNumberId, contactId, locale: 'en' });
    for (const text of ['Harbor tasting', 'Regulars', 'About']) await frame.getByText(text).first().waitFor();
    await expectAccessible(frame);
    expect(await shiftOf(frame)).to.be.lessThan(0.02);
  });

  it('puts the decisions of the platform into words, with the counts of the service number', async () => {
    const { page, frame } = await host(desk, embedded('settings'));
    await begin(page, { token: await tokenOf('tenant_admin'), serviceNumberId, locale: 'en' });
    const card = frame.getByRole('row').filter({ hasText: serviceNumberId });
    await eventually('the counts are there', async () =>
      /Unsubscribed ?3 .*Reachable ?9/.test((await card.innerText()).replaceAll(/\s+/g, ' ')),
    );
    await eventually('it fits', () => fits(frame));
  });

  it('shows one sentence and no data to a viewer', async () => {
    const { page, frame } = await host(desk, embedded('settings'));
    await begin(page, { token: await tokenOf('viewer'), serviceNumberId });
    await frame.getByText('This page is for administrators and marketing operators.').waitFor();
    expect(await frame.locator('main').innerText()).to.not.include('Unsubscribed');
    expect(asked.filter((address) => /service-numbers:counts|overview/.test(address))).to.deep.equal([]);
  });

  it('shows a viewer the panel of a contact once an administrator allows it in the settings', async () => {
    const contactId = tenant.contactIds[7] ?? '';
    const show = async () => {
      const { page, frame } = await host(desk, embedded('contact-touch'));
      await begin(page, { token: await tokenOf('viewer'), serviceNumberId, contactId, locale: 'en' });
      return frame;
    };
    const before = await show();
    await before.getByText('This page is for administrators and marketing operators.').waitFor();
    expect(asked.filter((address) => address.includes(contactId))).to.deep.equal([]);
    const settings = await context.newPage();
    await signIn(settings, stack, ada, '/app/settings');
    const allow = settings.getByRole('switch', { name: 'Viewers see the contact panel' });
    await eventually('it can be changed', () => allow.isEnabled());
    expect(await allow.isChecked()).to.equal(false);
    await allow.click();
    await eventually('it is stored', async () => {
      const stored = await tenant.api.get<TenantSettings>('/tenant-settings');
      return stored.viewersSeeContactPanel;
    });
    await eventually('it can be changed again', () => allow.isEnabled());
    await expectAccessible(settings);
    await takeScreenshot(settings, 'settings-panel');
    const frame = await show();
    await frame.getByRole('heading', { name: 'About' }).waitFor();
    await frame.getByText(contactId).first().waitFor();
    expect(await frame.getByRole('button', { name: 'Add tag' }).count()).to.equal(0);
    await eventually('it fits', () => fits(frame));
    await expectAccessible(frame);
    const { frame: other } = await host(desk, embedded('main'));
    await begin(other.page(), { token: await tokenOf('viewer'), serviceNumberId, locale: 'en' });
    await other.getByText('This page is for administrators and marketing operators.').waitFor();
  });

  const others: [who: string, tokenOfOther: () => Promise<string>][] = [
    ['another', () => tokenOf('tenant_admin')],
    ['the same subject of another tenant', () => tokenIn('another-tenant', 'marketing_operator')],
  ];
  for (const [who, tokenOfOther] of others)
    it(`keeps nothing of one person for ${who} whose token the host sends`, async () => {
      const contactId = tenant.contactIds[7] ?? '';
      const { page, frame } = await host(desk, embedded('contact-touch'));
      const told = { serviceNumberId, contactId, locale: 'en' };
      await begin(page, { token: await tokenOf('marketing_operator'), ...told });
      await frame.getByText(contactId).first().waitFor();

      // Nothing that is requested from now on is answered, so that only what was kept can be shown.
      const tokens = new Set<string | undefined>();
      await context.route('**/api/v1/**', (route) => void tokens.add(route.request().headers()['authorization']));
      const renewed = await tokenOf('marketing_operator');
      await begin(page, { token: renewed, ...told });
      await eventually('the page was read again', () => tokens.has(`Bearer ${renewed}`));
      expect(await frame.getByText(contactId).count(), 'for the same person').to.be.above(0);
      const other = await tokenOfOther();
      await begin(page, { token: other, ...told });
      await eventually('the next person’s page was read', () => tokens.has(`Bearer ${other}`));
      await eventually('nothing is left', async () => (await frame.getByText(contactId).count()) === 0);
    });

  it('repeats no call of one person in the name of another', async () => {
    const body = { name: 'Night owls', serviceNumberId, kind: 'permanent' };
    await tenant.api.post<Tag>('/tags', body);
    const { page, frame } = await host(desk, embedded('contact-touch'));
    const told = { serviceNumberId, contactId: tenant.contactIds[6] ?? '', locale: 'en' };
    const [operator, admin] = [await tokenOf('marketing_operator'), await tokenOf('tenant_admin')];
    await begin(page, { token: operator, ...told });
    const calls: string[] = [];
    await context.route('**/api/v1/**', (route) => {
      const [method, token] = [route.request().method(), route.request().headers()['authorization']];
      calls.push(`${method} by ${token === `Bearer ${operator}` ? 'operator' : 'admin'}`);
      return method === 'POST' ? route.fulfill({ status: 401 }) : route.continue();
    });
    await page.evaluate('window.heard = []');
    await frame.getByRole('button', { name: 'Add tag' }).click();
    await frame.getByRole('option', { name: 'Night owls' }).click();
    await eventually('the tag was asked for', () => calls.includes('POST by operator'));
    await begin(page, { token: admin, ...told });
    await eventually('the next person’s page was read', () => calls.includes('GET by admin'));
    expect(calls).not.to.include('POST by admin');
  });

  it('leaves no message of one person to another, who could undo what it is about', async () => {
    const body = { name: 'Early birds', serviceNumberId, kind: 'permanent' };
    const { tagId } = await tenant.api.post<Tag>('/tags', body);
    const { page, frame } = await host(desk, embedded('contact-touch'));
    const told = { serviceNumberId, contactId: tenant.contactIds[5] ?? '', locale: 'en' };
    await begin(page, { token: await tokenOf('marketing_operator'), ...told });
    await frame.getByRole('button', { name: 'Add tag' }).click();
    await frame.getByRole('option', { name: 'Early birds' }).click();
    const undo = frame.getByRole('button', { name: 'Undo' });
    // Pointed at, it does not leave by itself.
    await undo.hover();
    await begin(page, { token: await tokenOf('tenant_admin'), ...told });
    await eventually('the message is gone', async () => (await undo.count()) === 0);
    const { items } = await tenant.api.get<{ items: unknown[] }>(`/tags/${tagId}/assignments`);
    expect(items).to.have.length(1);
  });

  it('keeps the token out of the address, storage, messages and logs, however it arrived', async () => {
    const byAddress = await tokenOf('tenant_admin');
    const byMessage = await tokenOf('marketing_operator');
    const { page, frame } = await host(
      desk,
      `${embedded('main')}#token=${byAddress}&serviceNumberId=${serviceNumberId}`,
    );
    await frame.getByRole('heading', { name: 'Overview' }).waitFor();
    await begin(page, { token: byMessage, serviceNumberId });
    await frame.getByText('Latest campaigns').waitFor();
    const places = [await storedBy(frame), ...reported, ...asked, stack.logs(1000)].join('\n');
    for (const token of [byAddress, byMessage]) expect(places).to.not.include(token);
    expect(JSON.stringify(await heardBy(page))).to.not.include(byAddress);
  });

  it('ignores messages of other frames on the page, and of the host in another form', async () => {
    const evil = await tokenOf('viewer');
    const attack = `<script>
      setInterval(() => parent.frames[0].postMessage({ type: 'outreach:init', token: '${evil}', theme: 'dark' }, '*'), 50);
    </script>`;
    const { page, frame } = await host(desk, embedded('main'), stranger.show('/attack', attack));
    await page.waitForFunction(`window.heard.some(({ data }) => data.type === 'outreach:ready')`);
    await frame.getByText('which has not connected yet.').waitFor();
    expect(asked.filter((address) => address.includes('/api/v1/'))).to.deep.equal([]);
    await begin(page, { token: await tokenOf('marketing_operator'), serviceNumberId, theme: 'light' });
    await frame.getByRole('heading', { name: 'Overview' }).waitFor();
    await frame.getByText('Latest campaigns').waitFor();
    await eventually('it looks as the host says', async () => (await looksOf(frame)) === 'en light');
  });

  it('is blocked on a page that may not embed it, and sends it no message', async () => {
    const { page, frame } = await host(stranger, embedded('main'));
    await eventually('the browser has blocked the frame', () => frame.url().startsWith('chrome-error:'));
    await eventually('it says why', () => reported.join('\n').includes('frame-ancestors'));
    expect(await heardBy(page)).to.deep.equal([]);
    const { frame: console } = await host(desk, `${stack.addresses.bff}/app`);
    await eventually('/app is never embedded', () => console.url().startsWith('chrome-error:'));
  });
});
