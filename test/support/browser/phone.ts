import type { Browser } from 'playwright-core';
import type { Stack } from '../services/stack.ts';
import type { TestTenant } from '../services/tenant.ts';

/** A contact presses a button of what it was sent, on the sandbox's phone; the platform knows of the click then. */
export async function pressOnPhone(
  browser: Browser,
  { stack, tenant, contactId }: { stack: Stack; tenant: TestTenant; contactId: string },
  label: string,
): Promise<void> {
  const phone = await browser.newPage();
  try {
    await phone.goto(`${stack.addresses.sandbox}/phone?tenant=${tenant.tenantId}&contact=${contactId}`);
    // A page that is closed takes a call that is not answered yet with it.
    const answered = phone
      .context()
      .waitForEvent('response', (response) => /\/notice-(click|postback)\//.test(response.url()));
    await Promise.all([answered, phone.getByText(label).click()]);
  } finally {
    await phone.close();
  }
}
