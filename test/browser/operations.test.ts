import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import type { AuditEntry } from '#domain/api/audit.ts';
import type { Page as ApiPage } from '#domain/api/primitives.ts';
import type { Tag } from '#domain/api/tags.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import type { Person } from '../support/browser/people.ts';
import { eventually } from '../support/time/eventually.ts';
import { sendCallback } from '../support/http/gateway-callback.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { openPage, reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import { openShop, type Shop } from '../support/services/shop.ts';
import { type SessionEvents, sessionEvents } from '../support/outreach/session-events.ts';
import { signIn } from '../support/browser/sign-in.ts';
import type { Stack } from '../support/services/stack.ts';
import { signerOf, type TestTenant } from '../support/services/tenant.ts';

const serviceNumberId = 'sn-operations';

describe('operations in the console', function () {
  this.timeout(120_000);
  let ada: Person;
  let tenantId: string;
  let cleo: Person;
  let browser: Browser;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let orders: Shop;
  let sessions: SessionEvents;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;
  /** Everything that the console received, and what it must never receive. */
  const told: string[] = [];
  const secrets: string[] = [];

  const open = (path: string) => page.goto(`${stack.addresses.bff}/app/${path}`);
  const shot = (name: string) => takeScreenshot(page, `operations-${name}`);

  before(async function () {
    ({ ada, cleo, browser, page, complaints, stack, tenant, close } = await openConsole(this, {
      serviceNumberId,
      contacts: 2,
      env: { EMBED_ALLOWED_ORIGINS: 'https://desk.example' },
    }));
    ({ tenantId } = ada);
    orders = await openShop(stack, ada);
    sessions = sessionEvents(stack, tenant);
    const { settings } = stack;
    secrets.push((await signerOf(tenant)).secret, ...settings.PLATFORM_APP_SECRET, ...settings.INTERNAL_API_SECRET);
    secrets.push(
      ...settings.ENCRYPTION_KEYS.map(({ key }) => key),
      settings.IDENTITY_CLIENT_SECRET,
      settings.PAYMENT_GATEWAY_KEY,
    );
    secrets.push(...settings.PAYMENT_GATEWAY_WEBHOOK_SECRET);
    page.on('response', (response) => {
      if (!response.url().includes('/api/v1/')) return;
      // The body of a response to a page that was left is no longer available.
      response.text().then(
        (text) => told.push(text),
        () => {},
      );
    });
    await signIn(page, stack, ada);
  });

  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  it('shows flagged orders first, keeps filters in the address, and refunds an order after a confirmation', async () => {
    const { orderId: flagged } = await orders.createBoxes('Paid in dollars');
    const { orderId: waiting } = await orders.createBoxes('Waiting boxes');
    for (const id of [flagged, waiting]) await orders.post(`/user/order/${id}/pay`, { tenantId });
    const { orderNo, attempts } = await orders.stored(flagged);
    await tenant.sandbox.post(`/sandbox/charges/${attempts[0]?.chargeId}:pay`, { callback: { currency: 'USD' } });
    await eventually('flagged', async () => (await orders.stored(flagged)).flags.length > 0);

    await sendCallback(stack, { orderNo: 'nothing', shopId: orders.shopId, amount: 5 });
    await open('orders');
    const attention = page.getByRole('region', { name: '1 order needs a decision' });
    await attention.getByText('The currency differs').waitFor();
    const row = page.getByRole('row').filter({ hasText: 'Waiting boxes' });
    await row.getByText('40 points and 2 items').waitFor();
    await row.getByText(/\d+[ms] left/).waitFor();
    const stray = page.getByRole('region', { name: '1 payment matches no order' });
    await stray.getByText('TWD 5.00').waitFor();
    await expectAccessible(page);
    await shot('orders');

    await page.getByRole('combobox', { name: 'State', exact: true }).selectOption('Needs a decision');
    await page.waitForURL('**/orders?flagged=true');
    await row.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('link', { name: 'Paid in dollars' }).click();
    await page.waitForURL(`**/orders/${flagged}**`);
    await page.getByText('Winter box × 2').waitFor();
    await page.getByText('Until somebody decides').waitFor();
    await page.getByText('Agreed: TWD. The gateway reported: USD.').waitFor();
    const states = page.getByRole('group', { name: 'States over time' });
    for (const state of ['Not paid yet', 'Waiting for payment', 'Held'])
      await states.getByText(state).first().waitFor();
    const ledger = page.getByRole('table', { name: 'Points ledger' });
    await eventually('the ledger has two entries', async () => (await ledger.getByRole('row').count()) === 3);
    await page.getByText('charge.paid', { exact: true }).click();
    await page
      .getByRole('region', { name: /^Callback/ })
      .getByText('"currency": "USD"')
      .waitFor();
    const temporal = page.getByRole('link', { name: 'Open in Temporal' });
    await eventually('it leads to the workflows of the order', async () =>
      (await temporal.getAttribute('href'))?.includes(encodeURIComponent(`OrderId="${flagged}"`)),
    );
    await expectAccessible(page);
    await shot('order-flagged');

    await page.getByRole('button', { name: 'Refund the payer' }).click();
    const dialog = page.getByRole('dialog', { name: `Refund order ${orderNo}?` });
    await dialog.getByText('40 points and 2 items').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Refund' }).click();
    await dialog.waitFor({ state: 'detached' });
    await eventually('refunded', async () => (await orders.stored(flagged)).paymentStatus === 60);
    expect(await orders.stored(flagged)).to.include({ orderStatus: 40, pointsStatus: 40 });
    await page.reload();
    await page.getByText('Ada Lin refunded the payer.').waitFor();
    await page
      .getByRole('table', { name: 'Refunds' })
      .getByRole('cell')
      .filter({ hasText: /^StateConfirmed/ })
      .waitFor();
    await states.getByText('Refunded', { exact: true }).waitFor();
    await shot('order-refunded');
  });

  it('leads to no workflow from an order that took no money', async () => {
    const ofCash = await orders.createBoxes('Boxes for cash');
    const ofPoints = await orders.create({ title: 'A box for points', pointsPlan: { tenantPoints: 40 } });
    for (const { orderId } of [ofCash, ofPoints]) await orders.post(`/user/order/${orderId}/pay`, { tenantId });
    await open(`orders/${ofCash.orderId}`);
    const temporal = page.getByRole('link', { name: 'Open in Temporal' });
    await temporal.waitFor();
    // Within the page, where the address of Temporal's pages is known already.
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await page.getByRole('link', { name: 'A box for points' }).click();
    await page.getByRole('table', { name: 'Points ledger' }).waitFor();
    expect(await temporal.count()).to.equal(0);
    expect(await page.getByText('Workflow', { exact: true }).count()).to.equal(0);
  });

  it('shows payers their own orders, with the way to the checkout', async () => {
    const { orderId } = await orders.createBoxes('My own box');
    await open('orders');
    await page.getByRole('combobox', { name: 'Whose orders', exact: true }).selectOption('My orders');
    await page.waitForURL('**/orders?whose=mine');
    await page.getByRole('combobox', { name: 'State', exact: true }).selectOption('Not paid yet');
    await page.getByRole('row').filter({ hasText: 'Waiting boxes' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'My own box' }).click();
    await page.getByText('Winter box × 2').waitFor();
    expect(await page.getByRole('heading', { name: 'Points ledger' }).count()).to.equal(0);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Open the checkout' }).click();
    await page.waitForURL(`**/app/checkout/${orderId}?tenantId=${tenantId}`);
    await page.getByRole('button', { name: 'Pay NT$1,234.50' }).waitFor();
  });

  it('shows what events wait for, and replays all failed events of a type', async () => {
    for (const id of ['s-1', 's-2']) await sessions.closeSession(id);
    await eventually('waiting', async () => (await sessions.inboxEvent('close-s-2')).waitingFor !== null);
    await open('event-inbox');
    const kinds = page.getByRole('table', { name: 'Not processed yet, by kind' });
    await kinds.getByText('Waits for the opening of its conversation').waitFor();
    await kinds.getByRole('link', { name: '2', exact: true }).click();
    await page.waitForURL('**/event-inbox?status=waiting&type=session.closed');
    await page.getByText('Waits for the opening of its conversation: s-1').waitFor();
    await page.getByRole('link', { name: 'session.closed' }).first().click();
    await page.getByRole('group', { name: 'Payload' }).getByText('"messageCount": 3').waitFor();
    await expectAccessible(page);
    await shot('event-waiting');

    await sessions.aDayPasses(['close-s-1', 'close-s-2']);
    for (const id of ['s-1', 's-2']) await sessions.openSession(id);
    await eventually('opened', async () => (await sessions.inboxEvent('open-s-2')).status === 'processed');

    await open('event-inbox?status=failed');
    await page.getByText('Its conversation was not opened within 24 hours').first().waitFor();
    await expectAccessible(page);
    await shot('inbox-failed');
    await page.getByRole('button', { name: 'Replay 2 events' }).click();
    const dialog = page.getByRole('dialog', { name: 'Replay 2 failed events “session.closed”?' });
    await expectAccessible(page);
    // As a call responds that did not finish within its time.
    await page.route('**/event-inbox:replay', (route) => route.fulfill({ json: { replayed: 3, left: 2 } }), {
      times: 1,
    });
    await dialog.getByRole('button', { name: 'Replay 2 events' }).click();
    await dialog.getByText('3 events are being handled again; 2 left.').waitFor();
    await expectAccessible(page);
    await shot('replay-left');
    // The toast disappears by itself, so wait for it from the start.
    const told = page.getByText('5 events are being handled again.').waitFor();
    await dialog.getByRole('button', { name: 'Replay 2 events' }).click();
    await told;
    await dialog.waitFor({ state: 'detached' });
    for (const id of ['s-1', 's-2'])
      await eventually('processed', async () => (await sessions.inboxEvent(`close-${id}`)).status === 'processed');
    const ended = await stack.database
      .connect('outreach')('conversation')
      .where({ tenant_id: tenantId })
      .whereNotNull('closed_at');
    expect(ended.map((row) => row.sessionId).toSorted()).to.deep.equal(['s-1', 's-2']);
  });

  it('replays one event from its page, and reports a deleted payload', async () => {
    await sessions.closeSession('s-3');
    await sessions.aDayPasses(['close-s-3']);
    const { processedAt } = await sessions.inboxEvent('close-s-3');
    await open('event-inbox/close-s-3');
    await page.getByText('Its conversation was not opened within 24 hours').waitFor();
    await page.getByRole('button', { name: 'Replay' }).click();
    await eventually('handled again', async () => {
      const now = await sessions.inboxEvent('close-s-3');
      return now.status === 'failed' && now.processedAt !== processedAt;
    });
    await stack.database.connect('outreach')('event_inbox').where({ event_id: 'close-s-3' }).update({ payload: '' });
    await page.reload();
    await page.getByText('The payload is no longer kept.').waitFor();
    await page.getByText('Events are kept for 90 days.').waitFor();
    await page.getByRole('button', { name: 'Replay' }).waitFor({ state: 'detached' });
  });

  it('shows who changed what, before and after, and keeps its filters in the address', async () => {
    const tag = await tenant.api.post<Tag>('/tags', { name: 'Regulars', serviceNumberId, kind: 'permanent' });
    await tenant.api.patch(`/tags/${tag.tagId}`, { name: 'Our regulars' });
    await open('audit-log');
    await page.getByRole('link', { name: 'Replayed events of a kind' }).waitFor();
    await page.getByRole('combobox', { name: 'What', exact: true }).selectOption('Tag');
    await page.waitForURL(`**/audit-log?what=tag`);
    await page.getByRole('link', { name: 'Replayed events of a kind' }).waitFor({ state: 'detached' });
    expect(await page.getByText('Days in Taipei').count(), 'any time has no days').to.equal(0);
    await page.getByRole('combobox', { name: 'Period', exact: true }).selectOption('Last 7 days');
    await page.waitForURL(/from=.*to=/);
    await page.getByText('Days in Taipei').waitFor();
    await expectAccessible(page);
    await shot('audit');
    const filtered = page.url();
    await page.getByRole('link', { name: 'Changed a tag' }).click();
    const change = page.getByRole('table', { name: 'Before and after' }).getByRole('row').filter({ hasText: 'Name' });
    await change.locator('del', { hasText: /^Regulars$/ }).waitFor();
    await change.locator('ins', { hasText: 'Our regulars' }).waitFor();
    await expectAccessible(page);
    await shot('audit-entry');
    await page.goBack();
    await page.getByRole('link', { name: 'Changed a tag' }).waitFor();
    expect(page.url()).to.equal(filtered);
    const { items } = await tenant.api.get<ApiPage<AuditEntry>>(`/audit-log?objectId=${tag.tagId}`);
    expect(items.map(({ action }) => action)).to.deep.equal(['tag.update', 'tag.create']);
  });

  it('shows the installation, its people and who may embed, and registers the pages again', async () => {
    const registrations = async () => {
      const { items } = await tenant.sandbox.get<{ items: { route: string }[] }>('/sandbox/calls');
      return items.filter(({ route }) => route.startsWith('embed')).length;
    };
    const before = await registrations();
    await open('settings');
    await page.getByText('https://desk.example').waitFor();
    await page.getByText('Campaign service reachable').waitFor();
    await page.getByRole('table', { name: 'People and roles' }).getByText('Ada Lin').waitFor();
    await expectAccessible(page);
    await shot('settings');
    await page.getByRole('button', { name: 'Register again' }).click();
    await eventually('registered again', async () => (await registrations()) > before);
    await page.getByRole('link', { name: 'Activity' }).first().click();
    await page.waitForURL(`**/audit-log?who=${ada.sub}`);
  });

  it('lets viewers look but change nothing', async () => {
    const narrow = { width: 320, height: 640 };
    const { page: viewer, complaints: ofViewer } = await openPage(browser, { colorScheme: 'dark', viewport: narrow });
    await signIn(viewer, stack, cleo);
    await viewer.goto(`${stack.addresses.bff}/app/settings`);
    await viewer.getByText('Only a tenant administrator can change this.').waitFor();
    expect(await viewer.getByRole('button', { name: 'Register again' }).count()).to.equal(0);
    await viewer.goto(`${stack.addresses.bff}/app/event-inbox?status=failed`);
    await viewer.getByText('session.closed').first().waitFor();
    expect(await viewer.getByRole('button', { name: /^Replay/ }).count()).to.equal(0);
    await viewer.goto(`${stack.addresses.bff}/app/orders`);
    await viewer.getByText('Orders that you place yourself appear here.').waitFor();
    await eventually(
      'it fits',
      async () => (await viewer.evaluate<number>('document.documentElement.scrollWidth')) === 320,
    );
    await viewer.close();
    expect(ofViewer).to.deep.equal([]);
  });

  it('threw no error on any page, and showed no secret', () => {
    expect(complaints).to.deep.equal([]);
    expect(told.length).to.be.greaterThan(20);
    expect(secrets.every((secret) => secret.length > 8)).to.equal(true);
    expect(secrets.filter((secret) => told.some((text) => text.includes(secret)))).to.deep.equal([]);
  });
});
