import type { AutomationResults } from '#domain/api/automation-entries.ts';

type Days = AutomationResults['days'];

const DAY_MS = 86_400_000;
const MOST = 2000;

/** Adds the days on which nothing happened, so that equal distances are equal times. Very long series stay as they are. */
export function everyDay(days: Days) {
  const known = new Map(days.map(({ date, ...counts }) => [Date.parse(date), counts]));
  const [first = 0, last = 0] = [Math.min(...known.keys()), Math.max(...known.keys())];
  const count = known.size === 0 ? 0 : (last - first) / DAY_MS + 1;
  const times = count > MOST ? [...known.keys()] : Array.from({ length: count }, (_, index) => first + index * DAY_MS);
  const none = { entered: 0, sent: 0, skipped: 0, clicks: 0 };
  return times.map((time) => ({ at: new Date(time).toISOString(), ...(known.get(time) ?? none) }));
}
