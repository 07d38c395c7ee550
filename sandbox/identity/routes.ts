import { z } from 'zod';
import { control, created, ok, readJson } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { personSchema, tokenSchema } from '../platform/control-schemas.ts';
import type { People } from './people.ts';
import type { MintToken } from './tokens.ts';

const redirectSchema = z.object({ redirectUri: z.url({ protocol: /^https?$/ }) });

/** The control of people, redirect addresses and platform tokens. */
export function identityControlRoutes(deps: { people: People; mint: MintToken }): Route[] {
  return [
    control('POST', '/sandbox/tokens', async (call) =>
      created({ token: await deps.mint(readJson(call, tokenSchema)) }),
    ),
    control('GET', '/sandbox/people', () => ok({ items: deps.people.list() })),
    control('POST', '/sandbox/people', (call) => {
      const person = readJson(call, personSchema);
      deps.people.put(person);
      return created(person);
    }),
    control('POST', '/sandbox/redirect-uris', (call) => {
      deps.people.allowRedirect(readJson(call, redirectSchema).redirectUri);
      return created({ redirectUris: deps.people.redirectUris() });
    }),
  ];
}
