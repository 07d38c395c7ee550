import { availableParallelism, cpus, totalmem } from 'node:os';

const cores = Math.max(2, availableParallelism());

/** One more than the cores: many files mostly wait, for a server that was killed, for a deadline, for a page to ask again. */
const always = cores + 1;

/** Services, a browser and its tests take up to a GiB and a half for each lane, beside the servers that all share. */
const spare = totalmem() >= (always + 3) * 1.5 * 2 ** 30 ? 2 : 1;

/** How many files run at once: the last few only while the cores have time to spare. */
export const lanes = always + spare;

/** How much of the processor must be idle before a spare lane takes a file; two fifths of one of two cores. */
const SPARE = 0.2;
const LOOK_MS = 3000;
/** Other work on the machine must not keep a file waiting for ever. */
const MOST_LOOKS = 40;

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
    if (Number(process.env['MOCHA_WORKER_ID'] ?? 0) < always) return;
    this.timeout(0);
    for (let looks = 0; looks < MOST_LOOKS; looks += 1) if ((await idleShare()) >= SPARE) return;
  },
};
