import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Campaign } from '#domain/api/campaign.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole, type OpenedConsole } from '../support/browser/open-console.ts';
import { openPage, reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { draftCampaign } from '../support/outreach/campaigns.ts';
import { apiAs } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

/** Stands in for the browser’s notifications: each page notes what it would show, and what it takes back. */
const noteNotifications = `
  globalThis.noted = [];
  globalThis.Notification = class extends EventTarget {
    static get permission() {
      return localStorage.getItem('permission') ?? 'default';
    }
    static async requestPermission() {
      localStorage.setItem('permission', 'granted');
      return 'granted';
    }
    constructor(title, { body }) {
      super();
      noted.push([title, body]);
    }
    close() {
      noted.push(['closed']);
    }
  };`;

describe('the notices of a person in the console', function () {
  this.timeout(120_000);
  let opened: OpenedConsole;
  /** Two tabs of Ben’s browser, and how often they opened a stream. */
  let tab: Page;
  let other: Page;
  let streams = 0;

  const bell = (page: Page, unread: number) =>
    page
      .getByRole('banner')
      .getByRole('button', { name: unread === 0 ? 'Notices' : `Notices, ${unread} unread`, exact: true });
  async function ask(name: string): Promise<string> {
    const { id } = await draftCampaign(opened.tenant, { name });
    await opened.tenant.api.post(`/campaigns/${id}:send`);
    return id;
  }
  async function decide(id: string, action: 'withdraw' | 'reject', body = {}): Promise<void> {
    const { tenant, stack, ben } = opened;
    const { approval } = await tenant.api.get<Campaign>(`/campaigns/${id}`);
    const api = action === 'withdraw' ? tenant.api : await apiAs(stack, ben);
    await api.post(`/campaigns/${id}:${action}`, { approvalId: approval?.approvalId, ...body });
  }

  before(async function () {
    opened = await openConsole(this, { serviceNumberId: 'sn-told', contacts: 3 });
    const { browser, stack, tenant, ben } = opened;
    await tenant.api.patch('/tenant-settings', { sendsNeedApproval: 2 });
    ({ page: tab } = await openPage(browser));
    await tab.context().addInitScript(noteNotifications);
    tab.context().on('request', (request) => {
      if (request.url().endsWith('/notices/stream')) streams += 1;
    });
    await signIn(tab, stack, ben);
    await bell(tab, 0).waitFor();
    other = await tab.context().newPage();
    await other.goto(`${stack.addresses.bff}/app/campaigns`);
    await bell(other, 0).waitFor();
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, other, opened.stack);
  });
  after(() => opened.close());

  it('are counted in every tab by one connection, and withdrawn once somebody has decided, who asked hears of it', async () => {
    const { page, stack, ada } = opened;
    await signIn(page, stack, ada);
    const id = await ask('Harbor tasting');
    await Promise.all([bell(tab, 1).waitFor(), bell(other, 1).waitFor()]);
    expect(streams).to.equal(1);
    await decide(id, 'reject', { reason: 'Too soon' });
    await Promise.all([bell(tab, 0).waitFor(), bell(other, 0).waitFor()]);
    await bell(page, 1).click();
    const told = page.getByRole('dialog').getByRole('link', { name: /^Send rejected/ });
    await told.getByText('Too soon').waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'notices-list', 'window');
    await told.click();
    await page.waitForURL(`**/campaigns/${id}/edit`);
  });

  it('are followed by the next tab when the first is closed', async () => {
    await tab.close();
    const id = await ask('Pier concert');
    await bell(other, 1).waitFor();
    expect(streams).to.equal(2);
    tab = await other.context().newPage();
    await tab.goto(`${opened.stack.addresses.bff}/app/audiences`);
    await bell(tab, 1).waitFor();
    expect(streams).to.equal(2);
    await decide(id, 'withdraw');
    await Promise.all([bell(tab, 0).waitFor(), bell(other, 0).waitFor()]);
  });

  it('are marked as read, for all tabs', async () => {
    const ids = [await ask('Winter menu'), await ask('Spring menu')];
    await bell(other, 2).click();
    const list = other.getByRole('dialog');
    await list.getByText('Winter menu').waitFor();
    for (const width of [1440, 390]) {
      await other.setViewportSize({ width, height: 860 });
      await takeScreenshot(other, `notices-${width}`, 'window');
    }
    await expectAccessible(other);
    await list.getByRole('button', { name: 'Mark all as read' }).click();
    await Promise.all([bell(tab, 0).waitFor(), bell(other, 0).waitFor()]);
    expect(await list.getByText('Unread').count()).to.equal(0);
    await list.getByText('Winter menu').waitFor();
    await other.keyboard.press('Escape');
    await other.setViewportSize({ width: 1280, height: 860 });
    for (const id of ids) await decide(id, 'withdraw');
  });

  it('are shown by the browser, once, where the person switched that on, and taken back', async () => {
    await tab.goto(`${opened.stack.addresses.bff}/app/settings#notices`);
    const allowed = tab.getByRole('switch', { name: 'Also show notices as notifications of this browser' });
    await allowed.click();
    await eventually('it is on', () => allowed.isChecked());
    const noted = async () =>
      (await Promise.all([tab, other].map((page) => page.evaluate<string[][]>('noted')))).flat();
    const id = await ask('Night market');
    await eventually('it is shown', async () => (await noted()).length > 0);
    await Promise.all([bell(tab, 1).waitFor(), bell(other, 1).waitFor()]);
    await decide(id, 'withdraw');
    await eventually('it is taken back', async () => (await noted()).length > 1);
    expect(await noted()).to.deep.equal([['Approval asked', 'Night market'], ['closed']]);
  });

  it('are not told of kinds that the person has switched off', async () => {
    const asked = tab.getByRole('switch', { name: 'Approval asked' });
    await eventually('it is known', () => asked.isChecked());
    for (const width of [1440, 390]) {
      await tab.setViewportSize({ width, height: 860 });
      await asked.scrollIntoViewIfNeeded();
      await takeScreenshot(tab, `notices-settings-${width}`, 'window');
    }
    await expectAccessible(tab);
    await asked.click();
    const { stack, ben } = opened;
    const api = await apiAs(stack, ben);
    await eventually('it is off', async () => {
      const stored = await api.get<Record<string, boolean>>('/notices/settings');
      return stored['approval_asked'] === false && stored['campaign_failed'];
    });
    const id = await ask('Quiet hour');
    await tab.reload();
    await bell(tab, 0).waitFor();
    expect(await api.get('/notices')).to.deep.include({ items: [], unread: 0 });
    await decide(id, 'withdraw');
    await tab.getByRole('switch', { name: 'Approval asked' }).click();
  });

  it('are read now and then in a browser whose tabs know nothing of each other', async () => {
    const { page: lonely } = await openPage(opened.browser);
    await lonely.addInitScript('delete Navigator.prototype.locks');
    await signIn(lonely, opened.stack, opened.ben);
    await bell(lonely, 0).waitFor();
    const id = await ask('Open house');
    await bell(lonely, 1).waitFor();
    await decide(id, 'withdraw');
    await bell(lonely, 0).waitFor();
  });
});
