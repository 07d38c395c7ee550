import type { Browser } from 'playwright-core';
import { launchBrowser } from './launch.ts';
import { ada } from './people.ts';
import { type OpenedPage, openPage } from './open-page.ts';
import { type Stack, startStack } from '../services/stack.ts';
import { installTenant, type TestTenant } from '../services/tenant.ts';

export interface OpenedConsole extends OpenedPage {
  browser: Browser;
  stack: Stack;
  tenant: TestTenant;
  /** Ends the browser and every process; safe to call twice. */
  close(): Promise<void>;
}

/**
 * Starts services, console and browser, installs Ada's tenant with the given number of contacts, and opens a page
 * that is not signed in yet. Call it in `before` with the hook's context; without a browser the tests are skipped.
 */
export async function openConsole(
  context: Mocha.Context,
  given: { serviceNumberId: string; contacts: number; env?: Record<string, string> },
): Promise<OpenedConsole> {
  const browser = await launchBrowser(context);
  context.timeout(240_000);
  let stack: Stack | undefined;
  const close = async () => {
    await browser.close();
    await stack?.stop();
  };
  try {
    const { env = {}, ...ofTenant } = given;
    stack = await startStack({ web: true, env });
    const tenant = await installTenant(stack, { tenantId: ada.tenantId, ...ofTenant });
    return { browser, stack, tenant, ...(await openPage(browser)), close };
  } catch (error) {
    await close();
    throw error;
  }
}
