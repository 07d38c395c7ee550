import { z } from 'zod';
import type { Page } from '#domain/api/primitives.ts';
import { type Role, roles as byStrength } from '#domain/api/session.ts';
import { decodeCursor, keyText, pageOf } from '#domain/cursor.ts';
import type { Database } from '#db/database.ts';
import { UserRow } from '../models/tenants.ts';

/** Writes the user record at sign-in. @param user with at least one role, in any order */
export async function recordSignIn(
  database: Database,
  tenantId: string,
  user: { userId: string; name: string; roles: readonly Role[] },
  now: Date,
): Promise<void> {
  const roles = byStrength.filter((role) => user.roles.includes(role));
  await UserRow.query(database)
    .insert({
      tenantId,
      platformUserId: user.userId,
      name: user.name,
      role: roles[0],
      roles,
      lastSignInAt: now,
    })
    .onConflict(['tenantId', 'platformUserId'])
    .merge(['name', 'role', 'roles', 'lastSignInAt']);
}

/** Users of the tenant by id, page by page. */
export async function listUsers(
  database: Database,
  tenantId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<UserRow>> {
  const after = decodeCursor(z.tuple([keyText]), cursor);
  const query = UserRow.query(database)
    .where({ tenantId })
    .orderBy('platformUserId')
    .limit(limit + 1);
  if (after) query.where('platformUserId', '>', after[0]);
  return pageOf(await query, limit, (row) => [row.platformUserId]);
}

/** Somebody of the tenant who has signed in. */
export async function findUser(database: Database, tenantId: string, platformUserId: string): Promise<UserRow | null> {
  return (await UserRow.query(database).findById([tenantId, platformUserId])) ?? null;
}
