import type { Browser } from 'playwright-core';
import type { Stack } from '../services/stack.ts';
import type { TestTenant } from '../services/tenant.ts';

/** A contact presses a button of a received message on the sandbox's phone; on return the platform has the click. */
export async function pressOnPhone(
  browser: Browser,
  { stack, tenant, contactId }: { stack: Stack; tenant: TestTenant; contactId: string },
  label: string,
): Promise<void> {
  const phone = await browser.newPage();
  try {
    await phone.goto(`${stack.addresses.sandbox}/phone?tenant=${tenant.tenantId}&contact=${contactId}`);
    // Closing the page would cancel a request that is still in flight.
    const answered = phone
      .context()
      .waitForEvent('response', (response) => /\/notice-(click|postback)\//.test(response.url()));
    await Promise.all([answered, phone.getByText(label).click()]);
  } finally {
    await phone.close();
  }
}
