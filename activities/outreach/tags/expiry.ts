import { expireTags } from '#db/outreach/tags/expiry.ts';
import type { AsOf, OutreachDeps } from '../deps.ts';

const TAGS_PER_BATCH = 500;

export function createTagExpiryActivities({ database }: OutreachDeps) {
  return {
    /** Marks some of the tags that have expired. Safe to repeat. */
    expireTagsBatch: async ({ now }: AsOf): Promise<{ expired: number; more: boolean }> => {
      const expired = await expireTags(database, { now: new Date(now), limit: TAGS_PER_BATCH });
      return { expired, more: expired === TAGS_PER_BATCH };
    },
  };
}
