import { z } from 'zod';
import type { Message } from '#domain/api/messages.ts';
import { platformTimestamp, respondedId } from '#domain/api/primitives.ts';
import { type PlatformTaskStatus, platformTaskStatuses } from '#domain/campaigns/states.ts';
import type { HttpExchange } from '../http/exchange.ts';
import { classify, type Outcome, pauseAskedFor } from './outcome.ts';
import { type PlatformRequest, sendSigned } from './signed-request.ts';

/** Signs a tenant's calls; `previous` is the secret that was replaced last. */
export interface Credentials {
  tenantIntegrationId: string;
  current: string;
  previous: string | null;
}

/** The credentials for one call. */
export interface BegunCall extends Credentials {
  /** The call is over, whatever came of it. */
  end(): Promise<void>;
}

/** The credentials could not be read, so the call was not made. */
export class NothingSent extends Error {
  override name = 'NothingSent';
}

/** The platform asked not to be called for this many milliseconds. */
export interface Paused {
  pausedMs: number;
}

export interface CredentialSource {
  /** A call is about to be made. Null if it must not be, as for a tenant without an ACTIVE integration, or in a pause. */
  begin(): Promise<BegunCall | Paused | null>;
  /** The platform asked for a pause in its response to a call of this integration. Never rejects. */
  pause(tenantIntegrationId: string, ms: number): Promise<void>;
  /** Whether a pause has begun: then a call is aborted unless bytes of it were written. */
  isPaused(): boolean;
}

export type A1Schedule = { type: 'immediate' } | { type: 'scheduled'; at: string };

/** The body of A1. `audience` is always a list of contacts (S0). */
export interface Broadcast {
  name: string;
  note?: string;
  channels: string[];
  messages: Message[];
  audience: { type: 'contacts'; contactIds: string[] };
  schedule: A1Schedule;
}

export interface EntrySource {
  name: string;
  reason: { type: 'activity'; id: string; data: Record<string, unknown> };
  channels: { channel: string; serviceNumberId: string }[];
  expiresAt?: string;
  webhook: { url: string; events: string[] };
}

/** What F2 changes: name, extension data and expiry; null for no expiry. */
export interface EntrySourceChange {
  name: string;
  reason: Pick<EntrySource['reason'], 'data'>;
  expiresAt: string | null;
}

/** Limited to an integer column's range: storing a larger number would fail at every retry. */
const reportedCount = z.int32().min(0).nullish().catch(null);
const reportedTime = platformTimestamp.nullish().catch(null);
const taskReport = z.object({
  status: z.enum(platformTaskStatuses),
  recipientCount: reportedCount,
  summary: z
    .object({ sent: reportedCount, delivered: reportedCount, failed: reportedCount, read: reportedCount })
    .nullish()
    .catch(null),
  startedAt: reportedTime,
  finishedAt: reportedTime,
});
export type PlatformTaskReport = z.infer<typeof taskReport>;

const createdBroadcast = z.object({
  taskId: respondedId,
  estimatedRecipientCount: reportedCount,
});
const cancelled = z.object({ status: z.enum(platformTaskStatuses) });
const createdSource = z.object({ sourceId: respondedId });

const reader =
  <Value>(schema: z.ZodType<Value>) =>
  (body: Record<string, unknown>): Value | null =>
    schema.safeParse(body).data ?? null;

interface Request extends Omit<PlatformRequest, 'url' | 'isCalledOff'> {
  /** Relative to the platform's base address. */
  path: string;
}

const part = encodeURIComponent;
const broadcasts = (serviceNumberId: string) => `/openapi/v1/service-numbers/${part(serviceNumberId)}/broadcasts`;

export interface GatewayDeps {
  baseUrl: string;
  exchange: HttpExchange;
  now?: () => number;
}

type Read<Value> = (body: Record<string, unknown>) => Value | null;

/** @throws NothingSent */
async function beginCall(source: CredentialSource): Promise<BegunCall | Paused | null> {
  try {
    return await source.begin();
  } catch (cause) {
    throw new NothingSent('The secrets that sign the call could not be read', { cause });
  }
}

const NOT_CALLED =
  'The tenant has no active integration, or this database was started elsewhere and nobody has taken it over';

