import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '#scripts/start/services.ts';
import { readMetrics, samplesOf } from '../http/metrics.ts';
import { expectFiring, promtool, type Series } from './promtool.ts';

type Samples = Map<string, number>;
export type Job = 'bff' | 'backend' | 'orders';

/** Long enough for the longest `for` and range of a rule, in minutes. */
const PHASE = 150;

const isCounter = (name: string): boolean => /_(total|count|sum|bucket)(\{|$)/.test(name);

/** The sample's name with the labels that Prometheus adds when it scrapes. */
function labelled(name: string, job: Job): string {
  const target = `job="${job}",instance="${job}-1"`;
  return name.endsWith('}') ? `${name.slice(0, -1)},${target}}` : `${name}{${target}}`;
}

/** A value a minute: counters go on as they did between the scrapes, gauges stay as they were found. */
function valuesOf(name: string, [healthy, faulty, mended]: [Samples, Samples, Samples]): (number | null)[] {
  const at = (samples: Samples) => samples.get(name) ?? null;
  const stretch = (value: (minute: number) => number | null) =>
    Array.from({ length: PHASE }, (_, minute) => value(minute));
  if (!isCounter(name))
    return [...stretch(() => at(healthy)), ...stretch(() => at(faulty)), ...stretch(() => at(mended))];
  const before = at(healthy) ?? 0;
  const grown = (at(faulty) ?? before) - before;
  const end = before + grown * PHASE;
  const sinceMended = (at(mended) ?? 0) - (at(faulty) ?? before);
  return [
    ...stretch(() => at(healthy)),
    ...stretch((minute) => before + grown * (minute + 1)),
    ...stretch((minute) => end + sinceMended * (minute + 1)),
  ];
}

/** Scrapes of each job that hold every series of the rehearsals: `RECORD_METRICS=on npm test -- alerts` makes them anew. */
export const recordingOf = (job: Job): string => join(projectFolder, `test/alerts/recorded/${job}.prom`);

/** Half an hour, a value a minute, of every series of the recording: counters grow, gauges stay. */
export function recordedSeries(job: Job): Series[] {
  const minutes = Array.from({ length: 31 }, (_, minute) => minute);
  return [...samplesOf(readFileSync(recordingOf(job), 'utf8'))].map(([name, value]) => ({
    series: labelled(name, job),
    values: minutes.map((minute) => (isCounter(name) ? value * minute : value)),
  }));
}

/** Adds what was scraped to the recording; of a series that is there, the higher value stays. */
function record(job: Job, samples: Samples): void {
  const file = recordingOf(job);
  const before = existsSync(file) ? samplesOf(readFileSync(file, 'utf8')) : new Map<string, number>();
  for (const [name, value] of samples) before.set(name, Math.max(value, before.get(name) ?? 0));
  const lines = [...before]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([name, value]) => `${name} ${value}`);
  writeFileSync(file, `${lines.join('\n')}\n`);
}

const PROCESS_UP: [string, number] = ['up', 1];
const DOWN: Samples = new Map([['up', 0]]);

/** Scrapes of a service around faults, over which Prometheus evaluates our rules. */
export interface Rehearsal {
  /**
   * Scrapes for this alert: to be called before its fault, during it and after it was mended. A process that does not
   * answer is noted as down.
   */
  scrape(alert: string): Promise<void>;
  /**
   * Registers a test for each alert: made into two and a half hours before, during and after the fault, what was
   * scraped lets it fire during the fault alone. To be called behind the tests that scrape.
   */
  fireAndClear(alerts: readonly string[]): void;
}

async function expectAlert(job: Job, alert: string, scrapes: readonly Samples[]): Promise<void> {
  const [healthy, faulty, mended] = scrapes;
  if (!healthy || !faulty || !mended) throw new Error(`${alert}: not scraped before, during and after its fault`);
  const names = new Set([healthy, faulty, mended].flatMap((samples) => [...samples.keys()]));
  const series: Series[] = [...names].map((sample) => ({
    series: labelled(sample, job),
    values: valuesOf(sample, [healthy, faulty, mended]),
  }));
  await expectFiring(alert, series, [
    { minute: PHASE - 1, fires: false },
    { minute: 2 * PHASE - 1, fires: true },
    { minute: 3 * PHASE - 1, fires: false },
  ]);
}

/** Without promtool the tests that it registers are skipped. */
export function rehearse(job: Job, address: () => string): Rehearsal {
  const scraped = new Map<string, Samples[]>();
  return {
    async scrape(alert) {
      const samples = await readMetrics(address()).then(
        (found) => new Map([PROCESS_UP, ...found]),
        () => DOWN,
      );
      if (process.env['RECORD_METRICS']) record(job, samples);
      scraped.set(alert, [...(scraped.get(alert) ?? []), samples]);
    },
    fireAndClear(alerts) {
      for (const alert of alerts)
        it(`${alert} fires while its fault lasts, and clears`, async function () {
          if (promtool === null) this.skip();
          await expectAlert(job, alert, scraped.get(alert) ?? []);
        });
    },
  };
}
