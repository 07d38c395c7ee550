import type { Progress } from '../../../../../domain/api/campaign.ts';

export interface Sample {
  /** Milliseconds. */
  at: number;
  handled: number;
}

const window = 60_000;
const least = 8_000;

/** Contacts of which the platform has said something final. */
export function handledOf({ summary }: Progress): number {
  return summary.sent + summary.failed;
}

/** The samples of the last minute with a new one; a figure that fell (another send began) starts over. */
export function withSample(samples: readonly Sample[], sample: Sample): Sample[] {
  const last = samples.at(-1);
  if (last && sample.handled < last.handled) return [sample];
  return [...samples.filter(({ at }) => sample.at - at <= window), sample];
}

/** Contacts per minute over the samples; null while too little has been seen to say anything. */
export function perMinute(samples: readonly Sample[]): number | null {
  const first = samples[0];
  const last = samples.at(-1);
  if (!first || !last || last.at - first.at < least) return null;
  return ((last.handled - first.handled) / (last.at - first.at)) * 60_000;
}

/**
 * Milliseconds until all is sent, if it goes on like this. Null where nobody can know: nothing is moving, not enough was
 * seen, or a sub-task's outcome is unknown.
 */
export function remaining(progress: Progress, rate: number | null): number | null {
  if (progress.status !== 'sending' || rate === null || rate <= 0) return null;
  if ((progress.subTasks.unknown?.tasks ?? 0) > 0) return null;
  const lost = (progress.subTasks.rejected?.contacts ?? 0) + (progress.subTasks.cancelled?.contacts ?? 0);
  const left = progress.audienceCount - lost - handledOf(progress);
  return left > 0 ? (left / rate) * 60_000 : null;
}
