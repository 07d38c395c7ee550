import { createHash, randomBytes } from 'node:crypto';
import type { Router } from '@koa/router';
import type { Context } from 'koa';
import { z } from 'zod';
import { createSession, findSession, MAXIMUM_HOURS } from '#db/bff/sessions.ts';
import { Problem } from '#domain/api/problem.ts';
import { type BackChannelDeps, backChannelLogout } from './sign-out/back-channel-logout.ts';
import { type AuthenticateDeps, SESSION_COOKIE, writeUser } from './authenticate.ts';
import type { GivenTokens, SignInSecrets } from './oidc.ts';
import { errorPage } from './error-page.ts';
import { localPath } from './return-to.ts';
import { hashToken, signedIn } from './signed-in.ts';
import { leave, logout } from './sign-out/sign-out.ts';
import { shortUserAgent } from './sessions/user-agent.ts';
import { verified } from './verified.ts';
import { createRouter } from '#api/http/router.ts';

export type SignInDeps = AuthenticateDeps & BackChannelDeps;

/** A sign-in that takes longer than this must be started again. */
const SIGN_IN_SECONDS = 600;
const SEAL_CONTEXT = 'sign-in';

const rememberedSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  returnTo: z.string(),
  begunAt: z.number(),
});
type Remembered = z.infer<typeof rememberedSchema>;

const COOKIE_PREFIX = 'sign-in-';
/** One cookie per sign-in, so that two tabs do not interfere with each other. */
const cookieOf = (state: string): string =>
  `${COOKIE_PREFIX}${createHash('sha256').update(state).digest('hex').slice(0, 16)}`;

const startAgain = (cause?: unknown) =>
  new Problem('unauthorized', 'This sign-in was not started here, or is too old; start again', { cause });

/** Tabs that may be signing in at once. More cookies would make a header that the server rejects. */
const PENDING_SIGN_INS = 3;

function remembered(deps: SignInDeps, ctx: Context, cookie: string): Remembered {
  const sealed = deps.cookies.read(ctx, cookie);
  if (!sealed) throw startAgain();
  try {
    const found = rememberedSchema.parse(JSON.parse(deps.database.encryption.decrypt(sealed, SEAL_CONTEXT)));
    if (Date.now() - found.begunAt < SIGN_IN_SECONDS * 1000) return found;
  } catch (error) {
    throw startAgain(error);
  }
  throw startAgain();
}

/** When the sign-in of a cookie began; 0 for one that can no longer be completed. */
function begunAt(deps: SignInDeps, ctx: Context, cookie: string): number {
  try {
    return remembered(deps, ctx, cookie).begunAt;
  } catch {
    return 0;
  }
}

/** Leaves room for one more. */
function forgetOldest(deps: SignInDeps, ctx: Context): void {
  const pending = deps.cookies
    .names(ctx, COOKIE_PREFIX)
    .map((cookie) => ({ cookie, begun: begunAt(deps, ctx, cookie) }))
    .toSorted((one, other) => other.begun - one.begun);
  for (const { cookie } of pending.slice(PENDING_SIGN_INS - 1)) deps.cookies.clear(ctx, cookie);
}

async function login(deps: SignInDeps, ctx: Context): Promise<void> {
  await deps.limits.signIn(ctx.req);
  const { location, secrets } = await deps.oidc.begin();
  const returnTo = localPath(typeof ctx.query['returnTo'] === 'string' ? ctx.query['returnTo'] : undefined);
  forgetOldest(deps, ctx);
  const kept: Remembered = { ...secrets, returnTo, begunAt: Date.now() };
  const sealed = deps.database.encryption.encrypt(JSON.stringify(kept), SEAL_CONTEXT);
  deps.cookies.write(ctx, cookieOf(secrets.state), sealed, SIGN_IN_SECONDS);
  ctx.redirect(location);
}

async function endOf({ database, ends, trail }: SignInDeps, cookie: string): Promise<void> {
  const session = await findSession(database, hashToken(cookie), 'cookie');
  if (!session) return;
  await ends.end(session);
  trail.signedOut(signedIn(session));
}

/** A sign-in always creates a new session and ends the browser's previous one. */
async function renewSession(deps: SignInDeps, ctx: Context, { idToken, refreshToken }: GivenTokens): Promise<void> {
  const identity = await verified(deps.verifyToken, idToken);
  const before = deps.cookies.read(ctx, SESSION_COOKIE);
  if (before) await endOf(deps, before);
  const cookie = randomBytes(32).toString('base64url');
  const latest = new Date(Date.now() + MAXIMUM_HOURS * 3_600_000);
  await createSession(deps.database, {
    tokenHash: hashToken(cookie),
    kind: 'cookie',
    platformTenantId: identity.tenantId,
    userId: identity.userId,
    name: identity.name,
    roles: identity.roles,
    // Without a refresh token, revoked roles would go unnoticed.
    expiresAt: refreshToken === null && identity.expiresAt < latest ? identity.expiresAt : latest,
    sid: identity.sid,
    userAgent: shortUserAgent(ctx.get('User-Agent')),
    platformToken: { token: idToken, expiresAt: identity.expiresAt, refreshToken },
  });
  deps.cookies.write(ctx, SESSION_COOKIE, cookie, MAXIMUM_HOURS * 3600);
  const row = await findSession(deps.database, hashToken(cookie), 'cookie');
  if (!row) throw startAgain();
  const who = signedIn(row);
  deps.trail.signedIn(who);
  await writeUser(deps, who, String(ctx.state['requestId']));
}

/** Shows a rejection to the person, and logs for staff whether our own registration is wrong. */
async function finish(deps: SignInDeps, ctx: Context, secrets: SignInSecrets): Promise<GivenTokens> {
  try {
    return await deps.oidc.finish(new URL(ctx.url, deps.publicUrl), secrets);
  } catch (error) {
    const { requestId } = ctx.state;
    deps.logger.warn({ err: (error as Error).cause ?? error, requestId }, 'a sign-in was not completed');
    throw error;
  }
}

async function callback(deps: SignInDeps, ctx: Context): Promise<void> {
  const state = typeof ctx.query['state'] === 'string' ? ctx.query['state'] : '';
  const cookie = cookieOf(state);
  const { returnTo, begunAt: _, ...secrets } = remembered(deps, ctx, cookie);
  deps.cookies.clear(ctx, cookie);
  await renewSession(deps, ctx, await finish(deps, ctx, secrets));
  ctx.redirect(returnTo);
}

/** `/api/v1/auth/*`: signs a browser in and out. */
export function signInRoutes(deps: SignInDeps): Router {
  return createRouter('/api/v1/auth')
    .use(errorPage)
    .get('/login', (ctx) => login(deps, ctx))
    .get('/callback', (ctx) => callback(deps, ctx))
    .post('/logout', (ctx) => logout(deps, ctx))
    .get('/logout', (ctx) => leave(deps, ctx))
    .post('/backchannel-logout', (ctx) => backChannelLogout(deps, ctx));
}
