import type { Context } from 'koa';
import { Problem } from '#domain/api/problem.ts';
import { readBody } from '#api/http/body.ts';
import { codingOf } from '#api/http/incoming/coding.ts';
import { InvalidToken } from '#api/http/platform-token.ts';
import { type AuditTrail, IDENTITY_SERVICE } from '../audit-trail.ts';
import type { VerifyLogoutToken } from './logout-token.ts';
import type { SessionEnds } from './session-ends.ts';
import { identityServiceAway } from '../verified.ts';

export interface BackChannelDeps {
  verifyLogoutToken: VerifyLogoutToken;
  ends: SessionEnds;
  trail: Pick<AuditTrail, 'ended'>;
}

const MAXIMUM_BYTES = 65_536;

const refused = (detail: string, cause?: unknown) => new Problem('invalid_request', detail, { cause });

async function verified(verify: VerifyLogoutToken, token: string) {
  try {
    return await verify(token);
  } catch (error) {
    if (error instanceof InvalidToken) throw refused('The logout token is not valid', error);
    throw identityServiceAway(error);
  }
}

/** The identity service says that a session of its own has ended (OpenID Connect Back-Channel Logout 1.0). */
export async function backChannelLogout(
  { verifyLogoutToken, ends, trail }: BackChannelDeps,
  ctx: Context,
): Promise<void> {
  codingOf(ctx.req);
  if (!ctx.is('application/x-www-form-urlencoded'))
    throw new Problem('unsupported_media_type', 'The body must be a form');
  const form = new URLSearchParams((await readBody(ctx, MAXIMUM_BYTES)).toString());
  const [token, another] = form.getAll('logout_token');
  if (token === undefined || another !== undefined) throw refused('The form must have one logout_token');
  const ended = await ends.loggedOut(await verified(verifyLogoutToken, token));
  if (!ended) throw refused('The logout token was used before');
  const people = new Map(ended.map((session) => [JSON.stringify([session.platformTenantId, session.userId]), session]));
  for (const { platformTenantId, userId } of people.values())
    trail.ended({ tenantId: platformTenantId, userId }, IDENTITY_SERVICE);
  ctx.body = '';
  ctx.status = 200;
}
