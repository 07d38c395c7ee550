import { Router } from '@koa/router';
import type Koa from 'koa';
import type { Registry } from 'prom-client';
import { createApp } from '../http/app.ts';
import { docsPage } from '../http/docs.ts';
import { healthRoutes, type ReadinessCheck } from '../http/health.ts';
import type { VerifyPlatformToken } from '../http/platform-token.ts';
import type { Logger } from '../runtime/logger.ts';
import { orderAnswers } from './answers.ts';
import { ordersOpenApi } from './openapi.ts';

export interface OrdersAppDeps {
  logger: Logger;
  registry: Registry;
  metricsHost: string;
  verifyToken: VerifyPlatformToken;
  checks: Record<string, ReadinessCheck>;
}

/** The order service's routes, from top to bottom. */
export function createOrdersApp(deps: OrdersAppDeps): Koa {
  const app = createApp(deps.logger);
  app.use(healthRoutes(deps).routes());

  const document = ordersOpenApi();
  const page = docsPage(document);
  const pages = new Router();
  pages.get('/openapi.json', (ctx) => {
    ctx.body = document;
  });
  pages.get('/docs', (ctx) => {
    ctx.type = 'html';
    ctx.body = page;
  });
  app.use(pages.routes());

  const router = new Router({ prefix: '/transaction/v1' });
  app.use(orderAnswers(deps.logger));
  app.use(router.routes());
  return app;
}
