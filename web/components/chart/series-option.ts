import { columnsOf, type TimePoint, type TimeSeries } from './time-series.ts';

export interface SeriesColours {
  /** One for each series. */
  bars: string[];
  text: string;
  line: string;
  back: string;
}

/** The texts of a chart. */
export interface SeriesLabels {
  /** The unit of the time axis, and its zone. */
  axis: string;
  number: (value: number) => string;
  /** A date and time on the axis, in short form. */
  tick: (at: string) => string;
  /** The date and time under the pointer, in full. */
  exact: (at: string) => string;
}

// Pixels: each series has a band of its own with its own scale, so that a small one does not vanish beside a large one.
const band = 136;
const above = 28;
const between = 36;
const below = 52;

/** The height in pixels of a chart with this many series. */
export const heightOf = (count: number): number => above + count * band + (count - 1) * between + below;

/** The chart library's description of bars over time, one band a series, over one axis of time. */
export function seriesOption<Key extends string>(
  points: readonly TimePoint<Key>[],
  series: readonly TimeSeries<Key>[],
  colours: SeriesColours,
  labels: SeriesLabels,
) {
  const text = { color: colours.text };
  const axisLine = { lineStyle: { color: colours.line } };
  const isLast = (index: number) => index === series.length - 1;
  return {
    animation: false,
    grid: series.map((_, index) => ({ left: 56, right: 12, top: above + index * (band + between), height: band })),
    axisPointer: { link: [{ xAxisIndex: 'all' as const }] },
    tooltip: {
      trigger: 'axis' as const,
      backgroundColor: colours.back,
      borderColor: colours.line,
      textStyle: text,
      valueFormatter: (value: unknown) => labels.number(Number(value)),
    },
    xAxis: series.map((_, index) => ({
      type: 'category' as const,
      gridIndex: index,
      data: points.map(({ at }) => at),
      name: isLast(index) ? labels.axis : '',
      nameLocation: 'middle' as const,
      nameGap: 30,
      nameTextStyle: text,
      axisTick: { show: false },
      axisLabel: {
        ...text,
        show: isLast(index),
        hideOverlap: true,
        showMaxLabel: true,
        // On a phone the long label of the last hour would be cut off; a day's label fits its bar.
        alignMaxLabel: points.length > 7 ? ('right' as const) : ('center' as const),
        formatter: (at: string) => labels.tick(at),
      },
      axisPointer: { label: { formatter: ({ value }: { value: unknown }) => labels.exact(String(value)) } },
      axisLine,
    })),
    yAxis: series.map(({ label }, index) => ({
      type: 'value' as const,
      gridIndex: index,
      name: label,
      nameTextStyle: { ...text, align: 'left' as const },
      nameGap: 10,
      minInterval: 1,
      splitNumber: 3,
      axisLabel: { ...text, formatter: (value: number) => labels.number(value) },
      splitLine: axisLine,
    })),
    series: columnsOf(points, series).map((data, index) => ({
      type: 'bar' as const,
      name: series[index]?.label ?? '',
      xAxisIndex: index,
      yAxisIndex: index,
      data,
      itemStyle: { color: colours.bars[index % colours.bars.length] ?? colours.text },
      barMaxWidth: 24,
    })),
  };
}
