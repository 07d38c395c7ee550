import type { Page } from 'playwright-core';
import type { Person } from './demo-console.ts';
import type { Stack } from './stack.ts';

/** Signs in at the identity service as a person would, and waits for the console's first page. */
export async function signIn(page: Page, stack: Stack, { name }: Pick<Person, 'name'>): Promise<void> {
  await page.goto(`${stack.addresses.bff}/app`);
  await page.getByText(name).first().click();
  await page.waitForURL(`${stack.addresses.bff}/app**`);
  await page.locator('h1').first().waitFor();
}
