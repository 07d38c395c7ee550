import type { User } from '../../../../domain/api/users.ts';
import type { UserRow } from '../../../../db/outreach/models/tenants.ts';

export function presentUser({ platformUserId, name, role, lastSignInAt }: UserRow): User {
  return { userId: platformUserId, platformUserId, name, role, lastSignInAt: lastSignInAt.toISOString() };
}
