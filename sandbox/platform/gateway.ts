import { NONCE, NONCE_HEADER, parseAuthorization, signatureMatches } from '#domain/signature.ts';
import { header, SandboxError } from '../http/route.ts';
import type { ApiResponse, Call, DescribedCall, Handler } from '../http/route.ts';
import { acceptedSecrets } from './integration/integrations.ts';
import type { Integration, Integrations } from './integration/integrations.ts';
import type { Nonces } from './integration/nonces.ts';
import type { Tenants } from './integration/tenants.ts';

export interface GatewayDeps {
  integrations: Integrations;
  nonces: Nonces;
  tenants: Tenants;
}

/**
 * A handler that requires the signature of a tenant integration: 401 if anything is missing, malformed, unknown
 * or wrong, 409 `nonce_replayed` if the nonce has already been used.
 */
export function signed<Body, Query>(
  deps: GatewayDeps,
  handle: (call: DescribedCall<Body, Query>, integration: Integration) => ApiResponse,
): Handler<DescribedCall<Body, Query>> {
  return (call) => {
    const { integration, nonce } = authenticate(deps, call);
    const { tenantIntegrationId } = integration;
    if (!deps.nonces.reserve(tenantIntegrationId, nonce)) {
      throw new SandboxError(409, 'nonce_replayed', 'this nonce has already been used');
    }
    let effective = false;
    try {
      const response = handle(call, integration);
      effective = response.status < 300;
      return response;
    } finally {
      deps.nonces.settle(tenantIntegrationId, nonce, effective);
    }
  };
}

function authenticate(deps: GatewayDeps, call: Call): { integration: Integration; nonce: string } {
  const parsed = parseAuthorization(header(call, 'authorization'));
  const nonce = header(call, NONCE_HEADER) ?? '';
  const integration = parsed ? deps.integrations.find(parsed.tenantIntegrationId) : undefined;
  call.note.signature = 'refused';
  if (parsed) call.note.tenantIntegrationId = parsed.tenantIntegrationId;
  const genuine =
    parsed &&
    integration &&
    integration.status !== 'UNINSTALLED' &&
    NONCE.test(nonce) &&
    acceptedSecrets(integration).some((secret) =>
      signatureMatches(
        secret,
        { tenantIntegrationId: parsed.tenantIntegrationId, nonce, body: call.body },
        parsed.signature,
      ),
    );
  if (!genuine) throw new SandboxError(401, 'unauthorized', 'the signature is missing or wrong');
  call.note.signature = 'ok';
  return { integration, nonce };
}

/**
 * Asserts that the service number belongs to the calling tenant.
 * @throws Refusal 404
 */
export function assertOwnServiceNumber(deps: GatewayDeps, integration: Integration, serviceNumberId: string): void {
  if (deps.tenants.ownerOf(serviceNumberId)?.platformTenantId !== integration.platformTenantId) {
    throw new SandboxError(404, 'not_found', `the tenant has no service number ${serviceNumberId}`);
  }
}
