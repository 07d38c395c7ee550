import { randomInt } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { authorize, createNonce, NONCE_HEADER } from '#domain/signature.ts';
import { parseSettings, secretNames, type SecretName, type Settings } from '#domain/settings/settings.ts';
import { startSandbox } from '../start.ts';
import type { Sandbox } from '../start.ts';

export interface Received {
  path: string;
  headers: Record<string, string | string[] | undefined>;
  raw: string;
  body: Record<string, unknown>;
}

/** A stand-in for the application: records its requests and responds as configured. */
export interface Application {
  url: string;
  received: Received[];
  response: (received: Received) => { status: number; body?: unknown; destroy?: boolean };
  stop(): Promise<void>;
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createTcpServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/**
 * Below the systems' ephemeral ports: an outgoing connection could take one of those before the sandbox does, or
 * while it restarts.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(10_240, 32_000);
  return (await isFree(port)) ? port : freePort();
}

async function startApplication(): Promise<Application> {
  const received: Received[] = [];
  const application: Application = {
    url: '',
    received,
    response: ({ path }) => ({
      status: 200,
      body:
        path === '/install'
          ? { webhookUrl: `${application.url}/webhook`, externalTenantId: 'ext-1', installStatus: 'ACTIVE' }
          : { received: true },
    }),
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks).toString('utf8');
      const isJson = request.headers['content-type']?.includes('json') ?? false;
      const entry = {
        path: request.url ?? '',
        headers: request.headers,
        raw,
        body: JSON.parse(isJson ? raw || '{}' : '{}') as Record<string, unknown>,
      };
      received.push(entry);
      const { status, body, destroy } = application.response(entry);
      if (destroy) return request.socket.destroy();
      response.writeHead(status, { 'content-type': 'application/json' });
      return response.end(JSON.stringify(body ?? {}));
    });
  });
  application.url = `http://127.0.0.1:${await listen(server)}`;
  return application;
}

export interface Reply {
  status: number;
  headers: Headers;
  body: ReplyBody;
}

/** Fields that tests read often; assertions fail if one is missing. */
export interface ReplyBody {
  code: string;
  status: string;
  taskId: string;
  sourceId: string;
  tenantIntegrationId: string;
  tenantIntegrationSecret: string;
  startedAt: string;
  finishedAt: string;
  summary: Record<'sent' | 'delivered' | 'failed' | 'read', number>;
  items: Array<Record<string, unknown>>;
  [name: string]: unknown;
}

export interface Running extends Sandbox {
  application: Application;
  settings: Settings<SecretName>;
  /** A call of the control API, or any unsigned call. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** Stops and starts with the same state. */
  restart(): Promise<void>;
  end(): Promise<void>;
}

/** Starts a sandbox with its own port and directory, next to a stand-in application. */
export async function startRunning(environment: Record<string, string> = {}): Promise<Running> {
  const directory = mkdtempSync(join(tmpdir(), 'sandbox-'));
  const application = await startApplication();
  const settings = parseSettings(
    {
      SANDBOX_PORT: String(await freePort()),
      DATA_DIR: directory,
      PUBLIC_BFF_URL: application.url,
      LOG_LEVEL: 'silent',
      DEMO: 'off',
      ...environment,
    },
    secretNames,
  );
  let sandbox = await startSandbox(settings);
  return {
    application,
    settings,
    url: sandbox.url,
    stop: () => sandbox.stop(),
    async call(method, path, body, headers = {}) {
      const result = await fetch(sandbox.url + path, {
        method,
        redirect: 'manual',
        headers: { 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await result.text();
      return { status: result.status, headers: result.headers, body: asJson(text) };
    },
    async restart() {
      await sandbox.stop();
      sandbox = await startSandbox(settings);
      // Connections kept from before the restart fail once; then the client reconnects.
      await eventually(() =>
        fetch(`${sandbox.url}/healthz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      );
    },
    async end() {
      await sandbox.stop();
      await application.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function asJson(text: string): ReplyBody {
  const fields: unknown = (() => {
    try {
      return JSON.parse(text);
    } catch {
      return { text };
    }
  })();
  return fields as ReplyBody;
}

export interface Installed {
  tenantIntegrationId: string;
  secret: string;
}

/** A tenant `t1` with the service number `sn1`, 1,500 contacts `c000001` …, and an ACTIVE integration. */
export async function installTenant(running: Running): Promise<Installed> {
  const { call, application } = running;
  await call('POST', '/admin/integrations/apps', {
    appId: 'outreach',
    installBaseUrl: application.url,
    supportedEvents: ['notice'],
  });
  await call('POST', '/sandbox/tenants', {
    platformTenantId: 't1',
    name: 'Tenant',
    serviceNumbers: [{ serviceNumberId: 'sn1', name: 'Number' }],
  });
  await call('POST', '/sandbox/contacts', { tenant: 't1', serviceNumberId: 'sn1', count: 1500, prefix: 'c' });
  const { body } = await call('POST', '/admin/tenants/t1/tenant-integrations', {});
  return { tenantIntegrationId: body.tenantIntegrationId, secret: body.tenantIntegrationSecret };
}

/** A call signed by the application. */
export function signedCall(
  running: Running,
  { tenantIntegrationId, secret }: Installed,
  method: string,
  path: string,
  body?: unknown,
  more: { nonce?: string; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const text = body === undefined ? '' : JSON.stringify(body);
  const nonce = more.nonce ?? createNonce();
  return running.call(method, path, body === undefined ? undefined : text, {
    authorization: authorize(secret, { tenantIntegrationId, nonce, body: text }),
    [NONCE_HEADER]: nonce,
    ...more.headers,
  });
}

/** Waits until `check` returns something, for at most 45 seconds. */
export async function eventually<Value>(
  check: () => Promise<Value | undefined | false> | Value | undefined | false,
): Promise<Value> {
  const until = Date.now() + 45_000;
  for (;;) {
    const value = await check();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > until) throw new Error('it did not happen within 45 s');
    await pause(10);
  }
}

export const contactIds = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `c${String(from + index).padStart(6, '0')}`);

/** An A1 body with one card that has a Postback and a Url button. */
export function broadcast(contacts: string[], more: Record<string, unknown> = {}, data: Record<string, unknown> = {}) {
  return {
    name: 'Spring',
    channels: ['default'],
    messages: [
      {
        type: 'buttons',
        title: 'Hello',
        text: 'A card',
        actions: [
          {
            type: 'Postback',
            label: 'Yes',
            data: JSON.stringify({ appId: 'outreach', event: 'Broadcast', campaignId: 'k1', ...data }),
          },
          { type: 'Url', label: 'Open', url: 'https://example.com/spring' },
        ],
      },
    ],
    audience: { type: 'contacts', contactIds: contacts },
    schedule: { type: 'immediate' },
    ...more,
  };
}
