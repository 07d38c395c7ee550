import { raw } from 'objection';
import { uuidv7 } from 'uuidv7';
import { z } from 'zod';
import type { Page } from '#domain/api/primitives.ts';
import { decodeCursor, pageOf } from '#domain/cursor.ts';
import { rows } from '../database.ts';
import type { BffDatabase } from './database.ts';
import { type IntegrationStatus, Session } from './models.ts';
import { mappedTenantOf } from './tenant-mapping.ts';

const IDLE_MINUTES = 30;

export const MAXIMUM_HOURS = 12;

const GOES_ON = `ended_at is null and expires_at > now()
  and (kind = 'bearer' or last_used_at > now() - interval '${IDLE_MINUTES} minutes')`;

export interface NewSession {
  tokenHash: Buffer;
  kind: 'cookie' | 'bearer';
  platformTenantId: string;
  userId: string;
  name: string;
  roles: readonly string[];
  expiresAt: Date;
  sid?: string | null;
  userAgent?: string | null;
  /** The platform token itself, kept sealed for the requests forwarded with it. Cookie sessions only. */
  platformToken?: PlatformTokens;
}

/** What the identity service returned at sign-in or renewal. */
export interface PlatformTokens {
  token: string;
  expiresAt: Date;
  /** Null if the identity service returns none: the session's token cannot be renewed. */
  refreshToken: string | null;
}

/** A session that is still valid, with our view of its tenant. */
export type FoundSession = Session & {
  /** State of the tenant's integration; null if it was never installed. */
  integrationStatus: IntegrationStatus | null;
  /** The backend's tenant according to the mapping; null if the tenant has none. */
  externalTenantId: string | null;
};

/** Binds a sealed platform token to its row. */
export const tokenContext = (tokenHash: Buffer): string => `session:${tokenHash.toString('hex')}`;

/** The token columns that are stored sealed. */
function sealed({ encryption }: BffDatabase, tokenHash: Buffer, tokens: PlatformTokens) {
  const seal = (text: string) => encryption.encrypt(text, tokenContext(tokenHash));
  return {
    platformTokenEncrypted: seal(tokens.token),
    platformTokenExpiresAt: tokens.expiresAt,
    refreshTokenEncrypted: tokens.refreshToken === null ? null : seal(tokens.refreshToken),
  };
}

/** Stores the session; a platform token that was seen before keeps its session. */
export async function createSession(database: BffDatabase, session: NewSession): Promise<void> {
  const { platformToken, roles, ...rest } = session;
  const now = new Date();
  await Session.query(database.connection)
    .insert({
      ...rest,
      sessionId: uuidv7(),
      roles: [...roles],
      ...(platformToken ? sealed(database, rest.tokenHash, platformToken) : {}),
      createdAt: now,
      lastUsedAt: now,
    })
    .onConflict('tokenHash')
    .ignore();
}

/** An active session, by the hash of the cookie or token. */
export async function findSession(
  { connection }: BffDatabase,
  tokenHash: Buffer,
  kind: 'cookie' | 'bearer',
): Promise<FoundSession | null> {
  const row = await Session.query(connection)
    .findById(tokenHash)
    .where({ kind })
    .whereRaw(GOES_ON)
    .select(
      'session.*',
      raw(`(select i.status from tenant_integration i where i.platform_tenant_id = session.platform_tenant_id
             order by i.status = 'ACTIVE' desc, i.created_at desc limit 1)`).as('integration_status'),
      raw(mappedTenantOf('session.platform_tenant_id')).as('external_tenant_id'),
    );
  return (row as FoundSession | undefined) ?? null;
}

export interface SessionFilter {
  platformTenantId: string;
  /** Of this person alone. */
  userId?: string | undefined;
}

const listedColumns = [
  'tokenHash',
  'sessionId',
  'userId',
  'name',
  'kind',
  'userAgent',
  'createdAt',
  'lastUsedAt',
] as const;

export type ListedSession = Pick<Session, (typeof listedColumns)[number]>;

const filtered = ({ connection }: BffDatabase, { platformTenantId, userId }: SessionFilter) =>
  Session.query(connection)
    .where({ platformTenantId, ...(userId !== undefined && { userId }) })
    .whereRaw(GOES_ON);

