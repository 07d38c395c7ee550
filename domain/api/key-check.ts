import { z } from 'zod';
import { operation } from './operation.ts';

/**
 * What the order service asks the BFF, which has the API keys, under `/internal/v1` of the BFF, with INTERNAL_API_SECRET as
 * the bearer token.
 */
export const keyCheckOperations = {
  /** Null for a key that is unknown, revoked, expired, or of an application that is uninstalled. */
  checkApiKey: operation({
    method: 'post',
    path: '/api-keys:check',
    tag: 'API keys',
    summary: 'Says what an API key may do now',
    access: 'service',
    body: z.object({
      keyId: z.uuid(),
      secretHash: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .describe('SHA-256 of its secret, in hexadecimal'),
    }),
    status: 200,
    response: z.object({
      key: z
        .object({
          name: z.string(),
          platformTenantId: z.string(),
          /** Text, since the BFF may be of a later release. */
          scopes: z.array(z.string()),
        })
        .nullable(),
    }),
  }),
};
