import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/client';

type HistoryEvent = NonNullable<
  Awaited<ReturnType<ReturnType<Client['workflow']['getHandle']>['fetchHistory']>>['events']
>[number];

/** Starts, activities, timers, signals, updates and changes of search attributes: what Temporal Cloud bills one by one. */
const billed = [
  'workflowExecutionStartedEventAttributes',
  'workflowExecutionSignaledEventAttributes',
  'workflowExecutionUpdateAcceptedEventAttributes',
  'activityTaskScheduledEventAttributes',
  'timerStartedEventAttributes',
  'upsertWorkflowSearchAttributesEventAttributes',
  'startChildWorkflowExecutionInitiatedEventAttributes',
] as const;

/** How many actions these events are, without retries of activities, heartbeats and local activities. */
export const actionsIn = (events: readonly HistoryEvent[]): number =>
  events.filter((event) => billed.some((name) => event[name])).length;

/** How often the activities that have ended were tried again, each of which is an action. */
export const retriesIn = (events: readonly HistoryEvent[]): number =>
  events.reduce(
    (sum, { activityTaskStartedEventAttributes: started }) => sum + Math.max(0, (started?.attempt ?? 1) - 1),
    0,
  );

/** The events of the latest run with this id; null if it is no longer kept. */
export async function eventsOf(client: Client, workflowId: string): Promise<HistoryEvent[] | null> {
  try {
    const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
    return events ?? [];
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}
