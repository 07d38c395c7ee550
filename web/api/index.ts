import { createClient } from './http/client.ts';
import { credentials } from './http/credentials.ts';
import { operations } from './http/operations.ts';

/** The console's client, of the same origin. */
export const { call, exchange, open } = createClient({
  operations,
  fetch: (input, init) => fetch(input, init),
  token: () => credentials.token,
  onUnauthorized: () => credentials.renew(),
});
