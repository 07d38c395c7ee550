import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { DeliveryData } from '#domain/orders/administration/merchant-events.ts';
import { type Receiver, startReceiver, verified } from '../orders/support/merchant-receiver.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { openShop, type Shop } from '../support/services/shop.ts';
import type { Stack } from '../support/services/stack.ts';
import { eventually } from '../support/time/eventually.ts';

describe('events to the merchant in the console', function () {
  this.timeout(120_000);
  let ada: Person;
  let tenantId: string;
  let page: Page;
  let stack: Stack;
  let orders: Shop;
  let receiver: Receiver | undefined;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;

  const open = (path: string) => page.goto(`${stack.addresses.bff}/app/${path}`);
  const shot = (name: string) => takeScreenshot(page, `webhook-${name}`);
  const dialog = () => page.getByRole('dialog');
  async function confirm(name: string): Promise<void> {
    await expectAccessible(page);
    await dialog().getByRole('button', { name, exact: true }).click();
    await dialog().waitFor({ state: 'detached' });
  }

  before(async function () {
    ({ ada, page, complaints, stack, close } = await openConsole(this, { serviceNumberId: 'sn-webhook', contacts: 1 }));
    ({ tenantId } = ada);
    orders = await openShop(stack, ada);
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

  it('B14: sets a webhook, shows its secret once, and delivers a test event and orders', async () => {
    const target = receiver;
    if (!target) throw new Error('there is no receiver');
    await open('webhook');
    await page.getByText('This tenant receives no events.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Set address' }).click();
    await dialog().getByLabel('Address').fill(`${target.url}/hooks`);
    await confirm('Save');
    const shown = page.getByRole('alert').filter({ hasText: 'Copy the secret now' });
    const secret = await shown.getByText(/^whsec_/).innerText();
    await expectAccessible(page);
    await shot('secret');
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await shown.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText(`${target.url}/hooks`).waitFor();
    expect(await page.getByText(secret).count(), 'shown only once').to.equal(0);

    await page.getByRole('button', { name: 'Send a test event' }).click();
    const row = page.getByRole('row').filter({ hasText: 'webhook.test' });
    await row.getByText('Delivered').waitFor();
    const [first] = target.received;
    if (!first) throw new Error('nothing was received');
    expect(verified(secret, first).type).to.equal('webhook.test');
    await row.getByRole('button', { name: 'Deliver again' }).click();
    await eventually('it came again', () => target.received.length === 2);
    expect(target.received.map(({ eventId }) => eventId)).to.deep.equal([first.eventId, first.eventId]);

    target.state.respond = (_, response) => void response.writeHead(503).end();
    const orderId = await orders.payBoxes('Told to the merchant');
    await open(`orders/${orderId}`);
    const events = page.getByRole('table', { name: 'Events to the merchant' });
    const created = events.getByRole('row').filter({ hasText: 'order.created' });
    await created.getByText('Status 503').waitFor();
    await created.getByText('Waiting').waitFor();
    await expectAccessible(page);
    await shot('deliveries');
    target.state.respond = target.accept;
    await created.getByRole('button', { name: 'Deliver again' }).click();
    await events.getByRole('row').filter({ hasText: 'order.paid' }).getByText('Delivered').waitFor();
    await eventually('both are delivered', async () => {
      const { items } = await orders.read<{ items: DeliveryData[] }>(`/admin/deliveries?orderId=${orderId}`);
      expect(items.map(({ type, status }) => `${type} ${status}`)).to.have.members([
        'order.created delivered',
        'order.paid delivered',
      ]);
      return true;
    });

    await open('webhook');
    await page.getByRole('button', { name: 'Stop sending events' }).click();
    await confirm('Stop sending events');
    await page.getByText('This tenant receives no events.').waitFor();
    expect(await orders.read<unknown>(`/admin/tenants/${tenantId}/webhook`)).to.equal(null);
  });

  it('threw no error on any page', () => {
    expect(complaints).to.deep.equal([]);
  });
});
