import { expect } from 'chai';
import type { Knex } from 'knex';
import type { Page } from 'playwright-core';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import type { Stack } from '../support/services/stack.ts';
import { eventually } from '../support/time/eventually.ts';

describe('signing out', function () {
  this.timeout(120_000);
  let ada: Person;
  let page: Page;
  let stack: Stack;
  let rows: Knex;
  let close: (() => Promise<void>) | undefined;

  before(async function () {
    ({ ada, page, stack, close } = await openConsole(this, { serviceNumberId: 'sn-out', contacts: 1 }));
    rows = stack.database.connect('bff', 'owner');
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  const sessions = () => rows('session').where({ kind: 'cookie', user_id: ada.sub });
  /** The identity service knows nobody in this browser: it has nothing to ask before it signs somebody in. */
  const isSignedInThere = async (): Promise<boolean> => {
    const names = (await page.context().cookies(stack.settings.IDENTITY_ISSUER)).map(({ name }) => name);
    return names.includes('_session');
  };

  it('in the console ends the session at the identity service as well, and leads back to the sign-in', async () => {
    await signIn(page, stack, ada);
    expect(await isSignedInThere()).to.equal(true);
    await page.getByRole('banner').getByRole('button', { name: 'Account and language' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Who are you?' }).waitFor();
    expect(await isSignedInThere()).to.equal(false);
    expect(await sessions()).to.deep.equal([]);
  });

  it('at the identity service ends the session of the console', async () => {
    await signIn(page, stack, ada);
    expect(await sessions()).to.have.length(1);
    await page.goto(`${stack.settings.IDENTITY_ISSUER}/session/end`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Signed out' }).waitFor();
    await eventually('the session has ended', async () => (await sessions().whereNull('ended_at')).length === 0);
    await page.goto(`${stack.addresses.bff}/app`);
    await page.getByRole('heading', { name: 'Who are you?' }).waitFor();
  });
});
