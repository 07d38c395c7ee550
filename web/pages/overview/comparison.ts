const minute = 60_000;

export interface Change {
  direction: 'up' | 'down' | 'level';
  /** Relative to the previous figure: 0.25 is a quarter more. Null where that was zero. */
  share: number | null;
}

/** How a figure changed against the previous period. */
export function changeOf(current: number, previous: number): Change {
  const direction = current > previous ? 'up' : current < previous ? 'down' : 'level';
  return { direction, share: previous === 0 ? null : (current - previous) / previous };
}

/**
 * The end of a period that reaches into the future: the current minute, so that it and the period it is compared with are
 * equally long.
 */
export function endOf(period: { from: string; to: string }, now: Date): string {
  const running = Math.ceil((now.getTime() + 1) / minute) * minute;
  const end = Date.parse(period.to);
  return new Date(running > Date.parse(period.from) ? Math.min(end, running) : end).toISOString();
}
