import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { OutgoingEvent } from '../support/webhooks/event-site.ts';
import { type Receiver, startReceiver, verified } from '../orders/support/merchant-receiver.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { sendCampaign } from '../support/outreach/campaigns.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

describe('events of campaigns in the console', function () {
  this.timeout(120_000);
  let ada: Person;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let receiver: Receiver | undefined;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;

  const open = (path: string) => page.goto(`${stack.addresses.bff}/app/${path}`);
  const dialog = () => page.getByRole('dialog');
  async function confirm(name: string): Promise<void> {
    await expectAccessible(page);
    await dialog().getByRole('button', { name, exact: true }).click();
    await dialog().waitFor({ state: 'detached' });
  }

  before(async function () {
    ({ ada, page, complaints, stack, tenant, close } = await openConsole(this, {
      serviceNumberId: 'sn-event-webhook',
      contacts: 3,
    }));
    receiver = await startReceiver();
    await signIn(page, stack, ada);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(async () => {
    await close?.();
    await receiver?.close();
  });

  it('an administrator sets a webhook, copies its secret, sends a test, and sees a campaign arrive and be delivered again', async () => {
    const target = receiver;
    if (!target) throw new Error('there is no receiver');
    await open('settings');
    await page.getByRole('link', { name: 'Set up an endpoint' }).click();
    await page.getByText('No events are sent.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Set address' }).click();
    await dialog().getByLabel('Address').fill(`${target.url}/campaigns`);
    await dialog().getByLabel('Contacts were tagged').uncheck();
    await confirm('Save');
    const shown = page.getByRole('alert').filter({ hasText: 'Copy the secret now' });
    const secret = await shown.getByText(/^whsec_/).innerText();
    await expectAccessible(page);
    await takeScreenshot(page, 'event-webhook-secret');
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.reload();
    await page.getByText('A campaign has ended').waitFor();
    expect(await page.getByText('Contacts were tagged').count()).to.equal(0);
    expect(await page.getByText(secret).count(), 'shown only once').to.equal(0);

    await page.getByRole('button', { name: 'Send a test event' }).click();
    const row = (type: string) => page.getByRole('row').filter({ hasText: type });
    await row('webhook.test').getByText('Delivered').waitFor();

    target.state.respond = (_, response) => void response.writeHead(503).end();
    const { campaign } = await sendCampaign(tenant, {});
    await page.reload();
    await row('campaign.sent').getByText('Status 503').waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'event-webhook-deliveries');
    target.state.respond = target.accept;
    await row('campaign.sent').getByRole('button', { name: 'Deliver again' }).click();
    await row('campaign.completed').getByText('Delivered').waitFor();
    const events = target.received.map((received) => verified(secret, received) as unknown as OutgoingEvent);
    expect([...new Set(events.map(({ type }) => type))]).to.deep.equal([
      'webhook.test',
      'campaign.sent',
      'campaign.completed',
    ]);
    expect(events.at(-1)?.data).to.deep.include({ campaignId: campaign.id, contacts: 3, status: 'completed' });

    await page.getByRole('button', { name: 'Replace the secret' }).click();
    await confirm('Replace the secret');
    const next = await shown.getByText(/^whsec_/).innerText();
    expect(next).to.not.equal(secret);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText('Events are signed with the previous secret as well').waitFor();

    await page.getByRole('button', { name: 'Add an endpoint' }).click();
    await dialog().getByLabel('Address').fill(`${target.url}/second`);
    await confirm('Save');
    await page.getByRole('button', { name: 'I have stored it' }).click();
    const endpoints = page.getByRole('navigation', { name: 'Endpoints' });
    await endpoints.getByRole('link', { name: '/second' }).waitFor();
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByText('This endpoint is paused').waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'event-webhook-endpoints');
    await page.getByRole('button', { name: 'Resume', exact: true }).click();
    await page.getByText('This endpoint is paused').waitFor({ state: 'detached' });

    for (const left of [1, 0]) {
      await page.getByRole('button', { name: 'Stop sending events' }).click();
      await confirm('Stop sending events');
      await endpoints.waitFor({ state: 'detached' });
      if (left === 0) await page.getByText('No events are sent.').waitFor();
    }
    await eventually('nothing is left of it', async () => {
      const rows: unknown[] = await stack.database
        .connect(
          'outreach',
          'owner',
        )('webhook')
        .where({ tenant_id: tenant.tenantId });
      return rows.length === 0;
    });
  });

  it('threw no error on any page', () => {
    expect(complaints).to.deep.equal([]);
  });
});
