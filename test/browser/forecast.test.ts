import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Campaign } from '#domain/api/campaign.ts';
import type { ForecastComparison } from '#domain/api/forecast.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { inOrder } from '../support/in-order.ts';
import { cardMessage, draftCampaign } from '../support/outreach/campaigns.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

const serviceNumberId = 'sn-mole';

describe('the forecast of a rehearsal in the console', function () {
  this.timeout(120_000);
  inOrder(this);
  let ada: Person;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;

  before(async function () {
    ({ ada, page, complaints, stack, tenant, close } = await openConsole(this, { serviceNumberId, contacts: 1200 }));
    await signIn(page, stack, ada);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  const draft = (name: string) => draftCampaign(tenant, { name, messages: [cardMessage] });
  const isOver = (id: string) =>
    eventually(
      'the platform has finished it',
      async () => (await tenant.api.get<Campaign>(`/campaigns/${id}`)).finishedAt !== null,
    );
  const rehearse = async (id: string) => {
    await page.goto(`${stack.addresses.bff}/app/campaigns/${id}/edit?step=review`);
    await page.getByRole('button', { name: 'Run without sending' }).click();
  };
  async function look(name: string): Promise<void> {
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 860 });
      await expectAccessible(page);
      await takeScreenshot(page, `forecast-${name}-${width}`);
    }
  }

  it('says before the first send that the platform is not known yet', async () => {
    const { id } = await draft('Opening');
    await rehearse(id);
    await page.getByText('2 platform calls to submit it. The duration is unknown until').waitFor();
    await tenant.api.post(`/campaigns/${id}:send`, {});
    await isOver(id);
  });

  it('says what the next takes, and afterwards what it took', async () => {
    const { id } = await draft('Second day');
    await rehearse(id);
    await page.getByText(/About \d+.*s, \d+ platform calls and \d+ Temporal actions, based on 1 send\./).waitFor();
    await look('dry-run');
    await tenant.api.post(`/campaigns/${id}:send`, {});
    await isOver(id);
    await page.goto(`${stack.addresses.bff}/app/campaigns/${id}/progress`);
    const table = page.getByRole('table', { name: 'Dry run forecast and actual send' });
    await table.waitFor();
    const { forecast, actual } = await tenant.api.get<ForecastComparison>(`/campaigns/${id}/forecast`);
    const cells = (name: string) => table.getByRole('row', { name }).getByRole('cell').allTextContents();
    expect(await cells('Submissions')).to.deep.equal([String(forecast?.submissions), String(actual?.submissions)]);
    expect(await cells('Temporal actions')).to.deep.equal([
      String(forecast?.temporalActions),
      String(actual?.temporalActions),
    ]);
    await look('progress');
    expect(complaints).to.deep.equal([]);
  });
});
