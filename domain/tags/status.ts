import type { tagStatuses } from '../api/tags.ts';

type TagStatus = (typeof tagStatuses)[number];

/** A tag's status at `now`: until the daily workflow has marked an expired tag, the clock decides. */
export function tagStatusAt(
  { status, expiresAt }: { status: TagStatus; expiresAt: Date | null },
  now: Date,
): TagStatus {
  return status === 'active' && expiresAt !== null && expiresAt <= now ? 'expired' : status;
}
