import { tmpdir } from 'node:os';
import { z } from 'zod';
import { keyRingSchema, keySchema } from '../keys/key-ring.ts';
import { tracesUrl } from './tracing.ts';

/** Development defaults that must never reach production; `NODE_ENV=production` rejects each of them. */
export const developmentSecrets = {
  PLATFORM_APP_SECRET: 'development-platform-app-secret-0001',
  IDENTITY_CLIENT_SECRET: 'development-identity-client-secret',
  PAYMENT_GATEWAY_KEY: 'development-payment-gateway-key',
  PAYMENT_GATEWAY_WEBHOOK_SECRET: 'development-payment-webhook-secret',
  INTERNAL_API_SECRET: 'development-internal-api-secret-0001',
  ENCRYPTION_KEY: 'ZGV2ZWxvcG1lbnQtZW5jcnlwdGlvbi1rZXktMzItYjE=',
} as const;

export const trimmed = (text: string) => text.replace(/\/+$/, '');
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

/*
 * docs/settings.md is made of these: `description` says what a setting does, and `unset` what applies if it is not set, where the
 * schema has no default, or one that is not for reading.
 */

const inDevelopment = 'development only';

const everyService = {
  NODE_ENV: z
    .enum(['development', 'test', 'production'])
    .default('development')
    .describe('`production` rejects settings that are only fit for development'),
  HOST: z.string().min(1).default('127.0.0.1').describe('address on which the services listen'),
  METRICS_HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('address on which each service serves `/metrics`, and nothing else'),
  DATABASE_URL: postgresUrl
    .optional()
    .meta({ description: 'of the owner, for migrations; if set, `npm start` starts no PostgreSQL', unset: 'embedded' }),
  INTERNAL_API_SECRET: secretPair('INTERNAL_API_SECRET').meta({
    description:
      'shared by BFF, backend and order service; may be two, separated by a comma, while it changes: both verify, the first signs',
    unset: inDevelopment,
  }),
  INTERNAL_HTTP: z
    .literal('allow')
    .optional()
    .describe('in production, `BACKEND_URL`, `ORDERS_URL` and `BFF_URL` may be http, on a network of their own'),
  ENCRYPTION_KEY: keySchema
    .optional()
    .meta({ description: '32 bytes in base64: encrypts stored secrets, tokens and ids', unset: inDevelopment }),
  ENCRYPTION_KEYS: keyRingSchema
    .optional()
    .describe(
      'several such keys as `id:key,id:key`: the first encrypts, all decrypt, `ENCRYPTION_KEY` as well; see the [runbook](runbook.md#rotate-a-key-or-secret)',
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: tracesUrl.meta({
    description:
      'where spans are sent (OTLP over HTTP, as JSON, to `/v1/traces` there); other `OTEL_*` variables apply, such as headers and sampling; see the [runbook](runbook.md#traces)',
    unset: '`off`',
  }),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('least severe messages that are logged'),
};

const bff = {
  BFF_PORT: port(4000).describe('of the console and the frontend API'),
  METRICS_PORT_BFF: port(9400).describe('of `/metrics`'),
  DATABASE_URL_BFF: postgresUrl
    .optional()
    .meta({ description: 'of its role; required in production', unset: 'derived' }),
  PUBLIC_BFF_URL: httpUrl
    .optional()
    .meta({ description: 'how the platform and browsers reach it', unset: 'own address' }),
  BACKEND_URL: httpUrl.optional().meta({ description: 'how it reaches the backend', unset: 'own address' }),
  ORDERS_URL: httpUrl
    .optional()
    .meta({ description: 'how BFF and backend reach the order service', unset: 'own address' }),
  INTERNAL_TLS_CA: z
    .string()
    .min(1)
    .optional()
    .describe('file of the authorities to trust instead of the machine’s, where those two or `BFF_URL` are https'),
  PLATFORM_BASE_URL: httpUrl
    .optional()
    .meta({ description: 'the platform; the backend calls it, too', unset: 'sandbox' }),
  PLATFORM_APP_ID: z
    .string()
    .min(1)
    .default('outreach')
    .describe('id of this application at the platform; the backend needs it, too'),
  PLATFORM_APP_SECRET: secretPair('PLATFORM_APP_SECRET').meta({
    description: 'verifies lifecycle calls; may be two, separated by a comma, while it changes',
    unset: inDevelopment,
  }),
  IDENTITY_ISSUER: httpUrl.optional().meta({
    description:
      'OpenID Connect; the order service verifies its tokens, too. Register there: `PUBLIC_BFF_URL` with `/api/v1/auth/callback`, with `/app` to return to after a sign-out, and with `/api/v1/auth/backchannel-logout`',
    unset: 'sandbox',
  }),
  IDENTITY_CLIENT_ID: z
    .string()
    .min(1)
    .default('outreach-console')
    .describe('of this application; the order service expects it, too'),
  IDENTITY_CLIENT_SECRET: secret('IDENTITY_CLIENT_SECRET').meta({
    description: 'of this application',
    unset: inDevelopment,
  }),
  EMBED_ALLOWED_ORIGINS: z
    .string()
    .transform((text) => text.split(/[\s,]+/).filter(Boolean))
    .pipe(z.array(httpUrl.transform((text) => new URL(text).origin)))
    .optional()
    .meta({ description: 'origins that may embed the console, separated by commas', unset: 'sandbox' }),
  SECURITY_CONTACT: z
    .string()
    .regex(/^(mailto:|https:)\S+$/, 'must begin with mailto: or https:')
    .optional()
    .describe('`mailto:` or `https:` address for reports of vulnerabilities, in `/.well-known/security.txt`'),
  FILES_URL: z
    .union([
      z.literal('off').transform(() => null),
      httpUrl.refine((text) => !/[?#]/.test(text), 'must not have a query').transform(trimmed),
    ])
    .optional()
    .meta({
      description:
        'where the editor uploads images: `PUT FILES_URL/<random name>` stores one, which everybody can read at the same address. In production https; `off`: the editor only takes addresses of images',
      unset: 'sandbox; `off` in production',
    }),
  FILES_TOKEN: z.string().min(1).optional().describe('bearer token for uploads'),
  TEMPORAL_UI_URL: url('http://127.0.0.1:8233').describe('where staff open Temporal UI'),
  TEMPORAL_CODEC_ROLE: z
    .string()
    .min(1)
    .optional()
    .describe('role at the identity service whose members can decrypt payloads of all tenants in Temporal UI'),
  TRUSTED_PROXIES: z
    .string()
    .transform((text) => text.split(/[\s,]+/).filter(Boolean))
    .pipe(z.array(z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()])))
    .default([])
    .meta({
      description:
        'addresses of proxies, or ranges of them as `10.0.0.0/8`, separated by commas: of calls from those, `X-Forwarded-For` says whose they are',
      unset: 'none',
    }),
  LIMIT_SIGN_INS_PER_MINUTE: atMost(1200).describe(
    'sign-ins started from one address; behind a proxy that is not in `TRUSTED_PROXIES`, everybody has its address',
  ),
  LIMIT_WEBHOOKS_PER_SECOND: atMost(2000).describe('signed webhooks accepted for one integration'),
  LIMIT_PREVIEWS_PER_MINUTE: atMost(600).describe('audience previews; the backend’s Tool API applies it, too'),
  LIMIT_DRY_RUNS_PER_MINUTE: atMost(30).describe('dry runs of campaigns'),
  LIMIT_BACKTESTS_PER_MINUTE: atMost(120).describe('backtests of smart rules'),
  LIMIT_EXPORTS_PER_MINUTE: atMost(300).describe('exports; the order service applies it to its own, too'),
  LIMIT_TEST_SENDS_PER_MINUTE: atMost(120).describe('test sends'),
  LIMIT_AI_CALLS_PER_MINUTE: atMost(60).describe('requests for copywriting'),
  LIMIT_API_KEY_CALLS_PER_MINUTE: atMost(1200).describe(
    'calls with one API key; the order service applies it to its own, too',
  ),
};

const backend = {
  BACKEND_PORT: port(4001).describe('of the internal API'),
  METRICS_PORT_BACKEND: port(9401).describe('of `/metrics`'),
  DATABASE_URL_BACKEND: postgresUrl
    .optional()
    .meta({ description: 'of its role; required in production', unset: 'derived' }),
  PLATFORM_A1_IDEMPOTENT: trueFalse.describe('`true` if the platform honours `Idempotency-Key` when a task is created'),
  LIMIT_AUTOMATIONS_PER_TENANT: atMost(200).describe(
    'automations that a tenant may have, without those that have ended',
  ),
  LIMIT_RULES_PER_TENANT: atMost(200).describe('smart rules that a tenant may have'),
  PLATFORM_CALLS_PER_SECOND: z.coerce
    .number()
    .positive()
    .max(100_000)
    .default(50)
    .describe('calls of A1, A2 and A3 for one integration, by all processes together'),
  POLL_INTERVAL_MS: z.coerce
    .number()
    .int()
    .min(10)
    .max(60_000)
    .default(2000)
    .describe('first interval at which a task is polled, growing to 60 s'),
  AUTOMATIONS_WINDOW_MS: z.coerce
    .number()
    .int()
    .min(100)
    .max(600_000)
    .default(60_000)
    .describe('messages of an automation that are due within this time go out together'),
  AUTOMATIONS_LOOK_MS: z.coerce.number().int().min(100).max(86_400_000).optional().meta({
    description: 'how often automations look who has come into a segment, for tests',
    unset: 'each hour or day',
  }),
  SCHEDULE_GRACE_MS: z.coerce
    .number()
    .int()
    .min(0)
    .default(3_600_000)
    .describe('how late a scheduled sub-task may still be sent'),
  INBOX_PARTITIONS: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .default(2)
    .describe('workflows that drain events; tenants are spread over them'),
  UPLOADS_DIR: z
    .string()
    .min(1)
    .default(tmpdir())
    .meta({ description: 'folder in which uploaded lists wait until they are complete', unset: 'the system’s' }),
  UPLOADS_MAX_BYTES: z.coerce
    .number()
    .int()
    .min(1)
    .default(1_073_741_824)
    .describe('bytes that one process keeps there at once; a further upload gets 503'),
  CLICK_TOKEN_SECRET: onePair.optional().meta({
    description:
      'shared with the order service: signs the tokens in links of campaigns; may be two, separated by a comma, while it changes: both verify, the first signs',
    unset: '`INTERNAL_API_SECRET`',
  }),
  TOOL_API_ENABLED: trueFalse.describe(
    '`true`: the Tool API for models (`/tools/v1`, and `/mcp` by the Model Context Protocol), and `/api/ai/*`, which the editor offers',
  ),
  AI_BASE_URL: httpUrl
    .transform(trimmed)
    .optional()
    .describe('endpoint that speaks OpenAI’s chat completions (e.g. `https://host/v1`), for copywriting'),
  AI_API_KEY: z.string().min(1).optional().describe('if that endpoint requires a key'),
  AI_MODEL: z.string().min(1).optional().describe('model to request there'),
  RETENTION_EVENTS_DAYS: days(90).describe('how long platform events and refused webhooks are kept'),
  RETENTION_RECIPIENTS_DAYS: days(400).describe(
    'how long the recipients of a campaign and the entries of automations are kept; those of one that takes each contact once stay until it has ended, results stay',
  ),
  RETENTION_TIMELINE_DAYS: days(400).describe(
    'how long clicks, conversations, follows, payments of named contacts, and earlier versions of profiles and tags are kept; results stay',
  ),
  RETENTION_AUDIT_DAYS: days(1095).describe('how long the audit log and the history of campaigns are kept'),
  RETENTION_UNINSTALLED_DAYS: daysOrOff
    .default(null)
    .meta({ description: 'days after an uninstall until all data of the tenant is deleted', unset: '`off`' }),
};

const orders = {
  ORDERS_PORT: port(4002).describe('of the order API'),
  METRICS_PORT_ORDERS: port(9402).describe('of `/metrics`'),
  DATABASE_URL_ORDERS: postgresUrl
    .optional()
    .meta({ description: 'of its role; required in production', unset: 'derived' }),
  PUBLIC_ORDERS_URL: httpUrl
    .optional()
    .meta({ description: 'how the payment gateway and browsers reach it', unset: 'own address' }),
  BFF_URL: httpUrl
    .optional()
    .meta({ description: 'how it reaches the BFF, which it asks about API keys', unset: '`PUBLIC_BFF_URL`' }),
  PAYMENT_GATEWAY_BASE_URL: httpUrl.optional().meta({ description: 'the payment gateway', unset: 'sandbox' }),
  PAYMENT_GATEWAY_KEY: secret('PAYMENT_GATEWAY_KEY').meta({
    description: 'for calls to the gateway',
    unset: inDevelopment,
  }),
  PAYMENT_GATEWAY_WEBHOOK_SECRET: secretPair('PAYMENT_GATEWAY_WEBHOOK_SECRET').meta({
    description:
      'verifies its callbacks; may be two, separated by a comma, while it changes: both verify, the first signs',
    unset: inDevelopment,
  }),
  ORDERS_MAX_OPEN_HOLDS: z.coerce
    .number()
    .int()
    .min(1)
    .default(20)
    .describe(
      'unpaid orders that may hold points, coupons or goods for one payer at one tenant; a further pay gets 90039',
    ),
};

const development = {
  DATA_DIR: z.string().min(1).default('.data').describe('all local state'),
  SANDBOX: onOff('on').describe('whether the sandbox runs; must be `off` in production'),
  SANDBOX_PORT: port(4010).describe('of the sandbox'),
  DEMO: z
    .enum(['on', 'off'])
    .optional()
    .meta({ description: 'whether demonstration data is seeded; never in production', unset: '`on`' }),
};

/** By the service that reads them first of all. */
export const settingGroups = { everyService, bff, backend, orders, development };

export const settingsSchema = z.object({ ...everyService, ...bff, ...backend, ...orders, ...development });
