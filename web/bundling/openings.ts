import type { PageRoute } from '../frame/routes/page-route.ts';
import { pageRoutes } from '../frame/routes/page-routes.ts';

/** The address of a page, and the files it loads. */
export interface Opening {
  /** With `:name` for one part and `:rest(.*)*` for all that follow. */
  path: string;
  /** Files below `web/`: the components around the page, from outside to inside, and its own. */
  modules: string[];
  /** Addresses that its scripts request before anything else. */
  requests: string[];
}

function openingsOf(
  { path, page, alongside = [], requests = [], redirectTo, children = [] }: PageRoute,
  around: Opening,
): Opening[] {
  const here = {
    path: path.startsWith('/') || path === '' ? `${around.path}${path}` : `${around.path}/${path}`,
    modules: [...around.modules, ...alongside, ...(page ? [page] : [])],
    requests: [...around.requests, ...requests],
  };
  if (children.length > 0) return children.flatMap((child) => openingsOf(child, here));
  return redirectTo ? [] : [here];
}

/** Every page of the console. The first that fits an address is the one that it shows. */
export const openings: Opening[] = pageRoutes.flatMap((route) =>
  openingsOf(route, { path: '', modules: [], requests: [] }),
);
