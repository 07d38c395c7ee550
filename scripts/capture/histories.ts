import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import protocol from '@temporalio/proto';
import { projectFolder } from '../start/services.ts';

interface PlainEvent {
  eventType: string;
  activityTaskScheduledEventAttributes?: { activityType?: { name?: string } };
  activityTaskStartedEventAttributes?: { attempt?: number };
  workflowExecutionStartedEventAttributes?: { continuedExecutionRunId?: string };
}

interface PlainHistory {
  events: PlainEvent[];
}

/** A recorded run, in the format of test/replay. */
export interface CapturedHistory {
  workflowId: string;
  type: string;
  /** Whether it was still running, had ended, or had continued as new. */
  state: 'open' | 'closed' | 'continued';
  /** What it is a continuation of, if it is one. */
  continues: string | undefined;
  history: PlainHistory;
}

const longestHistory = 250;

const continuedRunOf = ({ events }: PlainHistory): string | undefined =>
  events[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || undefined;

/**
 * The events without workflow tasks and without the number of consecutive repetitions: two runs with the same shape
 * took the same path.
 */
function shapeOf(history: PlainHistory): string {
  const kinds = history.events
    .filter(({ eventType }) => !eventType.includes('WORKFLOW_TASK'))
    .map((event) => {
      const { activityTaskScheduledEventAttributes: scheduled, activityTaskStartedEventAttributes: started } = event;
      const again = (started?.attempt ?? 1) > 1 ? 'again' : '';
      return `${event.eventType} ${scheduled?.activityType?.name ?? ''}${again}`;
    });
  const path = kinds.filter((kind, index) => kind !== kinds[index - 1]).join(' ');
  return `${continuedRunOf(history) ? 'continues' : 'begins'} ${path}`;
}

const { History } = protocol.temporal.api.history.v1;

/** As stored: readable, and the same whoever reads it. */
export function plainHistory(history: protocol.temporal.api.history.v1.IHistory): PlainHistory {
  const plain: unknown = History.toObject(History.create(history), { longs: String, bytes: String, enums: String });
  return plain as PlainHistory;
}

function stateOf(status: string): CapturedHistory['state'] {
  if (status === 'RUNNING') return 'open';
  return status === 'CONTINUED_AS_NEW' ? 'continued' : 'closed';
}

/** Every run in the namespace, one of each shape. */
export async function collectHistories(client: Client): Promise<CapturedHistory[]> {
  const kept = new Map<string, CapturedHistory>();
  for await (const { workflowId, runId, type, status } of client.workflow.list()) {
    const history = plainHistory(await client.workflow.getHandle(workflowId, runId).fetchHistory());
    if (history.events.length > longestHistory) continue;
    const shape = `${type} ${shapeOf(history)}`;
    if (kept.has(shape)) continue;
    kept.set(shape, { workflowId, type, state: stateOf(status.name), continues: continuedRunOf(history), history });
  }
  return [...kept.values()];
}

/** `dispatchCampaign` is stored in `dispatch-campaign`, like its source file. */
const folderOf = (type: string) => type.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** A recording as stored: stack traces name files of the project, not the location of a checkout. */
export function historyText(workflowId: string, history: unknown): string {
  return `${JSON.stringify({ workflowId, history }, null, 1).replaceAll(projectFolder, '')}\n`;
}

/**
 * Writes `<type>/<state>-<n>.json` for each path that no recording of its type has taken. Those that are there stay as
 * they are: runs that began before a change are replayed with the code after it. @returns what was written.
 */
export function writeHistories(folder: string, captured: CapturedHistory[]): string[] {
  return captured.flatMap(({ workflowId, type, state, history }) => {
    const own = join(folder, folderOf(type));
    mkdirSync(own, { recursive: true });
    const files = readdirSync(own);
    const known = files.map((file) => JSON.parse(readFileSync(join(own, file), 'utf8')) as { history: PlainHistory });
    if (known.some((one) => shapeOf(one.history) === shapeOf(history))) return [];
    let number = 1;
    while (files.includes(`${state}-${number}.json`)) number += 1;
    const name = `${state}-${number}.json`;
    writeFileSync(join(own, name), historyText(workflowId, history));
    return [`${folderOf(type)}/${name}`];
  });
}
