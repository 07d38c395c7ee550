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
