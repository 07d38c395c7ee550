import { firstRow, rows, type Transaction } from '#db/database.ts';
import { CampaignRow } from '#db/outreach/models/campaigns.ts';
import type { RuleDefinition } from '#db/outreach/models/rules.ts';
import { ruleColumns, type RuleRecord } from '#db/outreach/rules/rules.ts';
import type { FieldErrorCode } from '#domain/api/field-errors.ts';
import { invalidField, Problem } from '#domain/api/problem.ts';
import { type MatchCondition, patternLength } from '#domain/rules/match-condition.ts';

/** Patterns of a tenant's rules, in characters: comparing an event with all of them takes a tenth of a second at most. */
const MOST_PATTERN_CHARACTERS = 64_000;

/** One after the other, so that several at once do not pass the limits together. Before the tag and the rule. */
export async function lockRulesOf(transaction: Transaction, tenantId: string): Promise<void> {
  await rows(transaction, `select pg_advisory_xact_lock(hashtextextended('rules ' || :tenantId, 0))`, { tenantId });
}

const rulesOf = `select match_condition from smart_tag_rule where tenant_id = :tenantId and removed_at is null`;

/** @throws Problem `invalid_content` where a tenant has more rules than it may, or longer patterns. */
export async function assertWithinLimits(
  transaction: Transaction,
  tenantId: string,
  { rulesPerTenant = Infinity }: { rulesPerTenant?: number } = {},
): Promise<void> {
  const found = await rows<{ matchCondition: MatchCondition }>(transaction, rulesOf, { tenantId });
  if (found.length > rulesPerTenant)
    throw new Problem('invalid_content', `A tenant may have ${rulesPerTenant} rules; delete one that is not used`);
  const characters = found.reduce((sum, { matchCondition }) => sum + patternLength(matchCondition), 0);
  if (characters > MOST_PATTERN_CHARACTERS) throw invalidRule('matchCondition', 'patterns_too_long');
}

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
