import { type ConsoleRole, consoleRoles } from './api/internal.ts';
import type { Access } from './api/operation.ts';
import { Problem } from './api/problem.ts';

const allowed: Record<Exclude<Access, 'public' | 'service'>, readonly ConsoleRole[]> = {
  member: consoleRoles,
  read: consoleRoles,
  write: ['tenant_admin', 'marketing_operator'],
  admin: ['tenant_admin'],
};

/** @throws Problem `forbidden` if the role may not use operations with this access. */
export function requireAccess(role: ConsoleRole, access: Access): void {
  if (access === 'service') throw new Problem('forbidden', 'Only for calls between services');
  if (access !== 'public' && !allowed[access].includes(role))
    throw new Problem('forbidden', `The role ${role} may not do this`);
}
