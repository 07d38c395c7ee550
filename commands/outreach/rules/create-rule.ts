import { uuidv7 } from 'uuidv7';
import type { Database } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { type RuleDefinition, RuleRow, RuleVersionRow } from '#db/outreach/models/rules.ts';
import type { RuleRecord } from '#db/outreach/rules/rules.ts';
import type { RuleBody } from '#domain/api/rules.ts';
import { assertOwnCampaign, assertWithinLimits, audited, lockRule, lockRulesOf, takeTag } from './rules.ts';

/** @throws Problem `invalid_content` for a tag or campaign that the rule cannot have, and for more rules than a tenant may have. */
export function createRule(
  database: Database,
  author: Author,
  body: RuleBody,
  { now, rulesPerTenant }: { now: Date; rulesPerTenant: number },
): Promise<RuleRecord> {
  const { status, ...rest } = body;
  const definition: RuleDefinition = { ...rest, days: body.days ?? null, campaignId: body.campaignId ?? null };
  const ruleId = uuidv7();
  const { tenantId, userId } = author;
  return database.transaction(async (transaction) => {
    await lockRulesOf(transaction, tenantId);
    const serviceNumberId = await takeTag(transaction, tenantId, body.targetTagId);
    await assertOwnCampaign(transaction, tenantId, definition, serviceNumberId);
    const created = { ruleId, version: 1, createdAt: now };
    await RuleRow.query(transaction).insert({ ...definition, ...created, tenantId, status, updatedAt: now });
    await RuleVersionRow.query(transaction).insert({ ...definition, ...created, createdBy: userId });
    await assertWithinLimits(transaction, tenantId, { rulesPerTenant });
    const after = await lockRule(transaction, tenantId, ruleId);
    await recordAudit(transaction, author, {
      action: 'smart_tag_rule.create',
      objectType: 'smart_tag_rule',
      objectId: ruleId,
      after: audited(after),
    });
    return after;
  });
}
