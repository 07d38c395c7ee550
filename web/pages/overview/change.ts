export interface Change {
  direction: 'up' | 'down' | 'level';
  /** Of the figure before: 0.25 is a quarter more. Null where there was nothing before. */
  share: number | null;
}

/** How a figure moved against the period before. */
export function changeOf(current: number, previous: number): Change {
  const direction = current > previous ? 'up' : current < previous ? 'down' : 'level';
  return { direction, share: previous === 0 ? null : (current - previous) / previous };
}
