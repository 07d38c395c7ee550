import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { SavedAudience } from '#domain/api/audiences.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';

const serviceNumberId = 'sn-names';
/** From the override on, what is written after it would stand before it. */
const turned = 'Ann \u202Egpj.exe';

/** The left edges of the text `marks` in the order of the document. */
const edgesOf = (marks: string[]) => `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const edges = [];
  const wanted = ${JSON.stringify(marks)};
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    for (const mark of wanted) {
      const at = node.data.indexOf(mark);
      const range = document.createRange();
      if (at < 0) continue;
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      if (range.getBoundingClientRect().width > 0) edges.push([mark, range.getBoundingClientRect().left]);
    }
  return edges;
})()`;

describe('names of any script in the console', function () {
  this.timeout(120_000);
  let ada: Person;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;

  before(async function () {
    ({ ada, page, complaints, stack, tenant, close } = await openConsole(this, { serviceNumberId, contacts: 3 }));
    await signIn(page, stack, ada);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  it('turn no sentence that they are part of', async () => {
    const body = { name: turned, serviceNumberId, type: 'contacts', contactIds: tenant.contactIds };
    const { audienceId } = await tenant.api.post<SavedAudience>('/audiences', body);
    await page.goto(`${stack.addresses.bff}/app/audiences/${audienceId}`);
    await page.getByRole('main').getByRole('button', { name: 'Delete', exact: true }).click();
    const title = page.getByRole('dialog').getByRole('heading');
    expect(await title.innerText()).to.equal('Delete “\u2068Ann gpj.exe\u2069”?');
    await takeScreenshot(page, 'names-turned');
    const edges = (await page.evaluate(edgesOf(['Delete “', '”?']))) as [string, number][];
    expect(edges.map(([mark]) => mark)).to.deep.equal(['Delete “', '”?']);
    expect(edges[1]?.[1]).to.be.greaterThan(edges[0]?.[1] ?? Infinity);
    await page.keyboard.press('Escape');
  });

  it('turn nothing beside them in a list', async () => {
    await stack.database
      .connect(
        'outreach',
        'owner',
      )('contact_profile')
      .where({ service_number_id: serviceNumberId, contact_id: tenant.contactIds[0] })
      .update({ display_name: turned });
    await page.goto(`${stack.addresses.bff}/app/contacts?sn=${serviceNumberId}`);
    const name = page.getByRole('link', { name: /gpj\.exe/ });
    await name.waitFor();
    const isolation = `getComputedStyle([...document.links].find((link) => link.text.includes('gpj.exe'))).unicodeBidi`;
    expect(await page.evaluate(isolation)).to.equal('isolate');
  });

  it('are searched for once they are composed', async () => {
    const asked: string[] = [];
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.pathname.endsWith('/contacts') && url.searchParams.has('q')) asked.push(url.searchParams.get('q') ?? '');
    });
    await page.clock.install();
    await page.reload();
    await page.getByRole('searchbox').first().click();
    const keyboard = await page.context().newCDPSession(page);
    for (const text of ['ㄒ', 'ㄒㄩ', 'ㄒㄩˇ']) {
      await keyboard.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
      // Longer than a search waits for the next letter.
      await page.clock.runFor(1000);
    }
    await keyboard.send('Input.insertText', { text: '許' });
    const answered = page.waitForResponse((response) => response.url().includes('q='));
    await page.clock.runFor(1000);
    await answered;
    expect(asked).to.deep.equal(['許']);
    expect(complaints).to.deep.equal([]);
  });
});
