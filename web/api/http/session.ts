import { readonly, shallowRef } from 'vue';
import { call } from '../index.ts';
import { isOtherAccount, meetAccount } from './account.ts';

/** Each tab notes here when it began, and so tells the others, which may have been signed in by that, or as somebody else. */
const NOTE = 'outreach.begun';

const signedOut = shallowRef(false);

/** What is signed in may be somebody else, for whom nothing on this page is done. */
async function look(): Promise<void> {
  const me = await call('getMe').catch(() => null);
  if (!me) return;
  meetAccount(me);
  if (!isOtherAccount.value) signedOut.value = false;
}

/** To be called where a request was refused for the lack of a session, and the page must stay for what is written on it. */
export function awaitSignIn(): void {
  signedOut.value = true;
}

/** Notices a sign-in in another tab, when that tab begins or when the reader comes back to this one. */
export function watchSession(): void {
  addEventListener('storage', ({ key }) => {
    if (key === NOTE) void look();
  });
  try {
    localStorage.setItem(NOTE, new Date().toISOString());
  } catch {
    // A browser without storage notices the sign-in when the reader comes back.
  }
  addEventListener('focus', () => {
    if (signedOut.value || isOtherAccount.value) void look();
  });
}

export const isSignedOut = readonly(signedOut);
