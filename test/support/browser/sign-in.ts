import type { Page } from 'playwright-core';
import type { Person } from './people.ts';
import type { ServedPlatform } from '../services/stack.ts';

/** Opens a page of the console, signs in at the identity service as a person would, and waits for the page. */
export async function signIn(
  page: Page,
  stack: { addresses: Pick<ServedPlatform['addresses'], 'bff'> },
  { sub }: Pick<Person, 'sub'>,
  path = '/app',
): Promise<void> {
  const asked = new URL(path, stack.addresses.bff);
  await page.goto(asked.href);
  await page.locator(`button[value="${sub}"]`).click();
  await page.waitForURL(({ origin, pathname }) => origin === asked.origin && pathname === asked.pathname);
  await page.locator('h1').first().waitFor();
}
