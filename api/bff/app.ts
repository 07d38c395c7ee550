import type { RequestListener } from 'node:http';
import type { FileService } from '#clients/files/file-service.ts';
import type { ImageReader } from '#clients/files/image-reader.ts';
import type { OpenBffDatabase } from '#db/bff/database.ts';
import type { Ends } from '#db/bff/end-notices.ts';
import type { SandboxToken } from '#clients/sandbox/tokens.ts';
import type { Secrets } from '#domain/keys/secrets.ts';
import { answeredOnce } from '../http/answered-once.ts';
import { createApp } from '../http/app.ts';
import { documentRoutes } from '../http/docs.ts';
import { type Health, healthRoutes } from '../http/health.ts';
import { createDurations } from '../http/metrics.ts';
import { createServe } from '../http/problem-api.ts';
import type { Logger } from '../runtime/logger.ts';
import { consoleRoutes } from './console/routes.ts';
import { createForwarder } from './forward.ts';
import { callsAtBackend } from './idempotent-calls.ts';
import { createAuditTrail } from './identity/audit-trail.ts';
import { createAuthenticate } from './identity/authenticate.ts';
import { createBackendTokens } from './identity/backend-tokens.ts';
import { createCookieJar } from './identity/cookies.ts';
import type { IdentityService } from './identity/identity-service.ts';
import type { ConsoleUser, Member } from './identity/signed-in.ts';
import { createSessionEnds } from './identity/sign-out/session-ends.ts';
import { signInRoutes } from './identity/sign-in.ts';
import { createInbound, type InboundDeps } from './inbound/routes.ts';
import { createRefusalLog } from './inbound/refusals.ts';
import { createWebhookMetrics } from './metrics.ts';
import { keyCheckRoutes } from './keys/key-checks.ts';
import { createLimits, type LimitSettings } from './limits/limits.ts';
import { bffOpenApi } from './openapi.ts';
import { type CodecDeps, codecRoutes } from './routes/codec/route.ts';
import { aiRoutes, backendRoutes, ordersRoutes } from './routes/forwarded.ts';
import { apiKeyRoutes } from './routes/api-keys/route.ts';
import { imageRoutes } from './routes/images/route.ts';
import { integrationRoutes } from './routes/integration/route.ts';
import { refusalRoutes } from './routes/refusals/route.ts';
import { sessionRoutes } from './routes/session/route.ts';
import { securityContactRoutes } from './routes/security-contact.ts';
import { securityHeaders } from '../http/security/headers.ts';
import { createStreams, type Streams } from './streams.ts';
import { createRouter } from '../http/router.ts';

export interface BffDeps extends Omit<InboundDeps, 'webhooks' | 'durations' | 'refusals' | 'limits'>, IdentityService {
  limitSettings: LimitSettings;
  database: OpenBffDatabase;
  /** Shared by the services. */
  internalSecrets: Secrets;
  backendUrl: string;
  ordersUrl: string;
  /** INTERNAL_TLS_CA: trusted instead of the machine's authorities, towards those two. */
  authorities: Buffer | undefined;
  temporalUiUrl: string;
  temporalNamespace: string;
  sandbox: boolean;
  /** For the examples of the API description; null without the sandbox. */
  sandboxToken: SandboxToken | null;
  /** TOOL_API_ENABLED: whether the AI part is enabled. */
  toolApiEnabled: boolean;
  embedAllowedOrigins: string[];
  /** SECURITY_CONTACT: where to report vulnerabilities. */
  securityContact: string | null;
  /** Codec for Temporal UI; null if payloads are not encrypted or nobody may decrypt them. */
  codec: CodecDeps | null;
  /** Keeps uploaded pictures; null where FILES_URL is off. */
  files: FileService | null;
  /** Opens pictures that messages name. */
  reader: ImageReader;
  /** Folder of the built console. */
  consoleFolder: string;
  health: Health;
  /** Checks each response against its schema. */
  checkResponses: boolean;
}

export interface BffApp {
  listener: RequestListener;
  /** Ends event streams, so that the server can close. */
  endStreams(): void;
  /** Closes the connections to the other services, and flushes what is only in memory. */
  close(): Promise<void>;
}

function createForwarders({ backendUrl, ordersUrl, authorities }: BffDeps) {
  const backendForwarder = createForwarder(backendUrl, authorities);
  const ordersForwarder = createForwarder(ordersUrl, authorities);
  const close = () => Promise.all([backendForwarder.close(), ordersForwarder.close()]);
  return { backendForwarder, ordersForwarder, close };
}

const endsOf = (streams: Streams, logger: Logger): Ends => ({
  session: streams.endSession,
  tenant: streams.endTenant,
  listening: () => void streams.checkAll(),
  lost: (err) => logger.warn({ err }, 'ends of sessions are not heard of for a while; streams are checked afterwards'),
});

/** Routes of the BFF, in order: for the platform, for the console's API, and the console itself. */
export function createBffApp(deps: BffDeps): BffApp {
  const cookies = createCookieJar(deps.publicUrl);
  const backendTokens = createBackendTokens(deps.backend);
  const streams = createStreams(deps.logger);
  const listening = deps.database.listenForEnds(endsOf(streams, deps.logger));
  const limits = createLimits(deps.limitSettings);
  const trail = createAuditTrail(deps);
  const ends = createSessionEnds(deps);
  const identity = { ...deps, cookies, backendTokens, ends, trail, limits };
  const authenticate = createAuthenticate(identity);
  const { close: closeForwarders, ...forwarders } = createForwarders(deps);
  const forwarded = { authenticate, backendTokens, ...forwarders, streams, limits };

  const refusals = createRefusalLog(deps);

  const own = createRouter('/api/v1');
  const { checkResponses } = deps;
  const serve = createServe<ConsoleUser>({
    router: own,
    authenticate: (ctx, operation) => authenticate.console(ctx, operation),
    checkResponses,
    once: answeredOnce(callsAtBackend(deps.backend), deps.logger),
  });
  sessionRoutes(createServe<Member>({ router: own, authenticate: authenticate.member, checkResponses }), identity);
  integrationRoutes(serve, { ...deps, images: deps.files !== null });
  apiKeyRoutes(serve, { ...deps, trail });
  refusalRoutes(serve, deps);
  imageRoutes(serve, { ...deps, limits });

  const { registry } = deps.health;
  const durations = createDurations(registry);
  const webhooks = createWebhookMetrics(registry);
  const inbound = createInbound({ ...deps, refusals, limits, webhooks, durations });

  const app = createApp(deps.logger, registry, durations);
  app.use(securityHeaders(deps.publicUrl));
  for (const router of [
    healthRoutes(deps.health),
    inbound.router,
    signInRoutes(identity),
    own,
    keyCheckRoutes(deps),
    backendRoutes(forwarded),
    ordersRoutes(forwarded),
    aiRoutes(forwarded, deps.toolApiEnabled),
    ...(deps.codec ? [codecRoutes({ authenticate, logger: deps.logger }, deps.codec)] : []),
    documentRoutes(bffOpenApi, deps.sandboxToken),
    securityContactRoutes({ contact: deps.securityContact, publicUrl: deps.publicUrl }),
    consoleRoutes({ folder: deps.consoleFolder, embedAllowedOrigins: deps.embedAllowedOrigins }),
  ]) {
    app.use(router.routes());
  }
  const others = app.callback();
  return {
    listener: (req, res) => inbound.webhook({ req, res }) || void others(req, res),
    endStreams: streams.endAll,
    close: async () => {
      await Promise.all([listening.stop(), closeForwarders(), refusals.write(), trail.close()]);
    },
  };
}
