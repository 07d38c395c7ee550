import type { Database, Transaction } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { BroadcastTaskRow } from '#db/outreach/models/sends.ts';
import type { FoundTask } from '#db/outreach/sends/ledger/evidence.ts';
import { findSubTask, type SubTaskRecord } from '#db/outreach/sends/sub-tasks.ts';
import { Problem } from '#domain/api/problem.ts';
import { resolveAsNotSent, resolveAsSent } from './ledger/evidence.ts';

export interface Resolving {
  campaignId: string;
  key: string;
  /** `status` and `counts` are what the platform reports for the task now. */
  outcome: ({ outcome: 'sent' } & Pick<FoundTask, 'taskId' | 'status' | 'counts'>) | { outcome: 'not_sent' };
  /** A submission that began later may still get its response. */
  submittedBefore: Date;
  now: Date;
}

async function reread(
  transaction: Transaction,
  tenantId: string,
  { campaignId, key }: Resolving,
): Promise<SubTaskRecord> {
  const row = await findSubTask(transaction, tenantId, campaignId, key);
  if (!row) throw new Problem('not_found', 'The campaign has no sub-task with this key');
  return row;
}

/** @throws Problem for states that no outcome can be reported for, and outcomes that contradict what is known. */
async function assertResolvable(
  transaction: Transaction,
  tenantId: string,
  row: SubTaskRecord,
  given: Resolving,
): Promise<void> {
  if (row.status === 'submitting') throw new Problem('conflict', 'The platform may still respond; try again later');
  if (row.status !== 'unknown') throw new Problem('invalid_state', `The sub-task is ${row.status}, not unknown`);
  if (given.outcome.outcome === 'not_sent') {
    if (row.submittingSince && row.submittingSince > given.submittedBefore)
      throw new Problem('conflict', 'The platform may still respond; try again later');
    return;
  }
  const taken = await BroadcastTaskRow.query(transaction)
    .select('key')
    .findOne({ tenantId, taskId: given.outcome.taskId })
    .whereNot('key', given.key);
  if (taken) throw new Problem('conflict', 'This platform task belongs to another sub-task');
}

/**
 * Stores what an operator found out about an `unknown` sub-task.
 * @throws Problem `not_found`, `invalid_state` if it is not unknown, `conflict` if it is too early to report
 * `not_sent` or the task belongs to another sub-task.
 */
export function resolveSubTask(database: Database, author: Author, given: Resolving): Promise<SubTaskRecord> {
  const { tenantId } = author;
  const { key, outcome, now, submittedBefore } = given;
  return database.transaction(async (transaction) => {
    const before = await reread(transaction, tenantId, given);
    await assertResolvable(transaction, tenantId, before, given);
    const campaign =
      outcome.outcome === 'sent'
        ? await resolveAsSent(transaction, { tenantId, key, now }, { ...outcome, statusAssumed: false })
        : await resolveAsNotSent(transaction, { tenantId, key, now, submittedBefore });
    if (campaign === null) throw new Problem('invalid_state', 'The sub-task was resolved differently in the meantime');
    const after = await reread(transaction, tenantId, given);
    const said = outcome.outcome === 'sent' ? { outcome: 'sent', taskId: outcome.taskId } : outcome;
    await recordAudit(transaction, author, {
      action: 'sub_task.resolve',
      objectType: 'sub_task',
      objectId: key,
      before: { status: before.status },
      after: { ...said, status: after.status },
    });
    return after;
  });
}
