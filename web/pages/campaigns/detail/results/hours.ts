import type { Results } from '#domain/api/campaign.ts';

type Series = Results['clicks']['series'];

const hour = 3_600_000;
const most = 2000;

/** Adds the hours without clicks, so that equal distances are equal times. Very long series stay as they are. */
export function everyHour(series: Series): Series {
  const first = series[0];
  const last = series.at(-1);
  if (!first || !last) return [];
  const begin = Date.parse(first.at);
  const count = Math.round((Date.parse(last.at) - begin) / hour) + 1;
  if (count > most || count <= series.length) return series;
  const clicks = new Map(series.map((point) => [Date.parse(point.at), point.clicks]));
  return Array.from({ length: count }, (_, index) => {
    const at = begin + index * hour;
    return { at: new Date(at).toISOString(), clicks: clicks.get(at) ?? 0 };
  });
}
