/** The query parameter of a link that names the click token, and the field of `order/create` that takes it. */
export const CLICK_TOKEN = 'clickToken';

/** As long as an address may be. */
const LONGEST_URL = 2048;

const isToken = (part: string): boolean => part === CLICK_TOKEN || part.startsWith(`${CLICK_TOKEN}=`);

/** An address before its query, its query without a token, and the rest from `#` on. */
function parts(url: string): { path: string; query: string[]; hash: string } {
  const [beforeHash = '', ...afterHash] = url.split('#');
  const [path = '', ...queries] = beforeHash.split('?');
  const query = queries.length === 0 ? [] : queries.join('?').split('&');
  return {
    path,
    query: query.filter((part) => !isToken(part)),
    hash: afterHash.length ? `#${afterHash.join('#')}` : '',
  };
}

const joined = ({ path, query, hash }: ReturnType<typeof parts>) =>
  `${path}${query.length > 0 ? `?${query.join('&')}` : ''}${hash}`;

/** The address with the token; every other character stays as it is. One that would be too long gets none. */
export function withClickToken(url: string, token: string): string {
  const { path, query, hash } = parts(url);
  const tracked = joined({ path, query: [...query.filter(Boolean), `${CLICK_TOKEN}=${token}`], hash });
  return tracked.length > LONGEST_URL ? url : tracked;
}

/** The address as the operator wrote it: clicks report the one that was sent. */
export const withoutClickToken = (url: string): string => (url.includes(CLICK_TOKEN) ? joined(parts(url)) : url);
