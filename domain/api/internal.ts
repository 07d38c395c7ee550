import { z } from 'zod';
import { keyScopes } from '../keys/scopes.ts';
import { intakeCommandSchema } from './events.ts';
import { idempotencyKeySchema, keptAnswerSchema, knownCallSchema } from './idempotency.ts';
import { operation } from './operation.ts';
import { roles } from './session.ts';
import { httpUrl, ownId, platformId, receivedId, serviceNumberListSchema, text, timestamp } from './primitives.ts';
import { toolNames } from './tools.ts';

/**
 * The BFF's calls to the backend besides the operations it forwards. Each call carries `X-Request-Id` and
 * INTERNAL_API_SECRET as its bearer token; forwarded calls carry the token from `issueToken` instead. All of them
 * can safely be retried.
 */

/** Roles that may open the console, strongest first. */
export const consoleRoles = ['tenant_admin', 'marketing_operator', 'viewer'] as const;
export type ConsoleRole = (typeof consoleRoles)[number];

/** As `TENANT_INTEGRATION_ID` in domain/signature.ts. */
export const tenantIntegrationIdSchema = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

/** Somebody whom the BFF has verified. externalTenantId is its mapping for the tenant of the person's token. */
const signInPart = {
  platformTenantId: platformId,
  externalTenantId: text(200).min(1),
  userId: platformId,
  name: text(200),
};

export const integrationSecretSchema = text(1024).min(32);

export const installedTenantSchema = z.object({ name: text(500).min(1), type: text(64).min(1) });
export type InstalledTenant = z.infer<typeof installedTenantSchema>;

export const installedServiceNumbersSchema = z
  .array(z.object({ serviceNumberId: receivedId, name: text(500) }))
  .max(10_000);
export type InstalledServiceNumbers = z.infer<typeof installedServiceNumbersSchema>;

/** The maximum number of events per intake call, and the maximum payload unless a single event is larger. */
export const intakeLimits = { events: 500, payloadCharacters: 2_000_000, bodyBytes: 8 * 1_048_576 } as const;

export const putTenantIntegrationSchema = z.object({
  platformTenantId: platformId,
  tenantIntegrationSecret: integrationSecretSchema,
  webhookUrl: httpUrl,
  tenant: installedTenantSchema,
  serviceNumbers: installedServiceNumbersSchema,
});
export type PutTenantIntegration = z.infer<typeof putTenantIntegrationSchema>;

export const intakeResultSchema = z.object({
  eventId: z.string(),
  /** False for a duplicate event, and for an event of an integration that the backend does not know. */
  stored: z.boolean(),
  reason: z.enum(['duplicate', 'unknown_integration']).optional(),
});
export type IntakeResult = z.infer<typeof intakeResultSchema>;

/** Entries of one call at most. */
export const notedAtOnce = 100;

const notedAuditSchema = z.object({
  auditId: z.uuid(),
  platformTenantId: platformId,
  actor: platformId,
  action: z.enum([
    'session.sign_in',
    'session.sign_out',
    'session.end',
    'access.refuse',
    'integration.register_slots',
    'api_key.create',
    'api_key.revoke',
  ]),
  objectType: z.enum(['session', 'access', 'integration', 'api_key']),
  objectId: text(300).min(1),
  after: z
    .union([
      z.object({ calls: z.int().min(1) }),
      z.object({ slots: z.array(text(64)).max(20) }),
      z.object({
        name: text(100),
        scopes: z.array(z.enum(keyScopes)),
        expiresAt: timestamp.nullable(),
        /** Missing from a BFF of an earlier release. */
        serviceNumberIds: z.array(z.string()).nullable().optional(),
      }),
    ])
    .nullable(),
  requestId: text(128).nullable(),
  callerRequestId: text(128).nullable(),
});
export type NotedAudit = z.infer<typeof notedAuditSchema>;

const params = z.object({ tenantIntegrationId: tenantIntegrationIdSchema });
const path = '/tenant-integrations/{tenantIntegrationId}';
const tag = 'tenant integrations';

const pausePath = '/platform-pauses/{tenantIntegrationId}';
const platformPauseSchema = z.object({
  pausedMs: z.int().min(0).max(3_600_000).describe('Milliseconds from now; 0 without a pause'),
});

/** A token for tools is used for one task. */
const TOOL_TOKEN_SECONDS = 3600;

/** In whose name a token calls tools: the audit log's author. */
export const toolTokenActorSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('user'),
    userId: platformId.refine((id) => !id.startsWith('service:'), 'must be a person'),
  }),
  z.object({ type: z.literal('service'), name: z.string().regex(/^[a-z][a-z0-9-]{0,63}$/) }),
]);

