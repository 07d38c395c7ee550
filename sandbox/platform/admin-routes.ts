import { z } from 'zod';
import { TENANT_INTEGRATION_ID } from '../../domain/signature.ts';
import { created, ok, param, readJson } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import type { Integration, Integrations } from './integrations.ts';
import type { Lifecycle, LifecycleResult } from './lifecycle.ts';
import type { Tenants } from './tenants.ts';

const appSchema = z.object({
  appId: z.string().min(1).max(128),
  installBaseUrl: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
  supportedEvents: z.array(z.string().min(1)).default([]),
});
const integrationSchema = z.object({
  appId: z.string().min(1).optional(),
  tenantIntegrationId: z.string().regex(TENANT_INTEGRATION_ID).optional(),
  tenantIntegrationSecret: z.string().min(1).optional(),
  /** False: only create it PENDING. */
  install: z.boolean().default(true),
  /** False: answer at once, install in the background. */
  wait: z.boolean().default(true),
  /** Answer with the tenant's PENDING or ACTIVE integration where there is one. */
  reuse: z.boolean().default(false),
});
const rotateSchema = z.object({
  graceSeconds: z.number().int().min(0).optional(),
  newSecret: z.string().min(1).optional(),
});
const uninstallSchema = z.object({ reason: z.string().optional() });
const noBody = z.object({});

export interface AdminDeps {
  integrations: Integrations;
  tenants: Tenants;
  lifecycle: Lifecycle;
  defaultAppId: string;
  appSecret: string;
}

/** Platform administration: applications, tenant integrations, and the lifecycle calls to the application. */
export function adminRoutes(deps: AdminDeps): Route[] {
  const { integrations, tenants, lifecycle } = deps;
  const ofTenant = '/admin/tenants/:platformTenantId/tenant-integrations';
  const one = '/admin/tenant-integrations/:tenantIntegrationId';

  async function createIntegration(platformTenantId: string, body: z.infer<typeof integrationSchema>) {
    const existing = body.reuse ? integrations.latestOf(platformTenantId) : undefined;
    const reused = existing && existing.status !== 'UNINSTALLED' ? existing : undefined;
    const integration =
      reused ??
      lifecycle.create(platformTenantId, body.appId ?? deps.defaultAppId, {
        tenantIntegrationId: body.tenantIntegrationId,
        secret: body.tenantIntegrationSecret,
      });
    const wanted = body.install && integration.status === 'PENDING';
    const installed = wanted ? lifecycle.install(integration.tenantIntegrationId) : undefined;
    const result = body.wait ? await installed : undefined;
    void installed?.catch(() => {});
    const answer = {
      ...shown(integrations.get(integration.tenantIntegrationId)),
      install: result ? outcome(result) : null,
    };
    return reused ? ok(answer) : created(answer);
  }

  const action = (
    code: string,
    name: string,
    run: (tenantIntegrationId: string, call: Parameters<Route['handle']>[0]) => Promise<LifecycleResult>,
  ): Route => ({
    code,
    method: 'POST',
    path: `${one}\\:${name}`,
    handle: async (call) => {
      const result = await run(param(call, 'tenantIntegrationId'), call);
      return ok({ ...outcome(result), integration: shown(result.integration) });
    },
  });

  return [
    {
      code: 'control',
      method: 'POST',
      path: '/admin/integrations/apps',
      handle: (call) => {
        const app = readJson(call, appSchema);
        integrations.register(app);
        return created({ ...app, appSecret: deps.appSecret });
      },
    },
    {
      code: 'control',
      method: 'GET',
      path: '/admin/integrations/apps',
      handle: () => ok({ items: integrations.apps() }),
    },
    {
      code: 'control',
      method: 'POST',
      path: ofTenant,
      handle: (call) => createIntegration(param(call, 'platformTenantId'), readJson(call, integrationSchema)),
    },
    {
      code: 'control',
      method: 'GET',
      path: ofTenant,
      handle: (call) => {
        const tenant = tenants.get(param(call, 'platformTenantId'));
        const own = integrations.list().filter((entry) => entry.platformTenantId === tenant.platformTenantId);
        return ok({ items: own.map(shown) });
      },
    },
    action('control', 'install', (id) => lifecycle.install(id)),
    action('control', 'update', (id, call) => (readJson(call, noBody), lifecycle.update(id))),
    action('control', 'rotate-secret', (id, call) => {
      const { graceSeconds, newSecret } = readJson(call, rotateSchema);
      return lifecycle.rotate(id, graceSeconds, newSecret);
    }),
    action('control', 'uninstall', (id, call) => lifecycle.uninstall(id, readJson(call, uninstallSchema).reason)),
  ];
}

const outcome = ({ status, answer }: LifecycleResult) => ({ status, answer });

/** An integration as the administration shows it; tests sign with its secret. */
function shown(integration: Integration) {
  const { secret, nextSecret: _next, previous: _previous, ...rest } = integration;
  return { ...rest, tenantIntegrationSecret: secret };
}
