import { BlockList, isIP } from 'node:net';

/** Address ranges that are not the public internet (IANA's registries of special-purpose addresses). */
const special4 = [
  '0.0.0.0/8', // this host
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT, and a cloud's metadata
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // a cloud's host agent, at a public address
  '169.254.0.0/16', // link-local, and most clouds' metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
];

/** Within 2000::/3, the only IPv6 range that is public. */
const special6 = [
  '2001::/23', // protocol assignments, Teredo
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which contains IPv4 addresses
  '3fff::/20', // documentation
];

function listOf(family: 'ipv4' | 'ipv6', ranges: string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [net = '', prefix] = range.split('/');
    list.addSubnet(net, Number(prefix), family);
  }
  return list;
}

const notPublic4 = listOf('ipv4', special4);
const notPublic6 = listOf('ipv6', special6);
const global6 = listOf('ipv6', ['2000::/3']);
const loopback4 = listOf('ipv4', ['127.0.0.0/8']);
const loopback6 = listOf('ipv6', ['::1/128']);

/**
 * Whether an address (IPv4 or IPv6, without brackets) is on the public internet. IPv6 addresses that contain an IPv4
 * address (mapped, NAT64, 6to4) are not.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !notPublic4.check(address, 'ipv4');
  return family === 6 && global6.check(address, 'ipv6') && !notPublic6.check(address, 'ipv6');
}

export function isLoopbackAddress(address: string): boolean {
  const family = isIP(address);
  return family === 4 ? loopback4.check(address, 'ipv4') : family === 6 && loopback6.check(address, 'ipv6');
}
