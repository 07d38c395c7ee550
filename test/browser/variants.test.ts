import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Campaign } from '#domain/api/campaign.ts';
import type { VariantTest } from '#domain/api/variant-test.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { keyboardOn } from '../support/browser/keyboard.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { inOrder } from '../support/in-order.ts';
import { broadcastCallsOf, draftCampaign, subTasksOf } from '../support/outreach/campaigns.ts';
import { card } from '../support/outreach/variant-sends.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

const CONTACTS = 300;
const sentTitles = ['Egg', 'Porridge', 'Toast'];

interface Task {
  taskId: string;
  contactIds: string[];
  messages: { title?: string }[];
}

describe('a test of variants in the console', function () {
  this.timeout(120_000);
  inOrder(this);
  let ada: Person;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;
  let id: string;

  before(async function () {
    const scope = { serviceNumberId: 'sn-breakfast', contacts: CONTACTS };
    ({ ada, page, complaints, stack, tenant, close } = await openConsole(this, scope));
    ({ id } = await draftCampaign(tenant, { name: 'Breakfast', messages: [card('Porridge')] }));
    await signIn(page, stack, ada);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  const open = (path: string) => page.goto(`${stack.addresses.bff}/app/campaigns/${id}${path}`);
  const test = () => tenant.api.get<VariantTest>(`/campaigns/${id}/variants`);
  const stored = async () => (await tenant.api.get<Campaign>(`/campaigns/${id}`)).variants;
  const tab = (name: string) => page.getByRole('tab', { name });
  const saved = (what: string, is: () => Promise<unknown>) => eventually(`${what} is saved`, is);
  /** The platform's tasks of the campaign. */
  async function tasks(): Promise<Task[]> {
    const taskIds = (await subTasksOf(tenant, id)).flatMap(({ taskId }) => taskId ?? []);
    return await Promise.all(taskIds.map((taskId) => tenant.sandbox.get<Task>(`/sandbox/tasks/${taskId}`)));
  }
  const titles = async () => (await tasks()).map(({ messages: [first] }) => first?.title).toSorted();
  async function look(name: string, widths = [320, 1280]): Promise<void> {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 860 });
      await expectAccessible(page);
      await takeScreenshot(page, `variants-${name}-${width}`);
    }
  }

  it('is begun by keyboard: the second variant says what the first does until it is changed', async () => {
    await open('/edit');
    const { tabTo } = keyboardOn(page);
    await tabTo(page.getByRole('switch', { name: 'Test variants of the message' }));
    await page.keyboard.press('Space');
    await tabTo(tab('A: 10%'));
    await page.keyboard.press('ArrowRight');
    await tab('B: 10%').and(page.locator('[aria-selected=true]:focus')).waitFor();
    await tabTo(page.getByLabel('Title', { exact: false }).first());
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Egg');
    const preview = page.getByRole('figure', { name: 'Preview on a phone' });
    await preview.getByText('Egg', { exact: true }).waitFor();
    await saved('the second variant', async () => {
      const [other] = (await stored())?.others ?? [];
      const [first] = other?.messages ?? [];
      return other?.name === 'B' && first?.type === 'buttons' && first.title === 'Egg';
    });
    await tabTo(tab('B: 10%'));
    await page.keyboard.press('Home');
    await preview.getByText('Porridge', { exact: true }).waitFor();
  });

  it('gets a third one as a duplicate, and shows at its fields what has to be fixed', async () => {
    await page.getByRole('button', { name: 'Duplicate variant' }).click();
    await tab('C: 10%').and(page.locator('[aria-selected=true]:focus')).waitFor();
    const share = page.getByLabel('Share in percent');
    await share.fill('90');
    await page.getByText('The shares add up to more than 100%', { exact: true }).waitFor();
    await share.fill('0');
    await page.keyboard.press('Tab');
    await page.getByText('A whole number from 1 to 99', { exact: true }).waitFor();
    await share.fill('30');
    await page.getByText('About 90 contacts').waitFor();
    const name = page.getByLabel('Name of the variant');
    await name.fill('B');
    await page.keyboard.press('Tab');
    await page.getByText('Another variant has this name', { exact: true }).waitFor();
    await look('issues');
    await name.fill('Warm');
    await page.getByLabel('Title', { exact: false }).first().fill('Toast');
    await page.getByText('The remaining 50% of the audience gets the winning variant.').waitFor();
    await saved('the third variant', async () => (await stored())?.others[1]?.name === 'Warm');
    await look('editor');
  });

  it('loses a variant, and gets it back', async () => {
    await tab('A: 10%').click();
    await page.getByRole('button', { name: 'Remove variant' }).click();
    const undo = page.getByRole('button', { name: 'Undo' });
    // A toast stays while the pointer is over it.
    await undo.hover();
    await saved(
      'it without the first',
      async () => (await stored())?.name === 'B' && (await stored())?.others.length === 1,
    );
    await undo.click();
    await saved('the first again', async () => (await stored())?.name === 'A' && (await stored())?.others.length === 2);
    const { messages, variants } = await tenant.api.get<Campaign>(`/campaigns/${id}`);
    const all = [messages ?? [], ...(variants?.others ?? []).map((other) => other.messages)];
    expect(all.map(([first]) => first?.type === 'buttons' && first.title)).to.deep.equal(['Porridge', 'Egg', 'Toast']);
  });

  it('is decided by hand, and by what its buttons reply', async () => {
    await page.getByRole('radio', { name: 'A team member', exact: true }).click();
    await page.getByLabel('Winner has more').selectOption('Contacts who sent a reply with an event code');
    await page.getByLabel('Event code of the reply').fill('buy');
    await page.getByLabel('Conversions needed').fill('1');
    for (const [name, share] of [
      ['A: 10%', '20'],
      ['B: 10%', '20'],
    ] as const) {
      await tab(name).click();
      await page.getByLabel('Share in percent').fill(share);
    }
    await saved('the choice', async () => {
      const { by, decide, minimum } = (await stored())?.winner ?? {};
      return by?.type === 'eventCode' && by.bizEventCode === 'buy' && decide === 'hand' && minimum === 1;
    });
    await saved('the shares', async () => (await stored())?.others[0]?.sharePercent === 20);
  });

  it('is counted by the dry run, and tried variant by variant', async () => {
    await open('/edit?step=review');
    await page.getByLabel('Variant shown').selectOption('Warm');
    await page.getByRole('figure', { name: 'Preview on a phone' }).getByText('Toast', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Run without sending' }).click();
    const counts = page.getByRole('status').filter({ hasText: 'would get it' });
    await counts.getByText('The rest').waitFor();
    const drawn = await counts.locator('dd').allInnerTexts();
    expect(drawn.map((text) => Number.parseInt(text, 10)).reduce((sum, count) => sum + count, 0)).to.equal(CONTACTS);
    expect(await counts.locator('dt').allInnerTexts()).to.deep.equal([
      'Variant A',
      'Variant B',
      'Variant Warm',
      'The rest',
    ]);
    await look('review');
    await page.getByRole('button', { name: 'Test send' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send a test of “Breakfast”' });
    expect(await dialog.getByLabel('Variant').inputValue()).to.equal('Warm');
    await dialog.getByRole('button', { name: /^Add / }).first().click();
    await dialog.getByRole('button', { name: 'Send test to 1 contact' }).click();
    await dialog.getByText(/^Sent to 1 contact/).waitFor();
    await dialog.getByLabel('Variant').selectOption('B');
    await dialog.getByRole('button', { name: 'Send test to 1 contact' }).click();
    await dialog.getByText(/^Sent to 1 contact/).waitFor();
    const tried = (await broadcastCallsOf(tenant)).map((call) =>
      sentTitles.find((title) => JSON.stringify(call).includes(`"title":"${title}"`)),
    );
    expect(tried.toSorted()).to.deep.equal(['Egg', 'Toast']);
    await look('test-send');
    await page.keyboard.press('Escape');
  });

  it('is sent after a dialog that says how many get which', async () => {
    await page.getByRole('button', { name: 'Send to 300 contacts' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^The test begins with about 210 contacts of /).waitFor();
    expect(await dialog.locator('dd').allInnerTexts()).to.deep.equal(
      [60, 60, 90, 90].map((count) => `About ${count} contacts`),
    );
    await look('dialog');
    await dialog.getByRole('button', { name: 'Send to 300 contacts' }).click();
    await page.waitForURL('**/progress**');
    await eventually('every variant is delivered', async () =>
      (await test()).variants.every(({ contacts, outcomes }) => contacts > 0 && outcomes.notYet === 0),
    );
    expect(await titles()).to.deep.equal(sentTitles);
  });

  it('shows what each variant brought about, and that one is ahead', async () => {
    const best = (await tasks()).find(({ messages: [first] }) => first?.title === 'Toast');
    for (const contactId of best?.contactIds.slice(0, 40) ?? [])
      await tenant.sandbox.post('/sandbox/clicks', { taskId: best?.taskId, contactId }).catch(() => undefined);
    await eventually('the clicks are proof', async () => (await test()).verdict.verdict === 'proven');
    await open('/results');
    await page.getByRole('heading', { name: 'Variant test' }).waitFor();
    await page.getByText('Warm is the proven winner.').waitFor();
    const table = page.getByRole('table', { name: 'Variant test' });
    const cells = await table.getByRole('row').locator('td:first-child').allInnerTexts();
    expect(cells).to.deep.equal(['A', 'B', 'Warm', 'The rest']);
    const phone = page.getByRole('figure', { name: 'Preview on a phone' });
    await phone.getByText('0 clicks').waitFor();
    await page.getByLabel('Variant shown').selectOption('Warm');
    await phone.getByText('Toast').waitFor();
    await phone.getByText('40 contacts').waitFor();
    await look('running');
  });

  it('sends to the rest what is chosen, after a confirmation', async () => {
    await page.getByRole('button', { name: 'Choose Warm' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send Warm to the rest?' });
    await dialog.getByText("This can't be undone.").waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Choose Warm' }).click();
    await page.getByText('as the proven winner.').waitFor();
    await eventually('the rest is submitted', async () => (await tasks()).length === 4);
    expect(await titles()).to.deep.equal([...sentTitles, 'Toast']);
    const sentTo = (await tasks()).flatMap(({ contactIds }) => contactIds);
    expect([sentTo.length, new Set(sentTo).size]).to.deep.equal([CONTACTS, CONTACTS]);
    expect(await page.getByRole('button', { name: 'Choose Warm' }).count()).to.equal(0);
  });

  it('reads the same in Chinese', async () => {
    const copy = await tenant.api.post<Campaign>(`/campaigns/${id}:duplicate`, {});
    await page.evaluate(`localStorage.setItem('outreach.preferences', '{"locale":"zh-Hant"}')`);
    await page.goto(`${stack.addresses.bff}/app/campaigns/${copy.id}/edit`);
    await page.getByRole('tab', { name: 'Warm：30%' }).click();
    await page.getByText('受眾的 30% 不在任何版本中，將收到選出的版本。').waitFor();
    await look('chinese');
    expect(complaints).to.deep.equal([]);
  });
});
