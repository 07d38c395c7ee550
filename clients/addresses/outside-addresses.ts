import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isLoopbackAddress, isPublicAddress } from './public-address.ts';

/** Resolves a name to its addresses; like `lookup` of node:dns with `all`. */
export type Resolve = (
  name: string,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Addresses that people name and that we call: of webhooks and of pictures. In production only https on the public internet,
 * so that nobody can use the service to reach what only our own network can reach; elsewhere also http on this machine.
 */
export interface OutsideAddresses {
  /** Why a URL is not accepted; null if it is. A name that cannot be resolved now is accepted: it may be later. */
  problemOf(url: URL): Promise<string | null>;
  /** The same without DNS: a check of the URL alone. */
  problemOfText(url: URL): string | null;
  /** For the connections: a name is checked again, in the very lookup that is connected to. */
  lookup: LookupFunction;
}

/** An address that is not called. */
export class AddressRefused extends Error {
  override name = 'AddressRefused';
  readonly code = 'EADDRREFUSED';
}

const RESOLVE_MS = 3000;
const NOT_PUBLIC = 'must be on the public internet';
/** Names that never are on the public internet (RFC 6761, 6762, 8375; clouds' metadata). */
const LOCAL_NAMES = /(^|\.)(localhost|local|internal|home\.arpa)$/;

const resolveBySystem: Resolve = (name, done) => systemLookup(name, { all: true }, done);

/** The host without brackets and final dots. `URL` has written octal, hexadecimal and short addresses as usual. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.+$/, '');

function problemInProduction(url: URL): string | null {
  if (url.protocol !== 'https:') return 'must be https';
  const host = hostOf(url);
  if (isIP(host) === 0) return host.includes('.') && !LOCAL_NAMES.test(host) ? null : NOT_PUBLIC;
  return isPublicAddress(host) ? null : NOT_PUBLIC;
}

function problemElsewhere(url: URL): string | null {
  const host = hostOf(url);
  const isLocal = host === 'localhost' || host.endsWith('.localhost') || isLoopbackAddress(host);
  return url.protocol === 'https:' || isLocal ? null : 'must be https, or http on this machine';
}

/** The addresses of a name; none if it has none or DNS does not respond in time. */
function addressesOf(name: string, resolve: Resolve): Promise<LookupAddress[]> {
  return new Promise((settle) => {
    const timer = setTimeout(() => settle([]), RESOLVE_MS);
    resolve(name, (error, addresses) => {
      clearTimeout(timer);
      settle(error ? [] : addresses);
    });
  });
}

const allPublic = (addresses: LookupAddress[]): boolean => addresses.every(({ address }) => isPublicAddress(address));

/** Like the system's lookup, but fails where any of the addresses is not public. */
function publicLookup(resolve: Resolve): LookupFunction {
  return (name, { all }, done) =>
    resolve(name, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) return done(error ?? new Error(`no address for ${name}`), '');
      if (!allPublic(addresses)) return done(new AddressRefused(`${name} is not on the public internet`), '');
      return all ? done(null, addresses) : done(null, first.address, first.family);
    });
}

/** @param resolve the system's where absent. */
export function createOutsideAddresses({
  production,
  resolve = resolveBySystem,
}: {
  production: boolean;
  resolve?: Resolve;
}): OutsideAddresses {
  const problemOfText = (url: URL): string | null => {
    if (url.username !== '' || url.password !== '') return 'must not contain a user or password';
    return production ? problemInProduction(url) : problemElsewhere(url);
  };
  return {
    problemOfText,
    async problemOf(url) {
      const problem = problemOfText(url);
      if (problem !== null || !production) return problem;
      return allPublic(await addressesOf(hostOf(url), resolve)) ? null : NOT_PUBLIC;
    },
    lookup: production ? publicLookup(resolve) : (name, options, done) => systemLookup(name, options, done),
  };
}
