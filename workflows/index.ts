import { setWorkflowOptions, workflowInfo } from '@temporalio/workflow';
import { type ReleaseBehaviour, releaseBehaviours } from '../temporal.config.ts';
import * as types from './types.ts';

/** The compiler names a type without a behaviour. */
const behaviours: Record<keyof typeof types, ReleaseBehaviour> = releaseBehaviours;

/** The server rejects a behaviour from a worker that belongs to no release, and with it the whole workflow task. */
for (const [name, workflow] of Object.entries(types)) {
  const versioningBehavior = behaviours[name as keyof typeof types];
  setWorkflowOptions(
    () => (workflowInfo().currentDeploymentVersion?.deploymentName ? { versioningBehavior } : {}),
    workflow as (...input: unknown[]) => Promise<unknown>,
  );
}

export * from './types.ts';
