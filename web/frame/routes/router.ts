import type { Component } from 'vue';
import { createRouter, createWebHistory, START_LOCATION, type Router, type RouteRecordRaw } from 'vue-router';
import type { PageMeta, PageRoute } from './page-route.ts';
import { pageRoutes } from './page-routes.ts';

declare module 'vue-router' {
  interface RouteMeta extends PageMeta {}
}

const components = import.meta.glob<Component>(
  ['/pages/**/*{Page,Tab}.vue', '/embed/*{Frame,Slot}.vue', '/frame/AppFrame.vue', '/checkout/CheckoutFrame.vue'],
  { import: 'default' },
);

function componentOf(page: string): Component {
  const component = components[`/${page}`];
  if (!component) throw new Error(`there is no page ${page}`);
  return component;
}

function recordOf({ path, name, page, redirectTo, props, meta, children = [] }: PageRoute): RouteRecordRaw {
  const at = { path, ...(name ? { name } : {}) };
  if (redirectTo) return { ...at, redirect: ({ params }) => ({ name: redirectTo, params }) };
  const component = page ? { component: componentOf(page) } : {};
  return { ...at, ...component, props, meta, children: children.map(recordOf) } as RouteRecordRaw;
}

/** To be created once the address holds no token: the history keeps the address it starts with. */
export function createConsoleRouter(): Router {
  return createRouter({
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
    routes: [{ path: '/', redirect: '/app' }, ...pageRoutes.map(recordOf), { path: '/:rest(.*)*', redirect: '/app' }],
  });
}
