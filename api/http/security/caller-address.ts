import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** @param ranges addresses, or ranges of them as `10.0.0.0/8`. */
export function rangesOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    if (prefix === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(prefix), familyOf(address));
  }
  return list;
}

/** An IPv4 address may be written as one of IPv6. */
const plain = (address: string): string => address.trim().replace(/^::ffff:/i, '');

/**
 * Whose address a request has: that of its connection, or, where that is a trusted proxy's, the last one in `X-Forwarded-For`
 * that is not. What stands before that anybody may have written.
 */
export function callerAddress(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  trusted: BlockList,
): string {
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().flatMap((value) => value.split(','));
  let address = plain(socket.remoteAddress ?? '');
  for (const before of forwarded.map(plain).toReversed()) {
    if (isIP(address) === 0 || !trusted.check(address, familyOf(address))) break;
    if (isIP(before) === 0) break;
    address = before;
  }
  return address;
}
