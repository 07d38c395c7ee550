import { z } from 'zod';
import type { ConsoleRole } from '../../../domain/api/internal.ts';
import type { Page } from '../../../domain/api/primitives.ts';
import type { User } from '../../../domain/api/users.ts';
import { decodeCursor, keyText, pageOf } from '../../../domain/cursor.ts';
import type { Database } from '../../database.ts';
import { AppUser } from '../models.ts';

/** Writes the user record at sign-in; `role` is the strongest of the roles that the person has now. */
export async function recordSignIn(
  database: Database,
  tenantId: string,
  user: { userId: string; name: string; role: ConsoleRole },
  now: Date,
): Promise<void> {
  await AppUser.query(database)
    .insert({
      tenantId,
      platformUserId: user.userId,
      name: user.name,
      role: user.role,
      lastSignInAt: now,
    })
    .onConflict(['tenant_id', 'platform_user_id'])
    .merge(['name', 'role', 'last_sign_in_at']);
}

/** People of the tenant by id, page by page. */
export async function listUsers(
  database: Database,
  tenantId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<User>> {
  const after = decodeCursor(z.tuple([keyText]), cursor);
  const query = AppUser.query(database)
    .where({ tenant_id: tenantId })
    .orderBy('platform_user_id')
    .limit(limit + 1);
  if (after) query.where('platform_user_id', '>', after[0]);
  return pageOf(
    await query,
    limit,
    (row) => [row.platformUserId],
    ({ platformUserId, name, role, lastSignInAt }) => ({
      userId: platformUserId,
      platformUserId,
      name,
      role,
      lastSignInAt: lastSignInAt.toISOString(),
    }),
  );
}
