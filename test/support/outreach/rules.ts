import { randomUUID } from 'node:crypto';
import { type Database, firstRow, rows } from '#db/database.ts';
import { backtestRule } from '#db/outreach/rules/backtest/backtest.ts';
import type { TimeLimit } from '#db/outreach/rules/backtest/time-limit.ts';
import { createRule } from '#commands/outreach/rules/create-rule.ts';
import { findRule, type RuleRecord } from '#db/outreach/rules/rules.ts';
import { createTag } from '#commands/outreach/tags/create-tag.ts';
import type { Backtest, RuleBody } from '#domain/api/rules.ts';

const authorOf = (tenantId: string) => ({ tenantId, userId: 'u1', requestId: null });

/** A tag of `sn-1` in the tenant; temporary if `expiresAt` is given. */
export async function seedTag(
  database: Database,
  tenantId: string,
  more: { serviceNumberId?: string; expiresAt?: Date } = {},
): Promise<string> {
  const { serviceNumberId = 'sn-1', expiresAt } = more;
  await rows(
    database,
    `insert into service_number_catalog values (:tenantId, :serviceNumberId, 'Main', 'active') on conflict do nothing`,
    { tenantId, serviceNumberId },
  );
  const body = {
    name: randomUUID(),
    serviceNumberId,
    ...(expiresAt
      ? { kind: 'temporary' as const, expiresAt: expiresAt.toISOString() }
      : { kind: 'permanent' as const }),
  };
  return (await createTag(database, authorOf(tenantId), body, new Date(0))).tagId;
}

export type TestRule = Partial<RuleBody> & { targetTagId: string };

/**
 * An active rule that gives the tag for every click by default.
 * @returns its id.
 */
export async function seedRule(database: Database, tenantId: string, more: TestRule): Promise<string> {
  const body = { name: 'Rule', triggerEvent: 'notice.clicked', matchCondition: { all: [] }, status: 'active', ...more };
  return (await createRule(database, authorOf(tenantId), body as RuleBody, { now: new Date(), rulesPerTenant: 200 }))
    .ruleId;
}

export async function readRule(database: Database, tenantId: string, ruleId: string): Promise<RuleRecord> {
  const rule = await findRule(database, tenantId, ruleId);
  if (!rule) throw new Error('no such rule');
  return rule;
}

/** The result of a backtest of the rule over the 80 days before `now`, contacts in the order of the API. */
export async function runBacktest(
  database: Database,
  tenantId: string,
  ruleId: string,
  { now = new Date(), limit }: { now?: Date; limit?: TimeLimit } = {},
): Promise<Backtest> {
  const period = { from: new Date(now.getTime() - 80 * 86_400_000), to: now };
  return await backtestRule(database, tenantId, await readRule(database, tenantId, ruleId), period, {
    now,
    eventsDays: 90,
    ...(limit && { limit }),
  });
}

/** The same with the contacts sorted. */
export async function backtest(
  database: Database,
  tenantId: string,
  ruleId: string,
  now = new Date(),
): Promise<Backtest> {
  const result = await runBacktest(database, tenantId, ruleId, { now });
  return { ...result, contactIds: result.contactIds.toSorted() };
}

/** The contacts that have the tag, in order. */
export async function taggedContacts(database: Database, tagId: string): Promise<string[]> {
  const found = await rows<{ contactId: string }>(
    database,
    'select contact_id from tag_assignment where tag_id = :tagId order by contact_id collate "C"',
    { tagId },
  );
  return found.map(({ contactId }) => contactId);
}

export async function readTag(
  database: Database,
  tagId: string,
): Promise<{ status: string; contactCount: number } | null> {
  return await firstRow(database, 'select status, contact_count from tag where tag_id = :tagId', {
    tagId,
  });
}
