import { z } from 'zod';
import { envelopeSchema } from './events.ts';
import {
  installedServiceNumbersSchema,
  installedTenantSchema,
  integrationSecretSchema,
  tenantIntegrationIdSchema,
} from './internal.ts';
import { operation } from './operation.ts';
import { httpUrl, label, receivedId, text, timestamp } from './primitives.ts';

/** The platform's calls to the BFF: signed, each with its own nonce. */

const tag = 'inbound protocol';
const tenantIntegrationId = tenantIntegrationIdSchema;

const signedHeaders = {
  authorization: z.string().describe('PLATFORM <tenantIntegrationId>:<Base64 HMAC-SHA256 of id, nonce and raw body>'),
  'x-platform-nonce': z.string().describe('32 lowercase hex characters, different for each call'),
};
const webhookHeaders = z.object(signedHeaders);
const lifecycleHeaders = z.object({
  ...signedHeaders,
  'x-platform-app-signature': z.string().describe('Base64 HMAC-SHA256 of the same, with the application’s secret'),
});

export const installBodySchema = z.object({
  appId: label(200),
  platformTenantId: receivedId,
  tenantIntegrationId,
  tenantIntegrationSecret: integrationSecretSchema,
  tenant: installedTenantSchema,
  serviceNumbers: installedServiceNumbersSchema,
});

export const updateBodySchema = z
  .object({
    tenantIntegrationId,
    tenant: installedTenantSchema.partial().nullish(),
    serviceNumbers: installedServiceNumbersSchema.nullish(),
  })
  .refine((body) => body.tenant || body.serviceNumbers, {
    message: 'needs tenant or serviceNumbers',
  });

export const rotateSecretBodySchema = z.object({
  tenantIntegrationId,
  newSecret: integrationSecretSchema,
  graceSeconds: z
    .int()
    .min(0)
    .max(604_800)
    .nullish()
    .transform((seconds) => seconds ?? 86_400)
    .meta({ default: 86_400 }),
});

export const uninstallBodySchema = z.object({ tenantIntegrationId, reason: text(500).nullish() });

const always = [
  'invalid_request',
  'unauthorized',
  'gone',
  'nonce_replayed',
  'too_large',
  'unsupported_media_type',
  'unavailable',
] as const;

export const inboundOperations = {
  install: operation({
    method: 'post',
    path: '/install',
    tag,
    summary: 'Installs the application for a tenant; responds once BFF and backend have it',
    access: 'public',
    headers: lifecycleHeaders,
    body: installBodySchema,
    status: 200,
    response: z.object({ webhookUrl: httpUrl, externalTenantId: z.string(), installStatus: z.literal('ACTIVE') }),
    errors: [...always, 'conflict'],
  }),
  update: operation({
    method: 'post',
    path: '/update',
    tag,
    summary: 'Changes the tenant, or replaces its service numbers',
    access: 'public',
    headers: lifecycleHeaders,
    body: updateBodySchema,
    status: 200,
    response: z.object({ installStatus: z.literal('ACTIVE') }),
    errors: [...always, 'invalid_state'],
  }),
  rotateSecret: operation({
    method: 'post',
    path: '/rotate-secret',
    tag,
    summary: 'Replaces the secret; both sign inbound calls until the grace period ends',
    access: 'public',
    headers: lifecycleHeaders,
    body: rotateSecretBodySchema,
    status: 200,
    response: z.object({ rotatedAt: timestamp }),
    errors: [...always, 'invalid_state', 'invalid_content'],
  }),
  uninstall: operation({
    method: 'post',
    path: '/uninstall',
    tag,
    summary: 'Ends the integration; responds once outbound calls have stopped',
    access: 'public',
    headers: lifecycleHeaders,
    body: uninstallBodySchema,
    status: 200,
    response: z.object({ installStatus: z.literal('UNINSTALLED') }),
    errors: [...always],
  }),
  webhook: operation({
    method: 'post',
    path: '/webhook',
    tag,
    summary: 'Accepts an event; responds once it is stored, or that it is of no interest',
    access: 'public',
    headers: webhookHeaders,
    body: envelopeSchema,
    status: 200,
    response: z.object({ received: z.literal(true), ignored: z.literal(true).optional() }),
    errors: [...always],
  }),
};
