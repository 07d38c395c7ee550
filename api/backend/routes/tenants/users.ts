import { userOperations } from '../../../../domain/api/users.ts';
import { mapPage } from '../../../../domain/cursor.ts';
import { listUsers } from '../../../../db/outreach/tenants/users.ts';
import type { BackendDeps, ServeActor } from '../../deps.ts';
import { presentUser } from './present.ts';

/** Who has signed in, and with which role. */
export function userRoutes(serve: ServeActor, { database }: BackendDeps): void {
  serve(userOperations.listUsers, {
    handle: async ({ actor, query }) => mapPage(await listUsers(database, actor.tenantId, query), presentUser),
  });
}
