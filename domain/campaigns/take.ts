import type { Take } from '../api/audiences.ts';

/** How many of so many reachable contacts are taken: of a percentage about that many, since each is drawn on its own. */
export function expectedTaken(reachable: number, take: Take | null | undefined): number {
  if (!take) return reachable;
  return 'percent' in take ? Math.round((reachable * take.percent) / 100) : Math.min(reachable, take.atMost);
}
