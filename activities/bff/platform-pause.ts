import type { BackendClient } from '#clients/backend/client.ts';
import { internalOperations } from '#domain/api/internal.ts';
import { activityRequestId } from './installation.ts';

/** The platform knows one pause for all calls of an integration, and the backend makes most of them. */
export interface PlatformPause {
  /** Milliseconds for which the platform must not be called; 0 without a pause. @throws BackendError */
  read(tenantIntegrationId: string): Promise<number>;
  /** @throws BackendError */
  store(tenantIntegrationId: string, ms: number): Promise<void>;
}

export function createPlatformPause(backend: BackendClient): PlatformPause {
  const callFor = (tenantIntegrationId: string) => ({
    params: { tenantIntegrationId },
    requestId: activityRequestId(),
  });
  return {
    read: async (id) => (await backend.call(internalOperations.readPlatformPause, callFor(id))).pausedMs,
    store: async (id, ms) => {
      await backend.call(internalOperations.storePlatformPause, { ...callFor(id), body: { pausedMs: Math.ceil(ms) } });
    },
  };
}
