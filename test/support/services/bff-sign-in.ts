import { expect } from 'chai';
import type { JWTPayload } from 'jose';
import { type Answer, answerOf, type TestBff } from './bff.ts';

/** As `name=value`, without what the browser keeps for itself. */
const pair = (cookie: string | undefined): string => cookie?.split(';')[0] ?? '';

export const cookiesOf = (answer: Answer): string[] => answer.headers.getSetCookie();

/** Goes through the sign-in as a browser does; gives its last answer, and the session cookie for a Cookie header. */
export async function signIn(
  bff: TestBff,
  claims: JWTPayload,
  returnTo = '/app/campaigns',
): Promise<{ answer: Answer; cookie: string }> {
  const go = async (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
    answerOf(await fetch(`${bff.url}${path}`, { headers, redirect: 'manual' }));
  const begun = await go(`/api/v1/auth/login?returnTo=${encodeURIComponent(returnTo)}`);
  expect(begun.status).to.equal(302);
  const back = bff.identity.consent(begun.headers.get('location') ?? '', claims);
  const answer = await go(back.slice(bff.url.length), { cookie: pair(cookiesOf(begun)[0]) });
  return { answer, cookie: pair(cookiesOf(answer).find((text) => text.startsWith('session='))) };
}
