import { neglectedPartitions, neglectedPolls, neglectedSends } from '../../db/outreach/ledger-sweep.ts';
import { forEachLimited } from './concurrency.ts';
import { type OutreachDeps, submissionStaleMs } from './deps.ts';

/** Longer than any healthy workflow takes to look at its rows. */
const neglectedAfterMs = submissionStaleMs + 10_000;
const storedEventsAfterMs = 5000;

/** Workflows started by one sweep; the next goes on. */
const limit = 200;

export interface SweepCounts {
  dispatches: number;
  polls: number;
  partitions: number;
}

async function sweep({ database, launcher, log, now }: OutreachDeps): Promise<SweepCounts> {
  const before = new Date(now().getTime() - neglectedAfterMs);
  const sends = await neglectedSends(database, { before, limit });
  const polls = await neglectedPolls(database, { before, limit });
  const partitions = await neglectedPartitions(database, { before: new Date(now().getTime() - storedEventsAfterMs) });
  const counts: SweepCounts = { dispatches: 0, polls: 0, partitions: partitions.length };
  await forEachLimited(sends, 10, async (send) => {
    if ((await launcher.dispatch(send, { wake: false })) === 'started') counts.dispatches += 1;
  });
  await forEachLimited(polls, 10, async (campaign) => {
    if ((await launcher.polling(campaign, { wake: false })) === 'started') counts.polls += 1;
  });
  for (const partition of partitions) await launcher.inbox(partition);
  if (counts.dispatches + counts.polls > 0) log.warn(counts, 'the sweep started workflows that were missing');
  return counts;
}

export function createSweepActivities(deps: OutreachDeps) {
  return {
    /** Starts the workflows that the rows miss. Of several at once the launcher lets one start each. */
    sweepOutreachRows: (): Promise<SweepCounts> => sweep(deps),
  };
}
