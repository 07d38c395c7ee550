import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Campaign } from '#domain/api/campaign.ts';
import type { Message } from '#domain/api/messages.ts';
import type { Page as ListPage } from '#domain/api/primitives.ts';
import type { Step } from '#domain/api/steps.ts';
import type { ListedTemplate, Template } from '#domain/api/templates.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { inOrder } from '../support/in-order.ts';
import { draftCampaign } from '../support/outreach/campaigns.ts';
import { against } from '../support/outreach/variant-sends.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

/** A card as the editor writes it. */
const card = (title: string): Message => ({
  type: 'buttons',
  title,
  text: 'Fresh today.',
  actions: [{ type: 'Postback', label: 'Order', data: { bizEventCode: 'buy', event: 'Broadcast' } }],
});
const hours = (opens: string): Message => ({ type: 'text', text: `Open from ${opens} to five.` });

describe('snippets in the console', function () {
  this.timeout(120_000);
  inOrder(this);
  let ada: Person;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;

  const open = (path: string) => page.goto(`${stack.addresses.bff}/app/${path}`);
  const dialog = () => page.getByRole('dialog');
  const stored = (id: string) => tenant.api.get<Campaign>(`/campaigns/${id}`);
  const snippets = async () => (await tenant.api.get<ListPage<ListedTemplate>>('/templates?kind=message')).items;
  const draft = (more: object = {}) =>
    draftCampaign(tenant, { name: 'Harbour', messages: [card('Breakfast')], ...more });
  /** Puts the snippet in, from a dialog that is open. */
  async function choose(opens: string): Promise<void> {
    await dialog().getByLabel('Search snippets').fill('our');
    await dialog().getByRole('button', { name: 'Opening hours' }).click();
    await dialog().getByLabel('opens', { exact: true }).fill(opens);
    await dialog().getByRole('figure').getByText(`Open from ${opens} to five.`).waitFor();
    await dialog().getByRole('button', { name: 'Insert', exact: true }).click();
    await dialog().waitFor({ state: 'detached' });
  }

  before(async function () {
    ({ ada, page, complaints, stack, tenant, close } = await openConsole(this, {
      serviceNumberId: 'sn-snippets',
      contacts: 40,
    }));
    await signIn(page, stack, ada);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  it('are written on the page of templates, and changed there: each change is a version', async () => {
    await open('templates?kind=message');
    await page.getByRole('button', { name: 'New snippet' }).first().click();
    await dialog().getByLabel('Name').fill('Hours');
    await dialog().getByLabel('Text', { exact: true }).last().fill('Open from {{opens}}.');
    await dialog().getByText('Open from {{opens}}.', { exact: true }).last().waitFor();
    await dialog().getByLabel('Default of “opens”').fill('seven');
    await dialog().getByText('Open from seven.', { exact: true }).waitFor();
    expect(await dialog().locator('[draggable]').count(), 'handles of the one message').to.equal(0);
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 860 });
      await expectAccessible(page);
      await takeScreenshot(page, `snippet-new-${width}`);
    }
    await dialog().getByRole('button', { name: 'Save snippet' }).click();
    await page.getByRole('button', { name: 'Edit the snippet Hours' }).click();
    await dialog().getByLabel('Name').fill('Opening hours');
    await dialog().getByLabel('Text', { exact: true }).last().fill('Open from {{opens}} to five.');
    await dialog().getByRole('button', { name: 'Save snippet' }).click();
    await page.getByRole('button', { name: 'Edit the snippet Opening hours' }).waitFor();
    await page.getByRole('button', { name: 'Edit the snippet Opening hours' }).click();
    await dialog().getByLabel('Default of “opens”').fill('six');
    await dialog().getByRole('button', { name: 'Save snippet' }).click();
    await dialog().waitFor({ state: 'detached' });
    await expectAccessible(page);
    const [kept] = await snippets();
    expect(kept).to.deep.include({ name: 'Opening hours', version: 3, kind: 'message' });
    expect(kept?.variables).to.deep.equal([{ name: 'opens', default: 'six' }]);
    await page.getByRole('button', { name: 'Versions of the template Opening hours' }).click();
    await dialog().getByText('Open from {{opens}}.', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('are put into a message that is empty or after the others, filled, and taken out again', async () => {
    const { id } = await draft();
    await open(`campaigns/${id}/edit`);
    await page.getByRole('button', { name: 'Insert snippet' }).click();
    await dialog().getByRole('button', { name: 'Opening hours' }).click();
    await dialog().getByRole('figure').getByText('Open from six to five.').waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'snippet-insert');
    await dialog().getByRole('button', { name: 'Insert', exact: true }).click();
    await page.getByText('“Opening hours” was inserted.').waitFor();
    const messages = async () => (await stored(id)).messages ?? [];
    await eventually('the snippet is saved', async () => (await messages()).length === 2);
    expect((await messages())[1]).to.deep.equal(hours('six'));
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually('it is taken out', async () => (await messages()).length === 1);
    expect(await messages()).to.deep.equal([card('Breakfast')]);
  });

  it('are put into the messages of a variant, and into one that follows', async () => {
    const { id } = await draft({ variants: against([20, 30], {}, [{ type: 'text', text: 'Short' }]) });
    await open(`campaigns/${id}/edit`);
    await page.getByRole('tab').nth(1).click();
    await page.getByRole('button', { name: 'Insert snippet' }).click();
    await choose('eight');
    await page.getByRole('navigation', { name: 'Steps' }).getByText('Follow-ups').first().click();
    await page.getByRole('button', { name: 'Add a follow-up message' }).click();
    await page
      .getByRole('group', { name: 'Follow-up message 1' })
      .getByRole('button', { name: 'Insert snippet' })
      .click();
    await choose('nine');
    await eventually('both are saved', async () => {
      const { variants, steps } = await stored(id);
      return variants?.others[0]?.messages.length === 2 && steps?.length === 1;
    });
    const { messages, variants, steps } = await stored(id);
    expect(messages).to.deep.equal([card('Breakfast')]);
    expect(variants?.others[0]?.messages[1]).to.deep.equal(hours('eight'));
    expect(steps?.[0]?.messages).to.deep.equal([hours('nine')]);
  });

  it('are kept from a message of a campaign, as a new one or as the next version of one', async () => {
    const { id } = await draft({ messages: [card('Breakfast for {{who}}')] });
    await open(`campaigns/${id}/edit`);
    await page.getByRole('button', { name: 'Save as snippet' }).click();
    await dialog().getByLabel('Default of “who”').fill('two');
    await expectAccessible(page);
    await dialog().getByRole('button', { name: 'Save snippet' }).click();
    await page.getByText('The snippet “Breakfast for {{who}}” was saved.').waitFor();
    await page.getByRole('button', { name: 'Save as snippet' }).click();
    await dialog()
      .getByLabel('Save', { exact: true })
      .selectOption({ label: 'As the next version of “Opening hours”' });
    await dialog().getByRole('button', { name: 'Save snippet' }).click();
    await dialog().waitFor({ state: 'detached' });
    const kept = await snippets();
    expect(kept.map(({ name, version }) => `${name} ${version}`)).to.deep.equal([
      'Opening hours 4',
      'Breakfast for {{who}} 1',
    ]);
    const { content, variables } = await tenant.api.get<Template>(`/templates/${kept[1]?.templateId}`);
    expect(content).to.deep.equal({
      campaignName: null,
      note: null,
      utm: null,
      messages: [card('Breakfast for {{who}}')],
      messagesBy: null,
    });
    expect(variables).to.deep.equal([{ name: 'who', default: 'two' }]);
  });

  it('a template is kept from the editor, and another draft begun from it, without losing the first', async () => {
    const following = (title: string): Step => ({
      after: { amount: 2, unit: 'hours' },
      condition: { outcome: 'not_clicked' },
      messages: [card(title)],
    });
    const { id } = await draft({
      name: 'Seasons',
      messages: [card('{{season}} rolls')],
      variants: against([20, 30], {}, [card('{{season}} buns')]),
      steps: [following('The last of {{season}}')],
    });
    await open(`campaigns/${id}/edit`);
    await page.getByRole('button', { name: 'Save as template' }).click();
    await dialog().getByRole('button', { name: 'Save template' }).click();
    await page.getByText('The template “Seasons” was saved.').waitFor();
    await page.getByLabel('Note').fill('Written just before');
    await page.getByRole('button', { name: 'New from template' }).click();
    await expectAccessible(page);
    await dialog()
      .getByRole('button', { name: /^Seasons/ })
      .click();
    await dialog().getByLabel('season').fill('Autumn');
    await dialog().getByRole('button', { name: 'Create draft' }).click();
    await page.waitForURL((url) => url.pathname.endsWith('/edit') && !url.pathname.includes(id));
    await page.getByRole('figure').getByText('Autumn rolls').waitFor();
    await dialog().waitFor({ state: 'detached' });
    expect((await stored(id)).note).to.equal('Written just before');
    const { items } = await tenant.api.get<ListPage<Campaign>>('/campaigns?limit=1');
    expect(items[0]?.template).to.deep.include({ version: 1 });
    expect(items[0]?.messages).to.deep.equal([card('Autumn rolls')]);
    expect(items[0]?.variants).to.deep.equal(against([20, 30], {}, [card('Autumn buns')]));
    expect(items[0]?.steps).to.deep.equal([{ ...following('The last of Autumn'), messagesBy: null }]);
  });

  it('threw no error on any page', () => {
    expect(complaints).to.deep.equal([]);
  });
});
