import { z } from 'zod';

const schema = z.object({
  TEMPORAL_ADDRESS: z
    .string()
    .regex(/^[^\s:]+:\d{1,5}$/, 'must be host:port')
    .refine((address) => Number(address.split(':')[1]) <= 65_535, 'must have a port of at most 65535')
    .default('127.0.0.1:7233'),
  TEMPORAL_NAMESPACE: z.string().min(1).default('default'),
  TEMPORAL_TLS_CERT: z.string().min(1).optional(),
  TEMPORAL_TLS_KEY: z.string().min(1).optional(),
  TEMPORAL_API_KEY: z.string().min(1).optional(),
  TEMPORAL_BUILD_ID: z
    .string()
    .regex(/^[\w.-]{1,128}$/, 'must be at most 128 letters, digits, dots, underscores and dashes')
    .optional(),
});

export interface TemporalSettings {
  namespace: string;
  /** The release the workers belong to; without it they are unversioned. */
  buildId?: string;
  connection: {
    address: string;
    apiKey?: string;
    /** Certificate and key files; `true` means TLS without a client certificate. */
    tls?: true | { certificateFile: string; keyFile: string };
  };
}

/**
 * How to reach Temporal: plaintext for development, mutual TLS with a certificate and key, or TLS with an API key.
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
  const { TEMPORAL_TLS_CERT: cert, TEMPORAL_TLS_KEY: key, ...rest } = result.data;
  if (Boolean(cert) !== Boolean(key))
    throw new Error('Invalid settings. TEMPORAL_TLS_CERT and TEMPORAL_TLS_KEY must be set together');
  const tls = cert && key ? { certificateFile: cert, keyFile: key } : undefined;
  return {
    namespace: rest.TEMPORAL_NAMESPACE,
    ...(rest.TEMPORAL_BUILD_ID ? { buildId: rest.TEMPORAL_BUILD_ID } : {}),
    connection: {
      address: rest.TEMPORAL_ADDRESS,
      ...(tls ? { tls } : {}),
      ...(rest.TEMPORAL_API_KEY ? { apiKey: rest.TEMPORAL_API_KEY, tls: tls ?? true } : {}),
    },
  };
}
