import type { Context } from 'koa';
import type { BffDatabase } from '#db/bff/database.ts';
import { createSession, findSession, type FoundSession, touchSession } from '#db/bff/sessions.ts';
import { mayAccess } from '#domain/access.ts';
import type { Access, AnyOperation } from '#domain/api/operation.ts';
import { Problem } from '#domain/api/problem.ts';
import { describedPath } from '#api/http/serve.ts';
import { bearerToken, type VerifyPlatformToken } from '#api/http/platform-token.ts';
import type { Logger } from '#api/runtime/logger.ts';
import { type GivenKey, parseKey } from '#domain/keys/key-text.ts';
import { createKeyCallers, requireScope } from '../keys/key-caller.ts';
import type { Limits } from '../limits/limits.ts';
import type { AuditTrail } from './audit-trail.ts';
import type { BackendTokens } from './backend-tokens.ts';
import type { CookieJar } from './cookies.ts';
import type { OidcClient } from './oidc.ts';
import { createPlatformTokens } from './platform-tokens.ts';
import type { SessionEnds } from './sign-out/session-ends.ts';
import {
  asConsoleUser,
  asMember,
  type ConsoleUser,
  hashToken,
  type Member,
  requireConsole,
  requireMember,
  signedIn,
  type SignedIn,
} from './signed-in.ts';
import { shortUserAgent } from './sessions/user-agent.ts';
import { unauthorized, verified } from './verified.ts';

export const SESSION_COOKIE = 'session';

export interface AuthenticateDeps {
  database: BffDatabase;
  verifyToken: VerifyPlatformToken;
  oidc: OidcClient;
  backendTokens: BackendTokens;
  cookies: CookieJar;
  ends: SessionEnds;
  trail: AuditTrail;
  limits: Pick<Limits, 'signIn' | 'apiKey'>;
  /** PUBLIC_BFF_URL. */
  publicUrl: string;
  logger: Logger;
}

/** Pages of which another origin may use the session, beside our own. */
export interface Sites {
  alsoFrom?: string;
}

export interface Authenticate {
  /**
   * Requires a signed-in person, with any tenant and role. Throws Problem `unauthorized`, and `forbidden` for a
   * Origin that is foreign and not `alsoFrom`.
   */
  session(ctx: Context, from?: Sites): Promise<SignedIn>;
  /** As `session`, with the person's platform token for calls to other services. Throws as `session` does. */
  platformSession(ctx: Context): Promise<{ who: SignedIn; platformToken: string }>;
  /** Requires a role in the tenant. Throws Problem `unauthorized` or `forbidden`. */
  member(ctx: Context): Promise<Member>;
  /**
   * Requires console access of this kind, or an API key whose scopes allow the operation. Throws Problem `unauthorized`
   * or `forbidden`, and `rate_limited` for a key.
   */
  console(ctx: Context, operation: Called): Promise<ConsoleUser>;
  /**
   * Until when somebody who was signed in still is, with console access of this kind; null if no longer. It is no use
   * of the session.
   */
  stillConsole(who: SignedIn, access: Access): Promise<Date | null>;
}

type Called = Pick<AnyOperation, 'method' | 'tag' | 'access' | 'onlyPeople' | 'changes' | 'unattended'>;

/** For which request a session is used. */
type Terms = Sites & Pick<AnyOperation, 'unattended'>;

const reads = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * A browser also sends its cookies with requests from other sites, but says with every write where it comes from:
 * whoever says nothing is nobody's page.
 */
export function requireOwnOrigin(ctx: Context, publicUrl: string, { alsoFrom }: Sites = {}): void {
  if (reads.has(ctx.method)) return;
  const origin = ctx.get('Origin');
  const own =
    origin === ''
      ? ctx.get('Sec-Fetch-Site') === 'same-origin'
      : [new URL(publicUrl).origin, alsoFrom].includes(origin);
  if (!own) throw new Problem('forbidden', 'The request comes from another site, or does not say where it comes from');
}

/** The credential of the caller. Throws Problem `unauthorized` if there is none. */
function shown(cookies: CookieJar, ctx: Context): { bearer: string } | { key: GivenKey } | { cookie: string } {
  if (ctx.get('Authorization') !== '') {
    const bearer = bearerToken(ctx.get('Authorization'));
    if (!bearer) throw unauthorized();
    const key = parseKey(bearer);
    return key ? { key } : { bearer };
  }
  const cookie = cookies.read(ctx, SESSION_COOKIE);
  if (!cookie) throw unauthorized();
  return { cookie };
}

/** A known platform token maps to its session; a new one is verified, and its bearer signed in. */
async function bearerSession(deps: AuthenticateDeps, ctx: Context, token: string): Promise<SignedIn> {
  const { database } = deps;
  const tokenHash = hashToken(token);
  const known = await findSession(database, tokenHash, 'bearer');
  if (known) {
    await touchSession(database, known);
    return signedIn(known);
  }
  const identity = await verified(deps.verifyToken, token);
  await createSession(database, {
    tokenHash,
    kind: 'bearer',
    platformTenantId: identity.tenantId,
    userId: identity.userId,
    name: identity.name,
    roles: identity.roles,
    expiresAt: identity.expiresAt,
    sid: identity.sid,
    userAgent: shortUserAgent(ctx.get('User-Agent')),
  });
  const created = await findSession(database, tokenHash, 'bearer');
  if (!created) throw unauthorized();
  const who = signedIn(created);
  await writeUser(deps, who, String(ctx.state['requestId']));
  return who;
}

