/** Where a sign-in leads if no path, or no path of ours, was requested. */
export const HOME = '/app';

/** A path of our own, or HOME. Redirecting elsewhere would make our sign-in page a tool for phishing. */
export function localPath(returnTo: string | undefined): string {
  if (!returnTo || !/^\/[^/\\]/.test(returnTo) || returnTo.length > 2048) return HOME;
  try {
    const base = new URL('http://own.invalid');
    const address = new URL(returnTo, base);
    return address.origin === base.origin ? `${address.pathname}${address.search}${address.hash}` : HOME;
  } catch {
    return HOME;
  }
}
