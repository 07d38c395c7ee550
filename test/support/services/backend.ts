import { createServer } from 'node:http';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import { Problem } from '#domain/api/problem.ts';
import { createBackendApp } from '#api/backend/app.ts';
import { createUploads, uploadLimits, type Uploads } from '#api/backend/routes/audiences/uploads.ts';
import type { Send } from '#activities/outreach/deps.ts';
import { createOutsideAddresses } from '#clients/addresses/outside-addresses.ts';
import type { Broadcast } from '#clients/platform/gateway.ts';
import type { BackendDeps, PlatformTask } from '#api/backend/deps.ts';
import { createRefusalTrail, type RefusalTrail } from '#api/backend/refusals.ts';
import { createLogger } from '#api/runtime/logger.ts';
import { createEncryption, type Encryption } from '#db/encryption.ts';
import type { Database } from '#db/database.ts';
import type { CampaignWorkflow } from '#db/outreach/tenants/uninstall.ts';
import type { CampaignBody } from '#domain/api/campaign.ts';
import type { WaitingRefund } from '#domain/api/waiting-refunds.ts';
import type { ConsoleRole } from '#domain/api/internal.ts';
import { createDatabase, type TestDatabase } from '../servers/database.ts';
import { temporaryFolder } from '../servers/servers.ts';
import { listen } from '../http/listen.ts';

export const INTERNAL_SECRET = 'test-internal-api-secret-0001';
export const SERVICE_NUMBER = 'sn-1';

export interface ApiResponse {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- answers are asserted field by field
  body: any;
}

export interface CallOptions {
  /** No token if null, or if absent and nobody is signed in by default. */
  token?: string | null;
  body?: unknown;
  /** Sent as is, with `contentType`. */
  raw?: string | Buffer | ReadableStream<Uint8Array>;
  contentType?: string;
  headers?: Record<string, string>;
}

export const testUploads = (): Uploads =>
  createUploads(uploadLimits({ UPLOADS_DIR: temporaryFolder(), UPLOADS_MAX_BYTES: 10_000_000 }));

export interface TestBackend {
  db: Database;
  database: TestDatabase;
  encryption: Encryption;
  base: string;
  /** What the API requested from the workflows. */
  flows: {
    sends: Send[];
    tests: { key: string; broadcast: Broadcast }[];
    polled: string[];
    closed: string[];
    updated: string[];
    tested: string[];
    followed: string[];
    /** Service numbers whose automations were woken. */
    driven: string[];
    ended: CampaignWorkflow[];
    woken: number[];
    written: { tenantId: string; copywritingId: string }[];
    /** Runs that were asked for (`times` null), and Schedules that were written. */
    repeats: { repeatId: string; times: Date[] | null }[];
  };
  /** What the order service says, by tenant; an error is thrown. */
  waitingRefunds: Map<string, WaitingRefund[] | Error>;
  /** Tasks that the platform knows. */
  /** What A2 returns; a problem is thrown. */
  platformTasks: Map<string, PlatformTask | Problem>;
  refusals: RefusalTrail;
  /** Moves the service's clock. */
  setNow(now: Date | null): void;
  call(method: string, path: string, options?: CallOptions): Promise<ApiResponse>;
  service(method: string, path: string, body?: unknown): Promise<ApiResponse>;
  install(tenantId: string, more?: { tenantIntegrationId?: string; secret?: string }): Promise<ApiResponse>;
  token(tenantId: string, role?: ConsoleRole, userId?: string): Promise<string>;
  endStreams(): void;
  close(): Promise<void>;
}

async function readResponse(response: Response): Promise<ApiResponse> {
  const text = await response.text();
  const json = (response.headers.get('content-type') ?? '').includes('json');
  return { status: response.status, headers: response.headers, body: json && text !== '' ? JSON.parse(text) : text };
}

/** The API has running workflows look at their rows, and does not ask which it started. */
const launched = (_calls: number) => 'running' as const;

function recordedDeps(db: Database, encryption: Encryption, clock: { now: Date | null }) {
  const logger = createLogger('backend', process.env['TEST_LOG_LEVEL'] ?? 'silent');
  const refusals = createRefusalTrail({ database: db, logger });
  const flows: TestBackend['flows'] = {
    sends: [],
    tests: [],
    polled: [],
    closed: [],
    updated: [],
    tested: [],
    followed: [],
    driven: [],
    ended: [],
    woken: [],
    written: [],
    repeats: [],
  };
  const platformTasks: TestBackend['platformTasks'] = new Map();
  const waitingRefunds: TestBackend['waitingRefunds'] = new Map();
  const deps: BackendDeps = {
    database: db,
    encryption,
    targets: createOutsideAddresses({ production: false }),
    launcher: {
      dispatch: async ({ status: _status, ...send }) => launched(flows.sends.push(send)),
      polling: async ({ campaignId }) => launched(flows.polled.push(campaignId)),
      closing: async ({ campaignId }) => launched(flows.closed.push(campaignId)),
      sourceUpdates: async ({ campaignId }) => launched(flows.updated.push(campaignId)),
      variantTest: async ({ campaignId }) => launched(flows.tested.push(campaignId)),
      automations: async ({ serviceNumberId }) => launched(flows.driven.push(serviceNumberId)),
      steps: async ({ campaignId }) => launched(flows.followed.push(campaignId)),
      repeat: async ({ repeatId }) => launched(flows.repeats.push({ repeatId, times: null })),
      repeatSchedule: async ({ repeatId }, times) => void flows.repeats.push({ repeatId, times }),
      end: async (workflow) => void flows.ended.push(workflow),
      writeCopy: async (request) => void flows.written.push(request),
      actionsOf: async () => null,
      inbox: async (partition) => void flows.woken.push(partition),
    },
    platform: {
      readTask: async (_tenantId, _sn, taskId) => {
        const found = platformTasks.get(taskId) ?? null;
        if (found instanceof Problem) throw found;
        return found;
      },
      submitBroadcast: async (_tenantId, _sn, { key, broadcast }) => {
        flows.tests.push({ key, broadcast });
        return { taskId: `task-${key}` };
      },
    },
    logger,
    refusals,
    appId: 'outreach',
    retention: { events: 90, recipients: 400, timeline: 400, audit: 1095, uninstalled: null },
    pollIntervalMs: 2000,
    callsPerSecond: 50,
    internalSecrets: [INTERNAL_SECRET],
    now: () => clock.now ?? new Date(),
    checkResponses: true,
    toolApiEnabled: false,
    previewsPerMinute: 600,
    automationsPerTenant: 200,
    automationsLookMs: null,
    rulesPerTenant: 200,
    aiConfigured: false,
    readWaitingRefunds: async (tenantId) => {
      const found = waitingRefunds.get(tenantId) ?? [];
      if (found instanceof Error) throw found;
      return found;
    },
    uploads: testUploads(),
    registry: new Registry(),
  };
  return { deps, refusals, flows, platformTasks, waitingRefunds };
}

