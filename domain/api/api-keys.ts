import { z } from 'zod';
import { keyScopes } from '../keys/scopes.ts';
import { operation } from './operation.ts';
import { page, pageQuery, serviceNumberListSchema, text, timestamp } from './primitives.ts';

/** Keys of a tenant that can be used at once. */
export const maximumKeys = 50;

export const apiKeySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    /** Begins every text of this key, so that one that is found somewhere can be told. */
    prefix: z.string(),
    scopes: z.array(z.enum(keyScopes)),
    /** The service numbers that it sees; null: all. */
    serviceNumberIds: z.array(z.string()).nullable(),
    /** The platformUserId of who made it. */
    createdBy: z.string(),
    createdAt: timestamp,
    /** To the minute; null if it was never used. */
    lastUsedAt: timestamp.nullable(),
    /** Null: until it is revoked. */
    expiresAt: timestamp.nullable(),
    revokedAt: timestamp.nullable(),
    status: z.enum(['active', 'expired', 'revoked']),
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.infer<typeof apiKeySchema>;

/** `key` is shown in this response alone. */
export const shownApiKeySchema = apiKeySchema.extend({ key: z.string() }).meta({ id: 'ApiKeyWithSecret' });
export type ShownApiKey = z.infer<typeof shownApiKeySchema>;

export const createApiKeySchema = z
  .object({
    name: text(100).trim().min(1),
    scopes: z
      .array(z.enum(keyScopes))
      .min(1)
      .max(keyScopes.length)
      .refine((scopes) => new Set(scopes).size === scopes.length, 'must name each scope once'),
    expiresAt: timestamp.nullish(),
    /** For a key with a list, another service number is one that the tenant does not have. */
    serviceNumberIds: serviceNumberListSchema.nullish(),
  })
  .meta({ id: 'CreateApiKey' });
export type CreateApiKey = z.infer<typeof createApiKeySchema>;

const tag = 'API keys';

/** Served by the BFF itself, to people alone. */
export const apiKeyOperations = {
  listApiKeys: operation({
    method: 'get',
    path: '/api-keys',
    tag,
    summary: 'Keys with which programs call this API, the newest first',
    access: 'admin',
    query: z.object(pageQuery),
    status: 200,
    response: page(apiKeySchema),
  }),
  createApiKey: operation({
    method: 'post',
    path: '/api-keys',
    tag,
    summary: 'Makes a key, which is shown in this response alone, and to a retry with the same Idempotency-Key',
    description:
      'A program sends it as `Authorization: Bearer <key>`. It may do what its scopes say: `campaigns:write` reads and ' +
      'writes campaigns. No key manages keys, sessions, people or settings, sees the export of a person or approves a ' +
      'send. What is done with it has `key:<id>` as its actor in the audit log. It ends when it is revoked, when it ' +
      'expires, and for good when the application is uninstalled. ' +
      `409 \`conflict\` with ${maximumKeys} keys that can be used.`,
    access: 'admin',
    body: createApiKeySchema,
    status: 201,
    response: shownApiKeySchema,
    errors: ['conflict', 'invalid_content'],
  }),
  revokeApiKey: operation({
    method: 'delete',
    path: '/api-keys/{id}',
    tag,
    summary: 'Revokes a key: it is refused from now on, and its event streams end',
    access: 'admin',
    params: z.object({ id: z.uuid() }),
    status: 204,
    errors: ['not_found'],
  }),
};
