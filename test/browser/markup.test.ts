import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure } from '../support/browser/open-page.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { draftCampaign } from '../support/outreach/campaigns.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';

const markup = '<i id="injected">not italic</i>';

describe('the console, given texts that are markup,', function () {
  this.timeout(120_000);
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let close: (() => Promise<void>) | undefined;

  before(async function () {
    const opened = await openConsole(this, { serviceNumberId: 'sn-markup', contacts: 1 });
    ({ page, stack, tenant, close } = opened);
    await signIn(page, stack, opened.ada);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  async function expectText(): Promise<void> {
    await page.getByText(markup).first().waitFor();
    expect(await page.locator('#injected').count()).to.equal(0);
  }

  it('shows markup as text, in lists, the editor, its preview, tags and the palette', async () => {
    const message = {
      type: 'buttons' as const,
      title: markup,
      text: markup,
      actions: [{ type: 'Postback' as const, label: markup, data: { bizEventCode: 'yes' } }],
    };
    const { id } = await draftCampaign(tenant, { name: markup, messages: [message] });
    await tenant.api.post('/tags', { name: markup, serviceNumberId: tenant.serviceNumberId, kind: 'permanent' });
    for (const path of ['campaigns', `campaigns/${id}/edit`, `campaigns/${id}/edit?step=message`, 'tags']) {
      await page.goto(`${stack.addresses.bff}/app/${path}`);
      await expectText();
    }
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Page, action, campaign, contact, order, tag or id').fill('not italic');
    await page.getByRole('option', { name: markup }).first().waitFor();
    await expectText();
  });
});
