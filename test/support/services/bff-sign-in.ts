import { expect } from 'chai';
import type { JWTPayload } from 'jose';
import { type ApiResponse, responseOf, type TestBff } from './bff.ts';

/** As `name=value`, without the attributes. */
const pair = (cookie: string | undefined): string => cookie?.split(';')[0] ?? '';

export const cookiesOf = (response: ApiResponse): string[] => response.headers.getSetCookie();

/**
 * Goes through the sign-in as a browser does; returns the last response and the session cookie for a Cookie header.
 */
export async function signIn(
  bff: TestBff,
  claims: JWTPayload,
  returnTo = '/app/campaigns',
): Promise<{ response: ApiResponse; cookie: string }> {
  const go = async (path: string, headers: Record<string, string> = {}): Promise<ApiResponse> =>
    responseOf(await fetch(`${bff.url}${path}`, { headers, redirect: 'manual' }));
  const begun = await go(`/api/v1/auth/login?returnTo=${encodeURIComponent(returnTo)}`);
  expect(begun.status).to.equal(302);
  const back = bff.identity.consent(begun.headers.get('location') ?? '', claims);
  const response = await go(back.slice(bff.url.length), { cookie: pair(cookiesOf(begun)[0]) });
  return { response, cookie: pair(cookiesOf(response).find((text) => text.startsWith('session='))) };
}
