import type { Component } from 'vue';
import { createRouter, createWebHistory, START_LOCATION, type Router, type RouteRecordRaw } from 'vue-router';
import { openNewRelease } from '#web/api/http/release.ts';
import { loadTexts } from '../i18n.ts';
import type { PageMeta, PageRoute, TextGroup } from './page-route.ts';
import { pageRoutes } from './page-routes.ts';

declare module 'vue-router' {
  interface RouteMeta extends PageMeta {}
}

const components = import.meta.glob<Component>(
  ['/pages/**/*{Page,Tab}.vue', '/embed/*{Frame,Slot}.vue', '/frame/AppFrame.vue', '/checkout/CheckoutFrame.vue'],
  { import: 'default' },
);

/** Loads a page, with the texts that only it and its like have. */
function componentOf(page: string, texts: TextGroup | undefined): () => Promise<Component> {
  const load = components[`/${page}`];
  if (!load) throw new Error(`there is no page ${page}`);
  if (!texts) return load;
  return async () => {
    const [component] = await Promise.all([load(), loadTexts(texts)]);
    return component;
  };
}

function recordOf(route: PageRoute, textsAbove?: TextGroup): RouteRecordRaw {
  const { path, name, page, redirectTo, props, meta, texts = textsAbove, children = [] } = route;
  const at = { path, ...(name ? { name } : {}) };
  if (redirectTo) return { ...at, redirect: ({ params }) => ({ name: redirectTo, params }) };
  const component = page ? { component: componentOf(page, texts) } : {};
  return {
    ...at,
    ...component,
    props,
    meta,
    children: children.map((child) => recordOf(child, texts)),
  } as RouteRecordRaw;
}

/** Opens in a newer release what this one cannot load any more. */
function followReleases(router: Router): void {
  let going: string | null = null;
  router.beforeEach((to) => {
    going = to.fullPath;
  });
  router.afterEach(() => {
    going = null;
  });
  addEventListener('vite:preloadError', () => void openNewRelease(going ?? location.href));
}

/** To be created once the address holds no token: the history keeps the address it starts with. */
export function createConsoleRouter(): Router {
  const router = createRouter({
    history: createWebHistory(),
    scrollBehavior: (to, from, saved) => {
      if (saved) return saved;
      // A page that has just been loaded is at its top; scrolling there would compute its layout before it is complete.
      if (from === START_LOCATION && !to.hash) return false;
      if (to.path !== from.path) return { top: 0 };
      // A section of the page that is shown already.
      if (to.hash) return { el: to.hash };
      return to.query['cursor'] === from.query['cursor'] ? false : { top: 0 };
    },
    routes: [
      { path: '/', redirect: '/app' },
      ...pageRoutes.map((route) => recordOf(route)),
      { path: '/:rest(.*)*', redirect: '/app' },
    ],
  });
  followReleases(router);
  return router;
}
