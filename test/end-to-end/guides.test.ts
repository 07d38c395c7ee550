import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { ShownApiKey } from '#domain/api/api-keys.ts';
import type { KeyScope } from '#domain/keys/scopes.ts';
import { type JsonClient, jsonClient } from '#scripts/demo/client.ts';
import { freePort } from '#scripts/start/ports.ts';
import { projectFolder } from '#scripts/start/services.ts';
import { introducePeople } from '../support/browser/people.ts';
import { useSharedStack } from '../support/fixtures/stack.ts';
import { inOrder } from '../support/in-order.ts';
import { temporaryFolder } from '../support/servers/servers.ts';
import { sandboxToken } from '../support/services/sandbox-token.ts';
import { freshTenantId } from '../support/services/shared-stack.ts';
import { openShop, type Shop } from '../support/services/shop.ts';
import { installTenant, type TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

const run = promisify(execFile);
const serviceNumberId = 'sn-guides';

/** The program of each guide, as a file, by the guide's heading. */
function programsIn(folder: string): Map<string, string> {
  const [, ...guides] = readFileSync(join(projectFolder, 'docs/guides.md'), 'utf8').split(/^## /m);
  return new Map(
    guides.map((text, at) => {
      const file = join(folder, `guide-${at}.mjs`);
      writeFileSync(file, /```js\n([^]*?)```/.exec(text)?.[1] ?? '');
      return [text.split('\n')[0] ?? '', file];
    }),
  );
}

describe('the guides for programs', function () {
  this.timeout(120_000);
  inOrder(this);
  const stack = useSharedStack();
  const folder = temporaryFolder();
  const programs = programsIn(folder);
  let tenant: TestTenant;
  let shop: Shop;
  /** As somebody who administers the tenant and its orders. */
  let administrator: JsonClient;
  let payer: string;
  let receiver: ChildProcess | undefined;
  let campaignId: string;
  const orderIds: string[] = [];

  before(async () => {
    const tenantId = freshTenantId();
    const people = await introducePeople(jsonClient(stack.addresses.sandbox), { tenantId, serviceNumberId });
    payer = `payer-of-${tenantId}`;
    tenant = await installTenant(stack, { tenantId, serviceNumberId, contacts: 3, administrator: people.ada.sub });
    shop = await openShop(stack, people.ada);
    const token = await sandboxToken(tenant.sandbox, people.ada);
    administrator = jsonClient(`${stack.addresses.bff}/api/v1`, token);
  });
  after(() => receiver?.kill());

  const keyWith = async (...scopes: KeyScope[]) =>
    (await administrator.post<ShownApiKey>('/api-keys', { name: scopes.join(), scopes })).key;
  const program = (guide: string): string => programs.get(guide) ?? '';
  const addresses = () => ({ OUTREACH_URL: stack.addresses.bff, ORDERS_URL: stack.addresses.orders });
  async function ran(guide: string, given: Record<string, string>): Promise<string> {
    const env = { PATH: process.env.PATH, ...addresses(), ...given };
    return (await run(process.execPath, [program(guide)], { env })).stdout.trim();
  }

  it('receives events, and takes none that is not signed', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/`;
    const eventTypes = ['campaign.completed'];
    const { secret } = await tenant.api.post<{ secret: string }>('/webhook-endpoints', { url, eventTypes });
    const env = { PATH: process.env.PATH, ENDPOINT_SECRET: secret, PORT: String(port) };
    receiver = spawn(process.execPath, [program('Receive events')], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const forged = () =>
      fetch(url, { method: 'POST', body: '{}', headers: { 'webhook-id': 'x', 'webhook-timestamp': '1' } });
    await eventually('it listens', async () => (await forged().catch(() => null))?.status === 401);
  });

  it('sends a campaign, once however often it is started', async () => {
    const heard: string[] = [];
    receiver?.stdout?.on('data', (part: Buffer) => heard.push(part.toString()));
    const given = {
      OUTREACH_KEY: await keyWith('campaigns:write'),
      SERVICE_NUMBER: serviceNumberId,
      JOB: 'Pick-up of today',
      CONTACTS: tenant.contactIds.join(),
    };
    const printed = await ran('Send a campaign', given);
    expect(printed).to.match(/^\S+ completed$/);
    campaignId = printed.split(' ')[0] ?? '';
    expect(await ran('Send a campaign', given)).to.equal(printed);
    const { items } = await tenant.api.get<{ items: { id: string }[] }>('/campaigns');
    expect(items.map(({ id }) => id)).to.deep.equal([campaignId]);
    await eventually('it is told', () => heard.join('').includes(`campaign.completed ${campaignId}\n`));
    expect(heard.join('')).to.equal(`campaign.completed ${campaignId}\n`);
  });

  it('exports results', async () => {
    const OUTREACH_KEY = await keyWith('campaigns:read');
    await ran('Export results each night', { OUTREACH_KEY, CAMPAIGN: campaignId, FOLDER: folder });
    const recipients = readFileSync(join(folder, 'recipients.csv'), 'utf8').trimEnd().split('\n');
    for (const contactId of tenant.contactIds)
      expect(recipients.filter((line) => line.includes(contactId))).to.have.length(1);
    expect(readFileSync(join(folder, 'campaigns.csv'), 'utf8')).to.include('Pick-up of today');
    expect(readFileSync(join(folder, 'clicks.csv'), 'utf8').trimEnd().split('\n')).to.have.length(1);
  });

  it('creates an order in the name of its payer, who pays it at the gateway', async () => {
    const ORDERS_KEY = await keyWith('payers:create');
    const given = { ORDERS_KEY, TENANT: tenant.tenantId, PAYER: payer, GOODS: shop.goodsId, CART: 'Cart 1' };
    await shop.post('/admin/points/grant', {
      tenantId: tenant.tenantId,
      userId: payer,
      kind: 'tenant',
      amount: 100,
      key: 'first',
    });
    const running = ran('Create and pay an order', given);
    const ended = running.then((printed) => {
      throw new Error(`it ended before it was paid: ${printed}`);
    });
    const charged = eventually('it is charged', async () => {
      const { data } = await shop.get<{ data: { items: { orderId: string }[] } }>(
        `/admin/orders?tenantId=${tenant.tenantId}`,
      );
      const [order] = data.items;
      return order && (await shop.stored(order.orderId)).attempts[0]?.chargeId;
    });
    const charge = await Promise.race([charged, ended]);
    ended.catch(() => undefined);
    await tenant.sandbox.post(`/sandbox/charges/${charge}:pay`, {});
    const printed = await running;
    expect(printed).to.match(/^pay at http\S+\n\S+ done$/);
    const orderId = printed.split('\n')[1]?.split(' ')[0] ?? '';
    expect((await shop.stored(orderId)).userId).to.equal(payer);
    orderIds.push(orderId);
  });

  it('reconciles, and names what only one side has', async () => {
    const ORDERS_KEY = await keyWith('orders:read');
    const BOOKS = join(folder, 'books.json');
    const [orderId = ''] = orderIds;
    const { moneyAmount } = await shop.stored(orderId);
    writeFileSync(BOOKS, JSON.stringify({ [orderId]: moneyAmount }));
    const given = { ORDERS_KEY, TENANT: tenant.tenantId, BOOKS };
    expect(await ran('Reconcile with your own books', given)).to.equal('1 orders, 0 differ');
    writeFileSync(BOOKS, JSON.stringify({ [orderId]: moneyAmount, unheard: 5 }));
    const failed = await ran('Reconcile with your own books', given).catch((error: { stdout: string }) => error.stdout);
    expect(failed).to.include('unheard: ours 5, theirs undefined').and.include('1 orders, 1 differ');
  });
});
