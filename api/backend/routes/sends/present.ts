import type { SubTask } from '#domain/api/campaign.ts';
import type { Dispatch, Recipient } from '#domain/api/campaign-snapshots.ts';
import type { DispatchRecord, RecipientSend } from '#db/outreach/sends/snapshots.ts';
import type { SubTaskRecord } from '#db/outreach/sends/sub-tasks.ts';
import { withIsoTimes } from '#api/backend/iso-times.ts';

export function presentSubTask(row: SubTaskRecord): SubTask {
  return {
    key: row.key,
    taskId: row.taskId,
    parentTaskId: row.parentTaskId,
    status: row.status,
    contactCount: row.contactCount,
    recipientCount: row.recipientCount,
    summary: row.summary,
    ...(row.errorCode === null ? {} : { error: { code: row.errorCode, message: row.errorMessage ?? '' } }),
    submittedAt: row.submittedAt?.toISOString() ?? null,
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}

export function presentDispatch(row: DispatchRecord): Dispatch {
  return withIsoTimes(row);
}

export function presentRecipient(
  contactId: string,
  { sends, isControl }: { sends: RecipientSend[]; isControl: boolean },
): Recipient {
  return { contactId, isControl, sends: sends.map((send) => withIsoTimes(send)) };
}
