import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from '../scripts/start/services.ts';
import { busyItem } from './busy-item.ts';
import { consoleVitals } from './console-vitals.ts';
import { growth } from './growth/growth.ts';
import { inboxDrain } from './inbox-drain.ts';
import { largeSend } from './large-send.ts';
import { ordersMixedLoad } from './orders-mixed-load.ts';
import { payOrder } from './pay-order.ts';
import { reads } from './reads/reads.ts';
import { operatorTasks } from './tasks.ts';
import { start } from './start.ts';
import { growthLines, intakeLines, type Line, payLines, readLines, startLines, tableText } from './table.ts';
import { webhookIntake } from './webhook-intake.ts';

/** Parameters of a bench, such as `minutes=1`, by name. */
type Parameters = Record<string, number>;

interface Bench {
  figures: object;
  lines: Line[];
}

/** A bench, and its lines in the table if it has any. */
const withLines =
  <Figures extends object>(
    run: (parameters: Parameters) => Promise<Figures>,
    lines: (figures: Figures) => Line[] = () => [],
  ) =>
  async (parameters: Parameters): Promise<Bench> => {
    const figures = await run(parameters);
    return { figures, lines: lines(figures) };
  };

const benches: Record<string, (parameters: Parameters) => Promise<Bench>> = {
  'webhook-intake': withLines(webhookIntake, intakeLines),
  'inbox-drain': withLines(inboxDrain),
  'large-send': withLines(largeSend),
  growth: withLines(growth, growthLines),
  reads: withLines(reads, readLines),
  'pay-order': withLines(payOrder, payLines),
  'busy-item': withLines(busyItem),
  'orders-mixed-load': withLines(ordersMixedLoad),
  start: withLines(start, startLines),
  'console-vitals': withLines(consoleVitals),
  tasks: withLines(operatorTasks),
};

const words = process.argv.slice(2);
const wanted = words.filter((word) => !word.includes('='));
const parameters: Parameters = Object.fromEntries(
  words.filter((word) => word.includes('=')).map((word) => [word.split('=')[0], Number(word.split('=')[1])]),
);
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
for (const [name, run] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  process.stdout.write(`${name} …\n`);
  const { figures, lines } = await run(parameters);
  const result = { name, at: new Date().toISOString(), machine, figures };
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
  process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
  table.push(...lines);
}
if (table.length > 0) process.stdout.write(`\n${tableText(table)}\n`);
process.exit();
