import type { User } from '#domain/api/users.ts';
import type { UserRow } from '#db/outreach/models/tenants.ts';

export function presentUser({ platformUserId, name, role, roles, lastSignInAt }: UserRow): User {
  const known = roles.length > 0 ? roles : [role];
  return { userId: platformUserId, platformUserId, name, role, roles: known, lastSignInAt: lastSignInAt.toISOString() };
}
