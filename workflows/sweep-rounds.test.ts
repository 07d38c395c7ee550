import { ApplicationFailure } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { expect } from 'chai';
import { workerOptions } from '../temporal.config.ts';
import { currentDetails, productionBundle } from '../test/support/services/outreach-worker.ts';
import { createTimeSkipping } from '../test/support/servers/temporal.ts';
import { sweepLongest, type SweepRounds, sweepRunMs, sweepStartsEveryMs } from './contracts/sweep-rounds.ts';

const every15s: SweepRounds = { everyMs: 15_000, forMs: sweepRunMs };

/** On a skipping clock, with sweeps that find one payment each. */
describe('sweeps in rounds', () => {
  let environment: TestWorkflowEnvironment;
  let worker: Worker;
  let running: Promise<void>;
  /** When each round started. */
  let rounds: number[] = [];
  let fails: (round: number) => boolean = () => false;

  before(async () => {
    environment = await createTimeSkipping();
    worker = await Worker.create({
      ...workerOptions,
      connection: environment.nativeConnection,
      taskQueue: 'orders',
      workflowBundle: await productionBundle(),
      activities: {
        driveOrders: ({ now }: { now: string }) => {
          rounds.push(Date.parse(now));
          if (fails(rounds.length)) throw ApplicationFailure.nonRetryable('the database is away');
          return { orders: 1, refunds: 0 };
        },
      },
    });
    running = worker.run();
  });
  after(async () => {
    worker?.shutdown();
    await running;
    await environment?.teardown();
  });

  let runs = 0;
  async function sweep(...args: [SweepRounds?]) {
    rounds = [];
    const workflowId = `sweep-${(runs += 1)}`;
    const started = await environment.currentTimeMs();
    const result: unknown = await environment.client.workflow.execute('sweepOrders', {
      taskQueue: 'orders',
      workflowId,
      args,
      workflowExecutionTimeout: sweepLongest,
    });
    return { workflowId, started, result };
  }

  it('start at once, keep to the clock, and leave no gap before the run that the Schedule starts next', async () => {
    fails = () => false;
    const { workflowId, started, result } = await sweep(every15s);
    const [first = 0, ...later] = rounds;
    expect(first - started).to.be.within(0, 10_000);
    for (const [index, at] of later.entries()) {
      const due = (Math.floor(first / 15_000) + index + 1) * 15_000;
      expect(at - due, `round ${index + 2}`).to.be.within(0, 10_000);
    }
    const last = later.at(-1) ?? 0;
    expect(((Math.floor(last / 15_000) + 1) * 15_000) % sweepStartsEveryMs, 'the next is the Schedule’s').to.equal(0);
    expect(last - first).to.be.within(sweepRunMs - 1.5 * sweepStartsEveryMs, sweepRunMs + sweepStartsEveryMs);
    expect(result).to.deep.equal({ orders: rounds.length, refunds: 0 });
    expect(await currentDetails(environment.client, workflowId)).to.match(
      new RegExp(`^${rounds.length} sweeps since \\S+, the last at \\S+\\. Drove ${rounds.length} payments`),
    );
    const { events } = await environment.client.workflow.getHandle(workflowId).fetchHistory();
    expect(events?.length).to.be.below(1000);
  });

  it('continue after a failed round, and report it', async () => {
    fails = (round) => round % 2 === 0;
    const { result } = await sweep(every15s);
    expect(rounds.length).to.be.greaterThan(50);
    expect(result).to.deep.equal({ orders: Math.ceil(rounds.length / 2), refunds: 0 });

    fails = () => true;
    const { workflowId, result: nothing } = await sweep(every15s);
    expect(nothing).to.equal(null);
    expect(await currentDetails(environment.client, workflowId)).to.match(
      /the last failed at \S+ the database is away/,
    );
    const { searchAttributes } = await environment.client.workflow.getHandle(workflowId).describe();
    expect(searchAttributes).to.deep.equal({ BizStatus: ['FAILING'] });
  });

  it('are one round without `rounds`, and fail if it fails', async () => {
    fails = () => false;
    expect((await sweep()).result).to.deep.equal({ orders: 1, refunds: 0 });
    expect(rounds).to.have.length(1);
    fails = () => true;
    const failed = await sweep().catch((error: Error) => error.name);
    expect(failed).to.equal('WorkflowFailedError');
  });
});
