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
import { operatorTasks } from './tasks.ts';
import { start } from './start.ts';
import { webhookIntake } from './webhook-intake.ts';

/** Parameters of a bench, such as `minutes=1`, by name. */
type Parameters = Record<string, number>;

const benches: Record<string, (parameters: Parameters) => Promise<object>> = {
  'webhook-intake': webhookIntake,
  'inbox-drain': inboxDrain,
  'large-send': largeSend,
  growth,
  'pay-order': payOrder,
  'busy-item': busyItem,
  'orders-mixed-load': ordersMixedLoad,
  start,
  'console-vitals': consoleVitals,
  tasks: operatorTasks,
};

const words = process.argv.slice(2);
const wanted = words.filter((word) => !word.includes('='));
const parameters: Parameters = Object.fromEntries(
  words.filter((word) => word.includes('=')).map((word) => [word.split('=')[0], Number(word.split('=')[1])]),
);
const folder = join(projectFolder, 'bench/results');
mkdirSync(folder, { recursive: true });
const machine = {
  processor: cpus()[0]?.model ?? 'unknown',
  cores: availableParallelism(),
  memoryGiB: Math.round(totalmem() / 1024 ** 3),
  node: process.version,
};

// Servers in the background do not keep this process alive while it waits for them to stop.
setInterval(() => {}, 60_000);

for (const [name, run] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  process.stdout.write(`${name} …\n`);
  const result = { name, at: new Date().toISOString(), machine, figures: await run(parameters) };
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
  process.stdout.write(`${JSON.stringify(result.figures, null, 2)}\n`);
}
process.exit();
