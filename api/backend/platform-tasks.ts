import { credentialSource } from '../../activities/outreach/deps.ts';
import { Problem } from '../../domain/api/problem.ts';
import type { Database } from '../../db/database.ts';
import type { Encryption } from '../../db/encryption.ts';
import type { PlatformGateway } from '../../clients/platform/gateway.ts';
import type { PlatformTasks } from './deps.ts';

/**
 * Calls to the platform while a caller waits: made once, without retries, and `unavailable` if there is no response.
 */
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
        const problem = new Problem('invalid_content', `The platform rejected it: ${outcome.code}: ${outcome.message}`);
        return { taskId: null, problem, nothingSent };
      }
      const lost = nothingSent ? '' : ' It may have been sent nevertheless.';
      const detail = `The platform did not accept it: ${outcome.message}.${lost}`;
      return { taskId: null, problem: new Problem('unavailable', detail, { retryAfterSeconds: 5 }), nothingSent };
    },
    async readTask(tenantId, serviceNumberId, taskId) {
      const source = credentialSource({ database, encryption }, tenantId);
      const outcome = await gateway.readTask(source, { serviceNumberId, taskId });
      if (outcome.kind === 'accepted') return { taskId, ...outcome.value };
      if (outcome.kind === 'rejected' && outcome.status === 404) return null;
      if (outcome.kind === 'rejected')
        throw new Problem('invalid_content', `The platform rejected the task id: ${outcome.code}: ${outcome.message}`);
      throw new Problem('unavailable', `The task could not be read from the platform: ${outcome.message}`, {
        retryAfterSeconds: 5,
      });
    },
  };
}
