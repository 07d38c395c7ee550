import type { CheckedKey, KeyChecks } from '#clients/bff/key-checks.ts';
import { Problem } from '#domain/api/problem.ts';
import { keyActor } from '#domain/keys/actor.ts';
import type { GivenKey } from '#domain/keys/key-text.ts';
import type { Logger } from '../runtime/logger.ts';
import { consume, limiterOf } from '../http/security/rate-limits.ts';
import type { Payer } from './session.ts';

/** How long an answer of the BFF holds, from when it was asked: a key that was revoked is refused within 5 s. */
const HOLDS_MS = 3000;

/** @returns the program that calls with the key, or null. @throws Problem `unavailable`, `rate_limited`. */
export type FindKeyCaller = (given: GivenKey) => Promise<Payer | null>;

const away = (cause: unknown): Problem =>
  new Problem('unavailable', 'API keys cannot be checked at the moment; try again', { retryAfterSeconds: 1, cause });

/** Asks about each key once, and again after a few seconds; callers at the same time share an answer. */
function createMemory({ check }: Pick<KeyChecks, 'check'>) {
  const answers = new Map<string, { until: number; answer: Promise<CheckedKey | null> }>();
  const forgetOld = (now: number): void => {
    // In the order in which they were asked for, which is that of their ends.
    for (const [name, { until }] of answers) {
      if (until > now) return;
      answers.delete(name);
    }
  };
  return (given: GivenKey): Promise<CheckedKey | null> => {
    const now = performance.now();
    forgetOld(now);
    const name = `${given.keyId} ${given.secretHash.toString('hex')}`;
    const known = answers.get(name);
    if (known) return known.answer;
    const asked = { until: now + HOLDS_MS, answer: check(given) };
    answers.set(name, asked);
    asked.answer.catch(() => {
      if (answers.get(name) === asked) answers.delete(name);
    });
    return asked.answer;
  };
}

interface KeyCallersDeps {
  checks: Pick<KeyChecks, 'check'>;
  /** LIMIT_API_KEY_CALLS_PER_MINUTE, counted by each process for itself. */
  callsPerMinute: number;
  logger: Pick<Logger, 'warn'>;
}

/** Finds out who calls with a key. */
export function createKeyCallers({ checks, callsPerMinute, logger }: KeyCallersDeps): FindKeyCaller {
  const checked = createMemory(checks);
  const limiter = limiterOf(callsPerMinute, 60);
  return async (given) => {
    const key = await checked(given).catch((error: unknown) => {
      logger.warn({ err: error, keyId: given.keyId }, 'the BFF does not say what a key may do');
      throw away(error);
    });
    if (key === null) return null;
    await consume(limiter, given.keyId);
    const { name, platformTenantId: tenantId, scopes } = key;
    return { userId: keyActor(given.keyId), name, tenantId, roles: [], scopes };
  };
}
