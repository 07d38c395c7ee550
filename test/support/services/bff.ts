import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { Worker } from '@temporalio/worker';
import type { Knex } from 'knex';
import { Registry } from 'prom-client';
import { createBackendClient } from '#clients/backend/client.ts';
import type { FileService } from '#clients/files/file-service.ts';
import { createOutsideAddresses } from '#clients/addresses/outside-addresses.ts';
import { createImageReader } from '#clients/files/image-reader.ts';
import { createHttpExchange } from '#clients/http/exchange.ts';
import { createSlotRegistration } from '#clients/platform/embed-configuration.ts';
import { createBffActivities } from '#activities/bff/index.ts';
import { createBffApp } from '#api/bff/app.ts';
import { createIdentityService } from '#api/bff/identity/identity-service.ts';
import type { CodecDeps } from '#api/bff/routes/codec/route.ts';
import type { LimitSettings } from '#api/bff/limits/limits.ts';
import { createLauncher, type Launcher } from '#api/bff/launch.ts';
import { createLogger } from '#api/runtime/logger.ts';
import { type OpenBffDatabase, openBffDatabase } from '#db/bff/database.ts';
import { createEncryption } from '#db/encryption.ts';
import type { Secrets } from '#domain/keys/secrets.ts';
import { APP_SIGNATURE_HEADER, authorize, createNonce, NONCE_HEADER, sign } from '#domain/signature.ts';
import { parseSettings } from '#domain/settings/settings.ts';
import { freePort } from '#scripts/start/ports.ts';
import { taskQueues, workerOptions } from '#temporal.config.ts';
import { createDatabase } from '../servers/database.ts';
import { startTestIdentity, type TestIdentity } from '../doubles/identity.ts';
import { listen } from '../http/listen.ts';
import { productionBundle } from './outreach-worker.ts';
import { type RecordingBackend, startRecordingBackend } from '../doubles/recording-backend.ts';
import { type RecordingPlatform, startRecordingPlatform } from '../doubles/recording-platform.ts';
import { createNamespace, type TestNamespace } from '../servers/temporal.ts';

const APP_ID = 'outreach';
const APP_SECRET = 'test-platform-app-secret-000000001';
const encryption = createEncryption([{ id: null, key: randomBytes(32).toString('base64') }]);

export interface TestBff {
  url: string;
  database: OpenBffDatabase;
  /** As the owner, to read and change rows. */
  rows: Knex;
  backend: RecordingBackend;
  platform: RecordingPlatform;
  identity: TestIdentity;
  /** Only on a BFF with a worker. */
  temporal: TestNamespace | undefined;
  launch: Launcher;
  /** Everything logged since the start, or since it was forgotten. */
  log(): string;
  forgetLog(): void;
  stopWorker(): Promise<void>;
  startWorker(): Promise<void>;
  close(): Promise<void>;
}

export interface TestBffOptions {
  /** With Temporal and a worker of queue `bff`; otherwise installs come from `installed`. */
  temporal?: boolean;
  lifecycleDeadlineMs?: number;
  consoleFolder?: string;
  embedAllowedOrigins?: string[];
  /** Another process of the same BFF: shares its database and its Temporal. */
  sharing?: TestBff;
  appSecrets?: Secrets;
  codec?: CodecDeps;
  /** Trusted instead of the machine's, towards the services forwarded to. */
  authorities?: Buffer;
  ordersUrl?: string;
  toolApiEnabled?: boolean;
  /** A backend to forward to instead of the recording one. */
  backendUrl?: string;
  files?: FileService;
  limits?: Partial<LimitSettings>;
}

const withoutTemporal: Launcher = new Proxy({} as Launcher, {
  // Rejects as the client of an unreachable server does.
  get: () => () => Promise.reject(Object.assign(new Error('this BFF runs without Temporal'), { name: 'ServiceError' })),
});

