import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { SavedAudience } from '../../domain/api/audiences.ts';
import type { Campaign, Progress } from '../../domain/api/campaign.ts';
import type { Page as ApiPage } from '../../domain/api/primitives.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { cardsText, startTestCompletions, type TestCompletions } from '../support/doubles/chat-completions.ts';
import { cardMessage, draftCampaign, type GivenCampaign } from '../support/outreach/campaigns.ts';
import { ada } from '../support/browser/people.ts';
import { eventually } from '../support/time/eventually.ts';
import { keyboardOn } from '../support/browser/keyboard.ts';
import { openWithClock, stopClock } from '../support/browser/clock.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import { signIn } from '../support/browser/sign-in.ts';
import type { Stack } from '../support/services/stack.ts';
import { type TestTenant, unsubscribe } from '../support/services/tenant.ts';

const serviceNumberId = 'sn-pier';

describe('campaigns and audiences in the console', function () {
  this.timeout(120_000);
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let complaints: string[];
  let provider: TestCompletions;
  let close: (() => Promise<void>) | undefined;

  const open = (path: string, on = page) => on.goto(`${stack.addresses.bff}/app/${path}`);
  const shot = (name: string) => takeScreenshot(page, `campaigns-${name}`);
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
    ({ page, complaints, stack, tenant, close } = await openConsole(this, {
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

  it('creates, schedules and cancels a campaign with only the keyboard', async () => {
    const { tabTo, type, press, arrow } = keyboardOn(page);
    await open('campaigns');
    await page.waitForURL('**/campaigns?sn=**');
    await page.keyboard.press('c');
    await page.waitForURL('**/campaigns/new**');
    await type(page.getByLabel('Name', { exact: false }).first(), 'By keyboard');
    await type(page.getByLabel('Title'), 'Hello');
    await type(page.getByRole('textbox', { name: 'Text' }), 'From the keyboard');
    await type(page.getByLabel('Label'), 'Look');
    await type(page.getByRole('textbox', { name: /^Link/ }), 'https://harbor-coffee.example');
    await press(page.getByRole('button', { name: 'Next: Audience' }));
    await tabTo(page.getByRole('radio', { name: 'Contacts with tags' }));
    await arrow('ArrowRight', page.getByRole('radio', { name: 'A list of contacts' }));
    await type(page.getByLabel('Contact ids'), tenant.contactIds[0] ?? '');
    await press(page.getByRole('button', { name: 'Next: When' }));
    await tabTo(page.getByRole('radio', { name: 'Now' }));
    await arrow('ArrowDown', page.getByRole('radio', { name: 'Later' }));
    await page.getByText(/Taipei = .* UTC, in /).waitFor();
    await press(page.getByRole('button', { name: 'Next: Review' }));
    const send = page.getByRole('button', { name: 'Send to 1 contact' });
    await eventually('it may be sent', () => send.isEnabled());
    await press(send);
    await press(page.getByRole('dialog').getByRole('button', { name: 'Send to 1 contact' }));
    await page.waitForURL('**/progress**');
    await eventually('it is scheduled', async () => (await named('By keyboard'))?.status === 'scheduled');
    await press(page.getByRole('button', { name: 'Cancel for 1 contact' }));
    await press(page.getByRole('dialog').getByRole('button', { name: 'Cancel for 1 contact' }));
    await eventually('it is cancelled', async () => (await named('By keyboard'))?.status === 'cancelled');
    await page.getByText('Cancelled', { exact: true }).first().waitFor();
  });

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
      (await tenant.api.get<Campaign>(`/campaigns/${id}`)).messages.map((one) => (one.type === 'text' ? one.text : ''));
    const saved = (order: string) => eventually(`${order} is saved`, async () => String(await texts()) === order);
    await saved('Two,One,Three');

    const message = (place: number) => page.getByRole('region', { name: `Message ${place}: Text` });
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
    const dialog = page.getByRole('dialog', { name: 'Have a card written' });
    await dialog.getByLabel('What is it to say, and to whom?').fill('Winter menu, for regulars');
    await dialog.getByLabel('Link').fill('https://harbor-coffee.example/winter');
    const write = dialog.getByRole('button', { name: 'Write drafts' });
    provider.behave(() => ({ status: 401 }));
    await write.click();
    await dialog.getByText('No AI provider answers for this console').waitFor();
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

  it('uploads a CSV as a saved list: invalid lines, cancelling, duplicates; and starts a campaign from it', async () => {
    await open('audiences');
    await page.getByRole('button', { name: 'New audience' }).first().click();
    await page.getByRole('dialog').getByLabel('Name').fill('Guests of the fair');
    await page.getByRole('dialog').getByRole('button', { name: 'Create audience' }).click();
    await page.waitForURL(/audiences\/[\w-]+/);
    const file = (text: string) => ({ name: 'guests.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    const input = page.locator('input[type=file]');
    const [first = '', second = ''] = tenant.contactIds;
    await input.setInputFiles(file(`${first}\na,b\n"open\n`));
    await page.getByText('2 lines are not contact ids').waitFor();
    await page.getByText('Line 2: more than one column, or quotes in the wrong place').waitFor();
    const audienceId = page.url().split('/').at(-1)?.split('?')[0] ?? '';
    const stored = () => tenant.api.get<SavedAudience>(`/audiences/${audienceId}`);
    expect((await stored()).memberCount).to.equal(0);

    await page.route('**/contacts', () => {}, { times: 1 });
    await input.setInputFiles(file(`${first}\n`));
    await page.getByRole('button', { name: 'Cancel upload' }).click();
    await page.getByText('The upload was cancelled; nothing was changed.').first().waitFor();
    expect((await stored()).memberCount).to.equal(0);

    await input.setInputFiles(file(`${first}\n${second}\n${first}\nnobody\n`));
    await page.getByText('3 contacts stored. 1 line repeated an id and counts once.').waitFor();
    expect((await stored()).memberCount).to.equal(3);
    await eventually('the counts follow', async () => (await page.getByText('A list of 3 contacts.').count()) === 1);
    const figures = page.getByRole('complementary', { name: 'Counts' });
    await figures.getByRole('link', { name: '−1' }).click();
    await page.waitForURL(/reach=unreachable/);
    const members = page.getByRole('table', { name: 'Contacts in it now' });
    await members.getByText('Unknown to this service number').waitFor();
    await eventually('one row is left', async () => (await members.getByRole('row').count()) === 2);
    await figures.getByRole('link', { name: '3', exact: true }).click();
    await members.getByText(second).waitFor();
    expect(await members.getByText('Reached', { exact: true }).count()).to.equal(2);
    await expectAccessible(page);
    await shot('audience');
    await page.getByRole('link', { name: 'New campaign to it' }).click();
    await page.waitForURL('**/campaigns/new**');
    await page.getByRole('button', { name: 'Next: Audience' }).click();
    const choice = page.getByRole('combobox', { name: 'Saved audience' });
    await eventually('it goes to this list', async () => (await choice.inputValue()) === audienceId);
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
    const dialog = other.getByRole('dialog', { name: 'Somebody else saved this draft' });
    for (const reported of [/^Saved .* by Ada Lin$/, 'Two tabs, the first', 'Two tabs, the second'])
      await dialog.getByText(reported).waitFor();
    expect((await named('Two tabs, the first'))?.id, 'nothing was overwritten').to.equal(id);
    await dialog.getByRole('radio', { name: 'Theirs' }).click();
    await dialog.getByRole('button', { name: 'Go on with this choice' }).click();
    await eventually('what only the second tab changed is kept', async () => {
      const { name, messages } = await tenant.api.get<Campaign>(`/campaigns/${id}`);
      const [card] = messages;
      return name === 'Two tabs, the first' && card?.type === 'buttons' && card.title === 'Another title';
    });
    await eventually(
      'the second tab shows what was chosen',
      async () => (await nameOn(other).inputValue()) === 'Two tabs, the first',
    );
    await other.close();
  });

  it('reports a cut stream before any timer of the page fires, and ends up equal to REST', async () => {
    // Rate limiting keeps the platform from finishing before the stream is cut, so there is still something to
    // report.
    const busy = { route: 'A1', mode: 'status', status: 429, code: 'rate_limited', retryAfter: 1 };
    await tenant.sandbox.put('/sandbox/faults', { faults: [busy] });
    const { id } = await draft('Cut stream');
    await tenant.api.post(`/campaigns/${id}:send`);
    const watching = await openWithClock(page.context().browser());
    const streamed = watching.waitForResponse((response) => response.url().endsWith(`/campaigns/${id}/stream`));
    await signIn(watching, stack, ada, `/app/campaigns/${id}/progress`);
    await watching.getByText('1,200 contacts in all').waitFor();
    await streamed;
    await stopClock(watching);
    try {
      await stack.kill('bff');
      await tenant.sandbox.put('/sandbox/faults', { faults: [] });
      await watching.getByText('Live updates are interrupted. Reconnecting').waitFor();
    } finally {
      await stack.restart('bff');
      await watching.clock.resume();
    }
    await watching.getByText('Completed', { exact: true }).first().waitFor({ timeout: 30_000 });
    const { summary, audienceCount } = await tenant.api.get<Progress>(`/campaigns/${id}/progress`);
    expect(summary.sent).to.equal(1200);
    const figures = watching.locator('dl').first();
    for (const count of [audienceCount, summary.sent, summary.delivered])
      await figures.getByText(count.toLocaleString('en-GB'), { exact: true }).first().waitFor();
  });

  it('shows who was in the frozen audience, how it differs from the dry run, and who did what', async () => {
    const contactIds = tenant.contactIds.slice(0, 3);
    const [leaving = '', staying = ''] = contactIds;
    const { id } = await draft('Drifting', { audience: { type: 'contacts', contactIds } });
    await tenant.api.post(`/campaigns/${id}:dry-run`);
    await unsubscribe(tenant, leaving);
    await tenant.api.post(`/campaigns/${id}:send`);
    await open(`campaigns/${id}/audience`);
    await page.getByText('1 contact fell out').waitFor();
    await page.getByText(/^Compares the last dry run, of .+, with the first send, of .+\.$/).waitFor();
    await page.getByLabel('Contact id').fill(leaving);
    await page.keyboard.press('Enter');
    await page.getByText(`${leaving} was not in the frozen audience of any send.`).waitFor();
    await page.getByLabel('Contact id').fill(staying);
    await page.keyboard.press('Enter');
    await page.getByText(`${staying} was in the frozen audience.`).waitFor();
    await page.waitForURL(({ searchParams }) => searchParams.get('contact') === staying);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'History' }).click();
    for (const reported of ['Sent to 2 contacts', 'Dry run: reaches 3 contacts', 'Draft created'])
      await page.getByText(reported).waitFor();
    await expectAccessible(page);
  });

  it('keeps filters in the address, through a reload and Back; deletes a draft from its row', async () => {
    await draft('To be thrown away');
    await open('campaigns');
    await page.getByLabel('Search campaigns').fill('thrown');
    await page.waitForURL('**q=thrown**');
    const row = page.getByRole('row').filter({ hasText: 'To be thrown away' });
    await eventually('one row is left', async () => (await page.getByRole('row').count()) === 2);
    await page.reload();
    await row.waitFor();
    await eventually('one row is left', async () => (await page.getByRole('row').count()) === 2);
    await row.getByRole('link').first().click();
    await page.waitForURL('**/edit**');
    await page.goBack();
    await row.waitFor();
    await eventually(
      'the search is unchanged',
      async () => (await page.getByLabel('Search campaigns').inputValue()) === 'thrown',
    );
    await row.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Delete draft' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete draft' }).click();
    await eventually('it is gone', async () => (await named('To be thrown away')) === undefined);
    await page.getByText('Nothing fits these filters').waitFor();
  });

  it('threw no error on any page', () => {
    expect(complaints).to.deep.equal([]);
  });
});
