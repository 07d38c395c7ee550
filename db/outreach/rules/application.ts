import type { EventTrigger } from '#domain/rules/triggers.ts';
import type { RuleScope } from '#domain/rules/smart-rule.ts';
import { rows, type Transaction } from '#db/database.ts';
import type { RuleOccurrence } from './occurrences.ts';

export interface ActiveRule extends RuleScope {
  tenantId: string;
  ruleId: string;
  version: number;
  targetTagId: string;
}

/** Rules of these tenants that apply, the oldest first: if two assign the same tag, the older one gets the hit. */
export function activeRules(
  transaction: Transaction,
  trigger: EventTrigger,
  tenantIds: string[],
): Promise<ActiveRule[]> {
  return rows<ActiveRule>(
    transaction,
    `select r.tenant_id, r.rule_id, r.version, r.target_tag_id, r.match_condition, r.campaign_id, t.service_number_id
     from smart_tag_rule r join tag t on t.tag_id = r.target_tag_id
     where r.tenant_id = any(:tenantIds) and r.trigger_event = :trigger and r.status = 'active' and r.removed_at is null
     order by r.rule_id`,
    { tenantIds: [...new Set(tenantIds)], trigger },
  );
}

/** One contact that a rule assigns its tag to, and why. */
export interface RuleHit {
  rule: Pick<ActiveRule, 'ruleId' | 'version' | 'targetTagId'>;
  occurrence: Pick<
    RuleOccurrence,
    'tenantId' | 'contactId' | 'campaignId' | 'taskId' | 'actionIndex' | 'bizEventCode' | 'eventId' | 'cause'
  >;
}

/**
 * Locks those of the tags that can be assigned at `now`, in id order. Anyone who changes assignments of a tag holds
 * its row, so that contact_count stays correct.
 */
export async function lockGivableTags(transaction: Transaction, tagIds: string[], now: Date): Promise<Set<string>> {
  const found = await rows<{ tagId: string }>(
    transaction,
    `select tag_id from tag
     where tag_id = any(:tagIds) and status = 'active' and (expires_at is null or expires_at > :now)
     order by tag_id for no key update`,
    { tagIds: [...new Set(tagIds)], now },
  );
  return new Set(found.map(({ tagId }) => tagId));
}

/** Adds the actual assignments to the tag's contact count and to the rule's hits. */
export async function countHits(
  transaction: Transaction,
  counts: { ruleId: string; tagId: string; hits: number }[],
  now: Date,
): Promise<void> {
  const given = counts.filter(({ hits }) => hits > 0).toSorted((a, b) => (a.ruleId < b.ruleId ? -1 : 1));
  for (const { ruleId, tagId, hits } of given) {
    await rows(transaction, 'update tag set contact_count = contact_count + :hits where tag_id = :tagId', {
      hits,
      tagId,
    });
    await rows(
      transaction,
      `update smart_tag_rule set hit_count = hit_count + :hits, last_executed_at = greatest(last_executed_at, :now)
       where rule_id = :ruleId`,
      { hits, ruleId, now },
    );
  }
}

const insertSql = `
  insert into tag_assignment (tenant_id, tag_id, contact_id, assigned_at, source_rule_id, source_rule_version,
    source_campaign_id, source_task_id, source_action_index, source_biz_event_code, source_event_id, source_cause)
  select g.tenant_id, g.tag_id, g.contact_id, :now::timestamptz, g.rule_id, g.version, g.campaign_id, g.task_id,
    g.action_index, g.biz_event_code, g.event_id, g.cause
  from unnest(:tenantIds::text[], :tagIds::text[], :contactIds::text[], :ruleIds::text[], :versions::int[],
      :campaignIds::text[], :taskIds::text[], :actionIndexes::int[], :bizEventCodes::text[], :eventIds::text[],
      :causes::text[])
    as g(tenant_id, tag_id, contact_id, rule_id, version, campaign_id, task_id, action_index, biz_event_code, event_id,
      cause)
  on conflict (tag_id, contact_id) do nothing
  returning source_rule_id as rule_id, tag_id, source_event_id as event_id`;

/** Without assignments that an operator has removed. The tags are locked, so none is removed concurrently. */
async function notTakenBack(transaction: Transaction, hits: RuleHit[]): Promise<RuleHit[]> {
  const found = await rows<{ ordinal: number }>(
    transaction,
    `select g.ordinal from unnest(:tagIds::text[], :contactIds::text[], :ruleIds::text[], :causes::text[])
         with ordinality as g(tag_id, contact_id, rule_id, cause, ordinal)
       join removed_assignment x using (tag_id, contact_id, rule_id, cause)`,
    {
      tagIds: hits.map(({ rule }) => rule.targetTagId),
      contactIds: hits.map(({ occurrence }) => occurrence.contactId),
      ruleIds: hits.map(({ rule }) => rule.ruleId),
      causes: hits.map(({ occurrence }) => occurrence.cause),
    },
  );
  const takenBack = new Set(found.map(({ ordinal }) => ordinal));
  return hits.filter((_, index) => !takenBack.has(index + 1));
}

/** A tag that a contact did not have before. */
export interface GivenTag {
  ruleId: string;
  tagId: string;
  eventId: string | null;
}

/**
 * Assigns tags, each tag once per contact: a contact that already has it keeps it with its origin and is not another
 * hit. Expired and archived tags are not assigned, nor what an operator has taken back, for the same cause.
 * @returns what was assigned.
 */
export async function giveTags(transaction: Transaction, hits: RuleHit[], now: Date): Promise<GivenTag[]> {
  if (hits.length === 0) return [];
  const tags = await lockGivableTags(
    transaction,
    hits.map(({ rule }) => rule.targetTagId),
    now,
  );
  const firsts = new Map<string, RuleHit>();
  const givable = hits.filter(({ rule }) => tags.has(rule.targetTagId));
  for (const hit of await notTakenBack(transaction, givable)) {
    const key = JSON.stringify([hit.rule.targetTagId, hit.occurrence.contactId]);
    if (!firsts.has(key)) firsts.set(key, hit);
  }
  const given = [...firsts.values()];
  if (given.length === 0) return [];
  const of = <Name extends keyof RuleHit['occurrence']>(name: Name) => given.map(({ occurrence }) => occurrence[name]);
  const inserted = await rows<GivenTag>(transaction, insertSql, {
    now,
    tagIds: given.map(({ rule }) => rule.targetTagId),
    ruleIds: given.map(({ rule }) => rule.ruleId),
    versions: given.map(({ rule }) => rule.version),
    tenantIds: of('tenantId'),
    contactIds: of('contactId'),
    campaignIds: of('campaignId'),
    taskIds: of('taskId'),
    actionIndexes: of('actionIndex'),
    bizEventCodes: of('bizEventCode'),
    eventIds: of('eventId'),
    causes: of('cause'),
  });
  const counts = new Map<string, { ruleId: string; tagId: string; hits: number }>();
  for (const { ruleId, tagId } of inserted) {
    const count = counts.get(ruleId) ?? { ruleId, tagId, hits: 0 };
    counts.set(ruleId, { ...count, hits: count.hits + 1 });
  }
  await countHits(transaction, [...counts.values()], now);
  return inserted;
}
