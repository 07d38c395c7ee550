import { z } from 'zod';
import type { Page } from '#domain/api/primitives.ts';
import type { RuleStatus, RuleVersion } from '#domain/api/rules.ts';
import { decodeCursor, keyText, mapPage, pageOf } from '#domain/cursor.ts';
import type { ruleSorts } from '#domain/lists/sorts.ts';
import { type Database, rows } from '#db/database.ts';
import { type ListOrder, type OrderedPage, orderedPage } from '../list-order.ts';
import { RuleRow } from '../models/rules.ts';
import { definitionColumns, ruleColumns, type RuleRecord } from './rules.ts';

interface PageRequest {
  limit: number;
  cursor?: string | undefined;
}

export interface RuleFilter extends PageRequest {
  serviceNumberId?: string | undefined;
  targetTagId?: string | undefined;
  status?: RuleStatus | undefined;
  sort?: (typeof ruleSorts)[number] | undefined;
}

const byName: Record<'name', ListOrder> = { name: { key: 'lower(r.name) collate "C"', of: 'text' } };

/** Newest first, since ids are in creation order. */
function newest(cursor: string | undefined): OrderedPage {
  const [after = null] = decodeCursor(z.tuple([keyText]), cursor) ?? [];
  return {
    at: 'r.rule_id',
    after: after === null ? 'true' : 'r.rule_id < :after',
    orderBy: 'r.rule_id desc',
    bindings: { at: null, after },
    positionOf: (_, ruleId) => [ruleId],
  };
}

/** Newest first or as asked for, page by page. */
export async function listRules(database: Database, tenantId: string, filter: RuleFilter): Promise<Page<RuleRecord>> {
  const { limit, cursor, sort, serviceNumberId = null, targetTagId = null, status = null } = filter;
  const ordered = sort === undefined ? newest(cursor) : orderedPage(byName, { id: 'r.rule_id' }, { sort, cursor });
  const found = await rows<RuleRecord & { at: string }>(
    database,
    `select ${ruleColumns}, ${ordered.at} as at from smart_tag_rule r join tag t on t.tag_id = r.target_tag_id
     where r.tenant_id = :tenantId and r.removed_at is null
       ${serviceNumberId === null ? '' : 'and t.service_number_id = :serviceNumberId'}
       ${targetTagId === null ? '' : 'and r.target_tag_id = :targetTagId'}
       ${status === null ? '' : 'and r.status = :status'}
       and ${ordered.after}
     order by ${ordered.orderBy} limit :rows`,
    { tenantId, serviceNumberId, targetTagId, status, rows: limit + 1, ...ordered.bindings },
  );
  return mapPage(
    pageOf(found, limit, (row) => ordered.positionOf(row, row.ruleId)),
    ({ at: _at, ...rule }) => rule,
  );
}

/** Whether the tenant has or had this rule. */
export async function isKnownRule(database: Database, tenantId: string, ruleId: string): Promise<boolean> {
  const rule = await RuleRow.query(database).select('ruleId').findOne({ ruleId, tenantId });
  return rule !== undefined;
}

export type RuleVersionRecord = Omit<RuleVersion, 'createdAt'> & { createdAt: Date };

/** Newest first. The caller has already found the rule by its tenant. */
export async function listRuleVersions(
  database: Database,
  ruleId: string,
  { limit, cursor }: PageRequest,
): Promise<Page<RuleVersionRecord>> {
  const after = decodeCursor(z.tuple([z.int().min(1).max(2_000_000_000)]), cursor);
  const found = await rows<RuleVersionRecord>(
    database,
    `select ${definitionColumns}, r.created_at, r.created_by, u.name as created_by_name
     from smart_tag_rule_version r join smart_tag_rule o on o.rule_id = r.rule_id
       left join app_user u on u.tenant_id = o.tenant_id and u.platform_user_id = r.created_by
     where r.rule_id = :ruleId ${after ? 'and r.version < :after' : ''}
     order by r.version desc limit :rows`,
    { ruleId, rows: limit + 1, after: after?.[0] ?? null },
  );
  return pageOf(found, limit, (row) => [row.version]);
}
