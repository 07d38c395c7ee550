import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Campaign } from '#domain/api/campaign.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { cardMessage, draftCampaign } from '../support/outreach/campaigns.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

const told = 'You are offline.';

describe('the console without a connection', function () {
  this.timeout(120_000);
  let ada: Person;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;

  before(async function () {
    ({ ada, page, complaints, stack, tenant, close } = await openConsole(this, {
      serviceNumberId: 'sn-off',
      contacts: 3,
    }));
    await signIn(page, stack, ada);
  });
  afterEach(async function () {
    await page.context().setOffline(false);
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  const app = (path: string) => `${stack.addresses.bff}/app/${path}`;

  it('says so at once, in place of grey boxes too, and reads what is missing once it is back', async () => {
    // Their programs are loaded while there is a connection.
    for (const path of ['tags', 'rules']) {
      await page.goto(app(path));
      await page.getByText(path === 'tags' ? 'No tag yet' : 'No rule yet').waitFor();
    }
    await page.goto(app('tags'));
    await page.getByText('No tag yet').waitFor();
    await page.context().setOffline(true);
    await page.getByText(told).waitFor();
    await page.getByRole('link', { name: 'Rules', exact: true }).click();
    await page.getByText('No connection. This loads as soon as the connection is back.').waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'offline');
    await page.context().setOffline(false);
    await page.getByText(told).waitFor({ state: 'detached' });
    await page.getByText('No rule yet').waitFor();
  });

  it('saves a draft by itself as soon as the connection is back, and takes the error away', async () => {
    const { id } = await draftCampaign(tenant, { name: 'Ferry', messages: [cardMessage] });
    await page.goto(app(`campaigns/${id}/edit`));
    const name = page.getByLabel('Name', { exact: true });
    await name.waitFor();
    await page.context().setOffline(true);
    await page.getByText(told).waitFor();
    await name.fill('Ferry at night');
    await page.getByText('Not saved', { exact: true }).waitFor();
    await takeScreenshot(page, 'offline-editor');
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH', { timeout: 4000 });
    await page.context().setOffline(false);
    expect((await saved).status()).to.equal(200);
    await page.getByText('Saved as draft').waitFor();
    expect((await tenant.api.get<Campaign>(`/campaigns/${id}`)).name).to.equal('Ferry at night');
    await eventually('no error is left', async () => (await page.getByText(/cannot be reached/).count()) === 0);
  });

  it('names a server that does not respond although there is a network, and notices when it does again', async () => {
    await page.goto(app('rules'));
    await page.getByText('No rule yet').waitFor();
    const fail = (path: string) => page.route(path, (route) => route.abort('connectionrefused'));
    await fail('**/api/v1/**');
    await fail('**/icon.svg');
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    await page.getByText('The server cannot be reached. What you see may be old').waitFor();
    await page.unroute('**/icon.svg');
    await page.unroute('**/api/v1/**');
    await page.getByText('The server cannot be reached').first().waitFor({ state: 'detached' });
    await page.getByText('No tag yet').waitFor();
    expect(complaints).to.deep.equal([]);
  });
});
