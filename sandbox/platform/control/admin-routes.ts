import { z } from 'zod';
import { TENANT_INTEGRATION_ID } from '#domain/signature.ts';
import { control, created, ok, param, readJson } from '#sandbox/http/route.ts';
import type { ApiResponse, Call, DescribedCall, Description, Route } from '#sandbox/http/route.ts';
import type { Integration, Integrations } from '../integration/integrations.ts';
import type { Lifecycle, LifecycleResult } from '../integration/lifecycle.ts';
import type { Tenants } from '../integration/tenants.ts';

const appSchema = z.object({
  appId: z.string().min(1).max(128),
  installBaseUrl: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
  supportedEvents: z.array(z.string().min(1)).default([]),
});
const integrationSchema = z.object({
  appId: z.string().min(1).optional(),
  tenantIntegrationId: z.string().regex(TENANT_INTEGRATION_ID).optional(),
  tenantIntegrationSecret: z.string().min(1).optional(),
  /** False: only create it, as PENDING. */
  install: z.boolean().default(true),
  /** False: respond at once and install in the background. */
  wait: z.boolean().default(true),
  /** Respond with the tenant's PENDING or ACTIVE integration if there is one. */
  reuse: z.boolean().default(false),
});
const rotateSchema = z.object({
  graceSeconds: z.number().int().min(0).optional(),
  newSecret: z.string().min(1).optional(),
});
const uninstallSchema = z.object({ reason: z.string().optional() });

export interface AdminDeps {
  integrations: Integrations;
  tenants: Tenants;
  lifecycle: Lifecycle;
  defaultAppId: string;
  appSecret: string;
}

const outcome = ({ status, answer }: LifecycleResult) => ({ status, answer });

/** An integration as the administration shows it; tests sign with its secret. */
function shown(integration: Integration) {
  const { secret, nextSecret: _next, previous: _previous, ...rest } = integration;
  return { ...rest, tenantIntegrationSecret: secret };
}

async function createIntegration(
  deps: AdminDeps,
  call: DescribedCall<z.infer<typeof integrationSchema>>,
): Promise<ApiResponse> {
  const { integrations, lifecycle } = deps;
  const platformTenantId = param(call, 'platformTenantId');
  const body = readJson(call);
  const existing = body.reuse ? integrations.latestOf(platformTenantId) : undefined;
  const reused = existing && existing.status !== 'UNINSTALLED' ? existing : undefined;
  const { tenantIntegrationId, status } =
    reused ??
    lifecycle.create(platformTenantId, body.appId ?? deps.defaultAppId, {
      tenantIntegrationId: body.tenantIntegrationId,
      secret: body.tenantIntegrationSecret,
    });
  const installed = body.install && status === 'PENDING' ? lifecycle.install(tenantIntegrationId) : undefined;
  const result = body.wait ? await installed : undefined;
  installed?.catch(() => {});
  const response = { ...shown(integrations.get(tenantIntegrationId)), install: result ? outcome(result) : null };
  return reused ? ok(response) : created(response);
}

function listIntegrations({ integrations, tenants }: AdminDeps, call: Call): ApiResponse {
  const { platformTenantId } = tenants.get(param(call, 'platformTenantId'));
  const own = integrations.list().filter((entry) => entry.platformTenantId === platformTenantId);
  return ok({ items: own.map(shown) });
}

/** The lifecycle calls of one integration; each responds with the application's response. */
function lifecycleRoutes({ lifecycle }: AdminDeps): Route[] {
  const action = <Body = never>(
    name: string,
    description: Description<Body, never>,
    run: (id: string, call: DescribedCall<Body>) => Promise<LifecycleResult>,
  ): Route =>
    control('POST', `/admin/tenant-integrations/{tenantIntegrationId}:${name}`, description, async (call) => {
      const result = await run(param(call, 'tenantIntegrationId'), call);
      return ok({ ...outcome(result), integration: shown(result.integration) });
    });
  return [
    action('install', { summary: 'Installs the application' }, (id) => lifecycle.install(id)),
    action('update', { summary: 'Sends the tenant’s current state to the application' }, (id) => lifecycle.update(id)),
    action('rotate-secret', { summary: 'Rotates the application’s secret', body: rotateSchema }, (id, call) => {
      const { graceSeconds, newSecret } = readJson(call);
      return lifecycle.rotate(id, graceSeconds, newSecret);
    }),
    action('uninstall', { summary: 'Uninstalls the application', body: uninstallSchema }, (id, call) =>
      lifecycle.uninstall(id, readJson(call).reason),
    ),
  ];
}

/** Platform administration: applications, tenant integrations, and the lifecycle calls to the application. */
export function adminRoutes(deps: AdminDeps): Route[] {
  const { integrations, appSecret } = deps;
  const ofTenant = '/admin/tenants/{platformTenantId}/tenant-integrations';
  return [
    control('POST', '/admin/integrations/apps', { summary: 'Registers an application', body: appSchema }, (call) => {
      const app = readJson(call);
      integrations.register(app);
      return created({ ...app, appSecret });
    }),
    control('GET', '/admin/integrations/apps', { summary: 'The registered applications' }, () =>
      ok({ items: integrations.apps() }),
    ),
    control(
      'POST',
      ofTenant,
      { summary: 'Creates an integration of a tenant and installs the application', body: integrationSchema },
      (call) => createIntegration(deps, call),
    ),
    control('GET', ofTenant, { summary: 'The integrations of a tenant' }, (call) => listIntegrations(deps, call)),
    ...lifecycleRoutes(deps),
  ];
}
