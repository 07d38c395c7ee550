import type { Middleware } from 'koa';
import type { z } from 'zod';
import type { BackendClient } from '#clients/backend/client.ts';
import type { BffDatabase } from '#db/bff/database.ts';
import { hasSecrets } from '#db/bff/integrations.ts';
import type { TenantIntegration } from '#db/bff/models.ts';
import { lookUpCalls, useNonces } from '#db/bff/nonces.ts';
import type { Secrets } from '#domain/keys/secrets.ts';
import { fieldErrors, Problem } from '#domain/api/problem.ts';
import { parseJson } from '#api/http/body.ts';
import type { BodyBudget } from '#api/http/incoming/budget.ts';
import { codingOf } from '#api/http/incoming/coding.ts';
import { type Deadline, deadlineIn } from '../deadline.ts';
import type { Launcher } from '../launch.ts';
import type { NonceHolds } from './nonce-holds.ts';
import { readClaim, requireAppSignature, type SignedCall } from './signed-call.ts';

export interface LifecycleDeps {
  database: BffDatabase;
  backend: BackendClient;
  launch: Launcher;
  holds: NonceHolds;
  bodies: BodyBudget;
  /** PLATFORM_APP_ID and PLATFORM_APP_SECRET. */
  appId: string;
  appSecrets: Secrets;
  /** PUBLIC_BFF_URL. */
  publicUrl: string;
  /** A lifecycle call gets its response within this time, even if it is a 503. */
  lifecycleDeadlineMs: number;
}

export interface LifecycleRequest<Body> {
  body: Body;
  integration: TenantIntegration | null;
  deadline: Deadline;
  requestId: string;
}

export interface LifecycleHandling<Schema extends z.ZodType<{ tenantIntegrationId: string }>, ApiResponse> {
  body: Schema;
  /** Throws `unauthorized` if the tenant's own signature is not valid for this call. */
  prove: (call: SignedCall, integration: TenantIntegration | null) => void;
  /** Whether an uninstalled integration may still make this call. */
  whenUninstalled: 'gone' | 'handled';
  handle: (request: LifecycleRequest<z.output<Schema>>) => Promise<ApiResponse>;
}

/** An install names an integration that is not known yet, so all of these calls share one budget. */
const LIFECYCLE_SENDER = '';

export const replayed = (): Problem => new Problem('nonce_replayed', 'This nonce was already used');
export const gone = (): Problem => new Problem('gone', 'This integration is uninstalled');

function parseBody<Schema extends z.ZodType<{ tenantIntegrationId: string }>>(
  schema: Schema,
  call: SignedCall,
): z.output<Schema> {
  codingOf(call);
  const result = schema.safeParse(parseJson(call.body));
  if (!result.success) {
    throw new Problem('invalid_request', 'The body does not match its schema', { errors: fieldErrors(result.error) });
  }
  if (result.data.tenantIntegrationId !== call.tenantIntegrationId) {
    throw new Problem('invalid_request', 'Body and header name different integrations', {
      errors: [{ path: '/tenantIntegrationId', message: 'differs from the Authorization header' }],
    });
  }
  return result.data;
}

/** Waits while another call uses the same nonce, so that at most one of them gets a 2xx. */
async function holdNonce(holds: NonceHolds, call: SignedCall, deadline: Deadline): Promise<void> {
  for (;;) {
    const other = holds.hold(call);
    if (!other) return;
    if (await deadline.guard(other)) throw replayed();
  }
}

/** Handles a lifecycle call from its headers to its response. Rejects in the order 401, 410, 409, 415, 400. */
export function lifecycleRoute<Schema extends z.ZodType<{ tenantIntegrationId: string }>, ApiResponse>(
  deps: LifecycleDeps,
  handling: LifecycleHandling<Schema, ApiResponse>,
): Middleware {
  async function response(call: SignedCall, deadline: Deadline, requestId: string): Promise<ApiResponse> {
    const [state] = await deadline.guard(lookUpCalls(deps.database, [call]));
    const integration = state?.integration ?? null;
    // Once its secrets are deleted, the application's signature, which every one of these calls has, proves who calls.
    if (!integration || hasSecrets(integration)) handling.prove(call, integration);
    if (integration?.status === 'UNINSTALLED' && handling.whenUninstalled === 'gone') throw gone();
    if (state?.replayed) throw replayed();
    const body = parseBody(handling.body, call);
    const answered = await handling.handle({ body, integration, deadline, requestId });
    const [fresh] = await useNonces(deps.database, [call], 'forever');
    if (!fresh) throw replayed();
    return answered;
  }

  async function take(call: SignedCall, requestId: string): Promise<ApiResponse> {
    requireAppSignature(call, deps.appSecrets);
    const deadline = deadlineIn(deps.lifecycleDeadlineMs);
    await holdNonce(deps.holds, call, deadline);
    let used = false;
    try {
      const answered = await response(call, deadline, requestId);
      used = true;
      return answered;
    } finally {
      deps.holds.settle(call, used);
    }
  }

  return async (ctx) => {
    const claim = readClaim(ctx.req);
    const requestId = String(ctx.state['requestId']);
    ctx.body = await deps.bodies.receive(ctx, LIFECYCLE_SENDER, (body) => take({ ...claim, body }, requestId));
  };
}
