import { z } from 'zod';
import { ok, readJson, route } from '#sandbox/http/route.ts';
import type { Route } from '#sandbox/http/route.ts';
import { signed } from '../gateway.ts';
import type { GatewayDeps } from '../gateway.ts';

const schema = z.object({
  slots: z
    .array(
      z.object({
        slot: z.string().min(1).max(64),
        endpointUrl: z.url({ protocol: /^https?$/ }),
        params: z.unknown().optional(),
      }),
    )
    .min(1),
});

/** Registration of a tenant's embedded slots, all in one batch, and reading them back. */
export function embedRoutes(deps: GatewayDeps): Route[] {
  const path = '/openapi/v1/embed/configurations';
  return [
    route(
      { code: 'embed', method: 'POST', path },
      { summary: 'Registers the embedded slots of a tenant', access: 'signature', body: schema, response: schema },
      signed(deps, (call, integration) => {
        const { slots } = readJson(call);
        deps.integrations.change(integration.tenantIntegrationId, { slots });
        return ok({ slots });
      }),
    ),
    route(
      { code: 'embed.read', method: 'GET', path },
      { summary: 'The registered slots of a tenant', access: 'signature' },
      signed(deps, (_call, integration) => ok({ slots: integration.slots })),
    ),
  ];
}
