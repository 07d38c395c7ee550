import type { Rule } from '#domain/api/rules.ts';
import { type Database, firstRow } from '#db/database.ts';
import { isoOf } from '../sql-fragments.ts';

/** A rule as its row stores it. */
export interface RuleRecord extends Omit<Rule, 'etag' | 'lastExecutedAt' | 'createdAt' | 'updatedAt'> {
  revision: number;
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
  r.updated_at, r.revision`;

/** Null if the tenant no longer has such a rule. */
export function findRule(database: Database, tenantId: string, ruleId: string): Promise<RuleRecord | null> {
  return firstRow<RuleRecord>(
    database,
    `select ${ruleColumns} from smart_tag_rule r
     where r.rule_id = :ruleId and r.tenant_id = :tenantId and r.removed_at is null`,
    { ruleId, tenantId },
  );
}
