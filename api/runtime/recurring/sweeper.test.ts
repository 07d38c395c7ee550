import { expect } from 'chai';
import { pino } from 'pino';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { createSweeper, type SweeperOptions } from './sweeper.ts';

describe('Sweeps', () => {
  const database = useDatabase('orders');
  let lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  const open: { run: Promise<void>; shutdown: () => void }[] = [];

  beforeEach(() => {
    lines = [];
  });
  afterEach(stopAll);

  async function stopAll(): Promise<void> {
    for (const { shutdown } of open) shutdown();
    await Promise.all(open.splice(0).map(({ run }) => run));
  }

  function start(round: () => Promise<unknown>, more: Partial<SweeperOptions> = {}) {
    const sweeper = createSweeper({ name: 'test', database, logger, everyMs: 5, round, ...more });
    open.push({ run: sweeper.run(), shutdown: sweeper.shutdown });
    return sweeper;
  }

  it('go on while the process runs, whatever one of them meets', async () => {
    let rounds = 0;
    start(async () => {
      rounds += 1;
      if (rounds === 1) throw new Error('the database is away');
    });
    await eventually('three rounds', () => rounds >= 3);
    expect(lines).to.have.length(1);
    expect(lines[0]).to.include('the database is away');
  });

  it('are one at a time, whichever process does them', async () => {
    const done = [0, 0];
    let atOnce = 0;
    let most = 0;
    const countingFor = (process: 0 | 1) => async () => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await new Promise((resolve) => setImmediate(resolve));
      atOnce -= 1;
      done[process] = (done[process] ?? 0) + 1;
    };
    const first = start(countingFor(0));
    start(countingFor(1));
    await eventually('forty rounds', () => (done[0] ?? 0) + (done[1] ?? 0) >= 40);
    first.shutdown();
    const before = done[1] ?? 0;
    await eventually('the other goes on alone', () => (done[1] ?? 0) > before + 5);
    expect(most).to.equal(1);
  });

  it('are not kept from their time by one that hangs, and another service’s not by anything', async () => {
    let letGo: () => void = () => undefined;
    // For all rounds: one that began and hung after this test would keep its turn from the next test's.
    const released = new Promise<void>((resolve) => (letGo = resolve));
    let hung = 0;
    start(
      () => {
        hung += 1;
        return released;
      },
      { longestMs: 20 },
    );
    await eventually('it hangs', () => hung === 1 && lines.some((line) => line.includes('takes long')));
    let others = 0;
    start(async () => void (others += 1), { name: 'another' });
    await eventually('another sweeps', () => others > 2);
    letGo();
    await eventually('the next round', () => hung > 1);
  });

  it('are finished before the process ends', async () => {
    let letGo: () => void = () => undefined;
    let begun = false;
    let finished = false;
    const sweeper = start(async () => {
      begun = true;
      await new Promise<void>((resolve) => (letGo = resolve));
      finished = true;
    });
    await eventually('a round', () => begun);
    sweeper.shutdown();
    letGo();
    await stopAll();
    expect(finished).to.equal(true);
  });
});
