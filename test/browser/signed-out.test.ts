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

const told = 'You are signed out. What you have written stays here.';

describe('who is signed out while editing', function () {
  this.timeout(120_000);
  let ada: Person;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;

  before(async function () {
    ({ ada, page, complaints, stack, tenant, close } = await openConsole(this, {
      serviceNumberId: 'sn-signed-out',
      contacts: 3,
    }));
    await signIn(page, stack, ada);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  it('signs in in another tab, and the draft is saved here without anything lost', async () => {
    const { id } = await draftCampaign(tenant, { name: 'Ferry', messages: [cardMessage] });
    await page.goto(`${stack.addresses.bff}/app/campaigns/${id}/edit`);
    const name = page.getByLabel('Name', { exact: true });
    await name.waitFor();
    // Whoever is signed out before there is anything to lose is led to the sign-in at once.
    await name.fill('Ferry at night');
    await page.context().clearCookies();
    await page.getByText(told).waitFor();
    await page.getByText('Not saved', { exact: true }).waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'signed-out');
    const opening = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'Sign in in a new tab' }).click();
    const tab = await opening;
    await tab.locator(`button[value="${ada.sub}"]`).click();
    await tab.waitForURL(/\/app(\?|$)/);
    await page.getByText('Saved as draft').waitFor();
    await page.getByText(told).waitFor({ state: 'detached' });
    expect(await name.inputValue()).to.equal('Ferry at night');
    expect((await tenant.api.get<Campaign>(`/campaigns/${id}`)).name).to.equal('Ferry at night');
    expect(complaints).to.deep.equal([]);
  });
});
