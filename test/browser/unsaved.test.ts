import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Campaign } from '#domain/api/campaign.ts';
import type { Page as ApiPage } from '#domain/api/primitives.ts';
import type { Tag } from '#domain/api/tags.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { cardMessage, draftCampaign } from '../support/outreach/campaigns.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

const keptHere = 'Kept in this browser until the name and message are complete';

describe('what is written in the console and not saved yet', function () {
  this.timeout(120_000);
  let ada: Person;
  let ben: Person;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;

  before(async function () {
    ({ ada, ben, page, complaints, stack, tenant, close } = await openConsole(this, {
      serviceNumberId: 'sn-unsaved',
      contacts: 3,
    }));
    await signIn(page, stack, ada);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  const open = (path: string) => page.goto(`${stack.addresses.bff}/app/${path}`);
  const name = () => page.getByLabel('Name', { exact: true });
  const campaigns = async (q: string) =>
    (await tenant.api.get<ApiPage<Campaign>>(`/campaigns?q=${encodeURIComponent(q)}`)).items;
  const tags = async () => (await tenant.api.get<ApiPage<Tag>>('/tags')).items.map((tag) => tag.name);

  it('of a new campaign is kept from the first letter, and is there again, until it is saved or discarded', async () => {
    await open('campaigns/new');
    await name().fill('Ferry');
    await page.getByText(keptHere).waitFor();
    await page.getByRole('link', { name: 'Tags', exact: true }).click();
    await page.getByText('No tag yet').waitFor();
    await page.keyboard.press('c');
    await page.getByText(/^This is what you wrote .*It was kept in this browser/).waitFor();
    expect(await name().inputValue()).to.equal('Ferry');
    await expectAccessible(page);
    await takeScreenshot(page, 'draft-restored');
    await page.reload();
    await eventually('it is there again', async () => (await name().inputValue()) === 'Ferry');
    await page.getByRole('button', { name: 'Discard it' }).click();
    expect(await name().inputValue()).to.equal('');
    await page.reload();
    await name().waitFor();
    expect(await name().inputValue()).to.equal('');
    expect(await campaigns('Ferry')).to.deep.equal([]);
  });

  it('of a stored campaign is kept where a field is not complete, and never put over what somebody else saved', async () => {
    const { id } = await draftCampaign(tenant, { name: 'Harbor', messages: [cardMessage] });
    await open(`campaigns/${id}/edit`);
    const title = page.getByRole('textbox', { name: /^Title/ });
    await title.fill('');
    await page.getByText('Saved, except for fields that need fixing').waitFor();
    await page.getByRole('link', { name: 'Tags', exact: true }).click();
    await page.getByText('No tag yet').waitFor();
    const { etag } = await tenant.api.get<Campaign>(`/campaigns/${id}`);
    const theirs = { messages: [{ ...cardMessage, text: 'Theirs' }] };
    const headers = { 'content-type': 'application/json', 'if-match': etag };
    const init = JSON.stringify({ method: 'PATCH', headers, body: JSON.stringify(theirs) });
    expect(
      await page.evaluate<number>(`fetch('/api/v1/campaigns/${id}', ${init}).then(({ status }) => status)`),
    ).to.equal(200);
    await open(`campaigns/${id}/edit`);
    await page.getByRole('dialog', { name: /^Someone else/ }).waitFor();
    const [card] = (await tenant.api.get<Campaign>(`/campaigns/${id}`)).messages ?? [];
    expect(card?.type === 'buttons' && card.text).to.equal('Theirs');
  });

  it('in a dialog outlasts Escape and Back, and the dialog stays until an answer is there', async () => {
    await open('rules');
    await page.getByText('No rule yet').waitFor();
    await page.getByRole('link', { name: 'Tags', exact: true }).click();
    await page.getByRole('button', { name: 'New tag' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New tag' });
    const field = dialog.getByLabel('Tag');
    await field.fill('Regulars');
    await page.keyboard.press('Escape');
    await dialog.getByText('Close without saving? What you entered is lost.').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    expect(await field.inputValue()).to.equal('Regulars');
    await page.evaluate('history.back()');
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    expect(await field.inputValue()).to.equal('Regulars');
    expect(new URL(page.url()).pathname).to.equal('/app/tags');

    let answer = (): void => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/api/v1/tags', async (route) => {
      if (route.request().method() === 'POST') await answered;
      await route.continue();
    });
    await dialog.getByRole('button', { name: 'Create tag' }).click();
    await eventually('it cannot be closed', async () => dialog.getByRole('button', { name: 'Close' }).isDisabled());
    await page.keyboard.press('Escape');
    expect(await dialog.count()).to.equal(1);
    answer();
    await dialog.waitFor({ state: 'detached' });
    await page.unroute('**/api/v1/tags');
    expect(await tags()).to.deep.equal(['Regulars']);
  });

  it('in a dialog outlasts the end of the session', async () => {
    await open('tags');
    await page.getByRole('button', { name: 'New tag' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New tag' });
    const field = dialog.getByLabel('Tag');
    await field.fill('Night owls');
    await page.context().clearCookies();
    await dialog.getByRole('button', { name: 'Create tag' }).click();
    const opening = page.context().waitForEvent('page');
    await dialog.getByRole('link', { name: 'Sign in in a new tab' }).click();
    const tab = await opening;
    await tab.locator(`button[value="${ada.sub}"]`).click();
    await tab.waitForURL(/\/app(\?|$)/);
    await tab.close();
    expect(await field.inputValue()).to.equal('Night owls');
    await dialog.getByRole('button', { name: 'Create tag' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await tags()).to.have.members(['Regulars', 'Night owls']);
  });

  it('is not sent in the name of somebody else who has signed in in another tab', async () => {
    const { id } = await draftCampaign(tenant, { name: 'Lighthouse', messages: [cardMessage] });
    await open(`campaigns/${id}/edit`);
    const title = page.getByRole('textbox', { name: /^Title/ });
    await title.fill('');
    await page.getByText('Saved, except for fields that need fixing').waitFor();
    const tab = await page.context().newPage();
    await page.context().clearCookies();
    await signIn(tab, stack, ben);
    await page.getByText('Somebody else is signed in in this browser now.').waitFor();
    await expectAccessible(page);
    await title.fill('By Ada');
    await page.getByText('Not saved', { exact: true }).waitFor();
    await tab.context().clearCookies();
    await signIn(tab, stack, ada);
    await page.getByText('Somebody else is signed in').waitFor({ state: 'detached' });
    await page.getByText('Saved as draft').waitFor();
    await tab.close();
    expect((await tenant.api.get<Campaign>(`/campaigns/${id}`)).editedBy).to.equal(ada.sub);
  });

  it('tests are sent to somebody', async () => {
    const { id } = await draftCampaign(tenant, { name: 'Tested', messages: [cardMessage] });
    await open(`campaigns/${id}/edit?step=review`);
    await page.getByRole('button', { name: 'Test send' }).click();
    const send = page.getByRole('dialog').getByRole('button', { name: 'Send test to 0 contacts' });
    await send.waitFor();
    expect(await send.isDisabled()).to.equal(true);
  });

  it('is no reason for an old tab to stay: a page that a newer release has replaced is opened in that one', async () => {
    await open('tags');
    await page.getByText('Regulars').waitFor();
    let refused = 0;
    await page.route(/\/assets\/.*\.js/, (route) => {
      refused += 1;
      return route.fulfill({ status: 404, body: '' });
    });
    await page.evaluate(`document.body.dataset.old = 'yes'`);
    await page.getByRole('link', { name: 'Sales audit log' }).click();
    await eventually('what is gone was asked for', () => refused > 0);
    await page.unroute(/\/assets\/.*\.js/);
    await page.waitForURL('**/app/orders-audit');
    await page.getByRole('heading', { name: 'Sales audit log' }).waitFor();
    expect(await page.evaluate(`document.body.dataset.old`)).to.equal(undefined);
  });

  it('says where an address names a service number that is not there', async () => {
    await open('tags?sn=sn-of-nobody');
    await page.getByText('There is no service number “sn-of-nobody” here, or you may not see it').waitFor();
    await page.waitForURL(/sn=sn-unsaved/);
    expect(complaints.filter((complaint) => !/40[14]/.test(complaint))).to.deep.equal([]);
  });
});
