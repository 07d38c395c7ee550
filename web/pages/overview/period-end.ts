const minute = 60_000;

/**
 * Where a period ends that reaches into the future: with the minute that runs, so that it and the one before it are
 * equally long.
 */
export function endOf(period: { from: string; to: string }, now: Date): string {
  const running = Math.ceil((now.getTime() + 1) / minute) * minute;
  const end = Date.parse(period.to);
  return new Date(running > Date.parse(period.from) ? Math.min(end, running) : end).toISOString();
}
