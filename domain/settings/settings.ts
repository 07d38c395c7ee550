import type { z } from 'zod';
import type { KeyRing } from '../keys/key-ring.ts';
import type { Secrets } from '../keys/secrets.ts';
import { isLoopback } from './loopback.ts';
import { type GivenSecret, productionFaults } from './production.ts';
import { developmentSecrets, settingsSchema, trimmed } from './schema.ts';

const ownerAddress = 'postgres://postgres:postgres@127.0.0.1:5433/outreach_platform';

/**
 * The address variables of the services' roles, and the default role of each; in development it is also the
 * password.
 */
export const derivedRoles = {
  DATABASE_URL_BFF: 'bff',
  DATABASE_URL_BACKEND: 'outreach',
  DATABASE_URL_ORDERS: 'orders',
} as const;

export type DatabaseAddress = 'DATABASE_URL' | keyof typeof derivedRoles;
export const roleAddresses = Object.keys(derivedRoles) as (keyof typeof derivedRoles)[];
/** The owner's first: preparing the database for the services requires all of them. */
export const databaseAddresses: readonly DatabaseAddress[] = ['DATABASE_URL', ...roleAddresses];

/** Each service's own: a process demands them, and is to be given no other's. */
export const secretsOf = {
  bff: ['PLATFORM_APP_SECRET', 'IDENTITY_CLIENT_SECRET', 'INTERNAL_API_SECRET', 'ENCRYPTION_KEYS'],
  backend: ['INTERNAL_API_SECRET', 'CLICK_TOKEN_SECRET', 'ENCRYPTION_KEYS'],
  orders: [
    'PAYMENT_GATEWAY_KEY',
    'PAYMENT_GATEWAY_WEBHOOK_SECRET',
    'INTERNAL_API_SECRET',
    'CLICK_TOKEN_SECRET',
    'ENCRYPTION_KEYS',
  ],
} as const;

export type SecretName = (typeof secretsOf)[keyof typeof secretsOf][number];
export const secretNames: readonly SecretName[] = [...new Set(Object.values(secretsOf).flat())];

type Parsed = z.infer<typeof settingsSchema>;

type ReadSecrets = Omit<Pick<Parsed, SecretName>, 'CLICK_TOKEN_SECRET' | 'ENCRYPTION_KEYS'> & {
  /** INTERNAL_API_SECRET unless it is given. */
  CLICK_TOKEN_SECRET: Secrets;
  /** ENCRYPTION_KEY is one of them, the last, where it is given. */
  ENCRYPTION_KEYS: KeyRing;
};

type Filled =
  | 'BACKEND_URL'
  | 'ORDERS_URL'
  | 'BFF_URL'
  | 'PUBLIC_BFF_URL'
  | 'PUBLIC_ORDERS_URL'
  | 'PLATFORM_BASE_URL'
  | 'IDENTITY_ISSUER'
  | 'PAYMENT_GATEWAY_BASE_URL';

/**
 * Every setting except Temporal's (temporal.config.ts), parsed and complete; of the database addresses and the secrets only
 * those requested. Base addresses end without a slash; the issuer is kept verbatim.
 */
export type Settings<Needed extends DatabaseAddress | SecretName = never> = Omit<
  Parsed,
  Filled | DatabaseAddress | SecretName | 'EMBED_ALLOWED_ORIGINS' | 'FILES_URL' | 'ENCRYPTION_KEY' | 'DEMO'
> &
  Record<Filled | Extract<Needed, DatabaseAddress>, string> &
  Pick<ReadSecrets, Extract<Needed, SecretName>> & {
    EMBED_ALLOWED_ORIGINS: string[];
    /** Null where images cannot be uploaded. */
    FILES_URL: string | null;
    /** Never in production. */
    DEMO: boolean;
  };

/** Of programs that stand for every service. */
export type EverySetting = Settings<DatabaseAddress | SecretName>;

/** A setting is invalid; the message names every variable concerned. */
export class SettingsError extends Error {
  override name = 'SettingsError';
}

/** The address of the same database for a role. */
export function roleUrl(base: string, name: string, password: string): string {
  const address = new URL(base);
  address.username = name;
  address.password = password;
  return address.toString();
}

