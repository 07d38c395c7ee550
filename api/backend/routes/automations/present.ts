import type { AutomationRecord } from '#db/outreach/automations/automations.ts';
import { stepsOf } from '#commands/outreach/automations/content.ts';
import type { EntryRecord, EntryStep } from '#db/outreach/automations/entries.ts';
import type { SubTaskRecord } from '#db/outreach/sends/sub-tasks.ts';
import type { AutomationEntry } from '#domain/api/automation-entries.ts';
import type { Automation } from '#domain/api/automations.ts';
import { etagOf } from '#domain/api/if-match.ts';
import { withIsoTimes } from '#api/backend/iso-times.ts';
import { presentApproval } from '../campaigns/present.ts';
import { presentSubTask } from '../sends/present.ts';

/** What the row of a step that was not come to would say: it may come, or its entry ended before it. */
function restOf({ status, reason, steps }: EntryRecord): Pick<EntryStep, 'status' | 'reason'> {
  if (status === 'waiting') return { status, reason: null };
  return { status: 'skipped', reason: steps.at(-1)?.reason ?? reason ?? 'ended' };
}

/** An entry with all of so many steps. */
export function presentEntry(entry: EntryRecord, steps: number): AutomationEntry {
  const { entryId, contactId, status, reason, cause, causedAt, enteredAt } = entry;
  const none = { dueAt: null, sentAt: null, subTaskKey: null, taskId: null, case: null };
  const rest = restOf(entry);
  const shown = Array.from({ length: steps }, (_, step) => ({
    step,
    ...none,
    ...rest,
    ...entry.steps[step],
  }));
  const next = shown.find((one) => one.status === 'waiting');
  return {
    entryId,
    contactId,
    status,
    reason,
    cause: { ...cause, at: causedAt.toISOString() },
    enteredAt: enteredAt.toISOString(),
    dueAt: next?.dueAt ?? null,
    steps: shown,
  };
}

export const presentAutomationTask = (row: SubTaskRecord) => ({ ...presentSubTask(row), step: row.variant ?? 0 });

export function presentAutomation(record: AutomationRecord): Automation {
  const {
    tenantId: _tenantId,
    revision,
    timing: _timing,
    messages: _messages,
    messagesBy: _messagesBy,
    variants: _variants,
    ...automation
  } = record;
  const { delayMinutes, approval, ...shown } = withIsoTimes(automation);
  return {
    ...shown,
    etag: etagOf(revision),
    delay: { minutes: delayMinutes },
    steps: stepsOf(record),
    approval: approval && presentApproval(approval),
  };
}
