import {
  allHandlersFinished,
  condition,
  defineUpdate,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
} from '@temporalio/workflow';

export interface NoActivities {
  nothing(): Promise<void>;
}

export const answerUpdate = defineUpdate('answer');

const local = proxyLocalActivities<NoActivities>({ startToCloseTimeout: '10 seconds' });
const normal = proxyActivities<NoActivities>({ startToCloseTimeout: '10 seconds' });

/** Responds after one local and one normal activity, which do nothing. */
export async function answer(): Promise<void> {
  let done = false;
  setHandler(answerUpdate, () => condition(() => done));
  await local.nothing();
  await normal.nothing();
  done = true;
  await condition(allHandlersFinished);
}
