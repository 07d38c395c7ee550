import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { z } from 'zod';
import {
  idempotencyHeaders,
  IDEMPOTENCY_HEADER,
  isAnsweredOnce,
  type KeptAnswer,
  keptHeaders,
  type KnownCall,
} from '#domain/api/idempotency.ts';
import type { AnyOperation } from '#domain/api/operation.ts';
import { fieldErrors, Problem } from '#domain/api/problem.ts';
import type { Logger } from '../runtime/logger.ts';
import { readBodyTwice } from './body.ts';
import { problemOf } from './problem-responses.ts';
import { currentRequest, loggedIds } from './request-id.ts';
import type { AnswerOnce } from './serve.ts';

export const REPLAYED_HEADER = 'Idempotency-Replayed';

export interface Caller {
  tenantId: string;
  /** A platformUserId, or `key:<id>`. */
  userId: string;
}

/** Where calls with an Idempotency-Key are known. */
export interface IdempotentCalls {
  begin(caller: Caller, call: { key: string; requestHash: string }): Promise<KnownCall>;
  /** To be called more often than once a minute until the answer is there, or the call is taken for dead. */
  continue(caller: Caller, callId: string): Promise<void>;
  keep(caller: Caller, callId: string, answer: KeptAnswer): Promise<void>;
  /** The call used no key. */
  release(caller: Caller, callId: string): Promise<void>;
}

const ALIVE_EVERY_MS = 15_000;
const LOOK_AGAIN_SECONDS = 1;

/** Of operations that were begun; others may have another answer the next time. */
const isKept = (status: number): boolean =>
  (status >= 200 && status < 300) || [400, 404, 409, 412, 422].includes(status);

/** @throws Problem `invalid_request` */
function keyIn(ctx: Context): string | undefined {
  const parsed = idempotencyHeaders.safeParse(ctx.headers);
  if (parsed.success) return parsed.data[IDEMPOTENCY_HEADER];
  const errors = fieldErrors(parsed.error, 'header');
  throw new Problem('invalid_request', 'The header does not match its schema', { errors });
}

const hashOf = (ctx: Context, body: Buffer): string =>
  createHash('sha256').update(`${ctx.method} ${ctx.originalUrl}\n`).update(body).digest('hex');

/** What the operation has answered; null for what cannot be kept. */
function answerIn(ctx: Context): KeptAnswer | null {
  const body: unknown = ctx.body;
  if (ctx.respond === false || body instanceof Readable || !isKept(ctx.status)) return null;
  const given = keptHeaders.map((name) => [name, ctx.response.get(name)] as const).filter(([, value]) => value !== '');
  return {
    status: ctx.status,
    headers: Object.fromEntries(given),
    body: body === undefined || body === null ? '' : JSON.stringify(body),
  };
}

/** The same where it has thrown. */
function refusalIn(ctx: Context, error: unknown, logger: Logger): KeptAnswer | null {
  if (!(error instanceof Problem) || !isKept(error.status)) return null;
  const { status, headers, body } = problemOf(error, logger, ctx.path, currentRequest());
  return { status, headers: { 'content-type': headers['Content-Type'] ?? '' }, body };
}

function replay(ctx: Context, { status, headers, body }: KeptAnswer): void {
  ctx.set(REPLAYED_HEADER, 'true');
  ctx.set(headers);
  ctx.status = status;
  ctx.body = body === '' ? null : body;
}

const aboutNumber = z.object({ serviceNumberId: z.string() });

/** The service numbers that a body of a call or its answer is about. */
function numbersIn(body: string): string[] {
  try {
    const { data } = aboutNumber.safeParse(JSON.parse(body));
    return data ? [data.serviceNumberId] : [];
  } catch {
    return [];
  }
}

/** @throws Problem `idempotency_key_reused`, `conflict` */
function repeated(ctx: Context, known: Exclude<KnownCall, { kind: 'begun' }>): void {
  switch (known.kind) {
    case 'kept':
      return replay(ctx, known.answer);
    case 'reused':
      throw new Problem('idempotency_key_reused', 'This Idempotency-Key was used for another call in the last 24 h');
    case 'under_way':
      throw new Problem('conflict', 'The first call with this Idempotency-Key is still under way', {
        retryAfterSeconds: LOOK_AGAIN_SECONDS,
      });
  }
}

/**
 * Has POSTs with an Idempotency-Key answered once: a retry gets the answer of the first call. The key is taken before the
 * operation begins and the answer kept after it has ended; a process that dies in between leaves a key that is free after
 * a minute.
 * @param sees whether a caller, whose rights may be others by now, sees what belongs to a service number.
 */
export function answeredOnce<Actor extends Caller>(
  calls: IdempotentCalls,
  logger: Logger,
  sees: (actor: Actor, serviceNumberId: string) => boolean = () => true,
): AnswerOnce<Actor, AnyOperation> {
  const tried = (doing: Promise<void>): Promise<void> =>
    // The operation has had its effect, which the caller is told all the same.
    doing.catch((error: unknown) => logger.warn({ err: error, ...loggedIds() }, 'a call for retries was not noted'));

  async function first(ctx: Context, caller: Caller, callId: string, answer: () => Promise<void>): Promise<void> {
    const alive = setInterval(() => void tried(calls.continue(caller, callId)), ALIVE_EVERY_MS).unref();
    const end = (kept: KeptAnswer | null) => {
      clearInterval(alive);
      return tried(kept ? calls.keep(caller, callId, kept) : calls.release(caller, callId));
    };
    try {
      await answer();
    } catch (error) {
      await end(refusalIn(ctx, error, logger));
      throw error;
    }
    await end(answerIn(ctx));
  }

  return async ({ ctx, operation, actor, reach }, answer) => {
    const key = isAnsweredOnce(operation) ? keyIn(ctx) : undefined;
    if (key === undefined) return answer();
    const caller: Caller = { tenantId: actor.tenantId, userId: actor.userId };
    const body = await readBodyTwice(ctx, operation.maxBodyBytes);
    const requestHash = hashOf(ctx, body);
    const known = await calls.begin(caller, { key, requestHash });
    if (known.kind === 'begun') return first(ctx, caller, known.callId, answer);
    // Whoever may no longer see the object is told what others are told. What it never was stays that.
    if (!(known.kind === 'kept' && known.answer.status === 404)) await reach();
    if (known.kind === 'kept' && known.answer.status < 300) {
      const numbers = [body.toString(), known.answer.body].flatMap(numbersIn);
      if (!numbers.every((number) => sees(actor, number)))
        throw new Problem('not_found', 'There is no such service number');
    }
    repeated(ctx, known);
  };
}
