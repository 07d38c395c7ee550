import type { BackendClient } from '#clients/backend/client.ts';
import type { BffDatabase } from '#db/bff/database.ts';
import { hasSecrets, type IntegrationSecrets, secretsOf } from '#db/bff/integrations.ts';
import type { TenantIntegration } from '#db/bff/models.ts';
import { lookUpCalls, type SignedCallState, useNonces } from '#db/bff/nonces.ts';
import type { IntakeCommand } from '#domain/api/events.ts';
import { Problem } from '#domain/api/problem.ts';
import type { RefusalReason } from '#domain/api/refusals.ts';
import type { TraceParent } from '#domain/tracing.ts';
import type { Logger } from '#api/runtime/logger.ts';
import { tracing } from '#api/runtime/tracing/tracing.ts';
import { codingOf } from '#api/http/incoming/coding.ts';
import { coalesce } from '#api/runtime/coalesce.ts';
import type { Limits } from '#api/bff/limits/limits.ts';
import { gone, replayed } from '../lifecycle.ts';
import type { NonceHolds } from '../nonce-holds.ts';
import type { RefusalLog } from '../refusals.ts';
import { notSigned, type SignedCall, signingSecret } from '../signed-call.ts';
import { storeCommands } from './store-commands.ts';
import { webhookCommand } from './command.ts';

export interface WebhookResponse {
  received: true;
  ignored?: true;
}

export interface WebhookIntakeDeps {
  database: BffDatabase;
  backend: BackendClient;
  holds: NonceHolds;
  refusals: Pick<RefusalLog, 'note'>;
  limits: Pick<Limits, 'webhooks'>;
  logger: Logger;
}

interface WaitingCall {
  call: SignedCall;
  requestId: string;
  traceParent: TraceParent | undefined;
  arrivedAt: number;
  resolve(response: WebhookResponse): void;
  reject(problem: unknown): void;
}

interface AdmittedCall {
  entry: WaitingCall;
  /** Undefined for an event that is discarded. */
  command: IntakeCommand | undefined;
}

/**
 * What a batch costs besides its events is as much as ten of them. A second one runs beside the first only once that has
 * taken longer than it should, so that one slow statement does not hold up everybody.
 */
const batchLimits = { size: 500, atOnce: 2, gathering: { quietMs: 2, mostMs: 25 } };
/** Beyond this number it is better for the sender to retry later than to wait here. */
const MAXIMUM_WAITING = 10_000;
const MAXIMUM_WAIT_MS = 8000;

const unavailable = (cause?: unknown) =>
  new Problem('unavailable', 'The event could not be stored; try again', { retryAfterSeconds: 1, cause });

interface Refused {
  kind: 'refused';
  reason: RefusalReason;
  problem: Problem;
  isSigned: boolean;
}

type Admission =
  | { kind: 'unknown' }
  | Refused
  /** Without a command it is an event that is discarded. */
  | { kind: 'admitted'; command: IntakeCommand | undefined };

const refused = (reason: RefusalReason, problem: Problem, isSigned = true): Refused => ({
  kind: 'refused',
  reason,
  problem,
  isSigned,
});

function noteRefused(
  refusals: WebhookIntakeDeps['refusals'],
  { tenantIntegrationId, body }: SignedCall,
  { reason, problem, isSigned }: Refused,
): void {
  refusals.note({ tenantIntegrationId, reason, problem, bytes: body.length, ...(isSigned ? { body } : {}) });
}

/** Decrypts the secrets of each integration once. */
function openSecrets(database: BffDatabase): (integration: TenantIntegration) => IntegrationSecrets {
  const opened = new Map<TenantIntegration, IntegrationSecrets>();
  return (integration) => {
    const secrets = opened.get(integration) ?? secretsOf(database, integration);
    opened.set(integration, secrets);
    return secrets;
  };
}

/** Refuses in the order 401, 410, 409, 415, 400. @throws Problem `unavailable`. */
function admit(
  secretsFor: (integration: TenantIntegration) => IntegrationSecrets,
  call: SignedCall,
  state: SignedCallState | undefined,
): Admission {
  const integration = state?.integration;
  if (!integration) return { kind: 'unknown' };
  if (!hasSecrets(integration)) return refused('signature', notSigned(), false);
  const by = signingSecret(call, secretsFor(integration), new Date());
  if (by === undefined) return refused('signature', notSigned(), false);
  if (by === 'late') return refused('replaced_secret', notSigned(), false);
  if (integration.status === 'UNINSTALLED') return refused('uninstalled', gone());
  if (state.replayed) return refused('nonce_replayed', replayed());
  try {
    codingOf(call);
    const command = webhookCommand(call.tenantIntegrationId, call.body);
    if (integration.status === 'PENDING') throw unavailable();
    return { kind: 'admitted', command };
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'unavailable') throw error;
    return refused(error.errors ? 'schema' : 'not_json', error);
  }
}

