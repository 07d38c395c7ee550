import type { Client } from '@temporalio/client';
import { actionsIn } from '#api/backend/workflows/actions.ts';

/** What a run cost the workflow server. */
export interface RunCost {
  /** Events in the history. */
  events: number;
  /** Starts, activities, timers, signals, updates and changes of search attributes: what Temporal Cloud bills one by one. */
  actions: number;
  /** Workflow tasks with local activities, which Temporal Cloud bills as one action each, however many they were. */
  localBatches: number;
}

/** Counts what is in the history of a run, of the latest with this id if none is given. Heartbeats leave no trace there. */
export async function runCost(client: Client, workflowId: string, runId?: string): Promise<RunCost> {
  const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
  const history = events ?? [];
  const local = history.flatMap(({ markerRecordedEventAttributes: marker }) =>
    marker?.markerName === 'core_local_activity' ? [String(marker.workflowTaskCompletedEventId)] : [],
  );
  return {
    events: history.length,
    actions: actionsIn(history),
    localBatches: new Set(local).size,
  };
}
