import type { Database, Transaction } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { RuleRow } from '#db/outreach/models/rules.ts';
import type { BatchResult } from '#domain/api/batches.ts';
import { changeEach } from '../batch.ts';
import { audited, lockRule } from './rules.ts';
import { anyRevision, type RevisionCheck } from '../revision-check.ts';

async function remove(
  transaction: Transaction,
  author: Author,
  ruleId: string,
  { now, checkRevision = anyRevision }: { now: Date; checkRevision?: RevisionCheck },
): Promise<void> {
  const before = await lockRule(transaction, author.tenantId, ruleId);
  checkRevision(before.revision);
  await RuleRow.query(transaction).findById(ruleId).patch({ removedAt: now });
  await recordAudit(transaction, author, {
    action: 'smart_tag_rule.delete',
    objectType: 'smart_tag_rule',
    objectId: ruleId,
    before: audited(before),
  });
}

/** Its row and versions stay for the assignments that refer to it. @throws Problem `not_found`, `stale`. */
export function removeRule(
  database: Database,
  author: Author,
  ruleId: string,
  given: { now: Date; checkRevision?: RevisionCheck },
): Promise<void> {
  return database.transaction((transaction) => remove(transaction, author, ruleId, given));
}

/** The same for several. @returns what became of each. */
export function removeRules(
  database: Database,
  author: Author,
  ruleIds: readonly string[],
  now: Date,
): Promise<BatchResult[]> {
  const { tenantId } = author;
  return changeEach(database, ruleIds, async (transaction, ruleId) => {
    const rule = await RuleRow.query(transaction).findOne({ ruleId, tenantId }).forUpdate();
    if (rule && rule.removedAt !== null) return 'unchanged';
    await remove(transaction, author, ruleId, { now });
    return 'done';
  });
}
