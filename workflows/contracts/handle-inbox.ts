import { defineSignal } from '@temporalio/workflow';

export interface HandleInboxInput {
  partition: number;
}

export interface HandleInboxResult {
  /** Events that were handled by this run. */
  handled: number;
}

/** Events were stored while nobody drained the partition. */
export const inboxWakeSignal = defineSignal('wake');

/** `inbox:<partition>`. */
export function inboxWorkflowId(partition: number): string {
  return `inbox:${partition}`;
}

/** The partition of such an id; null where it is none. */
export function parseInboxWorkflowId(id: string): number | null {
  const match = /^inbox:(0|[1-9][0-9]*)$/.exec(id);
  return match?.[1] === undefined ? null : Number(match[1]);
}
