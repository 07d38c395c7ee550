import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Campaign } from '#domain/api/campaign.ts';
import type { QuietHours } from '#domain/api/pace.ts';
import type { TenantSettings } from '#domain/api/tenant-settings.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { fillTime } from '../support/browser/dates.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { inOrder } from '../support/in-order.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

const serviceNumberId = 'sn-quiet';

describe('quiet hours of a tenant in the console', function () {
  this.timeout(120_000);
  inOrder(this);
  let ada: Person;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;
  let usual: QuietHours;

  before(async function () {
    ({ ada, page, complaints, stack, tenant, close } = await openConsole(this, { serviceNumberId, contacts: 3 }));
    await signIn(page, stack, ada, '/app/settings');
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  const quiet = () => page.getByRole('switch', { name: 'Quiet hours' });
  const stored = async () => (await tenant.api.get<TenantSettings>('/tenant-settings')).quietHours;
  async function look(name: string): Promise<void> {
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 860 });
      await expectAccessible(page);
      await takeScreenshot(page, `quiet-hours-${name}-${width}`);
    }
  }
  /** The stored campaign of this name. */
  const named = async (name: string) =>
    (await tenant.api.get<{ items: Campaign[] }>(`/campaigns?q=${name}`)).items.find((one) => one.name === name);
  /** Writes what a campaign needs to be stored. */
  async function write(name: string): Promise<void> {
    await page.getByLabel('Name', { exact: false }).first().fill(name);
    await page.getByRole('textbox', { name: /^Title/ }).fill('Tonight');
    await page.getByRole('textbox', { name: /^Text\*?$/ }).fill('Come along.');
    await page.getByRole('textbox', { name: 'Label*', exact: true }).fill('See it');
    await page.getByRole('textbox', { name: /^Link/ }).fill('https://harbor-coffee.example/tonight');
    await eventually('it is stored', async () => (await named(name)) !== undefined);
  }
  const begin = (step: string) =>
    page.goto(`${stack.addresses.bff}/app/campaigns/new?sn=${serviceNumberId}&step=${step}`);

  it('are set in the settings by an administrator', async () => {
    await page.getByRole('switch', { name: 'New campaigns have quiet hours' }).click();
    await eventually('they are on', async () => (await stored()) !== null);
    await fillTime(page, 'Quiet from', '22:30');
    await look('settings');
    await page.getByRole('button', { name: 'Save quiet hours' }).click();
    await eventually('they are saved', async () => (await stored())?.from === '22:30');
    const hours = await stored();
    if (!hours) throw new Error('The settings have no quiet hours');
    usual = hours;
  });

  it('are those of a campaign that is begun, and the editor says where they come from', async () => {
    await begin('message');
    await write('Lanterns');
    expect((await named('Lanterns'))?.pace).to.deep.equal({ quietHours: usual });
    await page.locator('ol').getByRole('button', { name: 'When' }).click();
    await page.getByText('As in the settings.').waitFor();
    expect(await quiet().isChecked()).to.equal(true);
    await look('editor');
    await fillTime(page, 'Quiet from', '20:00');
    await page.getByText('The settings say 22:30').waitFor();
    await eventually('its own are stored', async () => (await named('Lanterns'))?.pace?.quietHours?.from === '20:00');
  });

  it('are left out of a campaign that says so before it is stored', async () => {
    await begin('when');
    await page.getByText('As in the settings.').waitFor();
    await quiet().click();
    await page.getByText('The settings say 22:30').waitFor();
    await page.locator('ol').getByRole('button', { name: 'Message' }).click();
    await write('Kites');
    expect((await named('Kites'))?.pace?.quietHours).to.equal(undefined);
  });

  it('threw no error on any page', () => {
    expect(complaints).to.deep.equal([]);
  });
});