async function workerOf(namespace: TestNamespace, activities: object): Promise<{ stop(): Promise<void> }> {
  const worker = await Worker.create({
    ...workerOptions,
    connection: namespace.nativeConnection,
    namespace: namespace.namespace,
    taskQueue: taskQueues.bff,
    workflowBundle: await productionBundle(),
    activities,
    shutdownGraceTime: '1 second',
  });
  const running = worker.run();
  return {
    stop: async () => {
      worker.shutdown();
      await running;
    },
  };
}

/** Shared by the services. */
export const INTERNAL_SECRET = 'internal-api-secret-of-the-test';

/** The BFF over real HTTP with its own database, between a recording backend, platform and identity service. */
export async function startTestBff(options: TestBffOptions = {}): Promise<TestBff> {
  const { sharing } = options;
  const owned = sharing ? undefined : await createDatabase();
  const rows = sharing?.rows ?? owned?.connect('bff', 'owner');
  if (!rows) throw new Error('either its own database or a shared one');
  const backend = sharing?.backend ?? (await startRecordingBackend());
  const platform = sharing?.platform ?? (await startRecordingPlatform());
  const identity = sharing?.identity ?? (await startTestIdentity());
  const url = `http://127.0.0.1:${await freePort()}`;
  const database =
    sharing?.database ??
    openBffDatabase({
      url: owned?.DATABASE_URL_BFF ?? '',
      encryption,
      applicationName: 'test-bff',
    });
  const lines: string[] = [];
  const logger = createLogger('bff', 'trace', { write: (line: string) => void lines.push(line) });
  const client = createBackendClient({ baseUrl: backend.baseUrl, secret: INTERNAL_SECRET });
  const exchange = createHttpExchange({ timeoutMs: 15_000, connections: 8 });
  const register = createSlotRegistration({ baseUrl: platform.baseUrl, exchange });
  const temporal = options.temporal ? await createNamespace() : undefined;
  const launch = temporal ? createLauncher(temporal.client, logger) : (sharing?.launch ?? withoutTemporal);
  const activities = createBffActivities({ database, backend: client, register, publicUrl: url });
  let worker = temporal ? await workerOf(temporal, activities) : undefined;

  const reader = createImageReader(createOutsideAddresses({ production: false }));
  const bff = createBffApp({
    database,
    backend: client,
    launch,
    logger,
    appId: APP_ID,
    appSecrets: options.appSecrets ?? [APP_SECRET],
    publicUrl: url,
    lifecycleDeadlineMs: options.lifecycleDeadlineMs ?? 8000,
    ...createIdentityService({
      issuer: identity.issuer,
      clientId: identity.clientId,
      clientSecret: 'identity-client-secret',
      publicUrl: url,
    }),
    authorities: options.authorities,
    internalSecrets: [INTERNAL_SECRET],
    backendUrl: options.backendUrl ?? backend.baseUrl,
    ordersUrl: options.ordersUrl ?? 'http://127.0.0.1:9',
    temporalUiUrl: 'http://127.0.0.1:8233',
    temporalNamespace: 'outreach',
    sandbox: true,
    sandboxToken: null,
    toolApiEnabled: options.toolApiEnabled ?? false,
    securityContact: null,
    embedAllowedOrigins: options.embedAllowedOrigins ?? [],
    codec: options.codec ?? null,
    files: options.files ?? null,
    reader,
    consoleFolder: options.consoleFolder ?? '/nowhere',
    health: { checks: { database: database.ping }, registry: new Registry() },
    limitSettings: { ...parseSettings({}), ...options.limits },
    checkResponses: true,
  });
  const server = createServer(bff.listener);
  await listen(server, Number(new URL(url).port));

  async function stopWorker(): Promise<void> {
    await worker?.stop();
    worker = undefined;
  }
  return {
    url,
    database,
    rows,
    backend,
    platform,
    identity,
    temporal,
    launch,
    log: () => lines.join(''),
    forgetLog: () => void (lines.length = 0),
    stopWorker,
    startWorker: async () => {
      if (temporal && !worker) worker = await workerOf(temporal, activities);
    },
    close: async () => {
      bff.endStreams();
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
      await stopWorker();
      await bff.close();
      await Promise.all([client.close(), exchange.close(), reader.close(), temporal?.close()]);
      if (sharing) return;
      await database.close();
      await Promise.all([backend.stop(), platform.close(), identity.close()]);
      await owned?.drop();
    },
  };
}

