import { availableParallelism } from 'node:os';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { type ReplayWorkerOptions, Worker } from '@temporalio/worker';
import { pMapIterable } from 'p-map';
import { releaseBehaviours } from '#temporal.config.ts';

/** The server's enum value for a run that ends on the workers of the release it began with. */
const PINNED = 1;

const HISTORIES_AHEAD = 8;

export interface Replayed {
  type: string;
  workflowId: string;
  runId: string;
  /** Still running, and not pinned to its release: this code will continue it. */
  continues: boolean;
  /** The first event of the history that this code does not lead to; undefined if it replays. */
  difference?: string;
}

interface Listed extends Omit<Replayed, 'difference'> {
  history: Awaited<ReturnType<ReturnType<Client['workflow']['getHandle']>['fetchHistory']>>;
}

export interface ReplayOptions {
  /** Runs that ended before are left out; whatever still runs is replayed. */
  since: Date;
  /** The working copy's workflows, and how their payloads are converted. */
  worker: Pick<ReplayWorkerOptions, 'workflowBundle' | 'dataConverter'>;
  /** How many replay at the same time; one for each core by default. */
  jobs?: number;
}

/** Of our types only: others may share the namespace. */
function queryOf(since: Date): string {
  const types = Object.keys(releaseBehaviours).map((type) => `'${type}'`);
  return `WorkflowType IN (${types.join(', ')}) AND (ExecutionStatus = 'Running' OR CloseTime >= '${since.toISOString()}')`;
}

/** With the histories; a run that the server deleted after listing it is left out. */
function list({ workflow }: Client, since: Date): AsyncIterable<Listed | null> {
  return pMapIterable(
    workflow.list({ query: queryOf(since) }),
    async ({ type, workflowId, runId, status, raw }): Promise<Listed | null> => {
      try {
        const history = await workflow.getHandle(workflowId, runId).fetchHistory();
        const continues = status.name === 'RUNNING' && raw.versioningInfo?.behavior !== PINNED;
        return { type, workflowId, runId, continues, history };
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return null;
        throw error;
      }
    },
    { concurrency: HISTORIES_AHEAD },
  );
}

/** One replayer: takes the next run as soon as it is done with one. */
async function replayInTurn(
  runs: AsyncIterator<Listed | null>,
  worker: ReplayOptions['worker'],
  report: (replayed: Replayed) => void,
): Promise<void> {
  let current: Listed | undefined;
  async function* histories() {
    for (;;) {
      const { value, done } = await runs.next();
      if (done === true) return;
      if (!value) continue;
      current = value;
      yield { workflowId: value.workflowId, history: value.history };
    }
  }
  for await (const { error } of Worker.runReplayHistories(worker, histories())) {
    if (!current) continue;
    const { history: _, ...run } = current;
    report(error ? { ...run, difference: error.message } : run);
  }
}

/**
 * Replays the running and recent runs of a namespace with the working copy's workflows, several at a time. Changes
 * nothing on the server.
 * @throws gRPC's ServiceError if the server cannot be read.
 */
export async function replayRuns(
  client: Client,
  { since, worker, jobs = availableParallelism() }: ReplayOptions,
): Promise<Replayed[]> {
  const all: Replayed[] = [];
  const runs = list(client, since)[Symbol.asyncIterator]();
  const replayers = Array.from({ length: jobs }, () => replayInTurn(runs, worker, (replayed) => all.push(replayed)));
  await Promise.all(replayers);
  return all;
}
