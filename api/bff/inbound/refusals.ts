import { z } from 'zod';
import type { BffDatabase } from '#db/bff/database.ts';
import { addRefusals, type RefusedCalls } from '#db/bff/refusals.ts';
import { label, receivedId } from '#domain/api/primitives.ts';
import type { Problem, ProblemCode } from '#domain/api/problem.ts';
import type { RefusalReason } from '#domain/api/refusals.ts';
import { parseJson } from '#api/http/body.ts';
import type { Logger } from '#api/runtime/logger.ts';

/** A refused call, and what may be shown of it. */
export interface Refusal {
  tenantIntegrationId: string;
  reason: RefusalReason;
  problem: Problem;
  bytes: number | null;
  /** Only if its signature held. */
  body?: Buffer;
}

/** Counts refused webhooks for the tenant, asynchronously; counts that cannot be stored are lost. */
export interface RefusalLog {
  /** One of an integration that exists. */
  note(refusal: Refusal): void;
  /** One that merely names an integration. */
  noteClaimed(refusal: Refusal): void;
  /** Flushes the counts. */
  write(): Promise<void>;
}

const WRITE_EVERY_MS = 1000;
/** What a write takes; those who make up integrations fill a count of their own, and lose only what is in it. */
const MAXIMUM_ROWS = 1000;
const MAXIMUM_DETAIL = 300;

const MINUTE_MS = 60_000;

const named = z.object({ eventId: receivedId.nullable().catch(null), eventType: label(64).nullable().catch(null) });

/** What a signed body calls its event, however malformed the rest of it is. */
function eventNamed(body: Buffer | undefined) {
  const nameless = { eventId: null, eventType: null };
  if (!body) return nameless;
  try {
    return named.safeParse(parseJson(body)).data ?? nameless;
  } catch {
    return nameless;
  }
}

/** The place in the event down to its field: what lies deeper is named by whoever sent it. */
function detailOf({ errors }: Problem): string | null {
  const [first] = errors ?? [];
  if (!first) return null;
  const place = first.path.split('/').slice(0, 3).join('/');
  return `${place}: ${first.message}`.replaceAll('\u0000', '').toWellFormed().slice(0, MAXIMUM_DETAIL);
}

/** What the column takes; a caller may announce more. */
const MOST_BYTES = 2_147_483_647;

function add(counted: Map<string, RefusedCalls>, { tenantIntegrationId, reason, problem, bytes, body }: Refusal): void {
  const now = new Date();
  const key = JSON.stringify([tenantIntegrationId, reason, Math.floor(now.getTime() / MINUTE_MS)]);
  const before = counted.get(key);
  if (!before && counted.size >= MAXIMUM_ROWS) return;
  const { eventId, eventType } = eventNamed(body);
  const code: ProblemCode = problem.code;
  counted.set(key, {
    tenantIntegrationId,
    reason,
    code,
    calls: (before?.calls ?? 0) + 1,
    firstAt: before?.firstAt ?? now,
    lastAt: now,
    lastBytes: bytes === null ? null : Math.min(bytes, MOST_BYTES),
    lastEventId: eventId,
    lastEventType: eventType,
    lastDetail: detailOf(problem),
  });
}

/** Counts in memory and writes once a second, however many calls there are. */
export function createRefusalLog({ database, logger }: { database: BffDatabase; logger: Logger }): RefusalLog {
  const known = new Map<string, RefusedCalls>();
  const claimed = new Map<string, RefusedCalls>();
  let planned: NodeJS.Timeout | undefined;

  async function writeAll(counted: Map<string, RefusedCalls>): Promise<void> {
    const refused = [...counted.values()];
    counted.clear();
    if (refused.length === 0) return;
    try {
      await addRefusals(database, refused);
    } catch (error) {
      logger.warn({ err: error, rows: refused.length }, 'refused webhooks could not be counted');
    }
  }

  async function write(): Promise<void> {
    clearTimeout(planned);
    planned = undefined;
    // One after the other: both may add to the same row.
    await writeAll(known);
    await writeAll(claimed);
  }

  const noteIn = (counted: Map<string, RefusedCalls>) => (refusal: Refusal) => {
    add(counted, refusal);
    planned ??= setTimeout(() => void write(), WRITE_EVERY_MS).unref();
  };
  return { note: noteIn(known), noteClaimed: noteIn(claimed), write };
}
