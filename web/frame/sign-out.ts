import { call } from '../api/index.ts';

/** Ends the session and returns to the start page, which asks to sign in. */
export async function signOut(): Promise<void> {
  await call('logout');
  location.assign('/app');
}
