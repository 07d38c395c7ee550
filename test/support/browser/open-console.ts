import type { Browser } from 'playwright-core';
import { jsonClient } from '#scripts/demo/client.ts';
import { freshTenantId, sharedStack } from '../services/shared-stack.ts';
import { type Stack, startStack } from '../services/stack.ts';
import { fillContacts, installTenant, type TestTenant } from '../services/tenant.ts';
import { launchBrowser, sharedBrowser } from './launch.ts';
import { type OpenedPage, openPage } from './open-page.ts';
import { introducePeople, type People } from './people.ts';

export interface OpenedConsole extends OpenedPage, People {
  browser: Browser;
  stack: Stack;
  tenant: TestTenant;
  /** Ends what is this file's own; safe to call twice. */
  close(): Promise<void>;
}

export interface GivenConsole {
  serviceNumberId: string;
  contacts: number;
  /** Settings for services of this file's own. */
  env?: Record<string, string>;
  /** For a file that ends services, or counts what all tenants have. */
  alone?: true;
}

/** Of more contacts than a list shows, no page shows how they came. */
const MOST_EVENTS = 50;

async function openOn(
  browser: Browser,
  stack: Stack,
  { serviceNumberId, contacts }: GivenConsole,
): Promise<Omit<OpenedConsole, 'close'>> {
  const tenantId = freshTenantId();
  const people = await introducePeople(jsonClient(stack.addresses.sandbox), { tenantId, serviceNumberId });
  const administrator = people.ada.sub;
  const entered = Math.min(contacts, MOST_EVENTS);
  const tenant = await installTenant(stack, { tenantId, serviceNumberId, contacts: entered, administrator });
  if (contacts > entered) await fillContacts(stack, tenant, contacts);
  return { browser, stack, tenant, ...people, ...(await openPage(browser)) };
}

/** Services and browser for one file. */
async function openAlone(context: Mocha.Context, given: GivenConsole): Promise<OpenedConsole> {
  const browser = await launchBrowser(context);
  context.timeout(240_000);
  let stack: Stack | undefined;
  const close = async () => {
    await browser.close();
    await stack?.stop();
  };
  try {
    stack = await startStack({ web: true, env: given.env ?? {} });
    return { ...(await openOn(browser, stack, given)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Opens a page of the console, not signed in yet, with a tenant that is this file's alone, with the given number of
 * contacts. Services and browser serve the other files of the process, too, unless `env` or `alone` says otherwise. Call it
 * in `before` with the hook's context; without a browser the tests are skipped.
 * @param given its `serviceNumberId` must be in no other file: the sandbox knows contacts by it.
 */
export async function openConsole(context: Mocha.Context, given: GivenConsole): Promise<OpenedConsole> {
  if (given.env || given.alone) return openAlone(context, given);
  const browser = await sharedBrowser(context);
  context.timeout(240_000);
  const close = async () => {
    await Promise.all(browser.contexts().map((one) => one.close()));
  };
  return { ...(await openOn(browser, await sharedStack(), given)), close };
}
