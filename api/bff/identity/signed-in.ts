import { createHash } from 'node:crypto';
import type { IntegrationStatus } from '#db/bff/models.ts';
import type { FoundSession } from '#db/bff/sessions.ts';
import { requireAccess } from '#domain/access.ts';
import { consoleRoles, type ConsoleRole } from '#domain/api/internal.ts';
import type { Access } from '#domain/api/operation.ts';
import { Problem } from '#domain/api/problem.ts';
import { type Role, roles as knownRoles } from '#domain/api/session.ts';

/** The caller, as far as the session or the API key knows. */
export interface SignedIn {
  tokenHash: Buffer;
  via: 'cookie' | 'bearer' | 'key';
  /** platformUserId, or `key:<id>` of an API key. */
  userId: string;
  name: string;
  /** platformTenantId; empty if the token names none. */
  tenantId: string;
  roles: string[];
  /** Null if the tenant never installed the application. */
  integrationStatus: IntegrationStatus | null;
  /** The backend's tenant, according to the tenant mapping; null if the tenant has none. */
  externalTenantId: string | null;
  /** When the session or its token expires; a cookie session may continue with a new token. */
  expiresAt: Date;
  /** Of an API key that sees only these. The lists of people are the backend's. */
  serviceNumberIds?: string[];
}

const earliest = (...moments: (Date | null)[]): Date =>
  new Date(Math.min(...moments.filter((moment) => moment !== null).map(Number)));

/** The person a session belongs to. */
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
    expiresAt: earliest(row.expiresAt, row.platformTokenExpiresAt),
  };
}

/** Cookies and tokens are looked up by this hash and never stored in the clear. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function strongestRole(roles: readonly string[]): ConsoleRole | undefined {
  return consoleRoles.find((role) => roles.includes(role));
}

/** A person who may use the console, with the role that applies. */
export type ConsoleUser = SignedIn & { role: ConsoleRole; externalTenantId: string };

const forbidden = (detail: string): Problem => new Problem('forbidden', detail);

/**
 * Undefined if the person has no console access: the tenant has no integration or no mapping, or the person has no
 * role.
 */
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
const noRole = () => forbidden('None of your roles gives access to the console; ask a tenant administrator');

/** The roles that we know. */
export const rolesOf = (who: Pick<SignedIn, 'roles'>): Role[] => who.roles.filter(isRole);

/** A person with any role, even for orders alone. */
export type Member = SignedIn & { roles: Role[] };

/** Undefined as for `asConsoleUser`, but for a person with a role for orders alone. */
export function asMember(who: SignedIn): (Member & { externalTenantId: string }) | undefined {
  const roles = rolesOf(who);
  const { externalTenantId } = who;
  if (roles.length === 0 || externalTenantId === null || who.integrationStatus !== 'ACTIVE') return undefined;
  return { ...who, roles, externalTenantId };
}

/** @throws Problem `forbidden` if the tenant has no integration, or the person no role. */
export function requireMember(who: SignedIn): Member {
  requireInstalled(who);
  const roles = rolesOf(who);
  if (roles.length === 0) throw noRole();
  return { ...who, roles };
}

/** @throws Problem `forbidden` if tenant or role do not allow it. */
export function requireConsole(who: SignedIn, access: Access): ConsoleUser {
  requireInstalled(who);
  const user = asConsoleUser(who);
  if (!user) throw noRole();
  requireAccess(user.role, access);
  return user;
}