/** The calls of a batch that hold their nonces. Each gets one response, which also releases its nonce. */
function openCalls(entries: readonly WaitingCall[], { holds, refusals }: WebhookIntakeDeps) {
  const open = new Set(entries);
  function reject(entry: WaitingCall, problem: unknown): void {
    if (!open.delete(entry)) return;
    holds.settle(entry.call, false);
    entry.reject(problem);
  }
  return {
    reject,
    rejectAll: (problem: unknown) => open.forEach((entry) => reject(entry, problem)),
    /** @param fresh false if another process used the nonce in the meantime. */
    finish({ entry, command }: AdmittedCall, fresh: boolean): void {
      if (!open.delete(entry)) return;
      holds.settle(entry.call, true);
      if (fresh) {
        entry.resolve(command ? { received: true } : { received: true, ignored: true });
        return;
      }
      const again = refused('nonce_replayed', replayed());
      noteRefused(refusals, entry.call, again);
      entry.reject(again.problem);
    },
  };
}

type OpenCalls = ReturnType<typeof openCalls>;

async function admitAll(
  { database, refusals }: WebhookIntakeDeps,
  entries: readonly WaitingCall[],
  open: OpenCalls,
): Promise<AdmittedCall[]> {
  const states = await lookUpCalls(
    database,
    entries.map((entry) => entry.call),
  );
  const secretsFor = openSecrets(database);
  return entries.flatMap((entry, index) => {
    try {
      const { call } = entry;
      const admission = admit(secretsFor, call, states[index]);
      if (admission.kind === 'admitted') return [{ entry, command: admission.command }];
      if (admission.kind === 'refused') noteRefused(refusals, call, admission);
      open.reject(entry, admission.kind === 'refused' ? admission.problem : notSigned());
      return [];
    } catch (error) {
      open.reject(entry, error);
      return [];
    }
  });
}

/** Calls within their integration's rate limit; the nonces of the others stay unused. */
async function withinLimit(
  { limits }: WebhookIntakeDeps,
  admitted: readonly AdmittedCall[],
  open: OpenCalls,
): Promise<AdmittedCall[]> {
  const within: AdmittedCall[] = [];
  for (const id of new Set(admitted.map(({ entry }) => entry.call.tenantIntegrationId))) {
    const calls = admitted.filter(({ entry }) => entry.call.tenantIntegrationId === id);
    const taken = await limits.webhooks(id, calls.length);
    within.push(...calls.slice(0, taken.calls));
    for (const { entry } of calls.slice(taken.calls)) open.reject(entry, taken.refusal);
  }
  return within;
}

async function storeAll(
  { backend, logger }: WebhookIntakeDeps,
  admitted: readonly AdmittedCall[],
  open: OpenCalls,
): Promise<AdmittedCall[]> {
  const commands = admitted.flatMap(({ entry: { requestId, traceParent }, command }) =>
    command ? [{ command: traceParent === undefined ? command : { ...command, traceParent }, requestId }] : [],
  );
  const outcomes = await storeCommands(backend, commands, {
    sent: (batchId, requestIds) => logger.debug({ requestId: batchId, requestIds }, 'events sent'),
    failed: (err, events) => logger.warn({ err, events }, 'events could not be stored'),
  });
  let next = 0;
  return admitted.filter(({ entry, command }) => {
    if (!command || outcomes[next++] === 'stored') return true;
    open.reject(entry, unavailable());
    return false;
  });
}

async function serveBatch(deps: WebhookIntakeDeps, entries: readonly WaitingCall[]): Promise<void> {
  const open = openCalls(entries, deps);
  try {
    const admitted = await withinLimit(deps, await admitAll(deps, entries, open), open);
    const stored = await storeAll(deps, admitted, open);
    if (stored.length === 0) return;
    const calls = stored.map(({ entry }) => entry.call);
    const fresh = await useNonces(deps.database, calls, 'webhook');
    stored.forEach((item, index) => open.finish(item, fresh[index] ?? false));
  } catch (error) {
    deps.logger.warn({ err: error, calls: entries.length }, 'a batch of webhooks failed');
    open.rejectAll(unavailable(error));
  }
}

/**
 * Passes verified events to the backend. Concurrent calls share one lookup, one call to the backend and one insert of
 * nonces. A nonce is used up only if its event was stored or discarded.
 * @returns a function that resolves with the response to one call, or rejects with its Problem.
 */
export function createWebhookIntake(
  deps: WebhookIntakeDeps,
): (call: SignedCall, requestId: string) => Promise<WebhookResponse> {
  /**
   * Returns whether to process the call now. A call that has waited too long is rejected; a call whose nonce is held by
   * another one waits for the result of that one.
   */
  function begin(entry: WaitingCall): boolean {
    if (Date.now() - entry.arrivedAt > MAXIMUM_WAIT_MS) {
      entry.reject(unavailable());
      return false;
    }
    const other = deps.holds.hold(entry.call);
    void other?.then((used) => {
      if (!used) return batches.add(entry);
      const again = refused('nonce_replayed', replayed(), false);
      noteRefused(deps.refusals, entry.call, again);
      return entry.reject(again.problem);
    });
    return other === undefined;
  }

  // Nonces are held before the lookup, so that a later call sees the insert of an earlier one.
  const batches = coalesce<WaitingCall>(async (entries) => {
    const held = entries.filter(begin);
    if (held.length > 0) await serveBatch(deps, held);
  }, batchLimits);

  return async (call, requestId) => {
    if (batches.waiting() >= MAXIMUM_WAITING) throw unavailable();
    return new Promise((resolve, reject) => {
      const traceParent = tracing()?.current();
      batches.add({ call, requestId, traceParent, arrivedAt: Date.now(), resolve, reject });
    });
  };
}
