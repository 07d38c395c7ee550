import {
  ActivityFailure,
  isCancellation,
  log,
  rootCause,
  setCurrentDetails,
  sleep,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { bizStatusAttribute } from './contracts/search-attributes.ts';
import { type SweepRounds, sweepStartsEveryMs } from './contracts/sweep-rounds.ts';

interface Sweep<Counts> {
  round(): Promise<Counts>;
  /** Describes what was found. */
  tell(counts: Counts): string;
}

const iso = (at: number) => new Date(at).toISOString();

const sum = <Counts extends object>(one: Counts, other: Counts): Counts =>
  Object.fromEntries(
    Object.entries(one).map(([name, count]) => [name, Number(count) + Number(other[name as keyof Counts])]),
  ) as Counts;

/** When the next round is due; null after the last, which is directly followed by the Schedule's next run. */
function nextRound({ everyMs, forMs }: SweepRounds, startedAt: number): number | null {
  const next = (Math.floor(Date.now() / everyMs) + 1) * everyMs;
  // A run that starts a little after its scheduled time does not last a minute longer for it.
  const isOver = next - startedAt >= forMs - sweepStartsEveryMs / 2;
  return isOver && next % sweepStartsEveryMs === 0 ? null : next;
}

function show(status: string, shown: string): string {
  if (status !== shown) upsertSearchAttributes([{ key: bizStatusAttribute, value: status }]);
  return status;
}

/**
 * Sweeps in rounds and adds up what they found; a failed round is reported and the next runs anyway. Without
 * `rounds` there is a single round, and the run fails if it fails.
 */
export async function sweepInRounds<Counts extends object>(
  rounds: SweepRounds | undefined,
  sweep: Sweep<Counts>,
): Promise<Counts | null> {
  if (!rounds) {
    const found = await sweep.round();
    setCurrentDetails(sweep.tell(found));
    return found;
  }
  const startedAt = Date.now();
  let total: Counts | null = null;
  let number = 0;
  let shown = show('SWEEPING', '');
  for (;;) {
    number += 1;
    let last = '';
    try {
      const found = await sweep.round();
      total = total ? sum(total, found) : found;
      last = `the last at ${iso(Date.now())}`;
      shown = show('SWEEPING', shown);
    } catch (error) {
      if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
      last = `the last failed at ${iso(Date.now())}: ${rootCause(error) ?? 'no reason given'}`;
      shown = show('FAILING', shown);
      log.warn('a sweep round failed; the next runs on schedule', { reason: rootCause(error) });
    }
    setCurrentDetails(`${number} sweeps since ${iso(startedAt)}, ${last}. ${total ? sweep.tell(total) : ''}`.trim());
    const next = nextRound(rounds, startedAt);
    if (next === null) return total;
    await sleep(next - Date.now(), { summary: 'until the next sweep' });
  }
}
