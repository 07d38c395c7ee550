import { type Database, rows } from '#db/database.ts';
import { countHits, lockGivableTags } from '#db/outreach/rules/application.ts';
import { claim, type DueSubTask, isMeant, takenBack, withoutResponse } from '#db/outreach/rules/no-response.ts';
import { causeKey } from '#domain/rules/cause.ts';

const responseToSubTask = { tenantId: ':tenantId', campaignId: ':campaignId', cutOff: ':cutOff::timestamptz' };

/**
 * Assigns the rule's tag to the contacts of the sub-task that did not respond in time.
 * @returns how many got it; null if it must not be done, or not yet.
 */
export function tagUnresponsive(database: Database, due: DueSubTask, now: Date): Promise<number | null> {
  return database.transaction(async (transaction) => {
    const tags = await lockGivableTags(transaction, [due.targetTagId], now);
    if (!tags.has(due.targetTagId) || !(await claim(transaction, due, now))) return null;
    if (!isMeant(due)) return 0;
    const { tenantId, ruleId, version, targetTagId: tagId, campaignId, taskId, dispatchId, chunk, cutOff, key } = due;
    const cause = causeKey({ kind: 'silence', subTaskKey: key });
    const given = await rows(
      transaction,
      `insert into tag_assignment (tenant_id, tag_id, contact_id, assigned_at, source_rule_id, source_rule_version,
         source_campaign_id, source_task_id, source_cause)
       select :tenantId, :tagId, p.contact_id, :now::timestamptz, :ruleId, :version::int, :campaignId, :taskId, :cause
       from dispatch_recipient p
       where p.dispatch_id = :dispatchId and p.chunk = :chunk and ${withoutResponse(responseToSubTask)}
         and not exists (${takenBack})
       on conflict (tag_id, contact_id) do nothing returning 1`,
      { tenantId, ruleId, version, tagId, campaignId, taskId, dispatchId, chunk, cutOff, cause, now },
    );
    await countHits(transaction, [{ ruleId, tagId, hits: given.length }], now);
    return given.length;
  });
}
