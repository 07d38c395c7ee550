import { fetchAsMine } from './http/account.ts';
import { type ClientDeps, createClient } from './http/client.ts';
import { suspectConnection } from './http/connection.ts';
import { credentials } from './http/credentials.ts';
import { type Operations, operations } from './http/operations.ts';
import { readPlain } from './http/problem.ts';
import { takesKey } from './http/route.ts';

const deps: ClientDeps<Operations> = {
  routes: operations,
  fetch: fetchAsMine,
  takesKey,
  token: () => credentials.token,
  isOnline: () => globalThis.navigator?.onLine !== false,
  onUnreachable: suspectConnection,
  onUnauthorized: () => credentials.renew(),
  read: readPlain,
};

/** The console's client for the outreach API, on the same origin. */
export const { call, exchange, open } = createClient<Operations>(deps);

/** The same for what is read while nobody looks: it never leads to a sign-in, which would begin a session for nobody. */
export const unattended = createClient<Operations>({ ...deps, onUnauthorized: () => Promise.resolve(false) });
