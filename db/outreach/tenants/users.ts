import { z } from 'zod';
import type { Page } from '#domain/api/primitives.ts';
import { type Role, roles as byStrength } from '#domain/api/session.ts';
import { decodeCursor, keyText, pageOf } from '#domain/cursor.ts';
import { type Database, firstRow, rows } from '#db/database.ts';
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

/** A user who has signed in, has a list of service numbers, or both. */
export interface ListedUser {
  platformUserId: string;
  /** Null before the first sign-in, as the next two are. */
  name: string | null;
  role: Role | null;
  lastSignInAt: Date | null;
  roles: Role[];
  /** Of the list, what the reader sees, too; null: there is none. */
  serviceNumberIds: string[] | null;
}

// The catalogue has the numbers that the reader sees.
const selectListed = `
  select coalesce(u.platform_user_id, r.actor) as platform_user_id, u.name, u.role, u.last_sign_in_at,
    coalesce(nullif(u.roles, '{}'), array_remove(array[u.role], null)) as roles,
    case when r.actor is not null then array(select n.service_number_id from service_number_catalog n
      where n.tenant_id = :tenantId and n.service_number_id = any(r.service_number_ids) order by 1) end as service_number_ids
  from (select * from app_user where tenant_id = :tenantId) u
    full join (select * from service_number_right where tenant_id = :tenantId and not starts_with(actor, 'key:')) r
      on r.actor = u.platform_user_id`;

/** Users of the tenant by id, page by page. */
export async function listUsers(
  database: Database,
  tenantId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<ListedUser>> {
  const after = decodeCursor(z.tuple([keyText]), cursor);
  const found = await rows<ListedUser>(
    database,
    `${selectListed} ${after ? 'where coalesce(u.platform_user_id, r.actor) > :after' : ''} order by 1 limit :rows`,
    { tenantId, after: after?.[0], rows: limit + 1 },
  );
  return pageOf(found, limit, (row) => [row.platformUserId]);
}

/** As `listUsers` has it. */
export const findListedUser = (
  database: Database,
  tenantId: string,
  platformUserId: string,
): Promise<ListedUser | null> =>
  firstRow<ListedUser>(database, `${selectListed} where coalesce(u.platform_user_id, r.actor) = :platformUserId`, {
    tenantId,
    platformUserId,
  });

/** Somebody of the tenant who has signed in. */
export async function findUser(database: Database, tenantId: string, platformUserId: string): Promise<UserRow | null> {
  return (await UserRow.query(database).findById([tenantId, platformUserId])) ?? null;
}
