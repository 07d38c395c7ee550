import { userOperations } from '../../../../domain/api/users.ts';
import { listUsers } from '../../../../db/outreach/tenants/users.ts';
import type { BackendDeps, ServeActor } from '../../deps.ts';

/** Who has signed in, and with which role. */
export function userRoutes(serve: ServeActor, { database }: BackendDeps): void {
  serve(userOperations.listUsers, {
    handle: ({ actor, query }) => listUsers(database, actor.tenantId, query),
  });
}
