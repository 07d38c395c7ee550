import type { Browser, Page } from 'playwright-core';
import { seedDemo } from '#scripts/demo.ts';
import { jsonClient } from '#scripts/demo/client.ts';
import { tenant } from '#scripts/demo/content.ts';
import { openPage } from '../browser/open-page.ts';
import { ada } from '../browser/people.ts';
import { signIn } from '../browser/sign-in.ts';
import { type Stack, startStack } from '../services/stack.ts';
import { apiAs } from '../services/tenant.ts';
import type { TaskSite } from './tasks.ts';

export interface OpenedTaskSite extends TaskSite {
  page: Page;
  stack: Stack;
}

/** A demonstration of its own, because tasks change it, and a page of its operator. Ends with `stack.stop()`. */
export async function openTaskSite(browser: Browser): Promise<OpenedTaskSite> {
  const stack = await startStack({ web: true });
  try {
    await seedDemo(stack.settings);
    const sandbox = jsonClient(stack.addresses.sandbox);
    const path = `/sandbox/contacts?serviceNumberId=${tenant.serviceNumberId}&limit=200&offset=0`;
    const { items } = await sandbox.get<{ items: { contactId: string }[] }>(path);
    const { page } = await openPage(browser);
    await signIn(page, stack, ada);
    return {
      page,
      stack,
      console: `${stack.addresses.bff}/app`,
      api: await apiAs(stack, ada),
      sandbox,
      contactIds: items.map(({ contactId }) => contactId),
    };
  } catch (error) {
    await stack.stop();
    throw error;
  }
}
