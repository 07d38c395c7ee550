import { z } from 'zod';
import { created, ok, readJson } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { personSchema, tokenSchema } from '../platform/control-schemas.ts';
import type { People } from './people.ts';
import type { MintToken } from './tokens.ts';

const redirectSchema = z.object({ redirectUri: z.url({ protocol: /^https?$/ }) });

/** The control of people, redirect addresses and platform tokens. */
export function identityControlRoutes(deps: { people: People; mint: MintToken }): Route[] {
  return [
    {
      code: 'control',
      method: 'POST',
      path: '/sandbox/tokens',
      handle: async (call) => created({ token: await deps.mint(readJson(call, tokenSchema)) }),
    },
    { code: 'control', method: 'GET', path: '/sandbox/people', handle: () => ok({ items: deps.people.list() }) },
    {
      code: 'control',
      method: 'POST',
      path: '/sandbox/people',
      handle: (call) => {
        const person = readJson(call, personSchema);
        deps.people.put(person);
        return created(person);
      },
    },
    {
      code: 'control',
      method: 'POST',
      path: '/sandbox/redirect-uris',
      handle: (call) => {
        deps.people.allowRedirect(readJson(call, redirectSchema).redirectUri);
        return created({ redirectUris: deps.people.redirectUris() });
      },
    },
  ];
}
