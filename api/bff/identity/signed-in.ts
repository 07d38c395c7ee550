import { createHash } from 'node:crypto';
import type { IntegrationStatus } from '../../../db/bff/models.ts';
import type { FoundSession } from '../../../db/bff/sessions.ts';
import { requireAccess } from '../../../domain/access.ts';
import { consoleRoles, type ConsoleRole } from '../../../domain/api/internal.ts';
import type { Access } from '../../../domain/api/operation.ts';
import { Problem } from '../../../domain/api/problem.ts';
import { type Role, roles as knownRoles } from '../../../domain/api/session.ts';

/** Whoever calls, as far as the session knows. */
export interface SignedIn {
  tokenHash: Buffer;
  via: 'cookie' | 'bearer';
  /** platformUserId. */
  userId: string;
  name: string;
  /** platformTenantId; empty where the token names none. */
  tenantId: string;
  roles: string[];
  /** Null: the tenant never installed the application. */
  integrationStatus: IntegrationStatus | null;
  /** The backend's tenant, by the tenant mapping; null where the tenant has none. */
  externalTenantId: string | null;
}

/** Whoever a session is of. */
export function signedIn(row: FoundSession): SignedIn {
  return {
    tokenHash: row.tokenHash,
    via: row.kind,
    userId: row.userId,
    name: row.name,
    tenantId: row.platformTenantId,
    roles: row.roles,
    integrationStatus: row.integrationStatus,
    externalTenantId: row.externalTenantId,
  };
}

/** Cookies and tokens are looked up by this, and never stored as they are. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function strongestRole(roles: readonly string[]): ConsoleRole | undefined {
  return consoleRoles.find((role) => roles.includes(role));
}

/** Whoever may use the console, with the role that counts. */
export type ConsoleUser = SignedIn & { role: ConsoleRole; externalTenantId: string };

const forbidden = (detail: string): Problem => new Problem('forbidden', detail);

/** Undefined for those whom the console shows nothing: their tenant has no integration or no mapping, or they no role. */
export function asConsoleUser(who: SignedIn): ConsoleUser | undefined {
  const role = strongestRole(who.roles);
  const { externalTenantId } = who;
  if (!role || externalTenantId === null || who.integrationStatus !== 'ACTIVE') return undefined;
  return { ...who, role, externalTenantId };
}

function requireInstalled(who: SignedIn): void {
  if (who.integrationStatus !== 'ACTIVE' || who.externalTenantId === null)
    throw forbidden('The application is not installed for this tenant');
}

const isRole = (role: string): role is Role => (knownRoles as readonly string[]).includes(role);
const noRole = () => forbidden('No role of yours opens the console; ask a tenant administrator');

/** Whoever has a role, be it for orders alone. */
export type Member = SignedIn & { roles: Role[] };

/** @throws Problem `forbidden` where the tenant has no integration, or the person no role. */
export function requireMember(who: SignedIn): Member {
  requireInstalled(who);
  const roles = who.roles.filter(isRole);
  if (roles.length === 0) throw noRole();
  return { ...who, roles };
}

/** @throws Problem `forbidden` where tenant or role do not allow it. */
export function requireConsole(who: SignedIn, access: Access): ConsoleUser {
  requireInstalled(who);
  const user = asConsoleUser(who);
  if (!user) throw noRole();
  requireAccess(user.role, access);
  return user;
}
