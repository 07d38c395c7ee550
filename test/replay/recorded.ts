import { readdirSync, readFileSync } from 'node:fs';
import protocol from '@temporalio/proto';

interface RecordedEvent {
  eventType: string;
  workflowExecutionStartedEventAttributes?: { workflowType: { name: string }; originalExecutionRunId: string };
  activityTaskScheduledEventAttributes?: {
    activityType: { name: string };
    input?: { payloads?: { data: string }[] };
  };
}

export interface RecordedHistory {
  /** `dispatch-campaign/closed-1`. */
  name: string;
  workflowId: string;
  runId: string;
  type: string;
  /** Whether it was still running when it was recorded, had ended, or had continued as new. */
  state: 'open' | 'closed' | 'continued';
  events: RecordedEvent[];
  history: protocol.temporal.api.history.v1.History;
}

const folder = new URL('../histories/', import.meta.url);

const endings = new Set(['COMPLETED', 'FAILED', 'CANCELED', 'TERMINATED', 'TIMED_OUT']);

function stateOf(last: RecordedEvent | undefined): RecordedHistory['state'] {
  const ending = last?.eventType.replace('EVENT_TYPE_WORKFLOW_EXECUTION_', '') ?? '';
  if (ending === 'CONTINUED_AS_NEW') return 'continued';
  return endings.has(ending) ? 'closed' : 'open';
}

function read(name: string): RecordedHistory {
  const text = readFileSync(new URL(`${name}.json`, folder), 'utf8');
  const { workflowId, history } = JSON.parse(text) as { workflowId: string; history: { events: RecordedEvent[] } };
  const { events } = history;
  const started = events[0]?.workflowExecutionStartedEventAttributes;
  return {
    name,
    workflowId,
    runId: started?.originalExecutionRunId ?? '',
    type: started?.workflowType.name ?? '',
    state: stateOf(events.at(-1)),
    events,
    history: protocol.temporal.api.history.v1.History.fromObject(history),
  };
}

/** Every recorded history, with its workflow's original id. */
export const recordedHistories: RecordedHistory[] = readdirSync(folder)
  .toSorted()
  .flatMap((type) =>
    readdirSync(new URL(`${type}/`, folder))
      .toSorted()
      .map((file) => read(`${type}/${file.replace('.json', '')}`)),
  );

/** The arguments that the recorded run passed to each activity, in order. */
export function recordedActivities({ events }: RecordedHistory) {
  return events.flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
    scheduled
      ? [
          {
            type: scheduled.activityType.name,
            args: (scheduled.input?.payloads ?? []).map(
              ({ data }) => JSON.parse(Buffer.from(data, 'base64').toString('utf8')) as unknown,
            ),
          },
        ]
      : [],
  );
}
