import { z } from 'zod';

/** Development defaults that must never reach production; `NODE_ENV=production` refuses each of them. */
const developmentSecrets = {
  PLATFORM_APP_SECRET: 'development-platform-app-secret-0001',
  IDENTITY_CLIENT_SECRET: 'development-identity-client-secret',
  PAYMENT_GATEWAY_KEY: 'development-payment-gateway-key',
  PAYMENT_GATEWAY_WEBHOOK_SECRET: 'development-payment-webhook-secret',
  INTERNAL_API_SECRET: 'development-internal-api-secret-0001',
  ENCRYPTION_KEY: 'ZGV2ZWxvcG1lbnQtZW5jcnlwdGlvbi1rZXktMzItYjE=',
} as const;

const trimmed = (text: string) => text.replace(/\/+$/, '');
const port = (value: number) => z.coerce.number().int().min(1).max(65535).default(value);
const secret = (name: keyof typeof developmentSecrets) => z.string().min(16).default(developmentSecrets[name]);
const url = (value: string) =>
  z
    .url({ protocol: /^https?$/ })
    .default(value)
    .transform(trimmed);
const onOff = (value: 'on' | 'off') =>
  z
    .enum(['on', 'off'])
    .default(value)
    .transform((text) => text === 'on');
const trueFalse = z
  .enum(['true', 'false'])
  .default('false')
  .transform((text) => text === 'true');
const postgresUrl = z.url({ protocol: /^postgres(ql)?$/ });

const schema = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  HOST: z.string().min(1).default('127.0.0.1'),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  BFF_PORT: port(4000),
  BACKEND_PORT: port(4001),
  ORDERS_PORT: port(4002),
  SANDBOX_PORT: port(4010),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: postgresUrl.default('postgres://postgres:postgres@127.0.0.1:5433/outreach_platform'),
  DATABASE_URL_BFF: postgresUrl.optional(),
  DATABASE_URL_BACKEND: postgresUrl.optional(),
  DATABASE_URL_ORDERS: postgresUrl.optional(),
  TEMPORAL_UI_URL: url('http://127.0.0.1:8233'),
  PUBLIC_BFF_URL: z.url({ protocol: /^https?$/ }).optional(),
  PUBLIC_ORDERS_URL: z.url({ protocol: /^https?$/ }).optional(),
  PLATFORM_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  PLATFORM_APP_ID: z.string().min(1).default('outreach'),
  PLATFORM_APP_SECRET: secret('PLATFORM_APP_SECRET'),
  PLATFORM_A1_IDEMPOTENT: trueFalse,
  IDENTITY_ISSUER: z.url({ protocol: /^https?$/ }).optional(),
  IDENTITY_CLIENT_ID: z.string().min(1).default('outreach-console'),
  IDENTITY_CLIENT_SECRET: secret('IDENTITY_CLIENT_SECRET'),
  PAYMENT_GATEWAY_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  PAYMENT_GATEWAY_KEY: secret('PAYMENT_GATEWAY_KEY'),
  PAYMENT_GATEWAY_WEBHOOK_SECRET: secret('PAYMENT_GATEWAY_WEBHOOK_SECRET'),
  INTERNAL_API_SECRET: secret('INTERNAL_API_SECRET'),
  ENCRYPTION_KEY: z
    .string()
    .default(developmentSecrets.ENCRYPTION_KEY)
    .refine((text) => Buffer.from(text, 'base64').length === 32, 'must be 32 bytes in base64'),
  EMBED_ALLOWED_ORIGINS: z
    .string()
    .transform((text) => text.split(/[\s,]+/).filter(Boolean))
    .pipe(z.array(z.url({ protocol: /^https?$/ }).transform((text) => new URL(text).origin)))
    .optional(),
  TOOL_API_ENABLED: trueFalse,
  AI_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .transform(trimmed)
    .optional(),
  AI_API_KEY: z.string().min(1).optional(),
  AI_MODEL: z.string().min(1).optional(),
  SANDBOX: onOff('on'),
  DEMO: onOff('on'),
  POLL_INTERVAL_MS: z.coerce.number().int().min(10).max(60_000).default(2000),
  SCHEDULE_GRACE_MS: z.coerce.number().int().min(0).default(3_600_000),
  INBOX_PARTITIONS: z.coerce.number().int().min(1).max(64).default(2),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
});

