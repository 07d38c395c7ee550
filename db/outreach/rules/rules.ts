import { isDeepStrictEqual } from 'node:util';
import { uuidv7 } from 'uuidv7';
import { Problem, invalidField } from '../../../domain/api/problem.ts';
import { daysError, NO_RESPONSE, type Rule, type RuleBody, type RulePatch } from '../../../domain/api/rules.ts';
import type { FieldErrorCode } from '../../../domain/field-errors.ts';
import { type Database, firstRow, rows, type Transaction } from '../../database.ts';
import { type Author, recordAudit } from '../audit/record.ts';
import { isoOf } from '../sql-fragments.ts';

/** A rule as its row has it. */
export interface RuleRecord extends Omit<Rule, 'lastExecutedAt' | 'createdAt' | 'updatedAt'> {
  lastExecutedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

/** What a rule does: a change of any of it makes a new version. */
type Definition = Pick<Rule, 'name' | 'triggerEvent' | 'matchCondition' | 'targetTagId' | 'days' | 'campaignId'>;

/** Of a rule or of one of its versions, which is called `r`. */
export const definitionColumns = `r.version, r.name, r.trigger_event,
  r.match_condition, r.target_tag_id, r.days, r.campaign_id,
  (select c.name from campaign c where c.campaign_id = r.campaign_id) as campaign_name,
  (select json_build_object('serviceNumberId', t.service_number_id, 'name', t.name, 'kind', t.kind, 'color', t.color,
     'expiresAt', ${isoOf('t.expires_at')}, 'archived', t.status = 'archived')
   from tag t where t.tag_id = r.target_tag_id) as target_tag`;

export const ruleColumns = `r.rule_id, ${definitionColumns}, r.status, r.hit_count, r.last_executed_at, r.created_at,
  r.updated_at`;

export function presentRule({ lastExecutedAt, createdAt, updatedAt, ...rule }: RuleRecord): Rule {
  return {
    ...rule,
    lastExecutedAt: lastExecutedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/** Null where the tenant has no such rule any more. */
export function findRule(database: Database, tenantId: string, ruleId: string): Promise<RuleRecord | null> {
  return firstRow<RuleRecord>(
    database,
    `select ${ruleColumns} from smart_tag_rule r
     where r.rule_id = :ruleId and r.tenant_id = :tenantId and r.removed_at is null`,
    { ruleId, tenantId },
  );
}

async function lockRule(transaction: Transaction, tenantId: string, ruleId: string): Promise<RuleRecord> {
  const [row] = await rows<RuleRecord>(
    transaction,
    `select ${ruleColumns} from smart_tag_rule r
     where r.rule_id = :ruleId and r.tenant_id = :tenantId and r.removed_at is null for update`,
    { ruleId, tenantId },
  );
  if (!row) throw new Problem('not_found', 'There is no rule of this id');
  return row;
}

function refuse(field: string, code: FieldErrorCode): Problem {
  const refused = invalidField(`/${field}`, code);
  return new Problem('invalid_content', `The rule's ${field} ${refused.message}`, { errors: [refused] });
}

/**
 * Makes the tag a smart one, which a rule gives.
 * @returns its service number.
 * @throws Problem `invalid_content` for a tag that the tenant does not have, or that is archived.
 */
async function takeTag(transaction: Transaction, tenantId: string, tagId: string): Promise<string> {
  const tag = await firstRow<{ serviceNumberId: string }>(
    transaction,
    `update tag set source = 'app_smart' where tag_id = :tagId and tenant_id = :tenantId and status <> 'archived'
     returning service_number_id`,
    { tagId, tenantId },
  );
  if (!tag) throw refuse('targetTagId', 'unknown_or_archived');
  return tag.serviceNumberId;
}

async function assertOwnCampaign(
  transaction: Transaction,
  tenantId: string,
  { campaignId }: Definition,
  serviceNumberId: string,
): Promise<void> {
  if (campaignId === null) return;
  const found = await firstRow(
    transaction,
    `select 1 as found from campaign
     where campaign_id = :campaignId and tenant_id = :tenantId and service_number_id = :serviceNumberId`,
    { campaignId, tenantId, serviceNumberId },
  );
  if (!found) throw refuse('campaignId', 'unknown_campaign');
}

const bound = (definition: Definition) => ({
  ...definition,
  matchCondition: JSON.stringify(definition.matchCondition),
});

async function insertVersion(
  transaction: Transaction,
  { ruleId, version, userId, now }: { ruleId: string; version: number; userId: string; now: Date },
  definition: Definition,
): Promise<void> {
  await rows(
    transaction,
    `insert into smart_tag_rule_version (rule_id, version, name, trigger_event, match_condition, target_tag_id, days,
       campaign_id, created_at, created_by)
     values (:ruleId, :version, :name, :triggerEvent, :matchCondition::jsonb, :targetTagId, :days, :campaignId,
       :now, :userId)`,
    { ...bound(definition), ruleId, version, userId, now },
  );
}

/** @throws Problem `invalid_content` for a tag or campaign that the rule cannot have. */
export function createRule(database: Database, author: Author, body: RuleBody, now: Date): Promise<Rule> {
  const { status, ...rest } = body;
  const definition: Definition = { ...rest, days: body.days ?? null, campaignId: body.campaignId ?? null };
  const ruleId = uuidv7();
  const { tenantId, userId } = author;
  return database.transaction(async (transaction) => {
    const serviceNumberId = await takeTag(transaction, tenantId, body.targetTagId);
    await assertOwnCampaign(transaction, tenantId, definition, serviceNumberId);
    await rows(
      transaction,
      `insert into smart_tag_rule (rule_id, tenant_id, version, name, trigger_event, match_condition, target_tag_id, days,
         campaign_id, status, created_at, updated_at)
       values (:ruleId, :tenantId, 1, :name, :triggerEvent, :matchCondition::jsonb, :targetTagId, :days, :campaignId,
         :status, :now, :now)`,
      { ...bound(definition), ruleId, tenantId, status, now },
    );
    await insertVersion(transaction, { ruleId, version: 1, userId, now }, definition);
    const after = presentRule(await lockRule(transaction, tenantId, ruleId));
    await recordAudit(transaction, author, {
      action: 'smart_tag_rule.create',
      objectType: 'smart_tag_rule',
      objectId: ruleId,
      after,
    });
    return after;
  });
}

const definitionOf = ({ name, triggerEvent, matchCondition, targetTagId, days, campaignId }: Definition) => ({
  name,
  triggerEvent,
  matchCondition,
  targetTagId,
  days,
  campaignId,
});

function patched(before: RuleRecord, patch: RulePatch): Definition {
  const triggerEvent = patch.triggerEvent ?? before.triggerEvent;
  // Another trigger has no use for the days that the rule had.
  const formerDays = triggerEvent === NO_RESPONSE ? before.days : null;
  const after: Definition = {
    name: patch.name ?? before.name,
    triggerEvent,
    matchCondition: patch.matchCondition ?? before.matchCondition,
    targetTagId: patch.targetTagId ?? before.targetTagId,
    days: patch.days === undefined ? formerDays : patch.days,
    campaignId: patch.campaignId === undefined ? before.campaignId : patch.campaignId,
  };
  const refusal = daysError(after);
  if (refusal) throw refuse('days', refusal);
  return after;
}

/**
 * Changes what is given; another definition gets the next version.
 * @throws Problem `not_found`, `invalid_content`.
 */
export function updateRule(
  database: Database,
  author: Author,
  ruleId: string,
  patch: RulePatch,
  now: Date,
): Promise<Rule> {
  const { tenantId, userId } = author;
  return database.transaction(async (transaction) => {
    // The tag before the rule, as the drain locks them.
    const target = patch.targetTagId ?? (await findRule(transaction, tenantId, ruleId))?.targetTagId;
    const serviceNumberId =
      patch.targetTagId !== undefined || patch.campaignId !== undefined
        ? await takeTag(transaction, tenantId, target ?? '')
        : null;
    const before = await lockRule(transaction, tenantId, ruleId);
    const definition = patched(before, patch);
    if (serviceNumberId !== null) await assertOwnCampaign(transaction, tenantId, definition, serviceNumberId);
    const isNew = !isDeepStrictEqual(definition, definitionOf(before));
    const version = before.version + (isNew ? 1 : 0);
    await rows(
      transaction,
      `update smart_tag_rule set version = :version, name = :name, trigger_event = :triggerEvent,
         match_condition = :matchCondition::jsonb, target_tag_id = :targetTagId, days = :days, campaign_id = :campaignId,
         status = :status, updated_at = :now
       where rule_id = :ruleId`,
      { ...bound(definition), ruleId, version, status: patch.status ?? before.status, now },
    );
    if (isNew) await insertVersion(transaction, { ruleId, version, userId, now }, definition);
    const after = presentRule(await lockRule(transaction, tenantId, ruleId));
    await recordAudit(transaction, author, {
      action: 'smart_tag_rule.update',
      objectType: 'smart_tag_rule',
      objectId: ruleId,
      before: presentRule(before),
      after,
    });
    return after;
  });
}

/** Its row and versions stay for the assignments that name it. @throws Problem `not_found`. */
export function removeRule(database: Database, author: Author, ruleId: string, now: Date): Promise<void> {
  return database.transaction(async (transaction) => {
    const before = await lockRule(transaction, author.tenantId, ruleId);
    await rows(transaction, 'update smart_tag_rule set removed_at = :now where rule_id = :ruleId', { ruleId, now });
    await recordAudit(transaction, author, {
      action: 'smart_tag_rule.delete',
      objectType: 'smart_tag_rule',
      objectId: ruleId,
      before: presentRule(before),
    });
  });
}
