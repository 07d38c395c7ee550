import { type ConsoleRole, consoleRoles } from './api/internal.ts';
import type { Access } from './api/operation.ts';
import { Problem } from './api/problem.ts';

const allowed: Record<Exclude<Access, 'public' | 'service'>, readonly ConsoleRole[]> = {
  member: consoleRoles,
  read: consoleRoles,
  write: ['tenant_admin', 'marketing_operator'],
  admin: ['tenant_admin'],
};

/** Operations between services are not available to people. */
export const mayAccess = (role: ConsoleRole, access: Access): boolean =>
  access === 'public' || (access !== 'service' && allowed[access].includes(role));

/** @throws Problem `forbidden` if the role may not use operations with this access. */
export function requireAccess(role: ConsoleRole, access: Access): void {
  if (access === 'service') throw new Problem('forbidden', 'Only for calls between services');
  if (!mayAccess(role, access)) throw new Problem('forbidden', `The role ${role} may not do this`);
}
