import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import type { AuditEntry } from '#domain/api/audit.ts';
import type { Page as ListPage } from '#domain/api/primitives.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { openPage, reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { call } from '../support/http/call.ts';
import { inOrder } from '../support/in-order.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

describe('API keys in the settings', function () {
  inOrder(this);
  this.timeout(120_000);
  let ada: Person;
  let ben: Person;
  let browser: Browser;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;
  let key: string;

  before(async function () {
    ({ ada, ben, browser, page, stack, tenant, complaints, close } = await openConsole(this, {
      serviceNumberId: 'sn-keys',
      contacts: 1,
    }));
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  const settings = (of = page) => of.goto(`${stack.addresses.bff}/app/settings`);
  const table = () => page.getByRole('table', { name: 'API keys' });
  const row = () => table().getByRole('row').filter({ hasText: 'Nightly report' });
  const get = async (path: string) =>
    (await call('GET', `${stack.addresses.bff}/api/v1${path}`, { token: key })).status;

  it('are made with a name and permissions, and shown once', async () => {
    await signIn(page, stack, ada);
    await settings();
    await page.getByText('No API keys').waitFor();
    await page.getByRole('button', { name: 'New API key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Nightly report');
    expect(await dialog.getByRole('button', { name: 'Create key' }).isDisabled(), 'without permissions').to.equal(true);
    await dialog.getByLabel('Campaigns').selectOption('Read');
    await expectAccessible(page);
    await takeScreenshot(page, 'api-keys-new');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.waitFor({ state: 'detached' });
    const shown = page.getByRole('alert').filter({ hasText: 'Copy the key' });
    key = await shown.getByText(/^outreach_/).innerText();
    await expectAccessible(page);
    await takeScreenshot(page, 'api-keys-shown');
    expect([await get('/campaigns'), await get('/tags')]).to.deep.equal([200, 403]);
    await page.reload();
    await row().getByText('Campaigns: Read', { exact: true }).waitFor();
    expect(await page.getByText(key).count(), 'shown only once').to.equal(0);
  });

  it('are revoked at once, and what they did is in the audit log', async () => {
    await row().getByRole('button', { name: 'Revoke the key Nightly report' }).click();
    await page.getByRole('dialog').getByText('Programs that use it are refused at once.').waitFor();
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
    await row().getByText('Revoked', { exact: true }).waitFor();
    expect(await get('/campaigns')).to.equal(401);
    await eventually('what the key was refused is in the audit log', async () => {
      const { items } = await tenant.api.get<ListPage<AuditEntry>>('/audit-log?objectType=access');
      return items.length > 0;
    });
    await row().getByRole('link', { name: 'What it did' }).click();
    await page.getByRole('table').getByText('Was refused access').first().waitFor();
    await page
      .getByRole('table')
      .getByText(/^API key [0-9a-f-]{36}$/)
      .first()
      .waitFor();
    await expectAccessible(page);
  });

  it('are made for the order service by administrators who manage orders, and for nothing of it by others', async () => {
    await settings();
    await page.getByRole('button', { name: 'New API key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Till');
    await dialog.getByLabel('Orders', { exact: true }).selectOption('Read and write');
    await dialog.getByLabel('Refunds').selectOption('Refund, and read orders');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.waitFor({ state: 'detached' });
    const till = table().getByRole('row').filter({ hasText: 'Till' });
    await till.getByText('Orders: Refund, and read orders', { exact: true }).waitFor();
    await till.getByText('Orders: Read and write', { exact: true }).waitFor();

    const dora: Person = { ...ben, sub: `${ben.sub}-dora`, name: 'Dora', roles: ['tenant_admin'] };
    const { sub, name, tenantId, roles } = dora;
    await call('POST', `${stack.addresses.sandbox}/sandbox/people`, { body: { sub, name, tenantId, roles } });
    const { page: other } = await openPage(browser);
    await signIn(other, stack, dora);
    await settings(other);
    await other.getByRole('button', { name: 'New API key' }).click();
    await other.getByText('given by administrators who also manage orders').waitFor();
    expect(await other.getByRole('dialog').getByLabel('Refunds').count()).to.equal(0);
    await other.close();
  });

  it('are for administrators alone', async () => {
    const { page: operator } = await openPage(browser);
    await signIn(operator, stack, ben);
    await settings(operator);
    await operator.getByRole('table', { name: 'Signed-in sessions' }).waitFor();
    expect(await operator.getByRole('heading', { name: 'API keys' }).count()).to.equal(0);
    await operator.close();
    expect(complaints).to.deep.equal([]);
  });
});
