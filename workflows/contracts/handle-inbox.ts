import { defineSignal } from '@temporalio/workflow';

export interface HandleInboxInput {
  partition: number;
}

export interface HandleInboxResult {
  /** Events handled by this run. */
  handled: number;
}

/** Events were stored while the partition was not being drained. */
export const inboxWakeSignal = defineSignal('wake');

/** `inbox:<partition>`. */
export function inboxWorkflowId(partition: number): string {
  return `inbox:${partition}`;
}
