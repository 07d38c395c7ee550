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

/** The partition from such a workflow id; null if it is not one. */
export function parseInboxWorkflowId(id: string): number | null {
  const match = /^inbox:(0|[1-9][0-9]*)$/.exec(id);
  return match?.[1] === undefined ? null : Number(match[1]);
}
