import { z } from 'zod';
import { type KeyRing, keyRingSchema, keySchema } from '../keys/key-ring.ts';
import type { Secrets } from '../keys/secrets.ts';
import { isLoopback } from './loopback.ts';
import { productionFaults } from './production.ts';
import { tracesUrl } from './tracing.ts';

/** Development defaults that must never reach production; `NODE_ENV=production` rejects each of them. */
const developmentSecrets = {
  PLATFORM_APP_SECRET: 'development-platform-app-secret-0001',
  IDENTITY_CLIENT_SECRET: 'development-identity-client-secret',
  PAYMENT_GATEWAY_KEY: 'development-payment-gateway-key',
  PAYMENT_GATEWAY_WEBHOOK_SECRET: 'development-payment-webhook-secret',
  INTERNAL_API_SECRET: 'development-internal-api-secret-0001',
  ENCRYPTION_KEY: 'ZGV2ZWxvcG1lbnQtZW5jcnlwdGlvbi1rZXktMzItYjE=',
} as const;

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

const trimmed = (text: string) => text.replace(/\/+$/, '');
const port = (value: number) => z.coerce.number().int().min(1).max(65535).default(value);
const secret = (name: keyof typeof developmentSecrets) => z.string().min(16).default(developmentSecrets[name]);
const atLeast16 = z.string().min(16);
/** One secret, or two separated by a comma while it changes: the first signs, both verify. */
const onePair = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.tuple([atLeast16], atLeast16))
  .refine((secrets) => secrets.length <= 2, 'must be one secret, or two separated by a comma');
const secretPair = (name: keyof typeof developmentSecrets) => onePair.prefault(developmentSecrets[name]);
const httpUrl = z.url({ protocol: /^https?$/ });
const url = (value: string) => httpUrl.default(value).transform(trimmed);
const onOff = (value: 'on' | 'off') =>
  z
    .enum(['on', 'off'])
    .default(value)
    .transform((text) => text === 'on');
const trueFalse = z
  .enum(['true', 'false'])
  .default('false')
  .transform((text) => text === 'true');
const days = (value: number) => z.coerce.number().int().min(1).max(36_500).default(value);
const daysOrOff = z.union([z.literal('off').transform(() => null), z.coerce.number().int().min(1).max(36_500)]);
/** How often something may be done. */
const atMost = (value: number) => z.coerce.number().int().min(1).max(1_000_000).default(value);
const postgresUrl = z.url({ protocol: /^postgres(ql)?$/ });

const schema = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  HOST: z.string().min(1).default('127.0.0.1'),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  BFF_PORT: port(4000),
  BACKEND_PORT: port(4001),
  ORDERS_PORT: port(4002),
  SANDBOX_PORT: port(4010),
  METRICS_PORT_BFF: port(9400),
  METRICS_PORT_BACKEND: port(9401),
  METRICS_PORT_ORDERS: port(9402),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_URL_BFF: postgresUrl.optional(),
  DATABASE_URL_BACKEND: postgresUrl.optional(),
  DATABASE_URL_ORDERS: postgresUrl.optional(),
  TEMPORAL_UI_URL: url('http://127.0.0.1:8233'),
  TEMPORAL_CODEC_ROLE: z.string().min(1).optional(),
  BACKEND_URL: httpUrl.optional(),
  ORDERS_URL: httpUrl.optional(),
  INTERNAL_TLS_CA: z.string().min(1).optional(),
  INTERNAL_HTTP: z.literal('allow').optional(),
  PUBLIC_BFF_URL: httpUrl.optional(),
  PUBLIC_ORDERS_URL: httpUrl.optional(),
  PLATFORM_BASE_URL: httpUrl.optional(),
  PLATFORM_APP_ID: z.string().min(1).default('outreach'),
  PLATFORM_APP_SECRET: secretPair('PLATFORM_APP_SECRET'),
  PLATFORM_A1_IDEMPOTENT: trueFalse,
  PLATFORM_CALLS_PER_SECOND: z.coerce.number().positive().max(100_000).default(50),
  IDENTITY_ISSUER: httpUrl.optional(),
  IDENTITY_CLIENT_ID: z.string().min(1).default('outreach-console'),
  IDENTITY_CLIENT_SECRET: secret('IDENTITY_CLIENT_SECRET'),
  PAYMENT_GATEWAY_BASE_URL: httpUrl.optional(),
  PAYMENT_GATEWAY_KEY: secret('PAYMENT_GATEWAY_KEY'),
  PAYMENT_GATEWAY_WEBHOOK_SECRET: secretPair('PAYMENT_GATEWAY_WEBHOOK_SECRET'),
  INTERNAL_API_SECRET: secretPair('INTERNAL_API_SECRET'),
  CLICK_TOKEN_SECRET: onePair.optional(),
  ENCRYPTION_KEY: keySchema.optional(),
  ENCRYPTION_KEYS: keyRingSchema.optional(),
  EMBED_ALLOWED_ORIGINS: z
    .string()
    .transform((text) => text.split(/[\s,]+/).filter(Boolean))
    .pipe(z.array(httpUrl.transform((text) => new URL(text).origin)))
    .optional(),
  TOOL_API_ENABLED: trueFalse,
  SECURITY_CONTACT: z
    .string()
    .regex(/^(mailto:|https:)\S+$/, 'must begin with mailto: or https:')
    .optional(),
  AI_BASE_URL: httpUrl.transform(trimmed).optional(),
  AI_API_KEY: z.string().min(1).optional(),
  AI_MODEL: z.string().min(1).optional(),
  FILES_URL: z
    .union([
      z.literal('off').transform(() => null),
      httpUrl.refine((text) => !/[?#]/.test(text), 'must not have a query').transform(trimmed),
    ])
    .optional(),
  FILES_TOKEN: z.string().min(1).optional(),
  SANDBOX: onOff('on'),
  DEMO: z.enum(['on', 'off']).optional(),
  POLL_INTERVAL_MS: z.coerce.number().int().min(10).max(60_000).default(2000),
  SCHEDULE_GRACE_MS: z.coerce.number().int().min(0).default(3_600_000),
  INBOX_PARTITIONS: z.coerce.number().int().min(1).max(64).default(2),
  RETENTION_EVENTS_DAYS: days(90),
  RETENTION_RECIPIENTS_DAYS: days(400),
  RETENTION_TIMELINE_DAYS: days(400),
  RETENTION_AUDIT_DAYS: days(1095),
  RETENTION_UNINSTALLED_DAYS: daysOrOff.default(null),
  LIMIT_SIGN_INS_PER_MINUTE: atMost(1200),
  LIMIT_WEBHOOKS_PER_SECOND: atMost(2000),
  LIMIT_PREVIEWS_PER_MINUTE: atMost(600),
  LIMIT_BACKTESTS_PER_MINUTE: atMost(120),
  LIMIT_EXPORTS_PER_MINUTE: atMost(300),
  LIMIT_TEST_SENDS_PER_MINUTE: atMost(120),
  LIMIT_AI_CALLS_PER_MINUTE: atMost(60),
  LIMIT_API_KEY_CALLS_PER_MINUTE: atMost(1200),
  ORDERS_MAX_OPEN_HOLDS: z.coerce.number().int().min(1).default(20),
  OTEL_EXPORTER_OTLP_ENDPOINT: tracesUrl,
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
});

type Parsed = z.infer<typeof schema>;
type Filled =
  | 'BACKEND_URL'
  | 'ORDERS_URL'
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
  const result = schema.safeParse(given);
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
