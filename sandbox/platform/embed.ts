import { z } from 'zod';
import { ok, readJson } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { signed } from './gateway.ts';
import type { GatewayDeps } from './gateway.ts';

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

/** Registration of embedded slots, all of a tenant in one batch, and reading them back. */
export function embedRoutes(deps: GatewayDeps): Route[] {
  const path = '/openapi/v1/embed/configurations';
  return [
    {
      code: 'embed',
      method: 'POST',
      path,
      handle: signed(deps, (call, integration) => {
        const { slots } = readJson(call, schema);
        deps.integrations.change(integration.tenantIntegrationId, { slots });
        return ok({ slots });
      }),
    },
    {
      code: 'embed.read',
      method: 'GET',
      path,
      handle: signed(deps, (_call, integration) => ok({ slots: integration.slots })),
    },
  ];
}
