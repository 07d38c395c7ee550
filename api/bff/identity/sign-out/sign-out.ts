import type { Context } from 'koa';
import { findSession, LEAVING_SECONDS, takeLeaving } from '#db/bff/sessions.ts';
import { type AuthenticateDeps, requireOwnOrigin, SESSION_COOKIE } from '../authenticate.ts';
import { HOME } from '../return-to.ts';
import { hashToken, signedIn } from '../signed-in.ts';

/** The session of a browser that has signed out, and has yet to go to the identity service. */
const LEAVING_COOKIE = 'signed-out';

/** `POST /auth/logout` */
export async function logout(deps: AuthenticateDeps, ctx: Context): Promise<void> {
  requireOwnOrigin(ctx, deps.publicUrl);
  const cookie = deps.cookies.read(ctx, SESSION_COOKIE);
  const session = cookie === undefined ? null : await findSession(deps.database, hashToken(cookie), 'cookie');
  deps.cookies.clear(ctx, SESSION_COOKIE);
  if (cookie !== undefined && session) {
    await deps.ends.leave(session);
    deps.trail.signedOut(signedIn(session));
    deps.cookies.write(ctx, LEAVING_COOKIE, cookie, LEAVING_SECONDS);
  }
  ctx.status = 204;
}

/** `GET /auth/logout`. No script ever sees the platform token: the redirect carries it. */
export async function leave(deps: AuthenticateDeps, ctx: Context): Promise<void> {
  const cookie = deps.cookies.read(ctx, LEAVING_COOKIE);
  const idToken = cookie === undefined ? null : await takeLeaving(deps.database, hashToken(cookie));
  deps.cookies.clear(ctx, LEAVING_COOKIE);
  ctx.redirect((idToken === null ? null : await placeToLeaveTo(deps, idToken)) ?? HOME);
}

async function placeToLeaveTo({ oidc, logger }: AuthenticateDeps, idToken: string): Promise<string | null> {
  try {
    return await oidc.signedOutAt(idToken);
  } catch (error) {
    logger.warn({ err: error }, 'a browser was not sent to the identity service to sign out there');
    return null;
  }
}