/** The backend's API on its own port, with a real database, which goes with it; workflows and platform are recorded. */
export async function startBackend(more: Partial<BackendDeps> = {}, on?: TestDatabase): Promise<TestBackend> {
  const database = on ?? (await createDatabase());
  const db = database.connect('outreach');
  const encryption = createEncryption([{ id: null, key: Buffer.alloc(32, 7).toString('base64') }]);
  const clock: { now: Date | null } = { now: null };
  const { deps, refusals, flows, platformTasks, waitingRefunds } = recordedDeps(db, encryption, clock);
  const { app, endStreams } = createBackendApp({ ...deps, ...more });
  const server = createServer(app.callback());
  const base = await listen(server);

  const call: TestBackend['call'] = async (method, path, { token, body, raw, contentType, headers } = {}) => {
    const sent = raw ?? (body === undefined ? null : JSON.stringify(body));
    const init = {
      method,
      headers: {
        ...(token === undefined || token === null ? {} : { Authorization: `Bearer ${token}` }),
        ...(sent === null ? {} : { 'Content-Type': contentType ?? 'application/json' }),
        ...headers,
      },
      body: sent,
      duplex: 'half',
    };
    return await readResponse(await fetch(`${base}/internal/v1${path}`, init as RequestInit));
  };
  const service: TestBackend['service'] = (method, path, body) => call(method, path, { token: INTERNAL_SECRET, body });

  return {
    db,
    database,
    encryption,
    base,
    flows,
    platformTasks,
    waitingRefunds,
    refusals,
    call,
    service,
    endStreams,
    setNow: (now) => void (clock.now = now),
    install: (
      tenantId,
      { tenantIntegrationId = `ti-${tenantId}`, secret = `secret-of-${tenantId}`.padEnd(40, '-') } = {},
    ) =>
      service('PUT', `/tenant-integrations/${tenantIntegrationId}`, {
        platformTenantId: tenantId,
        tenantIntegrationSecret: secret,
        webhookUrl: 'http://127.0.0.1:4000/webhook',
        tenant: { name: `Tenant ${tenantId}`, type: 'shop' },
        serviceNumbers: [
          { serviceNumberId: SERVICE_NUMBER, name: 'Main' },
          { serviceNumberId: 'sn-2', name: 'Second' },
        ],
      }),
    token: async (tenantId, role = 'marketing_operator', userId = `user-of-${tenantId}`) => {
      const externalTenantId = await externalTenantOf(db, tenantId);
      const body = { platformTenantId: tenantId, externalTenantId, userId, name: 'Ada', role };
      const result = await service('POST', '/tokens', body);
      expect(result.status, JSON.stringify(result.body)).to.equal(200);
      return String(result.body.token);
    },
    close: async () => {
      endStreams();
      server.closeAllConnections();
      server.close();
      await refusals.close();
      await database.drop();
    },
  };
}

/** What the BFF's tenant mapping stores for a tenant. */
export async function externalTenantOf(db: Database, tenantId: string): Promise<string> {
  const row: { externalTenantId: string } | undefined = await db('tenant').where({ tenantId: tenantId }).first();
  if (!row) throw new Error(`There is no tenant ${tenantId}`);
  return row.externalTenantId;
}

/** Inserts contacts from `c-00001` on, all following, in one statement. */
export async function insertContacts(
  db: Database,
  tenantId: string,
  count: number,
  serviceNumberId = SERVICE_NUMBER,
): Promise<void> {
  await db.raw(
    `insert into contact_profile (tenant_id, service_number_id, contact_id, display_name, follow_state, last_event_at)
     select ?, ?, 'c-' || lpad(n::text, 7, '0'), 'Contact ' || n, 'following', now() from generate_series(1, ?::int) as n`,
    [tenantId, serviceNumberId, count],
  );
}

export const contactId = (n: number): string => `c-${String(n).padStart(7, '0')}`;

/** A valid campaign body. */
export function campaignBody(more: Partial<CampaignBody> = {}): CampaignBody {
  return {
    name: 'Spring offer',
    serviceNumberId: SERVICE_NUMBER,
    channels: ['default'],
    messages: [
      {
        type: 'buttons',
        title: 'Spring',
        text: 'Look at this',
        actions: [{ type: 'Postback', label: 'Yes', data: { bizEventCode: 'SPRING' } }],
      },
    ],
    audience: { type: 'contacts', contactIds: [contactId(1), contactId(2)] },
    schedule: { type: 'immediate' },
    labels: [],
    ...more,
  };
}
