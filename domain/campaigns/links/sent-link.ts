import type { UrlAction } from '#domain/api/messages.ts';

/** As long as a link may be, in characters. */
export const LONGEST_LINK = 2048;

/** A query parameter that is added to a link. */
export type Parameter = readonly [name: string, value: string];

/** Why a link is sent as it was written: it must not be changed, or would become too long. */
export type AsWritten = 'link_untracked' | 'link_too_long';

/** Parameters that sign all of a link, each set of them by one service; in lower case, since some take either. */
const signatures = [
  ['x-amz-signature'],
  ['x-goog-signature'],
  ['signature', 'key-pair-id'],
  ['signature', 'googleaccessid'],
  ['sig', 'se'],
];

const namesIn = (query: string): string[] => [...new URLSearchParams(`?${query}`).keys()];

/**
 * Whether anything that is added breaks the link: it is signed, or `line.me/R/…`, where the query may be a text to send.
 */
export function isFixed(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, pathname, searchParams } = new URL(url);
  const names = new Set([...searchParams.keys()].map((name) => name.toLowerCase()));
  const isSigned = signatures.some((needed) => needed.every((name) => names.has(name)));
  return isSigned || (hostname === 'line.me' && pathname.startsWith('/R/'));
}

/**
 * A link with the parameters that it does not have yet, behind everything up to its fragment, which stays as it was typed.
 * `asWritten` says why none were added, where they might have been.
 */
export function sentLink(
  { url, tracked }: Pick<UrlAction, 'url' | 'tracked'>,
  parameters: readonly Parameter[],
): { url: string; asWritten: AsWritten | null } {
  if (tracked === false || isFixed(url)) return { url, asWritten: 'link_untracked' };
  const hashAt = url.indexOf('#');
  const end = hashAt === -1 ? url.length : hashAt;
  const typed = url.slice(0, end);
  const queryAt = typed.indexOf('?');
  const query = queryAt === -1 ? null : typed.slice(queryAt + 1);
  // Whoever reads an address ignores tabs and line breaks in it.
  const names = new Set(namesIn((query ?? '').replaceAll(/[\t\n\r]/g, '')));
  const added = parameters.flatMap(([name, value]) =>
    names.has(name) ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  if (added.length === 0) return { url, asWritten: null };
  const between = query === null ? '?' : query === '' || query.endsWith('&') ? '' : '&';
  const sent = `${typed}${between}${added.join('&')}${url.slice(end)}`;
  return sent.length > LONGEST_LINK ? { url, asWritten: 'link_too_long' } : { url: sent, asWritten: null };
}