/** Active sessions, newest first. */
export async function listSessions(
  database: BffDatabase,
  filter: SessionFilter,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<ListedSession>> {
  const after = decodeCursor(z.tuple([z.uuid()]), cursor);
  const found = await filtered(database, filter)
    .select(...listedColumns)
    .where((query) => void (after && query.where('sessionId', '<', after[0])))
    .orderBy('sessionId', 'desc')
    .limit(limit + 1);
  return pageOf(found, limit, ({ sessionId }) => [sessionId]);
}

/** One of them by the id that people see; null if there is none. */
export async function findListedSession(
  database: BffDatabase,
  filter: SessionFilter,
  sessionId: string,
): Promise<Session | null> {
  return (await filtered(database, filter).findOne({ sessionId })) ?? null;
}

/** Records the use, at most once a minute. */
export async function touchSession({ connection }: BffDatabase, session: Session): Promise<void> {
  if (Date.now() - session.lastUsedAt.getTime() < 60_000) return;
  await Session.query(connection).findById(session.tokenHash).patch({ lastUsedAt: new Date() });
}

/** The platform tokens of a cookie session; null if there are none. */
export function platformTokensOf({ encryption }: BffDatabase, session: Session): PlatformTokens | null {
  const { platformTokenEncrypted: token, platformTokenExpiresAt: expiresAt, refreshTokenEncrypted: refresh } = session;
  if (!token || !expiresAt) return null;
  const open = (text: string) => encryption.decrypt(text, tokenContext(session.tokenHash));
  return { token: open(token), expiresAt, refreshToken: refresh === null ? null : open(refresh) };
}

/**
 * Longer than the timeout of the identity service, yet short: a process that died in between does not block others
 * for long.
 */
const RENEWAL_SECONDS = 15;

/**
 * Acquires the right to renew the session's tokens and returns the session as of then; null if another process holds
 * it.
 */
export async function claimRenewal({ connection }: BffDatabase, tokenHash: Buffer): Promise<Session | null> {
  const session = await Session.query(connection)
    .findById(tokenHash)
    .whereRaw('(renewing_until is null or renewing_until < now())')
    .patch({ renewingUntil: raw(`now() + interval '${RENEWAL_SECONDS} seconds'`) })
    .returning('*')
    .first();
  return session ?? null;
}

/** The result of a renewal: new tokens, with the user's name and roles in them. */
export interface Renewed {
  tokens: PlatformTokens;
  name: string;
  roles: readonly string[];
}

/** Ends a renewal, with its result if there is one. */
export async function endRenewal(database: BffDatabase, tokenHash: Buffer, renewed: Renewed | null): Promise<void> {
  const changed = renewed && {
    ...sealed(database, tokenHash, renewed.tokens),
    name: renewed.name,
    roles: [...renewed.roles],
  };
  await Session.query(database.connection)
    .findById(tokenHash)
    .patch({ renewingUntil: null, ...changed });
}

/** An ended session keeps no token, and its platform token cannot sign in again. */
export const ended = { endedAt: raw('now()'), refreshTokenEncrypted: null };

export async function endSession({ connection }: BffDatabase, { tokenHash, kind }: Session): Promise<void> {
  const query = Session.query(connection).findById(tokenHash);
  await (kind === 'bearer' ? query.patch(ended) : query.delete());
}

/** How long a signed-out browser may take to continue to the identity service. */
export const LEAVING_SECONDS = 120;

/** Ends the session of a browser, which `takeLeaving` still finds for a moment. */
export async function leaveSession({ connection }: BffDatabase, tokenHash: Buffer): Promise<void> {
  await Session.query(connection)
    .findById(tokenHash)
    .patch({ ...ended, expiresAt: raw(`now() + interval '${LEAVING_SECONDS} seconds'`) });
}

/** The platform token of a browser that has just signed out, once; null if there is none. */
export async function takeLeaving(database: BffDatabase, tokenHash: Buffer): Promise<string | null> {
  const [session] = await Session.query(database.connection)
    .where({ tokenHash, kind: 'cookie' })
    .whereRaw('ended_at is not null and expires_at > now()')
    .delete()
    .returning('*');
  return session ? (platformTokensOf(database, session)?.token ?? null) : null;
}

/** Deletes expired sessions, and logout tokens that are no longer valid anyway. @returns how many sessions. */
export async function sweepSessions({ connection }: BffDatabase): Promise<number> {
  await rows(connection, 'delete from logout_token where kept_until < now()', {});
  return Session.query(connection)
    .whereRaw('expires_at < now()')
    .orWhereRaw(`(kind = 'cookie' and last_used_at < now() - interval '${IDLE_MINUTES} minutes')`)
    .delete();
}