export const internalOperations = {
  /**
   * Stores or replaces the whole record, sets it ACTIVE, and writes the tenant (externalTenantId is created at
   * its first install and kept) and its catalogue. 409 `conflict` if another integration of the tenant is ACTIVE,
   * 410 if this one is uninstalled.
   */
  putTenantIntegration: operation({
    method: 'put',
    path,
    tag,
    summary: 'Stores an installed integration with its secret, tenant and service numbers',
    access: 'service',
    params,
    body: putTenantIntegrationSchema,
    maxBodyBytes: 2 * 1_048_576,
    status: 200,
    response: z.object({ externalTenantId: z.string(), status: z.literal('ACTIVE') }),
    errors: ['conflict', 'gone'],
  }),
  /** Only the given fields change; a list replaces the catalogue, and entries missing from it become inactive. */
  patchTenantIntegration: operation({
    method: 'patch',
    path,
    tag,
    summary: 'Changes tenant, service numbers or the webhook address',
    access: 'service',
    params,
    body: z.object({
      tenant: installedTenantSchema.partial().optional(),
      serviceNumbers: installedServiceNumbersSchema.optional(),
      webhookUrl: httpUrl.optional(),
    }),
    maxBodyBytes: 2 * 1_048_576,
    status: 200,
    response: z.object({ status: z.enum(['PENDING', 'ACTIVE', 'UNINSTALLED']) }),
    errors: ['not_found', 'gone'],
  }),
  /**
   * Makes `newSecret` the signing secret, and keeps the replaced one as the previous one. Also rolls a rotation
   * back: then `newSecret` is the former secret and `rotatedAt` the former time, null if it was never rotated. If
   * `newSecret` is already current, nothing changes.
   */
  rotateTenantIntegration: operation({
    method: 'post',
    path: `${path}:rotate`,
    tag,
    summary: 'Replaces the secret that signs outbound calls',
    access: 'service',
    params,
    body: z.object({ newSecret: integrationSecretSchema, rotatedAt: timestamp.nullable() }),
    status: 200,
    response: z.object({ rotatedAt: timestamp.nullable() }),
    errors: ['not_found', 'gone'],
  }),
  /** Responds once no further outbound call of the tenant can start. A retry gets the same response. */
  uninstallTenantIntegration: operation({
    method: 'post',
    path: `${path}:uninstall`,
    tag,
    summary: 'Stops the tenant’s outbound calls, cancels its open campaigns and ends its workflows',
    access: 'service',
    params,
    body: z.object({ reason: text(500).optional() }),
    status: 200,
    response: z.object({ status: z.literal('UNINSTALLED') }),
    errors: ['not_found'],
  }),
  /** The BFF's own call to the platform keeps to it, too. */
  readPlatformPause: operation({
    method: 'get',
    path: pausePath,
    tag,
    summary: 'Says for how long the platform must not be called for the integration',
    access: 'service',
    params,
    status: 200,
    response: platformPauseSchema,
  }),
  /** The platform asked the BFF for it (429 or 503 with `Retry-After`). A pause never becomes shorter. */
  storePlatformPause: operation({
    method: 'post',
    path: pausePath,
    tag,
    summary: 'Pauses every call to the platform for the integration',
    access: 'service',
    params,
    body: platformPauseSchema,
    status: 200,
    response: platformPauseSchema,
  }),
  /** One result per event, in the order given. The same event twice in one call also counts as a duplicate. */
  storeEvents: operation({
    method: 'post',
    path: '/inbox',
    tag: 'inbox',
    summary: 'Stores verified events, each once',
    access: 'service',
    body: z.object({
      events: z
        .array(
          intakeCommandSchema.extend({
            requestId: text(128).optional().describe('X-Request-Id of the webhook that delivered it, for the logs'),
          }),
        )
        .min(1)
        .max(intakeLimits.events),
    }),
    maxBodyBytes: intakeLimits.bodyBytes,
    status: 200,
    response: z.object({ results: z.array(intakeResultSchema) }),
  }),
  /** Writes the user record of somebody who may not call anything here. 403 as for `issueToken`. */
  recordSignIn: operation({
    method: 'post',
    path: '/sign-ins',
    tag: 'tokens',
    summary: 'Records that somebody without a role of the console has signed in',
    access: 'service',
    body: z.object({ ...signInPart, roles: z.array(z.enum(roles)).min(1).max(roles.length) }),
    status: 204,
    errors: ['forbidden'],
  }),
  /** Each entry once, however often it is sent. Entries of tenants that are not known are left out. */
  noteAudit: operation({
    method: 'post',
    path: '/audit-entries',
    tag: 'audit',
    summary: 'Records who signed in and out, who was refused what, and registered slots',
    access: 'service',
    body: z.object({ entries: z.array(notedAuditSchema).min(1).max(notedAtOnce) }),
    status: 204,
  }),
  /** For the BFF's own operations; the backend sees to those that are forwarded. */
  beginCall: operation({
    method: 'post',
    path: '/idempotent-calls',
    tag: 'calls',
    summary: 'Notes a call with an Idempotency-Key as under way, or says what is known of the first one',
    access: 'service',
    body: z.object({
      platformTenantId: platformId,
      caller: platformId,
      key: idempotencyKeySchema,
      requestHash: text(64).min(1),
    }),
    status: 200,
    response: knownCallSchema,
    errors: ['not_found'],
  }),
  keepCall: operation({
    method: 'post',
    path: '/idempotent-calls/{callId}:keep',
    tag: 'calls',
    summary: 'Keeps the answer of a call for those that repeat it',
    access: 'service',
    params: z.object({ callId: ownId }),
    body: z.object({
      platformTenantId: platformId,
      answer: keptAnswerSchema.nullable().describe('Null: the call is still under way'),
    }),
    status: 204,
  }),
  releaseCall: operation({
    method: 'post',
    path: '/idempotent-calls/{callId}:release',
    tag: 'calls',
    summary: 'Forgets a call without an answer to keep',
    access: 'service',
    params: z.object({ callId: ownId }),
    body: z.object({ platformTenantId: platformId }),
    status: 204,
  }),
  /**
   * Writes the user record and returns a bearer token for forwarded calls, valid for at most five minutes. 403 if
   * externalTenantId belongs to another tenant than the person.
   */
  issueToken: operation({
    method: 'post',
    path: '/tokens',
    tag: 'tokens',
    summary: 'Exchanges a verified platform user for a backend token',
    access: 'service',
    body: z.object({
      ...signInPart,
      role: z.enum(consoleRoles),
      /** All roles of the person; missing from a BFF of an earlier release. */
      roles: z.array(z.enum(roles)).max(roles.length).optional(),
      serviceNumberIds: serviceNumberListSchema.optional().describe('Of an API key that sees only these'),
    }),
    maxBodyBytes: 1_048_576,
    status: 200,
    response: z.object({ token: z.string(), expiresAt: timestamp }),
    errors: ['forbidden'],
  }),
  findUnknownServiceNumbers: operation({
    method: 'post',
    path: '/unknown-service-numbers',
    tag: 'tokens',
    summary: 'Says which of these service numbers the tenant has never had',
    access: 'service',
    body: z.object({ platformTenantId: platformId, serviceNumberIds: serviceNumberListSchema }),
    maxBodyBytes: 1_048_576,
    status: 200,
    response: z.object({ unknown: z.array(z.string()) }),
  }),
  readServiceNumbers: operation({
    method: 'post',
    path: '/service-numbers-of',
    tag: 'tokens',
    summary: 'Which service numbers a person sees who is no tenant_admin; null: all',
    access: 'service',
    body: z.object({ platformTenantId: platformId, userId: platformId }),
    status: 200,
    response: z.object({ serviceNumberIds: z.array(z.string()).nullable() }),
  }),
  /**
   * For clients of the Tool API of one tenant. The token calls the named tools for at most an hour, in the name of who
   * asked: 403 for a person who has no role for them, then and at each call.
   */
  issueServiceToken: operation({
    method: 'post',
    path: '/service-tokens',
    tag: 'tokens',
    summary: 'Issues a token for tools of the Tool API of one tenant',
    access: 'service',
    body: z.object({
      platformTenantId: platformId,
      tools: z.array(z.enum(toolNames)).min(1).max(toolNames.length),
      actor: toolTokenActorSchema.describe('The person or system that asks'),
      ttlSeconds: z.int().min(1).max(TOOL_TOKEN_SECONDS).default(TOOL_TOKEN_SECONDS),
    }),
    status: 200,
    response: z.object({ tokenId: z.string().describe('Its jti'), token: z.string(), expiresAt: timestamp }),
    errors: ['forbidden', 'phase_2'],
  }),
  /** One that was revoked before stays so. */
  revokeServiceToken: operation({
    method: 'post',
    path: '/service-tokens/{tokenId}:revoke',
    tag: 'tokens',
    summary: 'Revokes a token for the Tool API: it is refused from now on',
    access: 'service',
    params: z.object({ tokenId: ownId }),
    body: z.object({ platformTenantId: platformId }),
    status: 204,
    errors: ['not_found', 'phase_2'],
  }),
};
