import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Campaign } from '#domain/api/campaign.ts';
import type { Page as ApiPage } from '#domain/api/primitives.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { cardsText, startTestCompletions, type TestCompletions } from '../support/doubles/chat-completions.ts';
import { pngImage } from '../support/images.ts';
import { cardMessage, draftCampaign, type GivenCampaign } from '../support/outreach/campaigns.ts';
import type { Person } from '../support/browser/people.ts';
import { eventually } from '../support/time/eventually.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import { signIn } from '../support/browser/sign-in.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';

const serviceNumberId = 'sn-campaign-editor';

describe('the editor of campaigns in the console', function () {
  this.timeout(120_000);
  let ada: Person;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let complaints: string[];
  let provider: TestCompletions;
  let close: (() => Promise<void>) | undefined;

  const open = (path: string, on = page) => on.goto(`${stack.addresses.bff}/app/${path}`);
  const shot = (name: string) => takeScreenshot(page, `editor-${name}`);
  const named = async (name: string) => {
    const { items } = await tenant.api.get<ApiPage<Campaign>>(`/campaigns?q=${encodeURIComponent(name)}`);
    return items[0];
  };
  const callsOf = async (route: string) =>
    (await tenant.sandbox.get<{ items: { status: number }[] }>(`/sandbox/calls?route=${route}`)).items;

  const draft = (name: string, more: GivenCampaign = {}) =>
    draftCampaign(tenant, { name, messages: [cardMessage], ...more });

  before(async function () {
    provider = await startTestCompletions();
    const env = { TOOL_API_ENABLED: 'true', AI_BASE_URL: provider.baseUrl, AI_MODEL: 'writer-1' };
    ({ ada, page, complaints, stack, tenant, close } = await openConsole(this, {
      serviceNumberId,
      contacts: 1200,
      env,
    }));
    await signIn(page, stack, ada);
  });

  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });

  after(() => Promise.all([close?.(), provider?.close()]));

  it('reorders messages by keyboard, keeping the focus, and by dragging; removes one and undoes that', async () => {
    const messages = ['One', 'Two', 'Three'].map((text) => ({ type: 'text', text }));
    const { id } = await draft('Order of messages', { messages });
    await open(`campaigns/${id}/edit`);
    const down = page.getByRole('button', { name: 'Move down' }).first();
    await down.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    // The last card can only move up.
    await page.locator('[aria-label="Move up"]:focus').waitFor();
    await page.keyboard.press('Alt+ArrowUp');
    const texts = async () =>
      (await tenant.api.get<Campaign>(`/campaigns/${id}`)).messages?.map((one) =>
        one.type === 'text' ? one.text : '',
      );
    const saved = (order: string) => eventually(`${order} is saved`, async () => String(await texts()) === order);
    await saved('Two,One,Three');

    const message = (place: number) => page.getByRole('region', { name: `Message ${place}: Text` });
    // Both ends of the drag are in sight.
    await page.setViewportSize({ width: 1280, height: 1400 });
    await message(1).locator('[draggable=true]').dragTo(message(3));
    await saved('One,Three,Two');

    await message(2).getByRole('button', { name: 'Remove this message' }).click();
    await message(2).locator(':focus').waitFor();
    const undo = page.getByRole('button', { name: 'Undo' });
    // A toast stays while the pointer is over it.
    await undo.hover();
    await saved('One,Two');
    await undo.click();
    await saved('One,Three,Two');
  });

  it('has a model draft a card that replaces an empty one, and reports that no AI provider responds', async () => {
    await open('campaigns/new');
    await page.getByRole('button', { name: 'Write with AI' }).click();
    const dialog = page.getByRole('dialog', { name: 'Draft a card with AI' });
    await dialog.getByLabel('What should it say, and to whom?').fill('Winter menu, for regulars');
    await dialog.getByLabel('Link').fill('https://harbor-coffee.example/winter');
    const write = dialog.getByRole('button', { name: 'Write drafts' });
    provider.behave(() => ({ status: 401 }));
    await write.click();
    await dialog.getByText('No AI provider is set up for this console').waitFor();
    await expectAccessible(page);
    provider.behave(() => ({ text: cardsText('Cinnamon is back', 'Warm up') }));
    await write.click();
    await dialog.getByText('2 drafts').waitFor();
    expect(provider.calls.at(-1)?.body.messages[1]?.content).to.include('Winter menu, for regulars');
    await expectAccessible(page);
    await shot('copywriting');
    await dialog.getByRole('button', { name: 'Use this draft: Warm up' }).click();
    await dialog.waitFor({ state: 'detached' });
    await eventually(
      'it stands in the editor',
      async () => (await page.getByLabel('Title').inputValue()) === 'Warm up',
    );
    await page.getByRole('region', { name: /^Message 1/ }).waitFor();
    expect(await page.getByRole('region', { name: /^Message \d/ }).count()).to.equal(1);
    await page.getByLabel('Name', { exact: false }).first().fill('Written by a model');
    await eventually('it is saved', async () => {
      const [card] = (await named('Written by a model'))?.messages ?? [];
      return card?.type === 'buttons' && card.text === 'About Warm up' && card.actions[0]?.label === 'Have a look';
    });
  });

  it('does a dry run of a draft without the platform, and sends a test to a chosen contact', async () => {
    const { id } = await draft('Rehearsed');
    const before = (await callsOf('A1')).length;
    await open(`campaigns/${id}/edit?step=review`);
    await page.getByRole('button', { name: 'Run without sending' }).click();
    await page.getByText('1,200 contacts would get it.').waitFor();
    await page.getByText('2 sub-tasks: 1,000, 200').waitFor();
    expect((await callsOf('A1')).length, 'no call was made').to.equal(before);
    await page.getByRole('button', { name: 'Test send' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('searchbox').fill(tenant.contactIds[6] ?? '');
    await dialog.getByRole('button', { name: /^Add / }).first().click();
    await dialog.getByRole('button', { name: 'Send test to 1 contact' }).dblclick();
    await dialog.getByText(/Sent to 1 contact as platform task/).waitFor();
    expect((await callsOf('A1')).length, 'a double click sends once').to.equal(before + 1);
    expect((await named('Rehearsed'))?.status).to.equal('draft');
  });

  it('shows the second of two tabs what the first one saved, and loses nothing', async () => {
    const { id } = await draft('Two tabs');
    const other = await page.context().newPage();
    await Promise.all([open(`campaigns/${id}/edit`), open(`campaigns/${id}/edit`, other)]);
    const nameOn = (tab: Page) => tab.getByLabel('Name', { exact: false }).first();
    await Promise.all([nameOn(page).waitFor(), nameOn(other).waitFor()]);
    await nameOn(page).fill('Two tabs, the first');
    await page.getByText('Saved as draft').waitFor();
    await eventually('the first tab saved', async () => (await named('Two tabs, the first'))?.id === id);
    await nameOn(other).fill('Two tabs, the second');
    await other.getByLabel('Title').fill('Another title');
    const dialog = other.getByRole('dialog', { name: 'Someone else saved this draft' });
    for (const reported of [/^Saved .* by Ada Lin$/, 'Two tabs, the first', 'Two tabs, the second'])
      await dialog.getByText(reported).waitFor();
    expect((await named('Two tabs, the first'))?.id, 'nothing was overwritten').to.equal(id);
    await dialog.getByRole('radio', { name: 'Theirs' }).click();
    await dialog.getByRole('button', { name: 'Continue with this choice' }).click();
    await eventually('what only the second tab changed is kept', async () => {
      const { name, messages } = await tenant.api.get<Campaign>(`/campaigns/${id}`);
      const [card] = messages ?? [];
      return name === 'Two tabs, the first' && card?.type === 'buttons' && card.title === 'Another title';
    });
    await eventually(
      'the second tab shows what was chosen',
      async () => (await nameOn(other).inputValue()) === 'Two tabs, the first',
    );
    await other.close();
  });

  it('suggests the event codes in use, and asks for JSON only under more fields', async () => {
    const reply = { type: 'Postback', label: 'Claim', data: { bizEventCode: 'coupon-claimed' } };
    const asText = { type: 'Postback', label: 'Ask', data: '{"bizEventCode":"menu-asked"}' };
    await draft('Codes in use', { messages: [{ ...cardMessage, actions: [reply, asText, reply] }] });
    const { id } = await draft('A card that replies', {
      messages: [{ ...cardMessage, actions: [{ ...reply, data: {} }] }],
    });
    await open(`campaigns/${id}/edit`);
    const code = page.getByLabel('Event code');
    await code.focus();
    const suggested = () =>
      page.locator('datalist option').evaluateAll((options) => options.map((option) => option.getAttribute('value')));
    await eventually('codes are suggested', async () => (await suggested()).length > 0);
    expect(await suggested()).to.deep.equal(['coupon-claimed', 'menu-asked']);
    expect(await page.getByLabel('Extra fields').count()).to.equal(0);
    await code.fill('menu-asked');
    await page.getByLabel('Text shown after a click').fill('I would like to see the menu');
    await page.getByRole('button', { name: 'More fields' }).click();
    await page.getByLabel('Extra fields').fill('{"level": 2}');
    await eventually('it is saved', async () => {
      const [message] = (await tenant.api.get<Campaign>(`/campaigns/${id}`)).messages ?? [];
      const action = message?.type === 'buttons' ? message.actions[0] : undefined;
      if (action?.type !== 'Postback' || action.displayText === undefined) return false;
      const { bizEventCode, level } = typeof action.data === 'object' ? action.data : {};
      return bizEventCode === 'menu-asked' && level === 2;
    });
    await expectAccessible(page);
    await shot('reply');
  });

  it('uploads an image, says why it cannot, and sends the address that it got', async () => {
    const { id } = await draft('With a picture');
    await open(`campaigns/${id}/edit`);
    const address = page.getByLabel('Image address');
    const choose = async (name: string, buffer: Buffer) => {
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Upload image' }).press('Enter');
      await (await chooser).setFiles({ name, mimeType: 'image/png', buffer });
    };
    await choose('logo.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
    await page.getByText('This file is not a PNG, JPEG, GIF or WebP image.').waitFor();
    await expectAccessible(page);
    await choose('large.png', Buffer.alloc(5_242_881));
    await page.getByText('The image is larger than 5 MB.').waitFor();
    expect(await callsOf('files.put'), 'nothing of that left the console').to.deep.equal([]);
    await choose('../../logo.svg', pngImage);
    await eventually('its address is filled in', async () => (await address.inputValue()).endsWith('.png'));
    const url = await address.inputValue();
    expect(url).to.match(new RegExp(`^${stack.addresses.sandbox}/files/[0-9a-f-]{36}\\.png$`));
    const picture = page.getByRole('img', { name: 'Image of the card' });
    await eventually('the phone shows it', () =>
      picture.evaluate((shown) => 'naturalWidth' in shown && shown.naturalWidth === 1),
    );
    await expectAccessible(page);
    await shot('image');
    const kept = await fetch(url);
    expect(Object.fromEntries(kept.headers)).to.include({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
    });
    expect(Buffer.from(await kept.arrayBuffer()).equals(pngImage)).to.equal(true);
    await eventually('the draft has it', async () => {
      const [message] = (await tenant.api.get<Campaign>(`/campaigns/${id}`)).messages ?? [];
      return message?.type === 'buttons' && message.image === url;
    });
    await open(`campaigns/${id}/edit?step=review`);
    await page.getByText(`The image ${url} has only 1 × 1 pixels and will look blurred.`).waitFor();
    await expectAccessible(page);
    await shot('image-check');
    expect(await page.getByRole('button', { name: /^Send to/ }).isEnabled(), 'a warning blocks nothing').to.equal(true);
    await tenant.api.post(`/campaigns/${id}:send`);
    await eventually('the platform received it', async () => {
      const { items } = await tenant.sandbox.get<{ items: unknown[] }>('/sandbox/calls?route=A1&bodies=1&limit=3');
      return JSON.stringify(items).includes(url);
    });
  });

  it('ticks a step once somebody has been there, and finds a time zone by its city in either language', async () => {
    await open('campaigns/new');
    const step = (name: RegExp) => page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name });
    await step(/^3 When$/).click();
    expect(await step(/^Done: When$/).count(), 'not before it was left').to.equal(0);
    await page.getByRole('radio', { name: /^Later/ }).click();
    const zone = page.getByRole('button', { name: /^Time zone: / }).last();
    await zone.click();
    await page.getByPlaceholder('Search for a city').fill('new york');
    await page.getByRole('option', { name: 'New York' }).click();
    await page.getByText(/ New York = .* UTC/).waitFor();
    await step(/Audience$/).click();
    await step(/^Done: When$/).waitFor();
    await page.getByRole('button', { name: 'Account and language' }).click();
    await page.getByRole('menuitemcheckbox', { name: '繁體中文' }).click();
    await page.getByRole('button', { name: /時間/ }).first().click();
    await page
      .getByRole('button', { name: /^時區：紐約/ })
      .last()
      .click();
    await page.getByPlaceholder('搜尋城市').fill('臺北');
    await page.getByRole('option', { name: '臺北' }).click();
    await page
      .getByText(/臺北 .* UTC/)
      .first()
      .waitFor();
    await shot('zone');
  });

  it('threw no error on any page', () => {
    expect(complaints).to.deep.equal([]);
  });
});
