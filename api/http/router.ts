import { Router } from '@koa/router';

/** A router that knows its paths in one spelling, as the middlewares around it do. */
export const createRouter = (prefix = ''): Router => new Router({ prefix, sensitive: true });
