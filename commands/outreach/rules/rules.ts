import { firstRow, rows, type Transaction } from '#db/database.ts';
import { CampaignRow } from '#db/outreach/models/campaigns.ts';
import type { RuleDefinition } from '#db/outreach/models/rules.ts';
import { ruleColumns, type RuleRecord } from '#db/outreach/rules/rules.ts';
import type { FieldErrorCode } from '#domain/api/field-errors.ts';
import { invalidField, Problem } from '#domain/api/problem.ts';

/** What the audit log says of a rule. */
export const audited = ({ revision: _revision, ...rule }: RuleRecord) => rule;

export async function lockRule(transaction: Transaction, tenantId: string, ruleId: string): Promise<RuleRecord> {
  const [row] = await rows<RuleRecord>(
    transaction,
    `select ${ruleColumns} from smart_tag_rule r
     where r.rule_id = :ruleId and r.tenant_id = :tenantId and r.removed_at is null for update`,
    { ruleId, tenantId },
  );
  if (!row) throw new Problem('not_found', 'There is no rule with this id');
  return row;
}

export function invalidRule(field: string, code: FieldErrorCode): Problem {
  const error = invalidField(`/${field}`, code);
  return new Problem('invalid_content', `The rule's ${field} ${error.message}`, { errors: [error] });
}

/**
 * Turns the tag into a smart tag, which a rule assigns.
 * @returns its service number.
 * @throws Problem `invalid_content` for a tag that the tenant does not have, or that is archived.
 */
export async function takeTag(transaction: Transaction, tenantId: string, tagId: string): Promise<string> {
  const tag = await firstRow<{ serviceNumberId: string }>(
    transaction,
    `update tag set source = 'app_smart' where tag_id = :tagId and tenant_id = :tenantId and status <> 'archived'
     returning service_number_id`,
    { tagId, tenantId },
  );
  if (!tag) throw invalidRule('targetTagId', 'unknown_or_archived');
  return tag.serviceNumberId;
}

export async function assertOwnCampaign(
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
