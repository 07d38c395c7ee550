/**
 * What proves who calls. `/app` relies on the session cookie and leaves the token null; `/embed` keeps the platform's token
 * here, in memory only.
 */
export interface Credentials {
  token: string | null;
  /** What to do on a 401; returns whether a new token is there and the call may be repeated. */
  renew: () => Promise<boolean>;
}

export const credentials: Credentials = { token: null, renew: () => Promise.resolve(false) };

/** Where the browser signs in and comes back to. */
export function signInAddress(returnTo: string): string {
  return `/api/v1/auth/login?returnTo=${encodeURIComponent(returnTo)}`;
}
