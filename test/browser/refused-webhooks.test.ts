import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectAccessible } from '../support/browser/accessible.ts';
import { openConsole } from '../support/browser/open-console.ts';
import { reportFailure, takeScreenshot } from '../support/browser/open-page.ts';
import type { Person } from '../support/browser/people.ts';
import { signIn } from '../support/browser/sign-in.ts';
import { signedCall } from '../support/services/bff.ts';
import type { Stack } from '../support/services/stack.ts';
import type { TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

describe('refused webhooks in the console', function () {
  this.timeout(120_000);
  let ada: Person;
  let page: Page;
  let stack: Stack;
  let tenant: TestTenant;
  let complaints: string[];
  let close: (() => Promise<void>) | undefined;

  before(async function () {
    ({ ada, page, complaints, stack, tenant, close } = await openConsole(this, {
      serviceNumberId: 'sn-refused',
      contacts: 1,
    }));
    await signIn(page, stack, ada);
  });
  afterEach(async function () {
    await reportFailure(this.currentTest, page, stack);
  });
  after(() => close?.());

  const counted = async (): Promise<number> => {
    const rows: { calls: number }[] = await stack.database.connect('bff', 'owner')('webhook_refusal').select('calls');
    return rows.reduce((sum, { calls }) => sum + calls, 0);
  };

  it('says why each was refused, which event it was, and what to do', async () => {
    await tenant.sandbox.post('/sandbox/webhooks', {
      tenant: ada.tenantId,
      serviceNumberId: 'sn-refused',
      eventType: 'session.closed',
      eventId: 'without-a-session',
      data: { closedAt: new Date().toISOString(), summary: { duration: 1, messageCount: 1 } },
    });
    const { tenantIntegrationId } = await tenant.api.get<{ tenantIntegrationId: string }>('/integration');
    const stranger = { tenantIntegrationId, platformTenantId: ada.tenantId, secret: 'not-the-secret' };
    for (const eventId of ['a', 'b'])
      expect((await signedCall({ url: stack.addresses.bff }, '/webhook', stranger, { eventId })).status).to.equal(401);
    await eventually('all are counted', async () => (await counted()) === 3);

    await page.goto(`${stack.addresses.bff}/app/event-inbox`);
    await page.getByRole('link', { name: 'Refused', exact: true }).click();
    const rows = page.getByRole('table', { name: 'Refused webhooks' }).getByRole('row');
    const malformed = rows.filter({ hasText: 'Event does not have the agreed form' });
    await malformed.getByText('/data/sessionId:').waitFor();
    await malformed.getByText('without-a-session').waitFor();
    await malformed.getByText('400 invalid_request').waitFor();
    await expectAccessible(page);
    await takeScreenshot(page, 'refused-webhooks');
    await page.setViewportSize({ width: 320, height: 640 });
    await expectAccessible(page);
    await takeScreenshot(page, 'refused-webhooks-320');
    await page.setViewportSize({ width: 1280, height: 860 });

    await page.getByRole('combobox', { name: 'Reason' }).selectOption('Wrong signature');
    await page.waitForURL('**reason=signature**');
    await malformed.waitFor({ state: 'detached' });
    const unsigned = rows.filter({ hasText: 'Wrong signature' }).first();
    await unsigned.getByText('Not read').waitFor();
    await unsigned.getByRole('link', { name: 'Secret and integration' }).click();
    await page.waitForURL('**/app/settings');
    expect(complaints).to.deep.equal([]);
  });
});