type Parsed = z.infer<typeof schema>;
type Filled =
  | 'DATABASE_URL_BFF'
  | 'DATABASE_URL_BACKEND'
  | 'DATABASE_URL_ORDERS'
  | 'PUBLIC_BFF_URL'
  | 'PUBLIC_ORDERS_URL'
  | 'PLATFORM_BASE_URL'
  | 'IDENTITY_ISSUER'
  | 'PAYMENT_GATEWAY_BASE_URL';

/** Every setting but Temporal's (temporal.config.ts), parsed and complete. Base addresses end without a slash; the issuer is kept to the letter. */
export type Settings = Omit<Parsed, Filled | 'EMBED_ALLOWED_ORIGINS'> &
  Record<Filled, string> & { EMBED_ALLOWED_ORIGINS: string[]; BACKEND_URL: string; ORDERS_URL: string };

/** A setting is wrong; the message names every variable concerned. */
export class SettingsError extends Error {
  override name = 'SettingsError';
}

/** The address of `base` for the role `name`; development's role passwords are the role names. */
function roleUrl(base: string, name: string): string {
  const address = new URL(base);
  address.username = name;
  address.password = name;
  return address.toString();
}

function complete(parsed: Parsed): Settings {
  const sandbox = `http://127.0.0.1:${parsed.SANDBOX_PORT}`;
  const own = (servicePort: number) => `http://${parsed.HOST === '0.0.0.0' ? '127.0.0.1' : parsed.HOST}:${servicePort}`;
  return {
    ...parsed,
    DATABASE_URL_BFF: parsed.DATABASE_URL_BFF ?? roleUrl(parsed.DATABASE_URL, 'bff'),
    DATABASE_URL_BACKEND: parsed.DATABASE_URL_BACKEND ?? roleUrl(parsed.DATABASE_URL, 'outreach'),
    DATABASE_URL_ORDERS: parsed.DATABASE_URL_ORDERS ?? roleUrl(parsed.DATABASE_URL, 'orders'),
    PUBLIC_BFF_URL: trimmed(parsed.PUBLIC_BFF_URL ?? own(parsed.BFF_PORT)),
    PUBLIC_ORDERS_URL: trimmed(parsed.PUBLIC_ORDERS_URL ?? own(parsed.ORDERS_PORT)),
    PLATFORM_BASE_URL: trimmed(parsed.PLATFORM_BASE_URL ?? sandbox),
    IDENTITY_ISSUER: parsed.IDENTITY_ISSUER ?? `${sandbox}/identity`,
    PAYMENT_GATEWAY_BASE_URL: trimmed(parsed.PAYMENT_GATEWAY_BASE_URL ?? `${sandbox}/payment-gateway`),
    // Development's host page is the sandbox's; in production only what is named may embed the console.
    EMBED_ALLOWED_ORIGINS: parsed.EMBED_ALLOWED_ORIGINS ?? (parsed.NODE_ENV === 'production' ? [] : [sandbox]),
    BACKEND_URL: own(parsed.BACKEND_PORT),
    ORDERS_URL: own(parsed.ORDERS_PORT),
  };
}

/**
 * Parses the environment once, at the start of a process.
 * @throws SettingsError naming each wrong variable, or each secret that production lacks.
 */
export function parseSettings(environment: Record<string, string | undefined>): Settings {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = schema.safeParse(given);
  if (!result.success) {
    const lines = result.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`);
    throw new SettingsError(`Wrong settings. ${lines.join('; ')}`);
  }
  if (result.data.NODE_ENV === 'production') refuseDevelopmentSecrets(result.data);
  return complete(result.data);
}

function refuseDevelopmentSecrets(parsed: Parsed): void {
  const names = Object.entries(developmentSecrets).flatMap(([name, value]) =>
    parsed[name as keyof typeof developmentSecrets] === value ? [name] : [],
  );
  if (names.length > 0) {
    throw new SettingsError(`NODE_ENV=production needs a secret of its own for ${names.join(', ')}`);
  }
}
