import { z } from 'zod';
import type { ConsoleRole } from '../../../domain/api/internal.ts';
import type { Page } from '../../../domain/api/primitives.ts';
import { decodeCursor, keyText, pageOf } from '../../../domain/cursor.ts';
import type { Database } from '../../database.ts';
import { UserRow } from '../models/tenants.ts';

/** Writes the user record at sign-in; `role` is the strongest of the user's current roles. */
export async function recordSignIn(
  database: Database,
  tenantId: string,
  user: { userId: string; name: string; role: ConsoleRole },
  now: Date,
): Promise<void> {
  await UserRow.query(database)
    .insert({
      tenantId,
      platformUserId: user.userId,
      name: user.name,
      role: user.role,
      lastSignInAt: now,
    })
    .onConflict(['tenantId', 'platformUserId'])
    .merge(['name', 'role', 'lastSignInAt']);
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
