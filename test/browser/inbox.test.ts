import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { openPage, reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { type SessionEvents, sessionEvents } from '../support/outreach/session-events.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

const reason = 'The database refused it (22003): value "3000000000" is out of range for type integer';
const words = 'A number in the event is larger than can be stored';

describe('the event inbox in the console', function () {
  this.timeout(120_000);
  let ada: Person;
  let cleo: Person;
  let browser: Browser;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let sessions: SessionEvents;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;

  before(async function () {
    ({ ada, cleo, browser, page, complaints, stack, tenant, close } = await openConsole(this, {
      serviceNumberId: 'sn-inbox',
      contacts: 2,
    }));
    sessions = sessionEvents(stack, tenant);
    await signIn(page, stack, ada);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  const app = (path: string) => `${stack.addresses.bff}/app/${path}`;

  const rowOf = async (eventId: string): Promise<{ attempts: number; campaignId: string | null } | undefined> =>
    await stack.database
      .connect('outreach')('event_inbox')
      .where({ event_id: eventId })
      .first('attempts', 'campaign_id');

  async function failAs(eventId: string, error: string): Promise<void> {
    await sessions.openSession(eventId);
    await eventually('handled', async () => (await sessions.inboxEvent(`open-${eventId}`)).status === 'processed');
    const events = stack.database
      .connect('outreach')('event_inbox')
      .where({ event_id: `open-${eventId}` });
    expect(await events.update({ status: 'failed', error })).to.equal(1);
  }

  it('says in plain words why an event failed, and keeps the technical text in its details', async () => {
    await failAs('number', reason);
    await failAs('broken', 'Cannot read properties of undefined');
    await failAs('form', '/summary/duration: Invalid input');
    await page.goto(app('event-inbox?status=failed'));
    const kinds = page.getByRole('table', { name: 'Not processed yet, by kind' });
    for (const shown of [
      words,
      'This application could not handle the event',
      'The event’s data does not have the agreed form: summary/duration',
    ])
      await kinds.getByText(shown).waitFor();
    const technical = kinds.getByText(reason);
    expect(await technical.isVisible()).to.equal(false);
    await kinds.getByRole('row').filter({ hasText: words }).getByText('Technical details').click();
    await technical.waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'inbox-failures');
    await page.goto(app('event-inbox/open-number'));
    await page.getByText(words).waitFor();
    await page.getByText('Technical details').click();
    await page.getByText(reason).waitFor();
    await page.goto(app(''));
    await page.getByRole('listitem').filter({ hasText: words }).last().waitFor();
    expect(await page.getByText('out of range for type').count()).to.equal(0);
    await page.getByRole('link', { name: 'Replay or dismiss: session.created' }).first().waitFor();
  });

  it('shows whom an event is about, and finds one by its id', async () => {
    await page.goto(app('event-inbox'));
    await page.getByRole('searchbox', { name: 'Event or contact id' }).fill('open-form');
    await page.waitForURL('**q=open-form**');
    const row = page.getByRole('table', { name: 'Event inbox' }).getByRole('row').filter({ hasText: 'open-form' });
    await eventually(
      'one event is listed',
      async () => (await page.getByRole('table', { name: 'Event inbox' }).getByRole('row').count()) === 2,
    );
    await expectAccessible(page);
    await takeScreenshot(page, 'inbox-search');
    const attempts = await rowOf('open-form');
    expect(attempts?.attempts).to.be.greaterThan(0);
    await row.getByRole('cell', { name: String(attempts?.attempts), exact: true }).waitFor();
    const contact = row.getByRole('link', { name: /./ }).nth(1);
    const id = await contact.textContent();
    await contact.click();
    await page.waitForURL(`**/contacts/sn-inbox/${id}*`);
    await page.goto(app(`event-inbox?q=${id}`));
    const list = page.getByRole('table', { name: 'Event inbox' });
    await list.getByRole('row').filter({ hasText: 'open-number' }).waitFor();
    await list.getByRole('row').filter({ hasText: 'open-form' }).waitFor();
  });

  it('says how often an event was tried and when it will be again', async () => {
    await sessions.closeSession('never-opened');
    await eventually('it waits', async () => (await sessions.inboxEvent('close-never-opened')).waitingFor !== null);
    await page.goto(app('event-inbox?status=waiting'));
    const waiting = page
      .getByRole('table', { name: 'Event inbox' })
      .getByRole('row')
      .filter({ hasText: 'never-opened' });
    await waiting.getByText(/^Next /).waitFor();
    await takeScreenshot(page, 'inbox-waiting');
    await waiting.getByRole('link', { name: 'session.closed' }).click();
    await page.getByText('Next attempt').waitFor();
    await page.getByText('Attempts', { exact: true }).waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'inbox-event-waiting');
  });

  it('lists the events of a campaign from its page', async () => {
    const { serviceNumberId, contactIds, api, sandbox, tenantId } = tenant;
    const draft = await api.post<{ id: string }>('/campaigns', {
      name: 'Autumn tea',
      serviceNumberId,
      channels: ['default'],
      messages: [{ type: 'text', text: 'Tea' }],
      audience: { type: 'contacts', contactIds },
      schedule: { type: 'immediate' },
    });
    const [contactId] = contactIds;
    await sandbox.post('/sandbox/webhooks', {
      tenant: tenantId,
      serviceNumberId,
      eventType: 'session.created',
      eventId: 'open-of-campaign',
      data: { sessionId: 'of-campaign', contactId, channel: 'app', entryReason: { id: draft.id } },
      wait: true,
    });
    await eventually('handled', async () => (await rowOf('open-of-campaign'))?.campaignId === draft.id);
    await page.goto(app(`event-inbox?campaign=${draft.id}`));
    const list = page.getByRole('table', { name: 'Event inbox' });
    await list.getByRole('row').filter({ hasText: 'open-of-campaign' }).waitFor();
    expect(await list.getByRole('row').count()).to.equal(2);
    await expectAccessible(page);
    await takeScreenshot(page, 'inbox-of-campaign');
    await page.getByRole('button', { name: 'Stop showing only the campaign Autumn tea' }).click();
    await eventually('all are listed', async () => (await list.getByRole('row').count()) > 2);
  });

  it('dismisses and replays the events that are selected', async () => {
    await page.goto(app('event-inbox?status=failed'));
    const bar = page.getByRole('region', { name: 'Selected rows' });
    const dialog = page.getByRole('dialog');
    for (const id of ['open-broken', 'open-form']) await page.getByRole('checkbox', { name: `Select ${id}` }).check();
    await bar.getByRole('button', { name: 'Dismiss 2 events' }).click();
    await dialog.getByLabel('Reason').fill('Known to the platform');
    await expectAccessible(page);
    await takeScreenshot(page, 'inbox-dismiss-selected');
    await dialog.getByRole('button', { name: 'Dismiss 2 events' }).click();
    await page.getByText('Dismissed 2 events.').waitFor();
    await bar.waitFor({ state: 'detached' });
    for (const id of ['open-broken', 'open-form']) expect((await sessions.inboxEvent(id)).status).to.equal('dismissed');
    await page.goto(app('event-inbox?status=dismissed'));
    await page.getByRole('checkbox', { name: 'Select all rows' }).check();
    await bar.getByRole('button', { name: 'Replay 2 events' }).click();
    await dialog.getByRole('button', { name: 'Replay 2 events' }).click();
    await page.getByText('2 events are being handled again.').waitFor();
    await eventually('handled', async () => (await sessions.inboxEvent('open-form')).status === 'processed');
  });

  it('offers viewers to look at what failed, and nothing else', async () => {
    const { page: viewer } = await openPage(browser);
    await signIn(viewer, stack, cleo);
    await viewer.goto(app(''));
    await viewer.getByRole('link', { name: 'View: session.created' }).first().waitFor();
    await expectAccessible(viewer);
    await viewer.close();
    expect(complaints).to.deep.equal([]);
  });
});
