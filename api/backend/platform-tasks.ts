import { credentialSource } from '../../activities/outreach/deps.ts';
import { Problem } from '../../domain/api/problem.ts';
import type { Database } from '../../db/database.ts';
import type { Encryption } from '../../db/encryption.ts';
import type { PlatformGateway } from '../../clients/platform/gateway.ts';
import type { PlatformTasks } from './deps.ts';

/** Questions to the platform while a caller waits: asked once, and refused as `unavailable` where no answer comes. */
export function createPlatformTasks(
  gateway: PlatformGateway,
  database: Database,
  encryption: Encryption,
): PlatformTasks {
  return {
    async submitBroadcast(tenantId, serviceNumberId, { key, broadcast }) {
      const source = credentialSource({ database, encryption }, tenantId);
      const outcome = await gateway.createBroadcast(source, { serviceNumberId, key, broadcast });
      if (outcome.kind === 'accepted') return { taskId: outcome.value.taskId };
      const nothingSent = outcome.kind !== 'ambiguous';
      if (outcome.kind === 'rejected') {
        const problem = new Problem('invalid_content', `The platform refuses it: ${outcome.code}: ${outcome.message}`);
        return { taskId: null, problem, nothingSent };
      }
      const lost = nothingSent ? '' : ' It may have been sent all the same.';
      const detail = `The platform did not take it: ${outcome.message}.${lost}`;
      return { taskId: null, problem: new Problem('unavailable', detail, { retryAfterSeconds: 5 }), nothingSent };
    },
    async readTask(tenantId, serviceNumberId, taskId) {
      const source = credentialSource({ database, encryption }, tenantId);
      const outcome = await gateway.readTask(source, { serviceNumberId, taskId });
      if (outcome.kind === 'accepted') return { taskId, status: outcome.value.status };
      if (outcome.kind === 'rejected') return null;
      throw new Problem('unavailable', `The platform cannot be asked for the task: ${outcome.message}`, {
        retryAfterSeconds: 5,
      });
    },
  };
}
