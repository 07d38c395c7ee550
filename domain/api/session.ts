import { z } from 'zod';
import { sessionScopes } from '../session-scopes.ts';
import { operation } from './operation.ts';
import { page, pageQuery, platformId, text, timestamp } from './primitives.ts';

/** Strongest first. `order_admin` opens only the orders, nothing of outreach. */
export const roles = ['tenant_admin', 'marketing_operator', 'viewer', 'order_admin'] as const;
export type Role = (typeof roles)[number];

export const meSchema = z
  .object({
    userId: z.string(),
    name: z.string(),
    tenantId: z.string(),
    roles: z.array(z.enum(roles)),
    /** The service numbers that the person sees; null: all, as a tenant_admin always does. */
    serviceNumberIds: z.array(z.string()).nullable(),
  })
  .meta({ id: 'Me' });
export type Me = z.infer<typeof meSchema>;

export const signedInSessionSchema = z
  .object({
    id: z.string(),
    userId: z.string(),
    name: z.string(),
    /** A browser that signed in, or a platform token of the embedded pages or of a program. */
    kind: z.enum(['cookie', 'bearer']),
    /** Browser and system, or the name of a program. */
    userAgent: z.string().nullable(),
    createdAt: timestamp,
    /** To the minute. */
    lastUsedAt: timestamp,
    /** Whether it is the session of this very request. */
    current: z.boolean(),
  })
  .meta({ id: 'Session' });
export type SignedInSession = z.infer<typeof signedInSessionSchema>;

export const integrationSchema = z
  .object({
    status: z.enum(['PENDING', 'ACTIVE', 'UNINSTALLED']),
    platformTenantId: z.string(),
    tenantIntegrationId: z.string(),
    webhookUrl: z.string().nullable(),
    rotatedAt: timestamp.nullable(),
    /** Until when calls signed with the replaced secret are accepted; null when they no longer are. */
    graceUntil: timestamp.nullable(),
    slots: z.array(
      z.object({
        slot: z.string(),
        endpointUrl: z.string(),
        status: z.enum(['pending', 'registered', 'failed']),
        registeredAt: timestamp.nullable(),
        /** When the platform last responded, or was last called. */
        changedAt: timestamp,
        error: z.string().nullable(),
      }),
    ),
    /** Origins that may embed the console's pages; a server setting. */
    embedAllowedOrigins: z.array(z.string()),
    /** Whether a model may write text: a server setting. */
    copywriting: z.boolean(),
    /** Whether pictures can be uploaded: a server setting. */
    images: z.boolean(),
    health: z.object({
      backend: z.enum(['ok', 'unreachable']),
      temporalUiUrl: z.string(),
      temporalNamespace: z.string(),
      sandbox: z.boolean(),
    }),
  })
  .meta({ id: 'Integration' });
export type Integration = z.infer<typeof integrationSchema>;

/** Served by the BFF itself. */
export const sessionOperations = {
  getMe: operation({
    method: 'get',
    path: '/me',
    tag: 'session',
    summary: 'Who is signed in',
    access: 'member',
    status: 200,
    response: meSchema,
  }),
  logout: operation({
    method: 'post',
    path: '/auth/logout',
    tag: 'session',
    summary: 'Ends the session',
    access: 'public',
    status: 204,
    errors: ['forbidden'],
  }),
  listSessions: operation({
    method: 'get',
    path: '/sessions',
    tag: 'session',
    summary: 'Sessions that go on, the newest first: one’s own, or for a tenant_admin those of others, too',
    access: 'member',
    query: z.object({
      ...pageQuery,
      userId: platformId.optional().describe('Those of this person; of somebody else for a tenant_admin only'),
      scope: z.enum(sessionScopes).default('own').describe('`tenant` for those of everybody: for a tenant_admin only'),
    }),
    status: 200,
    response: page(signedInSessionSchema),
  }),
  endSession: operation({
    method: 'delete',
    path: '/sessions/{id}',
    tag: 'session',
    summary: 'Ends a session with its event streams: one’s own, or for a tenant_admin that of somebody else',
    description:
      'A platform token whose session has ended is no longer accepted. Sessions of others are unknown to others.',
    access: 'member',
    params: z.object({ id: z.uuid() }),
    status: 204,
    errors: ['not_found'],
  }),
  getIntegration: operation({
    method: 'get',
    path: '/integration',
    tag: 'integration',
    summary: 'State of the installation and its embedded slots',
    access: 'read',
    status: 200,
    response: integrationSchema,
    errors: ['not_found'],
  }),
  registerSlots: operation({
    method: 'post',
    path: '/integration/slots:register',
    tag: 'integration',
    summary: 'Registers the embedded slots again',
    access: 'admin',
    status: 202,
    response: integrationSchema,
    errors: ['not_found', 'gone'],
  }),
};

/** The browser's way to a session: pages and redirects, not called by API clients. */
export const signInOperations = {
  login: operation({
    method: 'get',
    path: '/auth/login',
    tag: 'session',
    summary: 'Sends the browser to the identity service',
    access: 'public',
    query: z.object({ returnTo: text(2048).optional().describe('A path of ours to return to; defaults to /app') }),
    status: 302,
    errors: ['unavailable'],
  }),
  callback: operation({
    method: 'get',
    path: '/auth/callback',
    tag: 'session',
    summary: 'Receives the returning browser, signs it in and redirects it to the page it came for',
    access: 'public',
    query: z.object({ code: text(4096).optional(), state: text(1024).optional(), error: text(1024).optional() }),
    status: 302,
    errors: ['unauthorized', 'unavailable'],
  }),
  leave: operation({
    method: 'get',
    path: '/auth/logout',
    tag: 'session',
    summary: 'Sends a browser that has just signed out to the identity service, so that its session there ends, too',
    description:
      'It comes back to `/app`, which has to be registered there as an address to return to after a sign-out. A browser ' +
      'that has not signed out, or whose identity service ends no sessions, is sent to `/app` at once.',
    access: 'public',
    status: 302,
  }),
  backChannelLogout: operation({
    method: 'post',
    path: '/auth/backchannel-logout',
    tag: 'session',
    summary: 'Hears from the identity service that a session, or a person in all of them, has been signed out',
    description:
      'OpenID Connect Back-Channel Logout 1.0: a form with one `logout_token`, which is good for once. The sessions of its ' +
      '`sid`, or without one of its `sub`, end with their event streams.',
    access: 'public',
    bodyType: 'application/x-www-form-urlencoded',
    status: 200,
    errors: ['invalid_request', 'too_large', 'unsupported_media_type', 'unavailable'],
  }),
};
