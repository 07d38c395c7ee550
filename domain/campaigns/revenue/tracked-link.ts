/** The query parameter of a link that names the click token, and the field of `order/create` that takes it. */
export const CLICK_TOKEN = 'clickToken';

/** Stands for a token, and is as long as one, where nothing is sent. */
export const PENDING_CLICK_TOKEN = 'set-when-sent'.padEnd(75, '-');

const isToken = (part: string): boolean => part === CLICK_TOKEN || part.startsWith(`${CLICK_TOKEN}=`);

/** An address without a click token: clicks report the one that was sent. */
export function withoutClickToken(url: string): string {
  if (!url.includes(CLICK_TOKEN)) return url;
  const [beforeHash = '', ...afterHash] = url.split('#');
  const [path = '', ...queries] = beforeHash.split('?');
  const query = queries.length === 0 ? [] : queries.join('?').split('&');
  const left = query.filter((part) => !isToken(part));
  const hash = afterHash.length > 0 ? `#${afterHash.join('#')}` : '';
  return `${path}${left.length > 0 ? `?${left.join('&')}` : ''}${hash}`;
}
