import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Campaign } from '#domain/api/campaign.ts';
import type { Page as ListPage } from '#domain/api/primitives.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { draftCampaign } from '../support/outreach/campaigns.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';

const menu = (text: string) => ({
  type: 'buttons',
  title: '{{season}} menu',
  text,
  actions: [{ type: 'Url', label: 'See it', url: 'https://shop.example/menu?season={{season}}' }],
});

describe('templates in the console', function () {
  this.timeout(120_000);
  let ada: Person;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;

  const open = (path: string) => page.goto(`${stack.addresses.bff}/app/${path}`);
  const dialog = () => page.getByRole('dialog');

  before(async function () {
    ({ ada, page, complaints, stack, tenant, close } = await openConsole(this, {
      serviceNumberId: 'sn-templates',
      contacts: 2,
    }));
    await signIn(page, stack, ada);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  async function keep(name: string): Promise<void> {
    await open('campaigns');
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Save as template' }).click();
    await dialog().waitFor();
  }

  it('a campaign becomes a template, a filled draft comes from it, and an earlier version is restored', async () => {
    await draftCampaign(tenant, { name: 'Seasons', messages: [menu('Come by in {{season}}.')] });
    await keep('Seasons');
    await dialog().getByLabel('Default of “season”').fill('spring');
    await dialog().getByLabel('utm_source').fill('pier');
    await expectAccessible(page);
    await dialog().getByRole('button', { name: 'Save template' }).click();
    await page.getByText('The template “Seasons” was saved.').waitFor();

    await draftCampaign(tenant, { name: 'Seasons, shorter', messages: [menu('Come by.')] });
    await keep('Seasons, shorter');
    await dialog().getByRole('combobox', { name: 'Save' }).selectOption({ label: 'As the next version of “Seasons”' });
    await dialog().getByRole('button', { name: 'Save template' }).click();
    await dialog().waitFor({ state: 'detached' });

    await page.getByRole('link', { name: 'Templates' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Seasons' });
    await row.getByText('2', { exact: true }).waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'templates');
    await row.getByRole('button', { name: 'Versions of the template Seasons' }).click();
    await dialog().getByText('Come by in {{season}}.').waitFor();
    await expectAccessible(page);
    await dialog().getByRole('button', { name: 'Restore version 1' }).click();
    await dialog().waitFor({ state: 'detached' });
    await row.getByText('3', { exact: true }).waitFor();

    await row.getByRole('button', { name: 'New campaign from the template Seasons' }).click();
    await dialog().getByLabel('season').fill('Mid autumn');
    await expectAccessible(page);
    await dialog().getByRole('button', { name: 'Create draft' }).click();
    await page.waitForURL(/\/campaigns\/[^/]+\/edit/);
    await page.getByText('Come by in Mid autumn.').first().waitFor();
    const { items } = await tenant.api.get<ListPage<Campaign>>('/campaigns');
    const [made] = items;
    expect(made?.template).to.deep.include({ version: 3 });
    const [card] = made?.messages ?? [];
    const [action] = card?.type === 'buttons' ? card.actions : [];
    expect(action?.type === 'Url' && action.url).to.equal(
      'https://shop.example/menu?season=Mid%20autumn&utm_source=pier&utm_campaign=Seasons',
    );
  });

  it('threw no error on any page', () => {
    expect(complaints).to.deep.equal([]);
  });
});
