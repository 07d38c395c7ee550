import type { AttributedTotal } from '#domain/api/attribution.ts';
import { type Database, firstRow, rows } from '#db/database.ts';

/** Whether there was no comparison since then. */
export async function isComparisonDue(database: Database, before: Date): Promise<boolean> {
  const row = await firstRow<{ due: boolean }>(database, 'select compared_at <= :before as due from revenue_position', {
    before,
  });
  return row?.due ?? false;
}

/** Campaigns that are not here (any more) have no revenue to compare. */
const compare = `
  with theirs as (
    select t."platformTenantId" as tenant_id, t."campaignId" as campaign_id, t.currency, t."netMinor" as minor
    from json_to_recordset(:totals) as t ("platformTenantId" text, "campaignId" text, currency text, "netMinor" bigint)
    join campaign c on c.tenant_id = t."platformTenantId" and c.campaign_id = t."campaignId"),
  ours as (
    select tenant_id, campaign_id, currency, sum(paid_minor - refunded_minor)::bigint as minor
    from campaign_revenue group by 1, 2, 3),
  differing as (
    select tenant_id, campaign_id, currency, coalesce(o.minor, 0) as ours_minor, coalesce(t.minor, 0) as theirs_minor
    from ours o full join theirs t using (tenant_id, campaign_id, currency)
    where coalesce(o.minor, 0) <> coalesce(t.minor, 0)),
  gone as (
    delete from revenue_difference d where not exists (
      select from differing n where (n.tenant_id, n.campaign_id, n.currency) = (d.tenant_id, d.campaign_id, d.currency))),
  noted as (
    insert into revenue_difference (tenant_id, campaign_id, currency, ours_minor, theirs_minor, since)
    select tenant_id, campaign_id, currency, ours_minor, theirs_minor, :now from differing
    on conflict (tenant_id, campaign_id, currency) do update
      set ours_minor = excluded.ours_minor, theirs_minor = excluded.theirs_minor),
  done as (update revenue_position set compared_at = :now)
  select count(*)::int as differing from differing`;

/**
 * Compares the sums of all campaigns with what the order service's ledger says as of the position that was just read, and
 * notes which differ, since when. @returns how many
 */
export async function compareTotals(
  database: Database,
  totals: readonly AttributedTotal[],
  now: Date,
): Promise<number> {
  const row = await firstRow<{ differing: number }>(database, compare, { totals: JSON.stringify(totals), now });
  return row?.differing ?? 0;
}

export interface RevenueFigures {
  differences: number;
  /** Since the last comparison, or since there is anything to compare. */
  ageSeconds: number;
}

/** For on-call staff. */
export async function readRevenueFigures(database: Database): Promise<RevenueFigures> {
  const [row] = await rows<RevenueFigures>(
    database,
    `select (select count(*) from revenue_difference)::int as differences,
       extract(epoch from now() - compared_at)::float as age_seconds from revenue_position`,
    {},
  );
  return row ?? { differences: 0, ageSeconds: 0 };
}
