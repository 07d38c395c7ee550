import { PSEUDONYM_PATTERN } from '#domain/contacts/pseudonym.ts';
import type { MatchCondition } from '#domain/rules/match-condition.ts';
import { ruleApplies } from '#domain/rules/smart-rule.ts';
import { NO_RESPONSE, responseEvents, RULE_HISTORY_DAYS } from '#domain/rules/triggers.ts';
import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';
import { integrationActive, literalsOf } from '../sql-fragments.ts';

/** A completed sub-task whose contacts have had a rule's days to respond. */
export interface DueSubTask {
  tenantId: string;
  ruleId: string;
  version: number;
  targetTagId: string;
  matchCondition: MatchCondition;
  /** Set by the rule; null for every campaign. */
  ruleCampaignId: string | null;
  serviceNumberId: string;
  campaignId: string;
  dispatchId: string;
  chunk: number;
  key: string;
  taskId: string | null;
  /** When the days were over. */
  cutOff: Date;
}

export const dueColumns = `r.tenant_id, r.rule_id, r.version, r.target_tag_id, r.match_condition,
  r.campaign_id as rule_campaign_id, t.service_number_id, b.campaign_id, b.dispatch_id, b.chunk, b.key, b.task_id,
  ${cutOffOf('b.finished_at', 'r.days')} as cut_off`;

/** Days of 24 hours, whatever the clocks in the session's time zone do. */
export function cutOffOf(finishedAt: string, days: string): string {
  return `(${finishedAt} + ${days} * interval '24 hours')`;
}

/** Sub-tasks of every campaign of the tag's service number. */
export const dueFrom = `smart_tag_rule r join tag t on t.tag_id = r.target_tag_id
  join campaign c on c.tenant_id = r.tenant_id and c.service_number_id = t.service_number_id
    and (r.campaign_id is null or c.campaign_id = r.campaign_id)
  join broadcast_task b on b.campaign_id = c.campaign_id and b.status = 'completed'`;

/**
 * A click or conversation that may be a response in time and is not handled yet. One that was tried and waits for its
 * task counts only if that task now belongs to this campaign: events whose task is unknown are no response from a
 * contact whose own sub-task is known, and may wait for a day.
 */
export const unprocessed = (tenantId: string, campaignId: string, cutOff: string) => `exists (
  select 1 from event_inbox e where e.tenant_id = ${tenantId} and e.status = 'stored'
    and e.event_type in (${literalsOf(responseEvents)}) and least(e.occurred_at, e.received_at) <= ${cutOff}
    and (e.waiting_for is null or exists (select 1 from broadcast_task w where w.tenant_id = e.tenant_id
      and w.task_id = substr(e.waiting_for, length('task:') + 1) and w.campaign_id = ${campaignId})))`;

/** Contacts erased since the send cannot be tagged. */
export const isKnownPerson = (contactId: string) => `${contactId} not like '${PSEUDONYM_PATTERN}'`;

/** SQL expressions for where and until when a response counts. */
interface ResponseScope {
  tenantId: string;
  campaignId: string;
  cutOff: string;
}

/**
 * The recipient did not respond to the campaign in time: neither with a click, nor with a conversation. Looked up by
 * contact: the empty text hides the campaign from the planner, which without fresh statistics would read all clicks
 * of the campaign for every recipient, and the offset keeps it from reading all of the tenant for every sub-task.
 */
export const withoutResponse = ({ tenantId, campaignId, cutOff }: ResponseScope) => `
  ${isKnownPerson('p.contact_id')} and
  not exists (select 1 from click_attribution k where k.tenant_id = ${tenantId} and k.contact_id = p.contact_id
    and k.campaign_id || '' = ${campaignId} and k.clicked_at <= ${cutOff} offset 0)
  and not exists (select 1 from conversation v where v.tenant_id = ${tenantId} and v.contact_id = p.contact_id
    and v.campaign_id || '' = ${campaignId} and v.opened_at <= ${cutOff} offset 0)`;

/**
 * Sub-tasks that rules must be applied to at `now`, the oldest cut-off first. The bounds are on the end itself, which is
 * indexed: older ones are never read.
 */
export function findDueSubTasks(
  database: Database,
  { now, limit }: { now: Date; limit: number },
): Promise<DueSubTask[]> {
  return rows<DueSubTask>(
    database,
    `select ${dueColumns} from ${dueFrom}
     where r.trigger_event = '${NO_RESPONSE}' and r.status = 'active' and r.removed_at is null
       and t.status = 'active' and (t.expires_at is null or t.expires_at > :now)
       and ${integrationActive('r')}
       and b.finished_at between :now::timestamptz - (r.days + ${RULE_HISTORY_DAYS}) * interval '24 hours'
         and :now::timestamptz - r.days * interval '24 hours'
       and not exists (select 1 from no_response_scan s
         where s.rule_id = r.rule_id and s.version = r.version and s.task_key = b.key)
       and not ${unprocessed('r.tenant_id', 'c.campaign_id', cutOffOf('b.finished_at', 'r.days'))}
     order by cut_off, r.rule_id, b.key limit :limit`,
    { now, limit },
  );
}

/** Claims the sub-task for this rule, once; not while a response in time may still be waiting in the inbox. */
export async function claim(transaction: Transaction, due: DueSubTask, now: Date): Promise<boolean> {
  const { ruleId, version, key, tenantId, campaignId, cutOff } = due;
  const claimed = await firstRow(
    transaction,
    `insert into no_response_scan (rule_id, version, task_key, scanned_at)
     select :ruleId, :version, :key, :now where not ${unprocessed(':tenantId', ':campaignId', ':cutOff::timestamptz')}
     on conflict do nothing returning 1 as claimed`,
    { ruleId, version, key, now, tenantId, campaignId, cutOff },
  );
  return claimed !== null;
}

/** The facts of a sub-task that a condition can refer to. */
export function isMeant({ serviceNumberId, campaignId, ruleCampaignId, matchCondition }: DueSubTask): boolean {
  const rule = { serviceNumberId, campaignId: ruleCampaignId, matchCondition };
  return ruleApplies(rule, { serviceNumberId, campaignId, facts: { serviceNumberId, campaignId } });
}

/**
 * An operator took the rule's tag back from the recipient: for the silence after this sub-task, or when the days after
 * it were over already, so that a rescan with a new definition changes nothing either.
 */
export const takenBack = `select 1 from removed_assignment x
  where x.tag_id = :tagId and x.contact_id = p.contact_id and x.rule_id = :ruleId
    and (x.cause = :cause or x.removed_at >= :cutOff::timestamptz)`;
