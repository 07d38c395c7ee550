import type { Router } from '@koa/router';
import type Koa from 'koa';
import { aiOperations } from '#domain/api/ai.ts';
import { backendOperations } from '#domain/api/index.ts';
import { internalOperations } from '#domain/api/internal.ts';
import { manifestOperation, toolOperations, TOOLS_PREFIX } from '#domain/api/tools.ts';
import { findStanding } from '#db/outreach/rights/rights.ts';
import { asViewer, forViewers } from '#db/outreach/rights/viewers.ts';
import { answeredOnce } from '../http/answered-once.ts';
import { createApp } from '../http/app.ts';
import { createServe, openApiDocument } from '../http/problem-api.ts';
import { authenticateService } from '../http/service-auth.ts';
import { authenticateActor, createTokens } from './auth.ts';
import type { BackendDeps } from './deps.ts';
import { callRoutes, keptCalls } from './idempotent-calls.ts';
import { aiRoutes } from './routes/ai/route.ts';
import { audienceRoutes } from './routes/audiences/route.ts';
import { notedAuditRoutes } from './routes/audit/noted.ts';
import { auditLogRoutes } from './routes/audit/route.ts';
import { calendarRoutes } from './routes/calendar/route.ts';
import { campaignRoutes } from './routes/campaigns/route.ts';
import { personRoutes } from './routes/contacts/person.ts';
import { contactRoutes } from './routes/contacts/route.ts';
import { exportRoutes } from './routes/exports/route.ts';
import { eventInboxRoutes } from './routes/inbox/route.ts';
import { noticeRoutes } from './routes/notices/route.ts';
import { overviewRoutes } from './routes/overview/route.ts';
import { progressRoutes } from './routes/sends/progress.ts';
import { repeatRoutes } from './routes/repeats/route.ts';
import { automationRoutes } from './routes/automations/route.ts';
import { ruleRoutes } from './routes/rules/route.ts';
import { tagRoutes } from './routes/tags/route.ts';
import { tenantIntegrationRoutes } from './routes/tenants/integrations.ts';
import { templateRoutes } from './routes/templates/route.ts';
import { toolRoutes } from './routes/tools/route.ts';
import { serviceTokenRoutes } from './routes/tools/service-tokens.ts';
import { createToolTokens } from './routes/tools/token.ts';
import { retentionRoutes } from './routes/tenants/retention.ts';
import { tenantLiftRoutes } from './routes/tenants/lift.ts';
import { tokenRoutes } from './routes/tenants/tokens.ts';
import { tenantSettingsRoutes } from './routes/tenants/settings.ts';
import { userRoutes } from './routes/tenants/users.ts';
import { webhookRoutes } from './routes/webhook/route.ts';
import { createRouter } from '../http/router.ts';

export const INTERNAL_PREFIX = '/internal/v1';

/** The document served at `/openapi.json`. */
export function backendOpenApi() {
  return openApiDocument('Outreach backend', 'Only the BFF calls this API; the frontend API forwards most of it.', [
    { prefix: INTERNAL_PREFIX, operations: { ...backendOperations, ...aiOperations, ...internalOperations } },
    { prefix: TOOLS_PREFIX, operations: { ...toolOperations, manifest: manifestOperation } },
  ]);
}

export interface BackendApp {
  app: Koa;
  /** Mounts routes from other modules (health, intake). Call it before listening. */
  mount(router: Router): void;
  /** Ends the open streams, so that the server can close. */
  endStreams(): void;
}

/** What people and programs call, apart from what streams. */
const routesForPeople = [
  contactRoutes,
  personRoutes,
  tagRoutes,
  ruleRoutes,
  audienceRoutes,
  campaignRoutes,
  calendarRoutes,
  templateRoutes,
  repeatRoutes,
  automationRoutes,
  eventInboxRoutes,
  auditLogRoutes,
  userRoutes,
  retentionRoutes,
  tenantSettingsRoutes,
  tenantLiftRoutes,
  webhookRoutes,
  overviewRoutes,
  exportRoutes,
  aiRoutes,
];

/** The internal API. */
export function createBackendApp(deps: BackendDeps): BackendApp {
  const app = createApp(deps.logger, deps.registry);
  const router = createRouter(INTERNAL_PREFIX);
  const tokens = createTokens(deps.internalSecrets, deps.now);
  const toolTokens = createToolTokens(deps.internalSecrets, deps.now);
  const { checkResponses } = deps;
  const toService = createServe({
    router,
    authenticate: authenticateService(deps.internalSecrets),
    checkResponses,
  });
  const toActor = createServe({
    router,
    authenticate: authenticateActor(tokens, (who) => findStanding(deps.database, who)),
    within: ({ serviceNumberIds }, work) => asViewer(serviceNumberIds, work),
    failed: ({ actor, operation, error }) => deps.refusals.ofActor(actor, operation, error),
    once: answeredOnce(
      keptCalls(deps),
      deps.logger,
      ({ serviceNumberIds }, number) => serviceNumberIds?.includes(number) ?? true,
    ),
    checkResponses,
  });

  tokenRoutes(toService, deps, tokens);
  serviceTokenRoutes(toService, deps, toolTokens);
  tenantIntegrationRoutes(toService, deps);
  notedAuditRoutes(toService, deps);
  callRoutes(toService, deps);

  // Callers read by a pool that knows them.
  const own: BackendDeps = { ...deps, database: forViewers(deps.database) };
  for (const routes of routesForPeople) routes(toActor, own);
  const streams = [progressRoutes(toActor, own, deps.database), noticeRoutes(toActor, own, deps.database)];

  // Megabytes that a start does not need.
  let described: ReturnType<typeof backendOpenApi> | undefined;
  const document = createRouter().get('/openapi.json', (ctx) => {
    ctx.body = described ??= backendOpenApi();
  });
  const mount = (routes: Router) => void app.use(routes.routes());
  mount(document);
  mount(router);
  for (const routes of toolRoutes(deps, toolTokens)) mount(routes);
  return {
    app,
    mount,
    endStreams() {
      for (const one of streams) one.endStreams();
    },
  };
}
