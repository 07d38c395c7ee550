import type { Temporal } from './temporal.ts';
import type { TaskQueue } from '../../temporal.config.ts';

/** As the server's interface numbers the states of a release that is no longer current. */
const DRAINING = 1;

type Server = Pick<Temporal, 'connection' | 'namespace'>;

/**
 * New runs of the queue begin with this release from now on. Returns the releases before it whose workers still have
 * runs to end.
 * @throws ServiceError of gRPC where no worker of the release has polled yet.
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
