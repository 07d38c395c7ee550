import { setWorkflowOptions, workflowInfo } from '@temporalio/workflow';
import { type ReleaseBehaviour, releaseBehaviours } from '../temporal.config.ts';
import * as types from './types.ts';

/** The compiler names a type without a behaviour. */
const behaviours: Record<keyof typeof types, ReleaseBehaviour> = releaseBehaviours;

for (const [name, workflow] of Object.entries(types)) {
  // The server rejects a behaviour from a worker without a release. AUTO_UPGRADE is the workers' default.
  if (behaviours[name as keyof typeof types] === 'PINNED') {
    setWorkflowOptions(
      () => (workflowInfo().currentDeploymentVersion?.deploymentName ? { versioningBehavior: 'PINNED' } : {}),
      workflow as (...input: unknown[]) => Promise<unknown>,
    );
  }
}

export * from './types.ts';
