/** One line of a chart: which field of the points, and what it is called. */
export interface TimeSeries<Key extends string = string> {
  key: Key;
  label: string;
}

/** A point of a chart: the start of an hour or day, with a count for every series. */
export type TimePoint<Key extends string = string> = { at: string } & Record<Key, number>;

export interface SeriesRow {
  /** Null for the row of totals. */
  at: string | null;
  counts: number[];
}

/** The plotted data: a list of counts for each series. */
export function columnsOf<Key extends string>(
  points: readonly TimePoint<Key>[],
  series: readonly TimeSeries<Key>[],
): number[][] {
  return series.map(({ key }) => points.map((point) => point[key]));
}

/** The same counts as rows of a table, totals last. */
export function rowsOf<Key extends string>(
  points: readonly TimePoint<Key>[],
  series: readonly TimeSeries<Key>[],
): SeriesRow[] {
  const rows = points.map((point) => ({ at: point.at, counts: series.map(({ key }) => point[key]) }));
  return [...rows, { at: null, counts: totalsOf(points, series) }];
}

export function totalsOf<Key extends string>(
  points: readonly TimePoint<Key>[],
  series: readonly TimeSeries<Key>[],
): number[] {
  return series.map(({ key }) => points.reduce((sum, point) => sum + point[key], 0));
}
