import { createClient } from './client.ts';
import { credentials } from './credentials.ts';
import { operations } from './operations.ts';

/** The console's client: same origin, under `/api/v1`. */
export const { call, exchange, open } = createClient({
  operations,
  fetch: (input, init) => fetch(input, init),
  prefix: '/api/v1',
  token: () => credentials.token,
  onUnauthorized: () => credentials.renew(),
});
