import type { Summary } from '#domain/api/campaign.ts';

/** Contacts that the platform has dealt with: it counts those that failed among the sent, or beside them. */
export function handledOf({ sent, delivered, failed }: Summary): number {
  return Math.max(sent, delivered + failed);
}
