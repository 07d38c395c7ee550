import { Problem } from '../../domain/api/problem.ts';
import { readSigningSecrets } from '../../db/outreach/tenants.ts';
import type { Database } from '../../db/database.ts';
import type { Encryption } from '../../db/encryption.ts';
import type { PlatformGateway } from '../../activities/platform/gateway.ts';
import type { PlatformTasks } from './deps.ts';

/** Questions to the platform while a caller waits: asked once, and refused as `unavailable` where no answer comes. */
export function createPlatformTasks(
  gateway: PlatformGateway,
  database: Database,
  encryption: Encryption,
): PlatformTasks {
  return {
    async submitBroadcast(tenantId, serviceNumberId, { key, broadcast }) {
      const source = { read: async () => (await readSigningSecrets(database, encryption, tenantId)) ?? null };
      const outcome = await gateway.createBroadcast(source, { serviceNumberId, key, broadcast });
      if (outcome.kind === 'accepted') return outcome.value.taskId;
      if (outcome.kind === 'refused')
        throw new Problem('invalid_content', `The platform refuses it: ${outcome.code}: ${outcome.message}`);
      const lost = outcome.kind === 'ambiguous' ? ' It may have been sent all the same.' : '';
      throw new Problem('unavailable', `The platform did not take it: ${outcome.message}.${lost}`, {
        retryAfterSeconds: 5,
      });
    },
    async readTask(tenantId, serviceNumberId, taskId) {
      const source = { read: async () => (await readSigningSecrets(database, encryption, tenantId)) ?? null };
      const outcome = await gateway.readTask(source, { serviceNumberId, taskId });
      if (outcome.kind === 'accepted') return { taskId, status: outcome.value.status };
      if (outcome.kind === 'refused') return null;
      throw new Problem('unavailable', `The platform cannot be asked for the task: ${outcome.message}`, {
        retryAfterSeconds: 5,
      });
    },
  };
}
