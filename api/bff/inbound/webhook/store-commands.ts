import { randomUUID } from 'node:crypto';
import { BackendError, type BackendClient } from '#clients/backend/client.ts';
import { bisect } from '#domain/bisect.ts';
import type { IntakeCommand } from '#domain/api/events.ts';
import { within } from '#domain/tracing.ts';
import { tracing } from '#api/runtime/tracing/tracing.ts';
import { intakeLimits, internalOperations, type IntakeResult } from '#domain/api/internal.ts';

export interface CommandOfRequest {
  command: IntakeCommand;
  requestId: string;
}

/** Result of one command. `unavailable`: it was not stored, or may not have been, so it must be sent again. */
export type IntakeOutcome = 'stored' | 'unavailable';

/** Slices with a limited number of events and a limited payload; a larger single event gets a slice of its own. */
function sliceCommands<T extends CommandOfRequest>(items: readonly T[]): T[][] {
  const slices: T[][] = [];
  let size = 0;
  for (const item of items) {
    const last = slices.at(-1);
    size += item.command.payload.length;
    if (last && last.length < intakeLimits.events && size <= intakeLimits.payloadCharacters) last.push(item);
    else {
      slices.push([item]);
      size = item.command.payload.length;
    }
  }
  return slices;
}

const outcomeOf = (result: IntakeResult | undefined): IntakeOutcome =>
  result && (result.stored || result.reason !== 'unknown_integration') ? 'stored' : 'unavailable';

/** An event that the backend cannot store must not hold up the others in its slice. */
const mayBeOneCommand = (error: unknown): boolean =>
  error instanceof BackendError && error.status !== undefined && error.status !== 503 && error.status !== 429;

/**
 * Stores commands at the backend, many in one call.
 * @param report `sent`: each call, with its own id and those of its requests; `failed`: each call that failed.
 * @returns an outcome for each command, in the same order. Never rejects.
 */
export async function storeCommands(
  backend: BackendClient,
  items: readonly CommandOfRequest[],
  report: { sent(batchId: string, requestIds: string[]): void; failed(error: unknown, events: number): void },
): Promise<IntakeOutcome[]> {
  async function send(slice: readonly CommandOfRequest[]): Promise<IntakeOutcome[]> {
    const [first] = slice;
    const requestId = slice.length === 1 && first ? first.requestId : randomUUID();
    report.sent(
      requestId,
      slice.map((item) => item.requestId),
    );
    const events = slice.map(({ command, requestId: ofWebhook }) => ({ ...command, requestId: ofWebhook }));
    try {
      const parents = slice.flatMap(({ command }) => command.traceParent ?? []);
      const { results } = await within(tracing(), 'store events', parents, () =>
        backend.call(internalOperations.storeEvents, { body: { events }, requestId }),
      );
      return slice.map((_, index) => outcomeOf(results[index]));
    } catch (error) {
      report.failed(error, slice.length);
      throw error;
    }
  }
  const store = (slice: readonly CommandOfRequest[]) =>
    bisect<CommandOfRequest, IntakeOutcome>(slice, {
      run: send,
      mayBeOneItem: mayBeOneCommand,
      fail: (_error, failed) => failed.map(() => 'unavailable'),
    });
  const outcomes = await Promise.all(sliceCommands(items).map(store));
  return outcomes.flat();
}
