import { createServer, type IncomingHttpHeaders } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { listen } from '../http/listen.ts';

/** A call that the platform received. */
export interface PlatformCall {
  route: 'A1' | 'A2' | 'A3' | 'F1' | 'other';
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
  /** How many calls with this key, or to this path, came before. */
  earlier: number;
}

/** The platform's response; `reset` breaks the connection after the effect. */
export type PlatformReply = { status: number; body?: unknown; headers?: Record<string, string> } | 'reset';
export type PlatformBehaviour = (call: PlatformCall) => PlatformReply | null | Promise<PlatformReply | null>;

export interface RecordingPlatform {
  baseUrl: string;
  calls: PlatformCall[];
  of(route: PlatformCall['route']): PlatformCall[];
  /** Asked first; null falls back to the default: A1 accepts, and tasks complete at once. */
  behave(behaviour: PlatformBehaviour): void;
  close(): Promise<void>;
}

function routeOf(method: string, path: string): PlatformCall['route'] {
  if (method === 'POST' && path.endsWith('/broadcasts')) return 'A1';
  if (method === 'POST' && path.endsWith(':cancel')) return 'A3';
  if (method === 'GET' && path.includes('/broadcasts/')) return 'A2';
  return method === 'POST' && path.endsWith('/entry-sources') ? 'F1' : 'other';
}

/** A platform gateway over real HTTP that records what it receives. It waits `delayMs` before each response. */
export async function startRecordingPlatform({ delayMs = 0 } = {}): Promise<RecordingPlatform> {
  const calls: PlatformCall[] = [];
  const sizes = new Map<string, number>();
  const seen = new Map<string, number>();
  let behaviour: PlatformBehaviour = () => null;

  function byDefault(call: PlatformCall): PlatformReply {
    if (call.route === 'A1') {
      const taskId = `task-${String(call.headers['idempotency-key'])}`;
      const { contactIds } = call.body['audience'] as { contactIds: string[] };
      sizes.set(taskId, contactIds.length);
      return { status: 201, body: { taskId, estimatedRecipientCount: contactIds.length } };
    }
    if (call.route === 'A2') {
      const taskId = decodeURIComponent(call.path.split('/').at(-1) ?? '');
      const sent = sizes.get(taskId);
      if (sent === undefined) return { status: 404, body: { code: 'task_not_found', message: 'no such task' } };
      const summary = { sent, delivered: sent, failed: 0, read: 0 };
      const finishedAt = new Date().toISOString();
      return { status: 200, body: { taskId, status: 'completed', recipientCount: sent, summary, finishedAt } };
    }
    if (call.route === 'F1') return { status: 201, body: { sourceId: 'source-1' } };
    return { status: 200, body: { status: 'cancelled' } };
  }

  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => void result(Buffer.concat(parts)));
    async function result(bytes: Buffer): Promise<void> {
      const path = request.url ?? '';
      const method = request.method ?? '';
      const identity = `${path} ${String(request.headers['idempotency-key'] ?? '')}`;
      const earlier = seen.get(identity) ?? 0;
      seen.set(identity, earlier + 1);
      const body = bytes.length > 0 ? (JSON.parse(bytes.toString()) as Record<string, unknown>) : {};
      const call = { route: routeOf(method, path), method, path, headers: request.headers, body, earlier };
      calls.push(call);
      if (delayMs > 0) await setTimeout(delayMs);
      const reply = (await behaviour(call)) ?? byDefault(call);
      if (reply === 'reset') {
        byDefault(call);
        request.socket.destroy();
        return;
      }
      response.writeHead(reply.status, { 'Content-Type': 'application/json', ...reply.headers });
      response.end(JSON.stringify(reply.body ?? {}));
    }
  });
  return {
    baseUrl: await listen(server),
    calls,
    of: (route) => calls.filter((call) => call.route === route),
    behave: (next) => {
      behaviour = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The data of the first button of a submitted broadcast. */
export function firstPostback(call: PlatformCall | undefined): unknown {
  if (!call) throw new Error('no such call');
  const [message] = call.body['messages'] as [{ actions: [{ data: string }] }];
  return JSON.parse(message.actions[0].data);
}
