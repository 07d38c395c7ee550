/**
 * The caller's credentials. `/app` relies on the session cookie and leaves the token null; `/embed` keeps the
 * platform's token here, in memory only.
 */
export interface Credentials {
  token: string | null;
  /** Handles a 401; returns whether there is a new token and the call may be retried. */
  renew: () => Promise<boolean>;
}

export const credentials: Credentials = { token: null, renew: () => Promise.resolve(false) };

/** Where the browser signs in and returns to. */
export function signInAddress(returnTo: string): string {
  return `/api/v1/auth/login?returnTo=${encodeURIComponent(returnTo)}`;
}
