import { z } from 'zod';
import { type KeyRing, keyRingSchema } from '../keys/key-ring.ts';
import { isLoopback } from './loopback.ts';
import { tracesUrl } from './tracing.ts';

export const temporalShape = {
  TEMPORAL_ADDRESS: z
    .string()
    .regex(/^[^\s:]+:\d{1,5}$/, 'must be host:port')
    .refine((address) => Number(address.split(':')[1]) <= 65_535, 'must have a port of at most 65535')
    .default('127.0.0.1:7233')
    .meta({ description: '`host:port` of the server; if set, `npm start` starts none', unset: 'embedded' }),
  TEMPORAL_NAMESPACE: z.string().min(1).default('default').describe('namespace of all workflows'),
  TEMPORAL_TLS_CA: z.string().min(1).optional().describe('file of the authorities to trust; means TLS'),
  TEMPORAL_TLS_CERT: z.string().min(1).optional().describe('file of a client certificate; means TLS'),
  TEMPORAL_TLS_KEY: z.string().min(1).optional().describe('file of its key'),
  TEMPORAL_API_KEY: z.string().min(1).optional().describe('API key of Temporal Cloud; means TLS'),
  TEMPORAL_PAYLOAD_KEYS: z
    .union([z.literal('off').transform(() => undefined), keyRingSchema])
    .optional()
    .meta({
      description:
        'keys as in `ENCRYPTION_KEYS`: inputs and results of workflows and activities are encrypted before they reach Temporal; see the [runbook](runbook.md#encrypted-payloads)',
      unset: '`off`',
    }),
  TEMPORAL_BUILD_ID: z
    .string()
    .regex(/^[\w.-]{1,128}$/, 'must be at most 128 letters, digits, dots, underscores and dashes')
    .optional()
    .describe('release of the workers, for rolling deployments; see the [runbook](runbook.md#deploying)'),
};

const schema = z.object({
  ...temporalShape,
  NODE_ENV: z.string().optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: tracesUrl,
});

/** Files in PEM format. */
export interface TemporalTls {
  /** Authorities to trust instead of those that the machine trusts. */
  authoritiesFile?: string;
  /** A certificate of our own, with its key. */
  client?: { certificateFile: string; keyFile: string };
}

export interface TemporalSettings {
  namespace: string;
  /** The release the workers belong to; without it they are unversioned. */
  buildId?: string;
  /** Payloads are sealed with them; without, Temporal stores them as they are. */
  payloadKeys?: KeyRing;
  /** Whether runs of workflows are traced, too. */
  isTraced?: true;
  connection: {
    address: string;
    apiKey?: string;
    /** TLS, with whatever of this is given; without it, plaintext. */
    tls?: TemporalTls;
  };
}

type Parsed = z.infer<typeof schema>;

function tlsOf({
  TEMPORAL_TLS_CA: authoritiesFile,
  TEMPORAL_TLS_CERT: certificateFile,
  TEMPORAL_TLS_KEY: keyFile,
  TEMPORAL_API_KEY: apiKey,
}: Parsed): TemporalTls | undefined {
  if (Boolean(certificateFile) !== Boolean(keyFile))
    throw new Error('Invalid settings. TEMPORAL_TLS_CERT and TEMPORAL_TLS_KEY must be set together');
  if (!authoritiesFile && !certificateFile && !apiKey) return undefined;
  return {
    ...(authoritiesFile && { authoritiesFile }),
    ...(certificateFile && keyFile && { client: { certificateFile, keyFile } }),
  };
}

const isOnThisMachine = (address: string): boolean => isLoopback(address.slice(0, address.lastIndexOf(':')));

/**
 * How to reach Temporal: plaintext for development, or TLS as soon as an authority, a certificate with its key, or an
 * API key is given; production requires it, except on this machine.
 * Apart from temporal.config.ts, which every run of a workflow evaluates: zod would be most of starting one.
 * @throws Error naming the invalid variable.
 */
export function parseTemporalSettings(environment: Record<string, string | undefined>): TemporalSettings {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = schema.safeParse(given);
  if (!result.success) {
    const lines = result.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`);
    throw new Error(`Invalid settings. ${lines.join('; ')}`);
  }
  const { data } = result;
  const tls = tlsOf(data);
  if (data.NODE_ENV === 'production' && !tls && !isOnThisMachine(data.TEMPORAL_ADDRESS))
    throw new Error(
      'Not fit for NODE_ENV=production. TEMPORAL_ADDRESS: needs TLS, by TEMPORAL_TLS_CA, TEMPORAL_TLS_CERT or TEMPORAL_API_KEY',
    );
  return {
    namespace: data.TEMPORAL_NAMESPACE,
    ...(data.TEMPORAL_BUILD_ID ? { buildId: data.TEMPORAL_BUILD_ID } : {}),
    ...(data.TEMPORAL_PAYLOAD_KEYS ? { payloadKeys: data.TEMPORAL_PAYLOAD_KEYS } : {}),
    ...(data.OTEL_EXPORTER_OTLP_ENDPOINT === null ? {} : { isTraced: true }),
    connection: {
      address: data.TEMPORAL_ADDRESS,
      ...(data.TEMPORAL_API_KEY ? { apiKey: data.TEMPORAL_API_KEY } : {}),
      ...(tls && { tls }),
    },
  };
}

/**
 * The code that a worker runs: with keys, the texts of a workflow's failures leave it as payloads; where there are traces, it
 * notes what a run does.
 */
export const bundleNameOf = ({ payloadKeys, isTraced }: Pick<TemporalSettings, 'payloadKeys' | 'isTraced'>) =>
  `${isTraced ? ('traced-' as const) : ('' as const)}${payloadKeys ? ('sealed-' as const) : ('' as const)}workflow-bundle` as const;

export type WorkflowBundle = ReturnType<typeof bundleNameOf>;
