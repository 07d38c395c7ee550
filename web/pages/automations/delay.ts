export const delayUnits = ['minutes', 'hours', 'days'] as const;
export type DelayUnit = (typeof delayUnits)[number];

export const minutesIn: Record<DelayUnit, number> = { minutes: 1, hours: 60, days: 1440 };

/** A delay in the largest unit of which it is a whole number. */
export function delayOf(minutes: number): { amount: number; unit: DelayUnit } {
  const unit = delayUnits.findLast((one) => minutes > 0 && minutes % minutesIn[one] === 0) ?? 'minutes';
  return { amount: minutes / minutesIn[unit], unit };
}

/** How many messages one contact gets from an automation within 24 hours at most, by the delays of the steps after the first. */
export function mostInADay(delays: readonly { minutes: number }[]): number {
  const times = [0];
  for (const { minutes } of delays) times.push((times.at(-1) ?? 0) + minutes);
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + minutesIn.days).length));
}
