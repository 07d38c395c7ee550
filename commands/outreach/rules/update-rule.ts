import { isDeepStrictEqual } from 'node:util';
import type { Database } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { type RuleDefinition, RuleRow, RuleVersionRow } from '#db/outreach/models/rules.ts';
import { findRule, type RuleRecord } from '#db/outreach/rules/rules.ts';
import { daysError, type RulePatch } from '#domain/api/rules.ts';
import { NO_RESPONSE } from '#domain/rules/triggers.ts';
import {
  assertOwnCampaign,
  assertWithinLimits,
  audited,
  invalidRule,
  lockRule,
  lockRulesOf,
  takeTag,
} from './rules.ts';
import { anyRevision, type RevisionCheck } from '../revision-check.ts';

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
 * @throws Problem `not_found`, `stale`, `invalid_content`.
 */
export function updateRule(
  database: Database,
  author: Author,
  ruleId: string,
  { patch, now, checkRevision = anyRevision }: { patch: RulePatch; now: Date; checkRevision?: RevisionCheck },
): Promise<RuleRecord> {
  const { tenantId, userId } = author;
  return database.transaction(async (transaction) => {
    if (patch.matchCondition !== undefined) await lockRulesOf(transaction, tenantId);
    // The tag before the rule, in the drain's lock order.
    const target = patch.targetTagId ?? (await findRule(transaction, tenantId, ruleId))?.targetTagId;
    const serviceNumberId =
      patch.targetTagId !== undefined || patch.campaignId !== undefined
        ? await takeTag(transaction, tenantId, target ?? '')
        : null;
    const before = await lockRule(transaction, tenantId, ruleId);
    checkRevision(before.revision);
    const definition = patched(before, patch);
    if (serviceNumberId !== null) await assertOwnCampaign(transaction, tenantId, definition, serviceNumberId);
    const isNew = !isDeepStrictEqual(effectOf(definition), effectOf(before));
    const version = before.version + (isNew ? 1 : 0);
    await RuleRow.query(transaction)
      .findById(ruleId)
      .patch({ ...definition, version, status: patch.status ?? before.status, updatedAt: now });
    if (patch.matchCondition !== undefined) await assertWithinLimits(transaction, tenantId);
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
      before: audited(before),
      after: audited(after),
    });
    return after;
  });
}
