import type { z } from 'zod';
import type { KeyRing } from '../keys/key-ring.ts';
import type { Secrets } from '../keys/secrets.ts';
import { isLoopback } from './loopback.ts';
import { productionFaults } from './production.ts';
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

type Parsed = z.infer<typeof settingsSchema>;
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
 * Every setting except Temporal's (temporal.config.ts), parsed and complete; of the database addresses only those
 * requested. Base addresses end without a slash; the issuer is kept verbatim.
 */
export type Settings<Needed extends DatabaseAddress = never> = Omit<
  Parsed,
  | Filled
  | DatabaseAddress
  | 'EMBED_ALLOWED_ORIGINS'
  | 'FILES_URL'
  | 'CLICK_TOKEN_SECRET'
  | 'ENCRYPTION_KEY'
  | 'ENCRYPTION_KEYS'
  | 'DEMO'
> &
  Record<Filled | Needed, string> & {
    /** ENCRYPTION_KEY is one of them, the last, where it is given. */
    ENCRYPTION_KEYS: KeyRing;
    EMBED_ALLOWED_ORIGINS: string[];
    /** Null where images cannot be uploaded. */
    FILES_URL: string | null;
    /** INTERNAL_API_SECRET unless it is given. */
    CLICK_TOKEN_SECRET: Secrets;
    /** Never in production. */
    DEMO: boolean;
  };

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

function complete<Needed extends DatabaseAddress>(parsed: Parsed, needed: readonly Needed[]): Settings<Needed> {
  const sandbox = `http://127.0.0.1:${parsed.SANDBOX_PORT}`;
  const own = (servicePort: number) => localAddress(parsed.HOST, servicePort);
  const addresses = Object.fromEntries(needed.map((name) => [name, databaseAddress(parsed, name)]));
  const { ENCRYPTION_KEY: _, ...given } = parsed;
  return {
    ...given,
    ENCRYPTION_KEYS: keyRing(parsed),
    ...(addresses as Record<Needed, string>),
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
    CLICK_TOKEN_SECRET: parsed.CLICK_TOKEN_SECRET ?? parsed.INTERNAL_API_SECRET,
    FILES_URL: parsed.FILES_URL === undefined && parsed.SANDBOX ? `${sandbox}/files` : (parsed.FILES_URL ?? null),
  };
}

/**
 * Parses the environment once, at the start of a process, which states the database addresses it needs.
 * @throws SettingsError naming each invalid variable, or each that production must not leave as it is.
 */
export function parseSettings<Needed extends DatabaseAddress = never>(
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

function assertFitForProduction(parsed: Parsed, needed: readonly DatabaseAddress[]): void {
  const { ENCRYPTION_KEY: developmentKey, ...others } = developmentSecrets;
  const keys = keyRing(parsed).map(({ id, key }) => ({
    name: id === null ? 'ENCRYPTION_KEY' : 'ENCRYPTION_KEYS',
    given: [key],
    development: developmentKey,
  }));
  const secrets = Object.entries(others).map(([name, development]) => ({
    name,
    given: [parsed[name as keyof typeof others]].flat(),
    development,
  }));
  const { INTERNAL_API_SECRET: development } = developmentSecrets;
  const clicks = { name: 'CLICK_TOKEN_SECRET', given: parsed.CLICK_TOKEN_SECRET ?? [], development };
  const faults = [
    ...productionFaults(parsed, [...secrets, clicks, ...keys]),
    ...needed.flatMap((name) => databaseFault(parsed, name)),
  ];
  if (faults.length > 0) throw new SettingsError(`Not fit for NODE_ENV=production. ${faults.join('; ')}`);
}
