import { isDeepStrictEqual } from 'node:util';
import { uuidv7 } from 'uuidv7';
import type { BatchResult } from '../../../domain/api/batches.ts';
import { Problem, invalidField } from '../../../domain/api/problem.ts';
import { daysError, type Rule, type RuleBody, type RulePatch } from '../../../domain/api/rules.ts';
import { NO_RESPONSE } from '../../../domain/rules/triggers.ts';
import type { FieldErrorCode } from '../../../domain/api/field-errors.ts';
import { type Database, firstRow, rows, type Transaction } from '../../database.ts';
import { type Author, recordAudit } from '../audit/record.ts';
import { changeEach } from '../batch.ts';
import { CampaignRow } from '../models/campaigns.ts';
import { type RuleDefinition, RuleRow, RuleVersionRow } from '../models/rules.ts';
import { isoOf } from '../sql-fragments.ts';

/** A rule as its row stores it. */
export interface RuleRecord extends Omit<Rule, 'lastExecutedAt' | 'createdAt' | 'updatedAt'> {
  lastExecutedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

/** Of a rule or of one of its versions, aliased `r`. */
export const definitionColumns = `r.version, r.name, r.trigger_event, r.match_condition, r.target_tag_id, r.days, r.campaign_id,
  (select c.name from campaign c where c.campaign_id = r.campaign_id) as campaign_name,
  (select json_build_object('serviceNumberId', t.service_number_id, 'name', t.name, 'kind', t.kind, 'color', t.color,
     'expiresAt', ${isoOf('t.expires_at')}, 'archived', t.status = 'archived')
   from tag t where t.tag_id = r.target_tag_id) as target_tag`;

export const ruleColumns = `r.rule_id, ${definitionColumns}, r.status, r.hit_count, r.last_executed_at, r.created_at,
  r.updated_at`;

/** Null if the tenant no longer has such a rule. */
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
  if (!row) throw new Problem('not_found', 'There is no rule with this id');
  return row;
}

function invalidRule(field: string, code: FieldErrorCode): Problem {
  const error = invalidField(`/${field}`, code);
  return new Problem('invalid_content', `The rule's ${field} ${error.message}`, { errors: [error] });
}

/**
 * Turns the tag into a smart tag, which a rule assigns.
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
  if (!tag) throw invalidRule('targetTagId', 'unknown_or_archived');
  return tag.serviceNumberId;
}

async function assertOwnCampaign(
  transaction: Transaction,
  tenantId: string,
  { campaignId }: RuleDefinition,
  serviceNumberId: string,
): Promise<void> {
  if (campaignId === null) return;
  const found = await CampaignRow.query(transaction)
    .select('campaignId')
    .findOne({ campaignId, tenantId, serviceNumberId });
  if (!found) throw invalidRule('campaignId', 'unknown_campaign');
}

/** @throws Problem `invalid_content` for a tag or campaign that the rule cannot have. */
export function createRule(database: Database, author: Author, body: RuleBody, now: Date): Promise<RuleRecord> {
  const { status, ...rest } = body;
  const definition: RuleDefinition = { ...rest, days: body.days ?? null, campaignId: body.campaignId ?? null };
  const ruleId = uuidv7();
  const { tenantId, userId } = author;
  return database.transaction(async (transaction) => {
    const serviceNumberId = await takeTag(transaction, tenantId, body.targetTagId);
    await assertOwnCampaign(transaction, tenantId, definition, serviceNumberId);
    const created = { ruleId, version: 1, createdAt: now };
    await RuleRow.query(transaction).insert({ ...definition, ...created, tenantId, status, updatedAt: now });
    await RuleVersionRow.query(transaction).insert({ ...definition, ...created, createdBy: userId });
    const after = await lockRule(transaction, tenantId, ruleId);
    await recordAudit(transaction, author, {
      action: 'smart_tag_rule.create',
      objectType: 'smart_tag_rule',
      objectId: ruleId,
      after,
    });
    return after;
  });
}

/** What makes a version; the name is not part of it. */
const effectOf = ({ triggerEvent, matchCondition, targetTagId, days, campaignId }: RuleDefinition) => ({
  triggerEvent,
  matchCondition,
  targetTagId,
  days,
  campaignId,
});

function patched(before: RuleRecord, patch: RulePatch): RuleDefinition {
  const triggerEvent = patch.triggerEvent ?? before.triggerEvent;
  // A different trigger has no use for the rule's days.
  const formerDays = triggerEvent === NO_RESPONSE ? before.days : null;
  const after: RuleDefinition = {
    name: patch.name ?? before.name,
    triggerEvent,
    matchCondition: patch.matchCondition ?? before.matchCondition,
    targetTagId: patch.targetTagId ?? before.targetTagId,
    days: patch.days === undefined ? formerDays : patch.days,
    campaignId: patch.campaignId === undefined ? before.campaignId : patch.campaignId,
  };
  const error = daysError(after);
  if (error) throw invalidRule('days', error);
  return after;
}

/**
 * Changes the given fields. A definition that may have other effects gets the next version; a new name does not, and
 * becomes that of the current version.
 * @throws Problem `not_found`, `invalid_content`.
 */
export function updateRule(
  database: Database,
  author: Author,
  ruleId: string,
  patch: RulePatch,
  now: Date,
): Promise<RuleRecord> {
  const { tenantId, userId } = author;
  return database.transaction(async (transaction) => {
    // The tag before the rule, in the drain's lock order.
    const target = patch.targetTagId ?? (await findRule(transaction, tenantId, ruleId))?.targetTagId;
    const serviceNumberId =
      patch.targetTagId !== undefined || patch.campaignId !== undefined
        ? await takeTag(transaction, tenantId, target ?? '')
        : null;
    const before = await lockRule(transaction, tenantId, ruleId);
    const definition = patched(before, patch);
    if (serviceNumberId !== null) await assertOwnCampaign(transaction, tenantId, definition, serviceNumberId);
    const isNew = !isDeepStrictEqual(effectOf(definition), effectOf(before));
    const version = before.version + (isNew ? 1 : 0);
    await RuleRow.query(transaction)
      .findById(ruleId)
      .patch({ ...definition, version, status: patch.status ?? before.status, updatedAt: now });
    if (isNew) {
      const created = { ruleId, version, createdAt: now, createdBy: userId };
      await RuleVersionRow.query(transaction).insert({ ...definition, ...created });
    } else if (definition.name !== before.name) {
      await RuleVersionRow.query(transaction).findById([ruleId, version]).patch({ name: definition.name });
    }
    const after = await lockRule(transaction, tenantId, ruleId);
    await recordAudit(transaction, author, {
      action: 'smart_tag_rule.update',
      objectType: 'smart_tag_rule',
      objectId: ruleId,
      before,
      after,
    });
    return after;
  });
}

async function remove(transaction: Transaction, author: Author, ruleId: string, now: Date): Promise<void> {
  const before = await lockRule(transaction, author.tenantId, ruleId);
  await RuleRow.query(transaction).findById(ruleId).patch({ removedAt: now });
  await recordAudit(transaction, author, {
    action: 'smart_tag_rule.delete',
    objectType: 'smart_tag_rule',
    objectId: ruleId,
    before,
  });
}

/** Its row and versions stay for the assignments that refer to it. @throws Problem `not_found`. */
export function removeRule(database: Database, author: Author, ruleId: string, now: Date): Promise<void> {
  return database.transaction((transaction) => remove(transaction, author, ruleId, now));
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
    await remove(transaction, author, ruleId, now);
    return 'done';
  });
}
