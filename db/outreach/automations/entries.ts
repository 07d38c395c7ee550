import { z } from 'zod';
import type { AutomationCause, AutomationEntry } from '#domain/api/automation-entries.ts';
import type { Page } from '#domain/api/primitives.ts';
import type { AutomationEntryStatus } from '#domain/automations/statuses.ts';
import { decodeCursor, keyText, moment, pageOf } from '#domain/cursor.ts';
import { type Database, rows } from '#db/database.ts';
import { atMicroseconds, caseName, isoOf, toMicroseconds } from '../sql-fragments.ts';
import type { AutomationKey } from './automations.ts';

/** A step that an entry has come to, as its row has it. */
export type EntryStep = AutomationEntry['steps'][number];

export interface EntryRecord extends Omit<AutomationEntry, 'cause' | 'enteredAt' | 'dueAt' | 'steps'> {
  /** Without its time. */
  cause: Omit<AutomationCause, 'at'>;
  causeKey: string;
  causedAt: Date;
  enteredAt: Date;
  steps: EntryStep[];
}

interface EntryFilter {
  limit: number;
  cursor?: string | undefined;
  status?: AutomationEntryStatus | undefined;
  contactId?: string | undefined;
}

const stepsOf = `(
  select coalesce(json_agg(json_build_object('step', s.step, 'status', s.status, 'reason', s.reason,
    'dueAt', ${isoOf('s.due_at')}, 'sentAt', ${isoOf('s.sent_at')}, 'subTaskKey', s.sub_task_key, 'taskId', t.task_id,
    'case', ${caseName('t.message_case')})
    order by s.step), '[]')
  from automation_step s left join broadcast_task t on t.key = s.sub_task_key where s.entry_id = e.entry_id)`;

/** Newest first. The caller has already found the automation by its tenant. */
export async function listEntries(
  database: Database,
  { automationId }: AutomationKey,
  { limit, cursor, status = undefined, contactId = undefined }: EntryFilter,
): Promise<Page<EntryRecord>> {
  const after = decodeCursor(z.tuple([moment, keyText]), cursor);
  const found = await rows<EntryRecord & { at: string }>(
    database,
    `select e.entry_id, e.contact_id, e.status, e.reason, e.cause, e.cause_key, e.caused_at, e.entered_at,
       ${stepsOf} as steps, ${toMicroseconds('e.entered_at')} as at
     from automation_entry e where e.automation_id = :automationId
       ${status === undefined ? '' : 'and e.status = :status'}
       ${contactId === undefined ? '' : 'and e.contact_id = :contactId'}
       ${after ? `and (e.entered_at, e.entry_id) < (${atMicroseconds('at')}, :entryId)` : ''}
     order by e.entered_at desc, e.entry_id desc limit :rows`,
    { automationId, status, contactId, at: after?.[0], entryId: after?.[1], rows: limit + 1 },
  );
  return pageOf(found, limit, (row) => [row.at, row.entryId]);
}
