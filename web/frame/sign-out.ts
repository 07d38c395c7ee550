import { call } from '../api/index.ts';

/** Ends the session and begins anew at the start page, which asks to sign in. */
export async function signOut(): Promise<void> {
  await call('logout');
  location.assign('/app');
}
