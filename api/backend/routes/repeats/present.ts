import { etagOf } from '#domain/api/if-match.ts';
import type { Repeat, RepeatRun } from '#domain/api/repeats.ts';
import type { RepeatRunRecord } from '#db/outreach/repeats/lists.ts';
import type { RepeatRecord } from '#db/outreach/repeats/repeats.ts';
import { withIsoTimes } from '#api/backend/iso-times.ts';

export function presentRepeat({ tenantId: _tenantId, runs: _runs, revision, ...repeat }: RepeatRecord): Repeat {
  return { ...withIsoTimes(repeat), etag: etagOf(revision) };
}

export function presentRepeatRun(run: RepeatRunRecord): RepeatRun {
  return withIsoTimes(run);
}
