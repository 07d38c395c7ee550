import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { KnownContact } from '#domain/api/contacts.ts';
import type { TenantSettings } from '#domain/api/tenant-settings.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { inOrder } from '../support/in-order.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

const serviceNumberId = 'sn-control';

describe('the control group of a tenant in the console', function () {
  this.timeout(120_000);
  inOrder(this);
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;

  before(async function () {
    const opened = await openConsole(this, { serviceNumberId, contacts: 60 });
    ({ page, complaints, stack, tenant, close } = opened);
    await signIn(page, stack, opened.ada, '/app/settings');
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  const stored = async () => (await tenant.api.get<TenantSettings>('/tenant-settings')).controlGroup?.percent ?? null;

  it('is set in the settings, and compared with all others', async () => {
    await page.getByRole('switch', { name: 'Some contacts get no campaign' }).click();
    await eventually('it is on', async () => (await stored()) === 5);
    await page.getByLabel('Share of contacts, in percent').fill('21');
    await page.getByText('A whole number from 0 to 20.').waitFor();
    await page.getByLabel('Share of contacts, in percent').fill('20');
    await page.getByRole('button', { name: 'Save share' }).click();
    await eventually('it is larger', async () => (await stored()) === 20);
    await page.getByRole('cell', { name: 'Opened a conversation' }).waitFor();
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 860 });
      await expectAccessible(page);
      await takeScreenshot(page, `control-group-settings-${width}`);
    }
  });

  it('is named on the pages of its contacts', async () => {
    const contacts = await Promise.all(
      tenant.contactIds.map((contactId) => tenant.api.get<KnownContact>(`/contacts/${serviceNumberId}/${contactId}`)),
    );
    const member = contacts.find(({ inControlGroup }) => inControlGroup);
    if (!member) throw new Error('None of sixty contacts is in the control group');
    await page.goto(`${stack.addresses.bff}/app/contacts/${serviceNumberId}/${member.contactId}`);
    await page.getByText('In the control group: gets no campaigns.').waitFor();
    await expectAccessible(page);
  });

  it('threw no error on any page', () => {
    expect(complaints).to.deep.equal([]);
  });
});
