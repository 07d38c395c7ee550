import type { User } from '#domain/api/users.ts';
import type { ListedUser } from '#db/outreach/tenants/users.ts';

/** Somebody who has never signed in is only known by the id. */
export function presentUser(userId: string, user: Omit<ListedUser, 'platformUserId'> | null): User {
  return {
    userId,
    platformUserId: userId,
    name: user?.name ?? userId,
    role: user?.role ?? null,
    roles: user?.roles ?? [],
    lastSignInAt: user?.lastSignInAt?.toISOString() ?? null,
    serviceNumberIds: user?.serviceNumberIds ?? null,
  };
}
