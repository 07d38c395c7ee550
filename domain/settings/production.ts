import { isLoopback } from './loopback.ts';

/** The defaults for development point them at the sandbox or at this machine. */
const external = [
  'PLATFORM_BASE_URL',
  'IDENTITY_ISSUER',
  'PAYMENT_GATEWAY_BASE_URL',
  'PUBLIC_BFF_URL',
  'PUBLIC_ORDERS_URL',
] as const;
/** Between our own services, which a network of their own may protect. */
const internal = ['BACKEND_URL', 'ORDERS_URL'] as const;

const optional = ['AI_BASE_URL', 'FILES_URL'] as const;
/** Often a process beside the service, or in a network of their own. */
const optionalInternal = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'BFF_URL'] as const;

type RequiredAddress = (typeof external | typeof internal)[number];

type Given = {
  [name in RequiredAddress | (typeof optional | typeof optionalInternal)[number]]?: string | null | undefined;
} & {
  SANDBOX: boolean;
  DEMO?: 'on' | 'off' | undefined;
  INTERNAL_HTTP?: 'allow' | undefined;
};

export interface GivenSecret {
  name: string;
  /** More than one while it is being changed. */
  given: readonly string[];
  development: string;
}

const isSafe = (address: string): boolean => {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || isLoopback(hostname);
};

function addressFaults(given: Given): string[] {
  const mayBeHttp = given.INTERNAL_HTTP === 'allow';
  const faultOf = (name: RequiredAddress, httpAllowed: boolean): string[] => {
    const address = given[name] ?? null;
    if (address === null) return [`${name}: must be given`];
    return httpAllowed || isSafe(address) ? [] : [`${name}: must be https`];
  };
  return [
    ...external.flatMap((name) => faultOf(name, false)),
    ...internal.flatMap((name) => faultOf(name, mayBeHttp)),
    ...[...optional, ...(mayBeHttp ? [] : optionalInternal)].flatMap((name) => {
      const address = given[name] ?? null;
      return address === null || isSafe(address) ? [] : [`${name}: must be https`];
    }),
  ];
}

const SHORTEST_SECRET = 16;
const FEWEST_KINDS = 8;

/** A coarse bound on what can be guessed: what is drawn at random passes, words repeated to a length do not. */
const isGuessable = (secret: string): boolean => secret.length < SHORTEST_SECRET || new Set(secret).size < FEWEST_KINDS;

function secretFault({ name, given, development }: GivenSecret): string[] {
  if (given.includes(development)) return [`${name}: needs a secret of its own`];
  if (!given.some(isGuessable)) return [];
  return [`${name}: needs at least ${SHORTEST_SECRET} characters of at least ${FEWEST_KINDS} kinds`];
}

/** What production must not run with, each naming its variable: whatever would trust the sandbox, or be guessed. */
export const productionFaults = (given: Given, secrets: readonly GivenSecret[]): string[] => [
  ...addressFaults(given),
  ...(given.SANDBOX ? ['SANDBOX: must be off'] : []),
  ...(given.DEMO === 'on' ? ['DEMO: must be off'] : []),
  ...secrets.flatMap(secretFault),
];
