import * as fc from 'fast-check';
import { giveUpReads } from './gateway-steps.ts';
import type { Model } from './model.ts';
import { openSequence, type Real, type Stage } from './real.ts';
import { comeToRest, type Ending } from './rest.ts';
import { openings, sequences } from './sequences.ts';

/** A long run says how far it is after so many. */
const REPORT_EVERY = 1000;

/** How many sequences do something at a time, and how many may be coming to rest besides. */
const LANES = 10;
const RESTING = 20;
/** How long a sequence has to come to rest: work that a killed worker had begun is repeated within seconds, several times at worst. */
const REST_MS = { together: 120_000, alone: 40_000 };
/** A failing sequence is made shorter for at most this long. */
const SHRINKING_MS = 5 * 60_000;

/** Each sequence is a run of its own; fast-check draws the first of a run short and simple unless told not to. */
const once = { numRuns: 1, unbiased: true };

/** Lets so many in at a time. */
function gate(places: number) {
  const waiting: (() => void)[] = [];
  let free = places;
  return {
    enter: async (): Promise<void> => {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    },
    leave: (): void => {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    },
  };
}

const endings: fc.Arbitrary<Ending> = fc.record({
  patient: fc.constantFrom(false, false, false, false, false, true),
  outcome: fc.constantFrom('complete', 'complete', 'refund'),
});

type Commands = Iterable<fc.AsyncCommand<Model, Real>>;
type Lanes = ReturnType<typeof gate>;

/** One sequence against a tenant of its own: each response and status is one the model allows, and so are the books. */
function property(
  stage: Stage,
  { lanes, restMs }: { lanes: Lanes; restMs: number },
): fc.IAsyncProperty<[Commands, Commands, Ending]> {
  return fc.asyncProperty(openings, sequences(), endings, async (opening, commands, ending) => {
    await lanes.enter();
    let opened: { model: Model; real: Real } | undefined;
    try {
      opened = await openSequence(stage);
      const { model, real } = opened;
      for (const part of [opening, commands]) await fc.asyncModelRun(() => ({ model, real }), part);
    } finally {
      lanes.leave();
    }
    await comeToRest(opened.model, opened.real, ending, restMs);
    const { real: over } = opened;
    await stage.traffic.join(() => giveUpReads(over));
    stage.faults.close(`paygw-${opened.real.tenantId}`);
  });
}

/** A sequence that failed; fast-check's report has its steps, made as few as possible, and the path to them. */
export class SequenceFailed extends Error {
  override name = 'SequenceFailed';
}

const reportOf = <Given>(result: fc.RunDetails<Given>): string =>
  `${fc.defaultReportMessage(result) ?? ''}\n${result.errorInstance instanceof Error ? result.errorInstance.message : ''}`;

/** Runs the failing sequence again, alone, and looks for a shorter one that fails. */
async function shrink(stage: Stage, seed: number, first: string): Promise<never> {
  const again = await fc.check(property(stage, { lanes: gate(1), restMs: REST_MS.alone }), {
    seed,
    ...once,
    interruptAfterTimeLimit: SHRINKING_MS,
    markInterruptAsFailure: true,
  });
  const report = again.failed ? reportOf(again) : 'It passed when it was run again, alone.';
  throw new SequenceFailed(
    `sequence with seed ${seed} (ORDER_MODEL_SEED=${seed} repeats it):\n${report}\n\nFirst:\n${first}`,
  );
}

/**
 * Runs so many sequences, several at a time; sequence i has the seed `seed + i`.
 * @throws SequenceFailed
 */
export async function runSequences(stage: Stage, { seed, count }: { seed: number; count: number }): Promise<void> {
  const lanes = gate(LANES);
  let next = 0;
  let passed = 0;
  let failed: { seed: number; report: string } | undefined;
  const walk = async (): Promise<void> => {
    while (next < count && !failed) {
      const own = seed + next;
      next += 1;
      const result = await fc.check(property(stage, { lanes, restMs: REST_MS.together }), {
        seed: own,
        ...once,
        endOnFailure: true,
      });
      if (result.failed) failed ??= { seed: own, report: reportOf(result) };
      else passed += 1;
      if (passed > 0 && passed % REPORT_EVERY === 0) process.stdout.write(`${passed} of ${count} sequences passed\n`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(count, LANES + RESTING) }, walk));
  if (failed) await shrink(stage, failed.seed, failed.report);
}
