import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Campaign } from '#domain/api/campaign.ts';
import type { Message } from '#domain/api/messages.ts';
import type { TenantSettings } from '#domain/api/tenant-settings.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { inOrder } from '../support/in-order.ts';
import { draftCampaign, subTasksOf } from '../support/outreach/campaigns.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

const url = 'https://shop.example/menu#today';
const tagged = 'https://shop.example/menu?utm_source=pier&utm_campaign=Autumn%20rolls&utm_content=1#today';
const messages: Message[] = [
  { type: 'buttons', title: 'Menu', text: 'New today.', actions: [{ type: 'Url', label: 'See it', url }] },
];

describe('UTM parameters of a tenant in the console', function () {
  this.timeout(120_000);
  inOrder(this);
  let ada: Person;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;

  before(async function () {
    ({ ada, page, complaints, stack, tenant, close } = await openConsole(this, {
      serviceNumberId: 'sn-utm',
      contacts: 3,
    }));
    await signIn(page, stack, ada, '/app/settings');
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  const open = (path: string) => page.goto(`${stack.addresses.bff}/app/${path}`);
  const read = (id: string) => tenant.api.get<Campaign>(`/campaigns/${id}`);
  const adding = () => page.getByRole('switch', { name: 'Add UTM parameters to links' });
  /** The links that the platform has of a campaign. */
  async function sentLinks(id: string): Promise<string[]> {
    const [task] = await subTasksOf(tenant, id);
    const { messages: sent } = await tenant.sandbox.get<{ messages: Message[] }>(`/sandbox/tasks/${task?.taskId}`);
    return sent.flatMap((message) =>
      message.type === 'buttons' ? message.actions.flatMap((action) => (action.type === 'Url' ? action.url : [])) : [],
    );
  }
  async function send(id: string): Promise<string[]> {
    await tenant.api.post(`/campaigns/${id}:send`, {});
    await eventually('the platform has it', async () => (await subTasksOf(tenant, id)).some(({ taskId }) => taskId));
    return await sentLinks(id);
  }

  it('are set in the settings by an administrator', async () => {
    const save = page.getByRole('button', { name: 'Save parameters' });
    await page.getByLabel('utm_source').fill('pier');
    await page.getByLabel('utm_campaign').fill('{campaign}');
    await page.getByLabel('utm_content').fill('{button}');
    await expectAccessible(page);
    await takeScreenshot(page, 'settings-utm');
    await save.click();
    await eventually(
      'it is saved',
      async () => (await tenant.api.get<TenantSettings>('/tenant-settings')).utm !== null,
    );
    const { utm } = await tenant.api.get<TenantSettings>('/tenant-settings');
    expect(utm).to.deep.equal({ source: 'pier', campaign: '{campaign}', content: '{button}' });
    await save.and(page.locator(':disabled')).waitFor();
  });

  it('are shown with the link as it will be, and sent with it', async () => {
    const { id } = await draftCampaign(tenant, { name: 'Autumn rolls', messages });
    await open(`campaigns/${id}/edit`);
    await page.getByText(tagged).waitFor();
    expect(await adding().isChecked()).to.equal(true);
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 860 });
      await expectAccessible(page);
      await takeScreenshot(page, `utm-editor-${width}`);
    }
    await open(`campaigns/${id}/edit?step=review`);
    await page.getByText('utm_source=pier&utm_campaign={campaign}&utm_content={button}').waitFor();
    expect(await send(id)).to.deep.equal([tagged]);
    expect((await read(id)).messages).to.deep.equal(messages);
  });

  it('are changed for one campaign while it is written, and sent as they are there', async () => {
    const { id } = await draftCampaign(tenant, { name: 'Winter rolls', messages });
    await open(`campaigns/${id}/edit`);
    const toChange = page.getByRole('button', { name: 'Change them for this campaign' });
    await toChange.click();
    await page.getByLabel('utm_medium').fill('card');
    await page.getByLabel('utm_content').fill('');
    await page.getByLabel('utm_campaign').fill('{campaign} again');
    const own = 'https://shop.example/menu?utm_source=pier&utm_medium=card&utm_campaign=Winter%20rolls%20again#today';
    await page.getByText(own).waitFor();
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 860 });
      await expectAccessible(page);
      await takeScreenshot(page, `utm-own-${width}`);
    }
    const wanted = { source: 'pier', medium: 'card', campaign: '{campaign} again' };
    await eventually('it is stored', async () => isDeepStrictEqual((await read(id)).utm, wanted));
    await page.reload();
    await page.getByText(own).waitFor();
    expect(await send(id)).to.deep.equal([own]);
    const { utm } = await tenant.api.get<TenantSettings>('/tenant-settings');
    expect(utm).to.deep.equal({ source: 'pier', campaign: '{campaign}', content: '{button}' });
  });

  it('are left out of a campaign that says so, and come back while it is written', async () => {
    const { id } = await draftCampaign(tenant, { name: 'Plain rolls', messages });
    await open(`campaigns/${id}/edit`);
    await adding().click();
    await eventually('they are off', async () => (await read(id)).utm === null);
    await adding().click();
    await eventually('they are back', async () => (await read(id)).utm?.source === 'pier');
    await adding().click();
    await eventually('they are off again', async () => (await read(id)).utm === null);
    expect(await send(id)).to.deep.equal([url]);
  });

  it('are kept from a link that is switched to be sent as typed, and from a signed one, which the review names', async () => {
    const signed = 'https://files.example/menu.pdf?X-Amz-Signature=0a1b';
    const actions = [url, signed].map((each) => ({ type: 'Url' as const, label: 'See it', url: each }));
    const { id } = await draftCampaign(tenant, {
      name: 'Signed rolls',
      messages: [{ type: 'buttons', title: 'Menu', text: 'New today.', actions }],
    });
    await open(`campaigns/${id}/edit`);
    const asTyped = page.getByRole('switch', { name: 'Send this link exactly as typed' });
    await asTyped.nth(1).waitFor();
    expect([await asTyped.nth(0).isChecked(), await asTyped.nth(1).isChecked()]).to.deep.equal([false, true]);
    expect(await asTyped.nth(1).isDisabled()).to.equal(true);
    await asTyped.nth(0).click();
    await eventually('it is stored', async () => {
      const [card] = (await read(id)).messages ?? [];
      return card?.type === 'buttons' && isDeepStrictEqual(card.actions[0], { ...actions[0], tracked: false });
    });
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 860 });
      await expectAccessible(page);
      await takeScreenshot(page, `utm-as-typed-${width}`);
    }
    await open(`campaigns/${id}/edit?step=review`);
    const named = (button: number) =>
      page.getByText(`Message: 1 · button · ${button} · link: sent exactly as typed, nothing is added.`);
    await Promise.all([1, 2].map((button) => named(button).waitFor()));
    await page.getByRole('button', { name: 'Run without sending' }).click();
    await Promise.all([1, 2].map((button) => named(button).nth(1).waitFor()));
    expect(await send(id)).to.deep.equal([url, signed]);
  });

  it('threw no error on any page', () => {
    expect(complaints).to.deep.equal([]);
  });
});
