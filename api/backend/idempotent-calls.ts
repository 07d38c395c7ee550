import { keepAnswer } from '#commands/outreach/idempotency/keep-answer.ts';
import { beginCall, continueCall, releaseCall } from '#db/outreach/idempotency/calls.ts';
import { findActiveIntegration } from '#db/outreach/tenants/integrations.ts';
import { internalOperations } from '#domain/api/internal.ts';
import { Problem } from '#domain/api/problem.ts';
import type { IdempotentCalls } from '../http/answered-once.ts';
import type { BackendDeps, ServeService } from './deps.ts';

/** Calls of people and programs, in the backend's database. */
export function keptCalls({ database, encryption, now }: BackendDeps): IdempotentCalls {
  return {
    begin: ({ tenantId, userId: caller }, call) =>
      beginCall(database, encryption, { tenantId, caller, ...call }, now()),
    continue: ({ tenantId }, callId) => continueCall(database, tenantId, callId, now()),
    keep: ({ tenantId }, callId, answer) => keepAnswer(database, encryption, { tenantId, callId }, answer),
    release: ({ tenantId }, callId) => releaseCall(database, tenantId, callId),
  };
}

/** The same for the BFF's own operations: its database has protocol state only. */
export function callRoutes(serve: ServeService, { database, encryption, now }: BackendDeps): void {
  serve(internalOperations.beginCall, {
    handle: async ({ body: { platformTenantId: tenantId, ...call } }) => {
      if (!(await findActiveIntegration(database, tenantId)))
        throw new Problem('not_found', 'There is no active tenant with this id');
      return beginCall(database, encryption, { tenantId, ...call }, now());
    },
  });
  serve(internalOperations.keepCall, {
    handle: async ({ params: { callId }, body: { platformTenantId: tenantId, answer } }) => {
      if (answer === null) await continueCall(database, tenantId, callId, now());
      else await keepAnswer(database, encryption, { tenantId, callId }, answer);
      return undefined;
    },
  });
  serve(internalOperations.releaseCall, {
    handle: async ({ params: { callId }, body: { platformTenantId } }) => {
      await releaseCall(database, platformTenantId, callId);
      return undefined;
    },
  });
}
