import type { Page } from 'playwright-core';

export interface Addressed {
  /** The route's name, e.g. `app.campaign-results`. */
  name: string;
  /** Path with every parameter filled in. */
  address: string;
}

/** Values for the parameters of addresses, by `<route name>:<parameter>` or, for all routes, by the parameter. */
export type Samples = Record<string, string>;

interface Route {
  name?: string;
  path: string;
  redirect?: unknown;
}

/** Where Vue leaves the application that is mounted on an element. */
const router = `document.querySelector('#app').__vue_app__.config.globalProperties.$router`;

/**
 * An address for each page of `/app` or `/embed`, as the running console's router has them: no page can be forgotten.
 * @throws Error naming the parameter that `samples` has no value for.
 */
export async function addressesOf(page: Page, surface: 'app' | 'embed', samples: Samples): Promise<Addressed[]> {
  const read = `${router}.getRoutes().map(({ name, path, redirect }) => ({ name, path, redirect: Boolean(redirect) }))`;
  const routes = await page.evaluate<Route[]>(read);
  const fill = (name: string, path: string): string =>
    path.replaceAll(/:(\w+)(\([^)]*\))?\*?/g, (_, parameter: string) => {
      const value = samples[`${name}:${parameter}`] ?? samples[parameter];
      if (value === undefined) throw new Error(`${name} needs a sample of ${parameter}`);
      return encodeURIComponent(value);
    });
  return routes
    .filter(({ path, redirect }) => path.startsWith(`/${surface}`) && !redirect)
    .flatMap(({ name, path }) => (name ? [{ name, address: fill(name, path) }] : []));
}
