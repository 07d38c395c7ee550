import { setTimeout as delay } from 'node:timers/promises';
import { WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import type { Database } from '#db/database.ts';
import { readPayment } from '#db/orders/payments.ts';
import { type PaymentResult, type PaymentState, rejected } from '#domain/orders/payment.ts';
import type { Logger } from '#api/runtime/logger.ts';
import { within } from './waiting.ts';

/** First and longest pause before reading again after a workflow ended during an update, or what was asked for failed. */
const PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 800;

/** The response of a run whose attempt is outdated; the rows have the current state. */
const isStale = (response: PaymentResult): boolean => response.code === 90304 && response.state === null;

/** gRPC's CANCELLED, DEADLINE_EXCEEDED and UNAVAILABLE: Temporal was not reached, or nobody polls. */
const UNREACHABLE = new Set([1, 4, 14]);

function isUnreachable(error: unknown): boolean {
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return true;
  const code =
    (error as { code?: unknown; cause?: { code?: unknown } }).cause?.code ?? (error as { code?: unknown }).code;
  return typeof code === 'number' && UNREACHABLE.has(code);
}

export interface UntilDeadlineDeps {
  database: Database;
  logger: Logger;
  deadlineMs: number;
}

/** Waits for the outcome of a payment as long as the caller does. */
export function createUntilDeadline({ database, logger, deadlineMs }: UntilDeadlineDeps) {
  const deadline = (): number => Date.now() + deadlineMs;

  /**
   * Retries `ask` until the row or the workflow has a result; 90304 when the time is up.
   * @param start.read the row, if it has just been read.
   */
  async function untilDeadline(
    orderId: string,
    fromRow: (state: PaymentState) => PaymentResult | null,
    ask: (state: PaymentState, tries: number) => Promise<PaymentResult | undefined>,
    start: { end: number; read: PaymentState | null } = { end: deadline(), read: null },
  ): Promise<PaymentResult> {
    const { end } = start;
    let { read } = start;
    let tries = 0;
    for (let pauseMs = PAUSE_MS; Date.now() < end; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      const state = read ?? (await readPayment(database, orderId));
      read = null;
      const known = fromRow(state);
      if (known) return known;
      try {
        const response = await within(end, ask(state, tries));
        if (response && !isStale(response)) return response;
      } catch (error) {
        logger.warn({ err: error, orderId }, 'a payment could not be begun or reached; trying again');
        // An update that failed would fail again under the same id; one that never arrived keeps its id.
        if (!isUnreachable(error)) tries += 1;
      }
      await delay(Math.min(pauseMs, Math.max(0, end - Date.now())));
    }
    const state = await readPayment(database, orderId);
    return fromRow(state) ?? rejected(90304, state);
  }

  return { deadline, untilDeadline };
}
