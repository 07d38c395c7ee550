import type { consoleVitals } from './console-vitals.ts';
import type { clickVisible } from './click-visible.ts';
import type { growth } from './growth/growth.ts';
import type { payOrder } from './pay-order.ts';
import type { reads } from './reads/reads.ts';
import type { start } from './start.ts';
import type { webhookIntake } from './webhook-intake.ts';

/** A figure beside the least that the same work costs on the same machine in the same run, and what it should be. */
export interface Line {
  item: string;
  floor: string;
  now: string;
  goal: string;
}

type Figures<Bench extends (...parameters: never[]) => Promise<object>> = Awaited<ReturnType<Bench>>;

const NONE = '–';

export const intakeLines = ({ levels }: Figures<typeof webhookIntake>): Line[] => [
  ...levels.map(({ atOnce, floor, platform, ofFloor }) => ({
    item: `webhooks stored a second, ${atOnce} at once`,
    floor: `${floor.perSecond}`,
    now: `${platform.perSecond} (${ofFloor})`,
    goal: `${{ 32: '≥ 0.9', 64: '≥ 0.95', 256: '≥ 1.0' }[atOnce] ?? NONE} of the floor`,
  })),
  ...levels.slice(-1).map(({ processorMicrosecondsPerEvent: { bff, backend, postgres } }) => ({
    item: 'processor time an event: BFF, backend, PostgreSQL',
    floor: NONE,
    now: `${bff}, ${backend}, ${postgres} µs`,
    goal: '≤ 120, ≤ 60, ≤ 200 µs',
  })),
];

export const clickLines = ({ perSecond, p50Ms, p95Ms, p99Ms }: Figures<typeof clickVisible>): Line[] => [
  {
    item: `click visible, ${perSecond} a second: p50 / p95 / p99`,
    floor: NONE,
    now: `${p50Ms} / ${p95Ms} / ${p99Ms} ms`,
    goal: 'p99 ≤ 100 ms',
  },
];

export const payLines = ({ oneByOne, manyAtOnce, atOnce, ordersMiB }: Figures<typeof payOrder>): Line[] => [
  {
    item: 'pay one at a time, points / cash, p50',
    floor: `${oneByOne.floor.p50Ms} ms`,
    now: `${oneByOne.points.p50Ms} / ${oneByOne.cash.p50Ms} ms`,
    goal: '≤ 20 / ≤ 45 ms',
  },
  {
    item: `pay ${atOnce} at once, points / cash`,
    floor: `${manyAtOnce.floor.perSecond}/s`,
    now: `${manyAtOnce.points.perSecond} / ${manyAtOnce.cash.perSecond}/s`,
    goal: '≥ 300 / ≥ 35/s',
  },
  { item: 'memory of orders under that load, at most', floor: NONE, now: `${ordersMiB} MiB`, goal: '≤ 256 MiB' },
];

export function readLines({ preview, overview, search, backtest, segment }: Figures<typeof reads>): Line[] {
  const { floorBothTags, ...previews } = preview;
  const slowest = Math.max(...Object.values(previews).map(({ p95Ms }) => p95Ms));
  return [
    { item: 'preview, slowest kind, p95', floor: `${floorBothTags.p95Ms} ms`, now: `${slowest} ms`, goal: '≤ 300 ms' },
    {
      item: 'preview of a segment: reached by one / any of 100 campaigns, p95',
      floor: NONE,
      now: `${segment.reachedByOneNotClicked.p95Ms} / ${segment.reachedByAnyNotClicked.p95Ms} ms`,
      goal: '≤ 1000 ms',
    },
    {
      item: 'overview of 7 / 30 days, p95',
      floor: `${overview.floorSevenDays.p95Ms} ms`,
      now: `${overview.sevenDays.p95Ms} / ${overview.thirtyDays.p95Ms} ms`,
      goal: '≤ 50 ms',
    },
    {
      item: 'contact search of two letters: common / rare / absent, p95',
      floor: `${search.floorOnePage.p95Ms} ms`,
      now: `${search.common.p95Ms} / ${search.rare.p95Ms} / ${search.absent.p95Ms} ms`,
      goal: '≤ 100 ms',
    },
    {
      item: 'backtest of clicks / of no response',
      floor: NONE,
      now: `${backtest.clicks.seconds} / ${backtest.noResponse.seconds} s`,
      goal: '≤ 2 / ≤ 3 s',
    },
  ];
}

export const growthLines = ({ steps, lastTenfold }: Figures<typeof growth>): Line[] =>
  steps.slice(-1).flatMap(({ contacts, clicks, sendSeconds, completedSeconds, clickSeconds, backendMiB, bffMiB }) => [
    {
      item: `send to ${contacts} contacts: 202 / completed; exponent of the last tenfold`,
      floor: NONE,
      now: `${sendSeconds} / ${completedSeconds} s; ${lastTenfold?.sent ?? NONE}`,
      goal: '≤ 2 s / last sub-task ≤ 8 s after it; ≤ 1.05',
    },
    {
      item: `${clicks} clicks counted; exponent of the last tenfold`,
      floor: NONE,
      now: `${clickSeconds} s; ${lastTenfold?.clicks ?? NONE}`,
      goal: '≤ 1.05',
    },
    {
      item: 'memory of backend / BFF under that load, at most',
      floor: NONE,
      now: `${backendMiB} / ${bffMiB} MiB`,
      goal: '≤ 256 MiB',
    },
  ]);

export const startLines = ({ afterKillSeconds }: Figures<typeof start>): Line[] => [
  { item: 'npm start again', floor: NONE, now: `${afterKillSeconds} s`, goal: '≤ 5 s' },
];

export const vitalsLines = ({ overview: { lcpMs, floorMs, files } }: Figures<typeof consoleVitals>): Line[] => [
  {
    item: 'first paint of /app (LCP), files until then',
    floor: `${floorMs} ms`,
    now: `${lcpMs} ms, ${files}`,
    goal: '≤ 600 ms, ≤ 12',
  },
];

/** As text, its columns below each other. */
export function tableText(lines: readonly Line[]): string {
  const all: Line[] = [{ item: 'Item', floor: 'Floor', now: 'Now', goal: 'Goal' }, ...lines];
  const width = (name: keyof Line) => Math.max(...all.map((line) => line[name].length));
  const names = ['item', 'floor', 'now', 'goal'] as const;
  return all
    .map((line) =>
      names
        .map((name) => line[name].padEnd(width(name)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