/** Where a service that listens on HOST can be reached from this machine. */
export function localAddress(host: string, servicePort: number): string {
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${servicePort}`;
}

function databaseAddress(parsed: Parsed, address: DatabaseAddress): string {
  const owner = parsed.DATABASE_URL ?? ownerAddress;
  if (address === 'DATABASE_URL') return owner;
  const role = derivedRoles[address];
  return parsed[address] ?? roleUrl(owner, role, role);
}

function keyRing({ ENCRYPTION_KEYS: named, ENCRYPTION_KEY: only }: Parsed): KeyRing {
  if (!named) return [{ id: null, key: only ?? developmentSecrets.ENCRYPTION_KEY }];
  return only === undefined ? named : [...named, { id: null, key: only }];
}

const isSecret = (name: DatabaseAddress | SecretName): name is SecretName =>
  (secretNames as readonly string[]).includes(name);

function readSecret<Name extends SecretName>(parsed: Parsed, name: Name): ReadSecrets[Name] {
  const read = {
    ...parsed,
    CLICK_TOKEN_SECRET: parsed.CLICK_TOKEN_SECRET ?? parsed.INTERNAL_API_SECRET,
    ENCRYPTION_KEYS: keyRing(parsed),
  };
  return read[name] as ReadSecrets[Name];
}

function complete<Needed extends DatabaseAddress | SecretName>(
  parsed: Parsed,
  needed: readonly Needed[],
): Settings<Needed> {
  const sandbox = `http://127.0.0.1:${parsed.SANDBOX_PORT}`;
  const own = (servicePort: number) => localAddress(parsed.HOST, servicePort);
  const requested = needed.map((name: DatabaseAddress | SecretName) => [
    name,
    isSecret(name) ? readSecret(parsed, name) : databaseAddress(parsed, name),
  ]);
  const hidden = new Set<string>([...secretNames, ...databaseAddresses, 'ENCRYPTION_KEY']);
  const others = Object.fromEntries(Object.entries(parsed).filter(([name]) => !hidden.has(name)));
  return {
    ...(others as Omit<Parsed, SecretName | DatabaseAddress | 'ENCRYPTION_KEY'>),
    ...(Object.fromEntries(requested) as Record<Extract<Needed, DatabaseAddress>, string> &
      Pick<ReadSecrets, Extract<Needed, SecretName>>),
    PUBLIC_BFF_URL: trimmed(parsed.PUBLIC_BFF_URL ?? own(parsed.BFF_PORT)),
    PUBLIC_ORDERS_URL: trimmed(parsed.PUBLIC_ORDERS_URL ?? own(parsed.ORDERS_PORT)),
    PLATFORM_BASE_URL: trimmed(parsed.PLATFORM_BASE_URL ?? sandbox),
    IDENTITY_ISSUER: parsed.IDENTITY_ISSUER ?? `${sandbox}/identity`,
    PAYMENT_GATEWAY_BASE_URL: trimmed(parsed.PAYMENT_GATEWAY_BASE_URL ?? `${sandbox}/payment-gateway`),
    // In development the sandbox's host page may embed the console; in production only the origins listed.
    EMBED_ALLOWED_ORIGINS: parsed.EMBED_ALLOWED_ORIGINS ?? (parsed.NODE_ENV === 'production' ? [] : [sandbox]),
    BACKEND_URL: trimmed(parsed.BACKEND_URL ?? own(parsed.BACKEND_PORT)),
    BFF_URL: trimmed(parsed.BFF_URL ?? parsed.PUBLIC_BFF_URL ?? own(parsed.BFF_PORT)),
    ORDERS_URL: trimmed(parsed.ORDERS_URL ?? own(parsed.ORDERS_PORT)),
    DEMO: parsed.NODE_ENV !== 'production' && parsed.DEMO !== 'off',
    FILES_URL: parsed.FILES_URL === undefined && parsed.SANDBOX ? `${sandbox}/files` : (parsed.FILES_URL ?? null),
  };
}

/**
 * Parses the environment once, at the start of a process, which states the database addresses and secrets that it needs: of
 * others it neither demands nor reads any.
 * @throws SettingsError naming each invalid variable, or each that production must not leave as it is.
 */
export function parseSettings<Needed extends DatabaseAddress | SecretName = never>(
  environment: Record<string, string | undefined>,
  needed: readonly Needed[] = [],
): Settings<Needed> {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = settingsSchema.safeParse(given);
  if (!result.success) {
    const lines = result.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`);
    throw new SettingsError(`Invalid settings. ${lines.join('; ')}`);
  }
  if (result.data.NODE_ENV === 'production') assertFitForProduction(result.data, needed);
  return complete(result.data, needed);
}

/** Whether it is absent, or has the well-known password. */
function isDevelopmentAddress(parsed: Parsed, name: DatabaseAddress): boolean {
  const address = parsed[name];
  if (address === undefined) return true;
  return name === 'DATABASE_URL' ? address === ownerAddress : new URL(address).password === derivedRoles[name];
}

function databaseFault(parsed: Parsed, name: DatabaseAddress): string[] {
  if (isDevelopmentAddress(parsed, name)) return [`${name}: needs an address with a password of its own`];
  const { hostname, searchParams } = new URL(databaseAddress(parsed, name));
  if (isLoopback(hostname) || searchParams.get('sslmode') === 'verify-full') return [];
  return [`${name}: needs sslmode=verify-full`];
}

/** What is given for a secret, by the variable that gives it. */
function givenSecrets(parsed: Parsed, name: SecretName): GivenSecret[] {
  const { ENCRYPTION_KEY: developmentKey, INTERNAL_API_SECRET: internal } = developmentSecrets;
  if (name === 'ENCRYPTION_KEYS')
    return keyRing(parsed).map(({ id, key }) => ({
      name: id === null ? 'ENCRYPTION_KEY' : name,
      given: [key],
      development: developmentKey,
    }));
  if (name === 'CLICK_TOKEN_SECRET') return [{ name, given: parsed[name] ?? [], development: internal }];
  return [{ name, given: [parsed[name]].flat(), development: developmentSecrets[name] }];
}

function assertFitForProduction(parsed: Parsed, needed: readonly (DatabaseAddress | SecretName)[]): void {
  const faults = [
    ...productionFaults(
      parsed,
      needed.filter(isSecret).flatMap((name) => givenSecrets(parsed, name)),
    ),
    ...needed.flatMap((name) => (isSecret(name) ? [] : databaseFault(parsed, name))),
  ];
  if (faults.length > 0) throw new SettingsError(`Not fit for NODE_ENV=production. ${faults.join('; ')}`);
}