export interface TestIntegration {
  tenantIntegrationId: string;
  platformTenantId: string;
  secret: string;
}

let count = 0;

export function newIntegration(over: Partial<TestIntegration> = {}): TestIntegration {
  count += 1;
  return {
    tenantIntegrationId: `ti-${count}-${randomBytes(4).toString('hex')}`,
    platformTenantId: `tenant-${count}-${randomBytes(4).toString('hex')}`,
    secret: randomBytes(24).toString('hex'),
    ...over,
  };
}

export interface SignedCallOptions {
  nonce?: string;
  /** Instead of the integration's secret. */
  secret?: string;
  appSecret?: string;
  headers?: Record<string, string>;
  /** Instead of the body as JSON. */
  raw?: string;
}

export interface ApiResponse {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

export async function responseOf(response: Response): Promise<ApiResponse> {
  const text = await response.text();
  const json = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
  return { status: response.status, headers: response.headers, body: json };
}

/** Calls the BFF as the platform does. */
export async function signedCall(
  bff: Pick<TestBff, 'url'>,
  path: string,
  integration: TestIntegration,
  body: unknown,
  options: SignedCallOptions = {},
): Promise<ApiResponse> {
  const nonce = options.nonce ?? createNonce();
  const raw = options.raw ?? JSON.stringify(body);
  const parts = { tenantIntegrationId: integration.tenantIntegrationId, nonce, body: raw };
  const lifecycle: Record<string, string> =
    path === '/webhook' ? {} : { [APP_SIGNATURE_HEADER]: sign(options.appSecret ?? APP_SECRET, parts) };
  const response = await fetch(`${bff.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: authorize(options.secret ?? integration.secret, parts),
      [NONCE_HEADER]: nonce,
      ...lifecycle,
      ...options.headers,
    },
    body: raw,
  });
  return responseOf(response);
}

export const installBody = (integration: TestIntegration) => ({
  appId: APP_ID,
  platformTenantId: integration.platformTenantId,
  tenantIntegrationId: integration.tenantIntegrationId,
  tenantIntegrationSecret: integration.secret,
  tenant: { name: 'Acme', type: 'enterprise' },
  serviceNumbers: [{ serviceNumberId: 'sn-1', name: 'Shop' }],
});

/** An integration that is ACTIVE on both sides, inserted without the install call. */
export async function installed(bff: TestBff, over: Partial<TestIntegration> = {}): Promise<TestIntegration> {
  const integration = newIntegration(over);
  const { tenantIntegrationId, platformTenantId, secret } = integration;
  await bff.rows('tenant_integration').insert({
    tenant_integration_id: tenantIntegrationId,
    platform_tenant_id: platformTenantId,
    status: 'ACTIVE',
    secret_encrypted: bff.database.encryption.encrypt(secret, tenantIntegrationId),
    webhook_url: `${bff.url}/webhook`,
    external_tenant_id: `external-${platformTenantId}`,
    installed_at: new Date(),
    acknowledged_at: new Date(),
  });
  await bff.rows('tenant_mapping').insert({
    platform_tenant_id: platformTenantId,
    external_tenant_id: `external-${platformTenantId}`,
    tenant_integration_id: tenantIntegrationId,
  });
  bff.backend.integrations.set(tenantIntegrationId, {
    platformTenantId,
    secret,
    rotatedAt: null,
    status: 'ACTIVE',
    body: {},
  });
  return integration;
}
