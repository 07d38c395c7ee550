import { uuidv7 } from 'uuidv7';
import type { BackendClient } from '#clients/backend/client.ts';
import { internalOperations } from '#domain/api/internal.ts';
import type { IdempotentCalls } from '../http/answered-once.ts';
import { currentRequestId } from '../http/request-id.ts';
import { backendProblem } from './backend-problem.ts';

const failed = (error: unknown): never => {
  throw backendProblem(error);
};

/** Calls of the BFF's own operations are known to the backend: the BFF's database has protocol state only. */
export function callsAtBackend(backend: BackendClient): IdempotentCalls {
  const requestId = () => currentRequestId() ?? uuidv7();
  const { beginCall, keepCall, releaseCall } = internalOperations;
  return {
    begin: ({ tenantId: platformTenantId, userId: caller }, call) =>
      backend.call(beginCall, { body: { platformTenantId, caller, ...call }, requestId: requestId() }).catch(failed),
    continue: ({ tenantId: platformTenantId }, callId) =>
      backend.call(keepCall, {
        params: { callId },
        body: { platformTenantId, answer: null },
        requestId: requestId(),
      }),
    keep: ({ tenantId: platformTenantId }, callId, answer) =>
      backend.call(keepCall, { params: { callId }, body: { platformTenantId, answer }, requestId: requestId() }),
    release: ({ tenantId: platformTenantId }, callId) =>
      backend.call(releaseCall, { params: { callId }, body: { platformTenantId }, requestId: requestId() }),
  };
}
