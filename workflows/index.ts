import { setWorkflowOptions } from '@temporalio/workflow';
import { type ReleaseBehaviour, releaseBehaviours } from '../temporal.config.ts';
import * as types from './types.ts';

/** The compiler names a type without a behaviour. */
const behaviours: Record<keyof typeof types, ReleaseBehaviour> = releaseBehaviours;

for (const [name, workflow] of Object.entries(types)) {
  const versioningBehavior = behaviours[name as keyof typeof types];
  setWorkflowOptions({ versioningBehavior }, workflow as (...input: unknown[]) => Promise<unknown>);
}

export * from './types.ts';
