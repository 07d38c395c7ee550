import { userOperations } from '#domain/api/users.ts';
import { mapPage } from '#domain/cursor.ts';
import { listUsers } from '#db/outreach/tenants/users.ts';
import type { BackendDeps, ServeActor } from '#api/backend/deps.ts';
import { presentUser } from './present.ts';

/** People who have signed in, with their roles. */
export function userRoutes(serve: ServeActor, { database }: BackendDeps): void {
  serve(userOperations.listUsers, {
    handle: async ({ actor, query }) => mapPage(await listUsers(database, actor.tenantId, query), presentUser),
  });
}
