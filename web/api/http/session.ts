import { readonly, shallowRef } from 'vue';
import { call } from '../index.ts';

/** Each tab notes here when it began, and so tells the others, which may have been signed in by that. */
const NOTE = 'outreach.begun';

const signedOut = shallowRef(false);

async function look(): Promise<void> {
  if (!signedOut.value) return;
  await call('getMe').then(
    () => (signedOut.value = false),
    () => {},
  );
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
  addEventListener('focus', () => void look());
}

export const isSignedOut = readonly(signedOut);
