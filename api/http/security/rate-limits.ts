import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Problem } from '#domain/api/problem.ts';

/** A tenant may do as much as this many of its people. */
const PEOPLE_PER_TENANT = 10;

export function tooOften({ msBeforeNext }: RateLimiterRes): Problem {
  const retryAfterSeconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return new Problem('rate_limited', `Too often: try again in ${retryAfterSeconds} s`, { retryAfterSeconds });
}

/** @throws Problem `rate_limited` where the key has used up its share. */
export async function consume(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    throw tooOften(error);
  }
}

/** So many points in as many seconds for each key. */
export const limiterOf = (points: number, duration: number): RateLimiterMemory =>
  new RateLimiterMemory({ points, duration });

/** Counts what a person does, and what all people of a tenant do together. All throw Problem `rate_limited`. */
export function perPerson(perMinute: number): (person: { tenantId: string; userId: string }) => Promise<void> {
  const ofPerson = limiterOf(perMinute, 60);
  const ofTenant = limiterOf(perMinute * PEOPLE_PER_TENANT, 60);
  return async ({ tenantId, userId }) => {
    // A refused call does not use up the tenant's share.
    await consume(ofPerson, JSON.stringify([tenantId, userId]));
    await consume(ofTenant, tenantId);
  };
}
