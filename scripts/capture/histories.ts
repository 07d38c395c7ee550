import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import protocol from '@temporalio/proto';
import { projectFolder } from '../start/services.ts';

/** A recorded run, in the format of test/replay. */
export interface CapturedHistory {
  workflowId: string;
  type: string;
  /** Still running when it was recorded. */
  open: boolean;
  history: unknown;
}

/**
 * Runs of one type that took the same path teach the same; this many different ones are kept, for open and closed
 * runs each.
 */
const keptOfEach = 8;
const longestHistory = 250;

/** The events without the number of consecutive repetitions: two runs with the same shape took the same path. */
function shapeOf(events: protocol.temporal.api.history.v1.IHistoryEvent[]): string {
  const kinds = events.map((event) => {
    const { activityTaskScheduledEventAttributes: scheduled, activityTaskStartedEventAttributes: started } = event;
    const again = (started?.attempt ?? 1) > 1 ? 'again' : '';
    return `${String(event.eventType)} ${scheduled?.activityType?.name ?? ''}${again}`;
  });
  return kinds.filter((kind, index) => kind !== kinds[index - 1]).join(' ');
}

const { History } = protocol.temporal.api.history.v1;

/** Every run in the namespace, one of each shape. */
export async function collectHistories(client: Client): Promise<CapturedHistory[]> {
  const kept = new Map<string, CapturedHistory>();
  for await (const { workflowId, runId, type, status } of client.workflow.list()) {
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    const events = history.events ?? [];
    if (events.length > longestHistory) continue;
    const open = status.name === 'RUNNING';
    const shape = `${type} ${open} ${shapeOf(events)}`;
    if (kept.has(shape)) continue;
    const plain = History.toObject(History.create(history), { longs: String, bytes: String, enums: String });
    kept.set(shape, { workflowId, type, open, history: plain });
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
 * Writes `<type>/<open|closed>-<n>.json`, replacing the existing recordings of these types. @returns the number
 * of each.
 */
export function writeHistories(folder: string, captured: CapturedHistory[]): Record<string, number> {
  for (const { type } of captured) rmSync(join(folder, folderOf(type)), { recursive: true, force: true });
  const counts: Record<string, number> = {};
  for (const { workflowId, type, open, history } of captured) {
    const state = `${folderOf(type)}/${open ? 'open' : 'closed'}`;
    const number = (counts[state] ?? 0) + 1;
    if (number > keptOfEach) continue;
    counts[state] = number;
    mkdirSync(join(folder, folderOf(type)), { recursive: true });
    writeFileSync(join(folder, `${state}-${number}.json`), historyText(workflowId, history));
  }
  return counts;
}