/** As the platform itself would respond. */
export const pausedOutcome = ({ pausedMs }: Paused) =>
  ({
    kind: 'retryable',
    retryAfterMs: pausedMs,
    code: 'paused',
    message: 'The platform has asked to be called later',
  }) satisfies Outcome<never>;

/** Returns a function that makes a signed call and classifies how it ended. */
function createSignedCall(deps: GatewayDeps) {
  const now = deps.now ?? Date.now;

  /** `none` if there is no such secret. */
  async function sendOnce<Value>(
    source: CredentialSource,
    request: Request,
    which: 'current' | 'previous',
    read: Read<Value>,
  ): Promise<Outcome<Value> | 'none'> {
    const begun = await beginCall(source);
    if (!begun) return { kind: 'notSent', message: NOT_CALLED };
    if ('pausedMs' in begun) return pausedOutcome(begun);
    const { tenantIntegrationId, [which]: secret } = begun;
    try {
      if (secret === null) return 'none';
      const { path, ...call } = request;
      const signer = { tenantIntegrationId, secret };
      const url = `${deps.baseUrl}${path}`;
      const exchange = await sendSigned(deps.exchange, signer, { ...call, url, isCalledOff: source.isPaused });
      const pauseMs = pauseAskedFor(exchange, now());
      if (pauseMs !== null) await source.pause(tenantIntegrationId, pauseMs);
      return classify(exchange, read, now());
    } finally {
      await begun.end();
    }
  }

  /**
   * A 401 had no effect, so the call is retried with the secret that is current then, and with the previous one: a
   * rotation may be on its way.
   */
  return async function call<Value>(
    source: CredentialSource,
    request: Request,
    read: Read<Value>,
  ): Promise<Outcome<Value>> {
    let outcome: Outcome<Value> = { kind: 'notSent', message: 'The integration has no secret' };
    for (const which of ['current', 'current', 'previous'] as const) {
      const next = await sendOnce(source, request, which, read);
      if (next === 'none') return outcome;
      outcome = next;
      if (outcome.kind !== 'unauthorized') return outcome;
    }
    return outcome;
  };
}

/** The backend's calls to the platform gateway (S0: A1 to A3, F1 to F3). Each may throw NothingSent. */
export function createPlatformGateway(deps: GatewayDeps) {
  const call = createSignedCall(deps);
  return {
    /** A1. Must not be retried after `ambiguous`, unless the platform honours `Idempotency-Key`. */
    createBroadcast: (
      source: CredentialSource,
      { serviceNumberId, key, broadcast }: { serviceNumberId: string; key: string; broadcast: Broadcast },
    ) => {
      const request: Request = {
        method: 'POST',
        path: broadcasts(serviceNumberId),
        body: broadcast,
        headers: { 'Idempotency-Key': key },
        ownConnection: true,
      };
      return call(source, request, reader(createdBroadcast));
    },

    /** A2. */
    readTask: (source: CredentialSource, task: { serviceNumberId: string; taskId: string }) =>
      call(
        source,
        { method: 'GET', path: `${broadcasts(task.serviceNumberId)}/${part(task.taskId)}` },
        reader(taskReport),
      ),

    /**
     * A3: only takes effect while the task is scheduled; otherwise the rejection `not_scheduled` contains the task's
     * status.
     */
    cancelTask: (source: CredentialSource, task: { serviceNumberId: string; taskId: string }) =>
      call(
        source,
        { method: 'POST', path: `${broadcasts(task.serviceNumberId)}/${part(task.taskId)}:cancel` },
        reader(cancelled),
      ),

    /** F1. */
    createEntrySource: (source: CredentialSource, entrySource: EntrySource) =>
      call(source, { method: 'POST', path: '/openapi/v1/entry-sources', body: entrySource }, reader(createdSource)),

    /** F2. */
    updateEntrySource: (source: CredentialSource, sourceId: string, change: EntrySourceChange) =>
      call(
        source,
        { method: 'PUT', path: `/openapi/v1/entry-sources/${part(sourceId)}`, body: change },
        (): true => true,
      ),

    /** F3. */
    endEntrySource: (source: CredentialSource, sourceId: string) =>
      call(
        source,
        {
          method: 'PUT',
          path: `/openapi/v1/entry-sources/${part(sourceId)}/status`,
          body: { status: 'inactive' },
        },
        (): true => true,
      ),
  };
}

export type PlatformGateway = ReturnType<typeof createPlatformGateway>;
export type { PlatformTaskStatus };
