import { ApplicationFailure } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { requiredTsToMs, tsToMs } from '@temporalio/common/lib/time';
import type { temporal } from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import { expect } from 'chai';
import { workerOptions } from '../temporal.config.ts';
import { currentDetails, productionBundle } from '../test/support/services/outreach-worker.ts';
import { createTimeSkipping } from '../test/support/servers/temporal.ts';
import { sweepLongest, type SweepRounds, sweepRunMs, sweepStartsEveryMs } from './contracts/sweep-rounds.ts';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

const every15s: SweepRounds = { everyMs: 15_000, forMs: sweepRunMs };

/** When each timer was to end: its duration counts from the start of the workflow task that set it. */
function wakeTimesOf(events: HistoryEvent[]): number[] {
  return events.flatMap(({ timerStartedEventAttributes: timer }, index) => {
    if (!timer) return [];
    const task = events.slice(0, index).findLast((event) => event.workflowTaskStartedEventAttributes);
    return [requiredTsToMs(task?.eventTime, 'eventTime') + tsToMs(timer.startToFireTimeout)];
  });
}

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
    const result: unknown = await environment.client.workflow.execute('sweepOrders', {
      taskQueue: 'orders',
      workflowId,
      args,
      workflowExecutionTimeout: sweepLongest,
    });
    return { workflowId, result };
  }

  async function historyOf(workflowId: string): Promise<HistoryEvent[]> {
    const { events } = await environment.client.workflow.getHandle(workflowId).fetchHistory();
    return events ?? [];
  }

  it('start at once, keep to the clock, and leave no gap before the run that the Schedule starts next', async () => {
    fails = () => false;
    const { workflowId, result } = await sweep(every15s);
    const events = await historyOf(workflowId);
    const waits = wakeTimesOf(events);
    const firstRound = events.findIndex((event) => event.activityTaskScheduledEventAttributes);
    expect(firstRound).to.be.below(events.findIndex((event) => event.timerStartedEventAttributes));
    expect(waits).to.have.length(rounds.length - 1);
    // The server's times are finer than the workflow's milliseconds.
    for (const at of waits) expect(Math.abs(at - Math.round(at / 15_000) * 15_000)).to.be.at.most(2);
    const [first = 0, last = 0] = [rounds[0], waits.at(-1)];
    expect((Math.round(last / 15_000 + 1) * 15_000) % sweepStartsEveryMs, 'the next is the Schedule’s').to.equal(0);
    expect(last - first).to.be.within(sweepRunMs - 1.5 * sweepStartsEveryMs, sweepRunMs + sweepStartsEveryMs);
    expect(result).to.deep.equal({ orders: rounds.length, refunds: 0 });
    expect(await currentDetails(environment.client, workflowId)).to.match(
      new RegExp(`^${rounds.length} sweeps since \\S+, the last at \\S+\\. Drove ${rounds.length} payments`),
    );
    expect(events.length).to.be.below(1000);
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
