import { setTimeout } from 'node:timers/promises';
import type { Temporal } from './temporal.ts';
import type { TaskQueue } from '#temporal.config.ts';

/** The server's enum value for a release that is no longer current but still has runs. */
const DRAINING = 1;

/** gRPC's INVALID_ARGUMENT, PERMISSION_DENIED, UNIMPLEMENTED and UNAUTHENTICATED. */
const PERMANENT = new Set([3, 7, 12, 16]);
const NOT_FOUND = 5;

const AGAIN_MS = 500;
const REMINDER_MS = 10_000;

type Server = Pick<Temporal, 'connection' | 'namespace'>;

/**
 * New runs of the queue start with this release from now on. Returns the earlier releases whose workers still have
 * runs to finish.
 * @throws gRPC's ServiceError if no worker of the release has polled yet.
 */
export async function makeCurrent(
  { connection, namespace }: Server,
  { taskQueue, buildId }: { taskQueue: TaskQueue; buildId: string },
): Promise<string[]> {
  const deployment = { namespace, deploymentName: taskQueue };
  const { workflowService } = connection;
  await workflowService.setWorkerDeploymentCurrentVersion({ ...deployment, buildId });
  const { workerDeploymentInfo } = await workflowService.describeWorkerDeployment(deployment);
  return (workerDeploymentInfo?.versionSummaries ?? []).flatMap(({ deploymentVersion, drainageStatus }) =>
    drainageStatus === DRAINING && deploymentVersion?.buildId ? [deploymentVersion.buildId] : [],
  );
}

const reasonOf = (error: unknown): string => (error as { details?: string }).details || String(error);

/**
 * Whether retrying cannot help. A deployment that is not found has no worker yet, but waiting does not create a
 * namespace.
 */
function isPermanent(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  if (typeof code !== 'number') return true;
  return PERMANENT.has(code) || (code === NOT_FOUND && /namespace/i.test(reasonOf(error)));
}

/**
 * As makeCurrent, but waits until workers of the release poll. Prints what it waits for, when that changes and every
 * ten seconds.
 * @throws the server's error: at once if waiting cannot change it, otherwise after `withinMs`.
 */
export async function makeCurrentOnceReady(
  server: Server,
  release: { taskQueue: TaskQueue; buildId: string },
  { say, withinMs }: { say: (line: string) => void; withinMs: number },
): Promise<string[]> {
  const end = Date.now() + withinMs;
  let reported = { reason: '', at: 0 };
  for (;;) {
    try {
      return await makeCurrent(server, release);
    } catch (error) {
      if (isPermanent(error)) throw error;
      const reason = reasonOf(error);
      if (reason !== reported.reason || Date.now() - reported.at >= REMINDER_MS) {
        say(`${release.taskQueue}: waiting for the workers of ${release.buildId} … (${reason})`);
        reported = { reason, at: Date.now() };
      }
      if (Date.now() >= end) throw error;
      await setTimeout(AGAIN_MS);
    }
  }
}