/** What `require` returns; refusals are in the audit log. */
function granted<T>(trail: AuditTrail, ctx: Context, who: SignedIn, require: (who: SignedIn) => T): T {
  try {
    return require(who);
  } catch (error) {
    const route: unknown = ctx['_matchedRoute'];
    // A tenant that has not installed the application has no log.
    if (who.integrationStatus === 'ACTIVE' && who.externalTenantId !== null) {
      const path = typeof route === 'string' ? describedPath(route) : ctx.path.slice(0, 200);
      trail.refused(who, `${ctx.method} ${path}`);
    }
    throw error;
  }
}

/** What keys may do, and what only people may. */
function createKeyGate({ database, limits, trail }: AuthenticateDeps) {
  const callers = createKeyCallers({ database, limits });
  return {
    still: callers.still,
    /** Where only people may be: a key that is valid learns so, and the audit log has it. */
    async refuse(ctx: Context, given: GivenKey): Promise<never> {
      return granted(trail, ctx, await callers.authenticate(given), () => {
        throw new Problem('forbidden', 'Not for API keys');
      });
    },
    async allow(ctx: Context, given: GivenKey, operation: Called): Promise<ConsoleUser> {
      const caller = await callers.authenticate(given);
      return granted(trail, ctx, caller, () => {
        requireScope(caller, operation);
        return requireConsole(caller, operation.access);
      });
    },
  };
}

export function createAuthenticate(deps: AuthenticateDeps): Authenticate {
  const { database, cookies, logger, trail } = deps;
  const platformTokens = createPlatformTokens(deps);
  const keys = createKeyGate(deps);

  async function byCookie(ctx: Context, cookie: string, terms: Terms = {}): Promise<FoundSession> {
    const row = await findSession(database, hashToken(cookie), 'cookie');
    if (!row) throw unauthorized();
    requireOwnOrigin(ctx, deps.publicUrl, terms);
    const current = await platformTokens.current(row);
    if (!terms.unattended) await touchSession(database, current);
    return current;
  }

  async function rightsOf({ tokenHash, via }: SignedIn): Promise<SignedIn | null> {
    if (via === 'key') return keys.still(tokenHash);
    const row = await findSession(database, tokenHash, via);
    if (!row) return null;
    try {
      return signedIn(via === 'cookie' ? await platformTokens.current(row) : row);
    } catch (error) {
      if (error instanceof Problem && error.code === 'unauthorized') return null;
      throw error;
    }
  }

  async function session(ctx: Context, terms?: Terms): Promise<SignedIn> {
    const by = shown(cookies, ctx);
    if ('key' in by) return keys.refuse(ctx, by.key);
    return 'bearer' in by ? bearerSession(deps, ctx, by.bearer) : signedIn(await byCookie(ctx, by.cookie, terms));
  }

  return {
    session,
    async platformSession(ctx) {
      const by = shown(cookies, ctx);
      if ('key' in by) return keys.refuse(ctx, by.key);
      if ('bearer' in by) return { who: await bearerSession(deps, ctx, by.bearer), platformToken: by.bearer };
      const row = await byCookie(ctx, by.cookie);
      return { who: signedIn(row), platformToken: platformTokens.tokenOf(row) };
    },
    member: async (ctx) => granted(trail, ctx, await session(ctx), requireMember),
    async console(ctx, operation) {
      const by = shown(cookies, ctx);
      const user =
        'key' in by
          ? await keys.allow(ctx, by.key, operation)
          : granted(trail, ctx, await session(ctx, operation), (who) => requireConsole(who, operation.access));
      logger.trace({ requestId: ctx.state['requestId'], tenantId: user.tenantId, userId: user.userId }, 'signed in');
      return user;
    },
    async stillConsole(before, access) {
      const who = await rightsOf(before);
      const user = who && asConsoleUser(who);
      return user && mayAccess(user.role, access) ? user.expiresAt : null;
    },
  };
}

/**
 * Has the backend write the user record for people with any role. If the backend is down, the sign-in still
 * succeeds: the first forwarded call writes the record.
 */
export async function writeUser(
  { backendTokens, logger }: Pick<AuthenticateDeps, 'backendTokens' | 'logger'>,
  who: SignedIn,
  requestId: string,
): Promise<void> {
  const user = asConsoleUser(who);
  const member = asMember(who);
  try {
    if (user) await backendTokens.renew(user, requestId);
    else if (member) await backendTokens.recordSignIn(member, requestId);
  } catch (error) {
    logger.warn({ err: error, requestId }, 'the user record could not be written at sign-in');
  }
}
