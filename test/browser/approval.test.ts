import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import type { Campaign } from '#domain/api/campaign.ts';
import type { TenantSettings } from '#domain/api/tenant-settings.ts';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { openPage, reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { cardMessage, draftCampaign } from '../support/outreach/campaigns.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

interface A1Call {
  body: { name: string; audience: { contactIds: string[] } };
}

describe('a send that another operator approves, in the console', function () {
  this.timeout(120_000);
  const name = 'Harbor tasting';
  let ada: Person;
  let ben: Person;
  let page: Page;
  let other: Page;
  let browser: Browser;
  let stack: Stack;
  let tenant: TestTenant;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;

  before(async function () {
    ({ ada, ben, page, browser, complaints, stack, tenant, close } = await openConsole(this, {
      serviceNumberId: 'sn-approved',
      contacts: 12,
    }));
    await signIn(page, stack, ada, '/app/settings');
    ({ page: other } = await openPage(browser));
    await signIn(other, stack, ben);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  const read = (id: string) => tenant.api.get<Campaign>(`/campaigns/${id}`);
  const submitted = async () => {
    const { items } = await tenant.sandbox.get<{ items: A1Call[] }>('/sandbox/calls?route=A1&bodies=1');
    return items.filter(({ body }) => body.name === name);
  };

  const settings = () => tenant.api.get<TenantSettings>('/tenant-settings');

  it('needs approval above a limit that an administrator sets', async () => {
    const limited = page.getByRole('switch', { name: 'Large sends need approval' });
    await eventually('it can be changed', () => limited.isEnabled());
    expect(await limited.isChecked()).to.equal(false);
    await limited.click();
    await page.getByLabel('Contacts that one person may send to').fill('10');
    await page.getByRole('button', { name: 'Save limit' }).click();
    await page.getByText('Sends to more than 10 contacts need the approval of another operator.').waitFor();
    const testers = page.getByLabel('Test contacts of sn-approved, one id per line');
    await testers.fill(`${tenant.contactIds[1]}\n nobody`);
    await page.getByRole('button', { name: 'Save test contacts' }).click();
    await page.getByText('The setting was not changed').waitFor();
    await testers.fill(`${tenant.contactIds[1]}\n${tenant.contactIds[0]} `);
    await page.getByRole('button', { name: 'Save test contacts' }).click();
    await eventually('they are stored', async () => (await settings()).testContacts.length === 2);
    await expectAccessible(page);
    await takeScreenshot(page, 'settings-approval');
    const [serviceNumberId, [first, second]] = ['sn-approved', tenant.contactIds];
    expect(await settings()).to.deep.include({
      sendsNeedApproval: 10,
      testContacts: [
        { serviceNumberId, contactId: second },
        { serviceNumberId, contactId: first },
      ],
    });
  });

  it('is asked for by one person, rejected and then approved by another, and sent once', async () => {
    const { id } = await draftCampaign(tenant, { name, messages: [cardMessage] });
    await page.goto(`${stack.addresses.bff}/app/campaigns/${id}/edit?step=review`);
    await page.getByRole('button', { name: 'Send to 12 contacts' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('It reaches more than 10 contacts, so another operator has to approve it').waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'approval-ask');
    await dialog.getByRole('button', { name: 'Ask for approval to send to 12 contacts' }).click();
    await page.getByText('You asked for this.').waitFor();
    await page.getByRole('button', { name: 'Withdraw' }).waitFor();
    expect(await page.getByRole('button', { name: /^Approve/ }).count()).to.equal(0);
    await expectAccessible(page);
    await takeScreenshot(page, 'approval-own');
    expect([(await read(id)).status, await submitted()]).to.deep.equal(['draft', []]);

    await other.goto(`${stack.addresses.bff}/app`);
    await other.getByText('1 send waits for approval').waitFor();
    await other.getByText('Ada Lin asked to send to 12 contacts.').waitFor();
    await other.getByRole('link', { name: `Approve or reject: ${name}` }).click();
    const approve = other.getByRole('button', { name: 'Approve and send to 12 contacts' });
    await approve.waitFor();
    await expectAccessible(other);
    await takeScreenshot(other, 'approval-other');
    await other.getByRole('button', { name: 'Reject…' }).click();
    const rejecting = other.getByRole('dialog');
    expect(await rejecting.getByRole('button', { name: 'Reject', exact: true }).isDisabled()).to.equal(true);
    await rejecting.getByLabel('Reason').fill('The price is wrong');
    await rejecting.getByRole('button', { name: 'Reject', exact: true }).click();
    await page.getByText(/Ben Wu rejected this on .*: The price is wrong/).waitFor();
    await page.getByRole('button', { name: 'Send to 12 contacts' }).waitFor();
    await takeScreenshot(page, 'approval-rejected');
    expect(await submitted()).to.deep.equal([]);

    await tenant.api.post(`/campaigns/${id}:send`);
    await draftCampaign(tenant, { name: 'Another draft' });
    await other.goto(`${stack.addresses.bff}/app/campaigns`);
    const another = other.getByRole('link', { name: 'Another draft' });
    await another.waitFor();
    await other.getByRole('combobox', { name: 'Approval' }).selectOption('Waiting for approval');
    await another.waitFor({ state: 'detached' });
    expect(new URL(other.url()).searchParams.get('approval')).to.equal('waiting');
    await expectAccessible(other);
    await takeScreenshot(other, 'approval-list');
    await other.getByRole('link', { name }).click();
    await approve.click();
    await other.getByRole('dialog').getByRole('button', { name: 'Approve and send to 12 contacts' }).click();
    await other.waitForURL('**/progress');
    const calls = await eventually('it is submitted', async () => {
      const found = await submitted();
      return found.length > 0 && found;
    });
    expect(calls.flatMap(({ body }) => body.audience.contactIds).toSorted()).to.deep.equal(tenant.contactIds);
    expect((await read(id)).approval).to.include({ outcome: 'approved', requestedBy: ada.sub, decidedBy: ben.sub });
    await other.getByRole('link', { name: 'History' }).click();
    for (const text of ['Approval requested to send to 12 contacts', 'Rejected: The price is wrong', 'Approved for 12'])
      await other.getByText(text).first().waitFor();
    expect(complaints).to.deep.equal([]);
  });
});
