import type { IncomingMessage } from 'node:http';
import { type RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { AnyOperation } from '#domain/api/operation.ts';
import type { Problem } from '#domain/api/problem.ts';
import type { Settings } from '#domain/settings/settings.ts';
import { callerAddress, rangesOf } from '#api/http/security/caller-address.ts';
import { consume, limiterOf, perPerson, tooOften } from '#api/http/security/rate-limits.ts';

export type LimitSettings = Pick<
  Settings,
  | 'TRUSTED_PROXIES'
  | 'LIMIT_SIGN_INS_PER_MINUTE'
  | 'LIMIT_WEBHOOKS_PER_SECOND'
  | 'LIMIT_PREVIEWS_PER_MINUTE'
  | 'LIMIT_DRY_RUNS_PER_MINUTE'
  | 'LIMIT_BACKTESTS_PER_MINUTE'
  | 'LIMIT_EXPORTS_PER_MINUTE'
  | 'LIMIT_TEST_SENDS_PER_MINUTE'
  | 'LIMIT_AI_CALLS_PER_MINUTE'
  | 'LIMIT_API_KEY_CALLS_PER_MINUTE'
>;

/** How often something may be done, counted by each process for itself. All throw Problem `rate_limited`. */
export interface Limits {
  /** Begins a sign-in from the address of this request. */
  signIn(request: IncomingMessage): Promise<void>;
  /** Calls anything with an API key. */
  apiKey(keyId: string): Promise<void>;
  /** Counts webhooks of an integration with valid signatures. @returns how many of them are within the limit. */
  webhooks(tenantIntegrationId: string, calls: number): Promise<Within>;
  /** Counts a call of an operation of another service, if it is an expensive one. */
  call(operation: Costing, person: { tenantId: string; userId: string }): Promise<void>;
}

export interface Within {
  calls: number;
  /** For the others, if there are any. */
  refusal?: Problem;
}

type Costing = Pick<AnyOperation, 'path' | 'responseType'>;
type Costly = 'previews' | 'dryRuns' | 'backtests' | 'exports' | 'testSends' | 'aiCalls';

const costlyPaths: Record<string, Costly> = {
  '/audiences:preview': 'previews',
  '/audiences:explain': 'previews',
  '/campaigns/{id}:dry-run': 'dryRuns',
  '/smart-tag-rules/{ruleId}:backtest': 'backtests',
  '/campaigns/{id}:test-send': 'testSends',
  '/contacts/{snId}/{contactId}/export': 'exports',
  '/images:check': 'previews',
  '/ai/copywriting': 'aiCalls',
};

const costOf = ({ path, responseType }: Costing): Costly | undefined =>
  responseType === 'text/csv' ? 'exports' : costlyPaths[path];

/** The same for several at once. */
async function consumeMany(limiter: RateLimiterMemory, key: string, calls: number): Promise<Within> {
  try {
    await limiter.consume(key, calls);
    return { calls };
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    const before = error.consumedPoints - calls;
    return { calls: Math.max(0, limiter.points - before), refusal: tooOften(error) };
  }
}

export function createLimits(settings: LimitSettings): Limits {
  const trusted = rangesOf(settings.TRUSTED_PROXIES);
  const signIns = limiterOf(settings.LIMIT_SIGN_INS_PER_MINUTE, 60);
  const apiKeys = limiterOf(settings.LIMIT_API_KEY_CALLS_PER_MINUTE, 60);
  const webhooks = limiterOf(settings.LIMIT_WEBHOOKS_PER_SECOND, 1);
  const calls = {
    previews: perPerson(settings.LIMIT_PREVIEWS_PER_MINUTE),
    dryRuns: perPerson(settings.LIMIT_DRY_RUNS_PER_MINUTE),
    backtests: perPerson(settings.LIMIT_BACKTESTS_PER_MINUTE),
    exports: perPerson(settings.LIMIT_EXPORTS_PER_MINUTE),
    testSends: perPerson(settings.LIMIT_TEST_SENDS_PER_MINUTE),
    aiCalls: perPerson(settings.LIMIT_AI_CALLS_PER_MINUTE),
  };
  return {
    signIn: (request) => consume(signIns, callerAddress(request, trusted)),
    apiKey: (keyId) => consume(apiKeys, keyId),
    webhooks: (tenantIntegrationId, calls) => consumeMany(webhooks, tenantIntegrationId, calls),
    async call(operation, person) {
      const costly = costOf(operation);
      if (costly) await calls[costly](person);
    },
  };
}
