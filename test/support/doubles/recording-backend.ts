import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { freePort } from '#scripts/start/ports.ts';
import { listen } from '../http/listen.ts';

/** A call that the backend received; the body is as received. */
export interface BackendCall {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  json: Record<string, unknown>;
}

/** `reset` breaks the connection after the effect, `lost` never responds. */
export type BackendReply = { status: number; body?: unknown; headers?: Record<string, string> } | 'reset' | 'lost';
export type BackendBehaviour = (call: BackendCall) => BackendReply | null | Promise<BackendReply | null>;

/** The backend's record of an integration, as far as the BFF cares. */
export interface KeptIntegration {
  platformTenantId: string;
  secret: string;
  rotatedAt: unknown;
  status: 'ACTIVE' | 'UNINSTALLED';
  body: Record<string, unknown>;
}

export interface RecordingBackend {
  baseUrl: string;
  calls: BackendCall[];
  of(path: RegExp): BackendCall[];
  /** How many calls have begun whose body has not arrived. */
  arriving(): number;
  /** Events by `<tenantIntegrationId>/<eventId>`, and how often each arrived. */
  events: Map<string, number>;
  integrations: Map<string, KeptIntegration>;
  /** Asked first; null falls back to the default response. */
  behave(behaviour: BackendBehaviour): void;
  /** Stops listening until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

const problem = (status: number, code: string): BackendReply => ({
  status,
  body: { type: 'about:blank', title: code, status, code, detail: code, requestId: 'x' },
  headers: { 'content-type': 'application/problem+json' },
});

/** A backend over real HTTP that records what the BFF sends, as domain/api/internal.ts describes it. */
export async function startRecordingBackend(): Promise<RecordingBackend> {
  const calls: BackendCall[] = [];
  const events = new Map<string, number>();
  const integrations = new Map<string, KeptIntegration>();
  const pauses = new Map<string, number>();
  let behaviour: BackendBehaviour = () => null;
  let arriving = 0;

  function putIntegration(id: string, body: Record<string, unknown>): BackendReply {
    const tenant = String(body['platformTenantId']);
    const other = [...integrations].find(
      ([key, kept]) => key !== id && kept.platformTenantId === tenant && kept.status === 'ACTIVE',
    );
    if (other) return problem(409, 'conflict');
    if (integrations.get(id)?.status === 'UNINSTALLED') return problem(410, 'gone');
    const secret = String(body['tenantIntegrationSecret']);
    integrations.set(id, { platformTenantId: tenant, secret, rotatedAt: null, status: 'ACTIVE', body });
    return { status: 200, body: { externalTenantId: `external-${tenant}`, status: 'ACTIVE' } };
  }

  function changeIntegration(call: BackendCall, id: string, action: string): BackendReply {
    const kept = integrations.get(id);
    if (!kept) return problem(404, 'not_found');
    if (action === ':uninstall') {
      kept.status = 'UNINSTALLED';
      return { status: 200, body: { status: 'UNINSTALLED' } };
    }
    if (kept.status === 'UNINSTALLED') return problem(410, 'gone');
    if (action === ':rotate') {
      kept.secret = String(call.json['newSecret']);
      kept.rotatedAt = call.json['rotatedAt'];
      return { status: 200, body: { rotatedAt: kept.rotatedAt } };
    }
    kept.body = { ...kept.body, ...call.json };
    return { status: 200, body: { status: kept.status } };
  }

  function storeEvents(given: unknown): BackendReply {
    const results = (given as { tenantIntegrationId: string; eventId: string }[]).map((event) => {
      if (integrations.get(event.tenantIntegrationId)?.status !== 'ACTIVE')
        return { eventId: event.eventId, stored: false, reason: 'unknown_integration' };
      const key = `${event.tenantIntegrationId}/${event.eventId}`;
      const times = (events.get(key) ?? 0) + 1;
      events.set(key, times);
      return { eventId: event.eventId, stored: times === 1, ...(times > 1 ? { reason: 'duplicate' } : {}) };
    });
    return { status: 200, body: { results } };
  }

  function pauseOf({ method, path, json }: BackendCall): BackendReply {
    if (method === 'POST') pauses.set(path, Number(json['pausedMs']));
    return { status: 200, body: { pausedMs: pauses.get(path) ?? 0 } };
  }

  function byDefault(call: BackendCall): BackendReply {
    const integration = /^\/internal\/v1\/tenant-integrations\/([\w-]+)(:\w+)?$/.exec(call.path);
    if (integration?.[1]) {
      return call.method === 'PUT'
        ? putIntegration(integration[1], call.json)
        : changeIntegration(call, integration[1], integration[2] ?? '');
    }
    if (call.path === '/internal/v1/inbox') return storeEvents(call.json['events']);
    if (call.path === '/internal/v1/tokens') {
      const expiresAt = new Date(Date.now() + 300_000).toISOString();
      return { status: 200, body: { token: `backend-token-${calls.length}`, expiresAt } };
    }
    if (call.path === '/internal/v1/service-numbers-of') return { status: 200, body: { serviceNumberIds: null } };
    if (call.path === '/internal/v1/unknown-service-numbers') return { status: 200, body: { unknown: [] } };
    if (call.path.startsWith('/internal/v1/platform-pauses/')) return pauseOf(call);
    if (call.path === '/healthz') return { status: 200, body: { status: 'up' } };
    return { status: 200, body: { path: call.path } };
  }

  const port = await freePort();
  let server: Server | undefined;

  async function start(): Promise<void> {
    const fresh = createServer((request, response) => {
      const parts: Buffer[] = [];
      arriving += 1;
      request.once('close', () => (arriving -= 1));
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => void result(Buffer.concat(parts).toString()));
      async function result(text: string): Promise<void> {
        const json = (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, unknown>;
        const call = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, text, json };
        calls.push(call);
        const reply = (await behaviour(call)) ?? byDefault(call);
        if (reply === 'lost') return;
        if (reply === 'reset') {
          byDefault(call);
          request.socket.destroy();
          return;
        }
        response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
        response.end(reply.body === undefined ? undefined : JSON.stringify(reply.body));
      }
    });
    await listen(fresh, port);
    server = fresh;
  }

  await start();
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    calls,
    of: (path) => calls.filter((call) => path.test(call.path)),
    arriving: () => arriving,
    events,
    integrations,
    behave: (next) => {
      behaviour = next;
    },
    start,
    stop: async () => {
      const closing = server;
      server = undefined;
      if (!closing) return;
      const closed = new Promise((resolve) => {
        closing.close(resolve);
      });
      closing.closeAllConnections();
      await closed;
    },
  };
}
