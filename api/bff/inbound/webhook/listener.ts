import type { Arriving } from '#api/http/incoming/chunks.ts';
import { endSlowRest } from '#api/http/incoming/pace.ts';
import type { Durations } from '#api/http/metrics.ts';
import { problemOf } from '#api/http/problem-responses.ts';
import {
  idsOf,
  loggedFrom,
  type LoggedRequest,
  REQUEST_ID_HEADER,
  type RequestIds,
  shownId,
} from '#api/http/request-id.ts';
import { securityHeadersOf } from '#api/http/security/headers.ts';
import type { Logger } from '#api/runtime/logger.ts';
import { type Tracing, tracing } from '#api/runtime/tracing/tracing.ts';
import type { ReceiveWebhook } from './receive.ts';

export const WEBHOOK_PATH = '/webhook';

const route = { method: 'POST', path: WEBHOOK_PATH };

interface Served {
  ids: LoggedRequest;
  ms: number;
}

/** Logs concurrently accepted webhooks in one line. */
function createTakenLog(logger: Logger): (served: Served) => void {
  let taken: Served[] = [];
  function write(): void {
    const requests = taken.map(({ ids, ms }) => ({ ...loggedFrom(ids), ms }));
    taken = [];
    const [first, ...others] = requests;
    if (others.length === 0) logger.info({ ...first, ...route, status: 200 }, 'served');
    else logger.info({ ...route, status: 200, requests }, 'served');
  }
  return (served) => {
    taken.push(served);
    if (taken.length === 1) setImmediate(write);
  };
}

export interface WebhookListenerDeps {
  publicUrl: string;
  logger: Logger;
  durations: Durations;
  receive: ReceiveWebhook;
}

/**
 * Serves webhooks without the framework, which costs as much as all that is done with an event. What it answers is the
 * same, header by header.
 * @returns false for a request that is none.
 */
export function webhookListener({ publicUrl, logger, durations, receive }: WebhookListenerDeps) {
  const headersOfAll = securityHeadersOf(publicUrl);
  const logTaken = createTakenLog(logger);

  function send(
    { res }: Arriving,
    ids: RequestIds,
    status: number,
    headers: Record<string, string>,
    body: string,
  ): void {
    const length = String(Buffer.byteLength(body));
    res.writeHead(status, { [REQUEST_ID_HEADER]: shownId(ids), ...headersOfAll, ...headers, 'Content-Length': length });
    res.end(body);
  }

  async function serve(arriving: Arriving, ids: LoggedRequest): Promise<number> {
    const startedAt = performance.now();
    const ended = (status: number): number => {
      const ms = performance.now() - startedAt;
      durations.observe({ method: 'POST', route: WEBHOOK_PATH, status }, ms / 1000);
      return Math.round(ms);
    };
    try {
      const response = await receive(arriving, shownId(ids));
      logTaken({ ids, ms: ended(200) });
      send(arriving, ids, 200, { 'Content-Type': 'application/json; charset=utf-8' }, JSON.stringify(response));
      return 200;
    } catch (error) {
      const { status, headers, body } = problemOf(error, logger, WEBHOOK_PATH, ids);
      logger.info({ ...loggedFrom(ids), ...route, status, ms: ended(status) }, 'served');
      if (!arriving.req.complete) endSlowRest(arriving);
      send(arriving, ids, status, headers, body);
      return status;
    }
  }

  async function serveTraced(traces: Tracing, arriving: Arriving): Promise<void> {
    const { req } = arriving;
    await traces.serve(req, async () => {
      const ids = { ...idsOf(req, WEBHOOK_PATH), traceId: traces.traceId() };
      return { route: WEBHOOK_PATH, status: await serve(arriving, ids), facts: loggedFrom(ids) };
    });
  }

  return (arriving: Arriving): boolean => {
    const { method, url } = arriving.req;
    if (method !== route.method || url !== WEBHOOK_PATH) return false;
    const traces = tracing();
    if (traces) void serveTraced(traces, arriving);
    else void serve(arriving, idsOf(arriving.req, WEBHOOK_PATH));
    return true;
  };
}
