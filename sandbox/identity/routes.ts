import { z } from 'zod';
import { control, created, ok, readJson } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { personSchema, tokenSchema } from '../platform/control/schemas.ts';
import type { People } from './people.ts';
import type { MintToken } from './tokens.ts';

const redirectSchema = z.object({ redirectUri: z.url({ protocol: /^https?$/ }) });

/** Control API for people, redirect addresses and platform tokens. */
export function identityControlRoutes(deps: { people: People; mint: MintToken }): Route[] {
  return [
    control(
      'POST',
      '/sandbox/tokens',
      { summary: 'Mints a platform token', body: tokenSchema, response: z.object({ token: z.string() }) },
      async (call) => created({ token: await deps.mint(readJson(call)) }),
    ),
    control('GET', '/sandbox/people', { summary: 'Who can sign in' }, () => ok({ items: deps.people.list() })),
    control('POST', '/sandbox/people', { summary: 'Creates or replaces a person', body: personSchema }, (call) => {
      const person = readJson(call);
      deps.people.put(person);
      return created(person);
    }),
    control(
      'POST',
      '/sandbox/redirect-uris',
      { summary: 'Allows an address as a sign-in redirect', body: redirectSchema },
      (call) => {
        deps.people.allowRedirect(readJson(call).redirectUri);
        return created({ redirectUris: deps.people.redirectUris() });
      },
    ),
  ];
}
