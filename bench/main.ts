import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from '../scripts/start/services.ts';
import { automations } from './automations.ts';
import { busyItem } from './busy-item.ts';
import { clickVisible } from './click-visible.ts';
import { consoleVitals } from './console-vitals.ts';
import { footprint } from './footprint.ts';
import { growth } from './growth/growth.ts';
import { largeSend } from './large-send.ts';
import { falseWinners } from './variants/false-winners.ts';
import { ordersMixedLoad } from './orders-mixed-load.ts';
import { type Parameters, readWords, type Wanted } from './parameters.ts';
import { payOrder } from './pay-order.ts';
import { reads } from './reads/reads.ts';
import { operatorTasks } from './tasks.ts';
import { start } from './start.ts';
import {
  clickLines,
  growthLines,
  intakeLines,
  type Line,
  payLines,
  readLines,
  startLines,
  tableText,
  vitalsLines,
} from './table.ts';
import { webhookIntake } from './webhook-intake.ts';

interface Measured {
  figures: object;
  lines: Line[];
}

interface Bench {
  /** The names of its parameters. */
  parameters: readonly string[];
  run(given: Parameters): Promise<Measured>;
}

/** A bench, with the names of its parameters, and its lines in the table if it has any. */
const bench = <Name extends string, Figures extends object>(
  run: (given: Partial<Record<Name, number>>) => Promise<Figures>,
  parameters: readonly Name[],
  lines: (figures: Figures) => Line[] = () => [],
): Bench => ({
  parameters,
  run: async (given) => {
    const figures = await run(given as Partial<Record<Name, number>>);
    return { figures, lines: lines(figures) };
  },
});

const benches: Record<string, Bench> = {
  'webhook-intake': bench(webhookIntake, ['events', 'rounds'], intakeLines),
  'click-visible': bench(clickVisible, ['clicks', 'perSecond'], clickLines),
  'large-send': bench(largeSend, ['holdout']),
  automations: bench(automations, ['minutes', 'perSecond']),
  growth: bench(growth, ['largest'], growthLines),
  footprint: bench(footprint, ['contacts', 'orders']),
  reads: bench(reads, ['contacts', 'clicks'], readLines),
  'pay-order': bench(payOrder, ['orders', 'rounds'], payLines),
  'busy-item': bench(busyItem, []),
  'orders-mixed-load': bench(ordersMixedLoad, ['minutes', 'seed', 'perSecond']),
  start: bench(start, [], startLines),
  'console-vitals': bench(consoleVitals, ['rounds'], vitalsLines),
  tasks: bench(operatorTasks, []),
  variants: bench(falseWinners, ['tests']),
};

/** Ends the program if the words mean nothing. */
function wantedBenches(words: readonly string[]): Wanted {
  try {
    return readWords(words, Object.fromEntries(Object.entries(benches).map(([name, one]) => [name, one.parameters])));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

const wanted = wantedBenches(process.argv.slice(2));
const folder = process.env['BENCH_RESULTS'] ?? join(projectFolder, 'bench/results');
mkdirSync(folder, { recursive: true });
const machine = {
  processor: cpus()[0]?.model ?? 'unknown',
  cores: availableParallelism(),
  memoryGiB: Math.round(totalmem() / 1024 ** 3),
  node: process.version,
};

// Servers in the background do not keep this process alive while it waits for them to stop.
setInterval(() => {}, 60_000);

const table: Line[] = [];
for (const [name, { run }] of Object.entries(benches)) {
  if (!wanted.names.includes(name)) continue;
  process.stdout.write(`${name} …\n`);
  const { figures, lines } = await run(wanted.parameters);
  const result = { name, at: new Date().toISOString(), machine, figures };
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
  process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
  table.push(...lines);
}
if (table.length > 0) process.stdout.write(`\n${tableText(table)}\n`);
process.exit();
