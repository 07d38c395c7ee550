import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Campaign } from '#domain/api/campaign.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { inOrder } from '../support/in-order.ts';
import { draftCampaign } from '../support/outreach/campaigns.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

const serviceNumberId = 'sn-labels';

describe('labels of campaigns in the console', function () {
  this.timeout(120_000);
  inOrder(this);
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;
  let id: string;

  before(async function () {
    const opened = await openConsole(this, { serviceNumberId, contacts: 3 });
    ({ page, complaints, stack, tenant, close } = opened);
    ({ id } = await draftCampaign(tenant, { name: 'Lanterns' }));
    await draftCampaign(tenant, { name: 'Kites', labels: ['autumn'] });
    await draftCampaign(tenant, { name: 'Plain' });
    await signIn(page, stack, opened.ada);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  const open = (path: string) => page.goto(`${stack.addresses.bff}/app/campaigns${path}`);
  const stored = async () => (await tenant.api.get<Campaign>(`/campaigns/${id}`)).labels.join('|');
  const input = () => page.getByRole('textbox', { name: 'Labels' });
  async function look(name: string): Promise<void> {
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 860 });
      await expectAccessible(page);
      await takeScreenshot(page, `labels-${name}-${width}`);
    }
  }

  it('are written in the editor, each once', async () => {
    await open(`/${id}/edit`);
    await input().fill('autumn');
    await input().press('Enter');
    await input().pressSequentially('VIP only,');
    await input().pressSequentially('autumn,');
    await eventually('they are stored', async () => (await stored()) === 'autumn|VIP only');
    await look('editor');
    await open(`/${id}/edit?step=review`);
    await page.getByText('autumn, VIP only').waitFor();
  });

  it('narrow the list to those that have one', async () => {
    await open(`?sn=${serviceNumberId}`);
    await page.getByRole('link', { name: 'Plain' }).waitFor();
    await look('list');
    await page.getByRole('button', { name: 'With the label autumn' }).first().click();
    await page.getByRole('link', { name: 'Plain' }).waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('label')).to.equal('autumn');
    for (const name of ['Lanterns', 'Kites']) await page.getByRole('link', { name }).waitFor();
    await page.getByRole('button', { name: 'VIP only' }).click();
    await page.getByRole('link', { name: 'Kites' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'With the label VIP only' }).first().click();
    await page.getByRole('link', { name: 'Plain' }).waitFor();
  });

  it('change once the campaign was sent', async () => {
    await tenant.api.post(`/campaigns/${id}:send`, {});
    await open(`/${id}/progress`);
    await page.getByRole('link', { name: 'With the label autumn' }).waitFor();
    await page.getByRole('button', { name: 'Edit labels' }).click();
    await input().pressSequentially('sent,');
    await look('dialog');
    await page.getByRole('button', { name: 'Save labels' }).click();
    await page.getByRole('link', { name: 'With the label sent' }).waitFor();
    expect(await stored()).to.equal('autumn|VIP only|sent');
    await look('campaign');
  });

  it('threw no error on any page', () => {
    expect(complaints).to.deep.equal([]);
  });
});
