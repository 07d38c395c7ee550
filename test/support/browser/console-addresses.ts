import type { Page } from 'playwright-core';

export interface Addressed {
  /** The route's name, e.g. `app.campaign-results`. */
  name: string;
  /** The path with every parameter filled in. */
  address: string;
}

/** Values for address parameters, by `<route name>:<parameter>` or, for all routes, by the parameter. */
export type Samples = Record<string, string>;

interface Route {
  name?: string;
  path: string;
  redirect?: unknown;
}

/** Where Vue keeps the application mounted on an element. */
const router = `document.querySelector('#app').__vue_app__.config.globalProperties.$router`;

/**
 * One address for each page of `/app` or `/embed`, taken from the running console's router so that no page can be
 * missed.
 * @throws Error naming the parameter that `samples` has no value for.
 */
export async function addressesOf(page: Page, surface: 'app' | 'embed', samples: Samples): Promise<Addressed[]> {
  const read = `${router}.getRoutes().map(({ name, path, redirect }) => ({ name, path, redirect: Boolean(redirect) }))`;
  const routes = await page.evaluate<Route[]>(read);
  const fill = (name: string, path: string): string =>
    path.replaceAll(/:(\w+)(\([^)]*\))?\*?/g, (_, parameter: string) => {
      const value = samples[`${name}:${parameter}`] ?? samples[parameter];
      if (value === undefined) throw new Error(`${name} needs a sample for ${parameter}`);
      return encodeURIComponent(value);
    });
  return routes
    .filter(({ path, redirect }) => path.startsWith(`/${surface}`) && !redirect)
    .flatMap(({ name, path }) => (name ? [{ name, address: fill(name, path) }] : []));
}

/** Shows another page of the console that is open, as a link of its own would. */
export async function goThere(page: Page, address: string): Promise<void> {
  // Drawn, so that nothing of the page before is left.
  const drawn = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';
  await page.evaluate(`${router}.push(${JSON.stringify(address)}).then(() => ${drawn})`);
}
