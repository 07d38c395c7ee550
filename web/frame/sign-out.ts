import { call } from '../api/index.ts';

/**
 * Ends the session here and at the identity service, which sends the browser back to the start page; that asks to sign
 * in.
 */
export async function signOut(): Promise<void> {
  await call('logout');
  location.assign('/api/v1/auth/logout');
}
