/** Where a sign-in leads when nothing else, or nothing of ours, was asked for. */
export const HOME = '/app';

/** A path of our own, or HOME: an address elsewhere would make our sign-in page a helper for phishing. */
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
