import type { ConsoleRole } from '../../domain/api/internal.ts';
import type { Database } from '../database.ts';
import { AppUser } from './models.ts';

/** Writes the user record at sign-in; `role` is the strongest of the roles that the person has now. */
export async function recordSignIn(
  db: Database,
  tenantId: string,
  user: { userId: string; name: string; role: ConsoleRole },
  now: Date,
): Promise<void> {
  await AppUser.query(db)
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
