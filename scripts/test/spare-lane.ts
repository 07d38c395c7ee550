import { availableParallelism, cpus } from 'node:os';

/** As many files run at once as there are cores, and one more while the cores have time to spare: many files mostly wait. */
export const lanes = Math.max(2, availableParallelism()) + 1;

/** How much of the processor must be idle before the additional lane takes a file; half of one of two cores. */
const SPARE = 0.25;
const LOOK_MS = 3000;

function processorTime(): { idle: number; all: number } {
  const times = cpus().map((core) => core.times);
  const sum = (of: (one: (typeof times)[number]) => number) => times.reduce((total, one) => total + of(one), 0);
  return { idle: sum(({ idle }) => idle), all: sum((one) => one.user + one.nice + one.sys + one.irq + one.idle) };
}

async function idleShare(): Promise<number> {
  const before = processorTime();
  await new Promise((resolve) => {
    setTimeout(resolve, LOOK_MS);
  });
  const { idle, all } = processorTime();
  return all === before.all ? 0 : (idle - before.idle) / (all - before.all);
}

/** For mocha's workers, each of which runs one file after the other. */
export const mochaHooks = {
  async beforeAll(this: Mocha.Context): Promise<void> {
    if (Number(process.env['MOCHA_WORKER_ID'] ?? 0) < lanes - 1) return;
    this.timeout(0);
    while ((await idleShare()) < SPARE);
  },
};
