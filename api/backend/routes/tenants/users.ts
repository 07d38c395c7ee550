import { userOperations } from '#domain/api/users.ts';
import { mapPage } from '#domain/cursor.ts';
import { putServiceNumbers } from '#commands/outreach/rights/put-service-numbers.ts';
import { findListedUser, listUsers } from '#db/outreach/tenants/users.ts';
import { authorOf, type BackendDeps, type ServeActor } from '#api/backend/deps.ts';
import { presentUser } from './present.ts';

/** People who have signed in, with their roles, and the service numbers that they see. */
export function userRoutes(serve: ServeActor, { database }: BackendDeps): void {
  serve(userOperations.listUsers, {
    handle: async ({ actor, query }) =>
      mapPage(await listUsers(database, actor.tenantId, query), (user) => presentUser(user.platformUserId, user)),
  });

  serve(userOperations.putUserServiceNumbers, {
    handle: async ({ actor, params: { userId }, body: { serviceNumberIds } }) => {
      await putServiceNumbers(database, authorOf(actor), userId, serviceNumberIds);
      return presentUser(userId, await findListedUser(database, actor.tenantId, userId));
    },
  });
}
