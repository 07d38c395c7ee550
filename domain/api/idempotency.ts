import { z } from 'zod';
import type { AnyOperation } from './operation.ts';

export const IDEMPOTENCY_HEADER = 'idempotency-key';

/** Visible ASCII, with spaces only inside. */
const printable = /^[!-~](?:[ -~]*[!-~])?$/;

export const idempotencyKeySchema = z.string().min(1).max(200).regex(printable);

export const idempotencyHeaders = z.object({
  [IDEMPOTENCY_HEADER]: idempotencyKeySchema
    .optional()
    .describe('The same for every retry of one call: within 24 h a retry gets the answer of the first'),
});

/**
 * Whether calls of an operation with one Idempotency-Key are answered once: every POST by a person or a program, unless
 * the operation takes the header itself, as those that keep a key for as long as there is the campaign.
 */
export const isAnsweredOnce = ({ method, access, headers }: AnyOperation): boolean =>
  method === 'post' && access !== 'public' && access !== 'service' && !(headers && IDEMPOTENCY_HEADER in headers.shape);

/** Headers of an answer that a retry gets as well. */
export const keptHeaders = ['content-type', 'location', 'etag'] as const;

export const keptAnswerSchema = z.object({
  status: z.int(),
  headers: z.partialRecord(z.enum(keptHeaders), z.string()),
  body: z.string(),
});
export type KeptAnswer = z.infer<typeof keptAnswerSchema>;

/** What is known of a call when it arrives. */
export const knownCallSchema = z.discriminatedUnion('kind', [
  /** Nothing: it is under way from now on. */
  z.object({ kind: z.literal('begun'), callId: z.string() }),
  z.object({ kind: z.literal('kept'), answer: keptAnswerSchema }),
  z.object({ kind: z.literal('under_way') }),
  /** The key was used for another call. */
  z.object({ kind: z.literal('reused') }),
]);
export type KnownCall = z.infer<typeof knownCallSchema>;
