import type { Progress } from '#domain/api/campaign.ts';

export interface Sample {
  /** Milliseconds. */
  at: number;
  handled: number;
}

const window = 60_000;
const least = 8_000;

/** The samples of the last minute plus a new one; a falling figure (another send began) starts over. */
export function withSample(samples: readonly Sample[], sample: Sample): Sample[] {
  const last = samples.at(-1);
  if (last && sample.handled < last.handled) return [sample];
  return [...samples.filter(({ at }) => sample.at - at <= window), sample];
}

/** Contacts per minute over the samples; null while there are too few samples. */
export function perMinute(samples: readonly Sample[]): number | null {
  const first = samples[0];
  const last = samples.at(-1);
  if (!first || !last || last.at - first.at < least) return null;
  return ((last.handled - first.handled) / (last.at - first.at)) * 60_000;
}

/**
 * Milliseconds until everything is sent at the current rate. Null if that cannot be known: nothing is moving, there
 * are too few samples, or a sub-task's outcome is unknown.
 */
export function remaining(progress: Progress, rate: number | null): number | null {
  if (progress.status !== 'sending' || rate === null || rate <= 0) return null;
  if ((progress.subTasks.unknown?.tasks ?? 0) > 0) return null;
  const left = progress.outcomes.notYet;
  return left > 0 ? (left / rate) * 60_000 : null;
}
