/** Where a sign-in leads without a valid path of our own. */
export const HOME = '/app';

/** It travels in a cookie, and several of those in one header. */
const LONGEST_PATH = 1024;

/** A path of our own, or HOME. Redirecting elsewhere would make our sign-in page a tool for phishing. */
export function localPath(returnTo: string | undefined): string {
  if (!returnTo || !returnTo.startsWith('/') || returnTo.length > LONGEST_PATH) return HOME;
  try {
    const { pathname, search, hash } = ownAddress(returnTo);
    const path = `${pathname}${search}${hash}`;
    // What dots leave behind may begin with two slashes, which a browser takes for another host.
    ownAddress(path);
    return path;
  } catch {
    return HOME;
  }
}

const base = new URL('http://own.invalid');

/** @throws Error if a browser would leave our origin for it. */
function ownAddress(path: string): URL {
  const address = new URL(path, base);
  if (address.origin !== base.origin) throw new Error(`${path} leads to ${address.origin}`);
  return address;
}
