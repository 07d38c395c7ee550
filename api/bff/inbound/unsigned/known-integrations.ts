import type { BffDatabase } from '#db/bff/database.ts';
import { existingIntegrations } from '#db/bff/integrations.ts';
import { Problem } from '#domain/api/problem.ts';
import { coalesce } from '#api/runtime/coalesce.ts';

/** Whether it is worth reading what an integration sends. The signature still decides. */
export interface KnownIntegrations {
  /** @throws Problem `unavailable` while too many look-ups are pending. */
  includes(tenantIntegrationId: string): Promise<boolean>;
}

interface Question {
  id: string;
  resolve(isKnown: boolean): void;
  reject(error: unknown): void;
}

const batchLimits = { size: 500, atOnce: 2 };
const MAXIMUM_WAITING = 10_000;
/** Those found, so that an event costs no statement of its own. Ids that are made up are never kept. */
const MAXIMUM_KEPT = 50_000;

export function createKnownIntegrations(database: BffDatabase): KnownIntegrations {
  const kept = new Set<string>();

  async function answer(questions: readonly Question[]): Promise<void> {
    try {
      const found = await existingIntegrations(database, [...new Set(questions.map(({ id }) => id))]);
      if (kept.size + found.size > MAXIMUM_KEPT) kept.clear();
      found.forEach((id) => kept.add(id));
      for (const { id, resolve } of questions) resolve(found.has(id));
    } catch (error) {
      for (const { reject } of questions) reject(error);
    }
  }

  const lookups = coalesce<Question>(answer, batchLimits);
  return {
    async includes(id) {
      if (kept.has(id)) return true;
      if (lookups.waiting() >= MAXIMUM_WAITING)
        throw new Problem('unavailable', 'Too many calls are waiting; try again', { retryAfterSeconds: 1 });
      return new Promise((resolve, reject) => lookups.add({ id, resolve, reject }));
    },
  };
}
