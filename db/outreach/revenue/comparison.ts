import type { AttributedCampaign, AttributedTotals } from '#domain/api/attribution.ts';
import { type Database, firstRow, rows } from '#db/database.ts';

/** A comparison that is under way, page by page. */
export interface Comparison {
  /** Campaigns about which cash was booked after this entry of the order service's ledger; null for all. */
  since: number | null;
  /** Up to this entry; null before the first page says so. */
  through: number | null;
  /** The last campaign that was compared. */
  after: AttributedCampaign | null;
  /** ISO 8601, by PostgreSQL's clock. */
  beganAt: string;
}

/** All campaigns are compared so long after they were, and as long as one is known to differ. */
const ALL_EVERY = `interval '7 days'`;

/** The comparison that is under way, or is due since there was none after `before`; null if none is. */
export async function comparisonToContinue(database: Database, before: Date): Promise<Comparison | null> {
  const row = await firstRow<{ comparing: Comparison | null; due: boolean; all: boolean; since: number; now: Date }>(
    database,
    `select comparing, compared_at <= :before as due, compared_through as since, now() as now,
       coalesce(compared_all_at <= now() - ${ALL_EVERY}, true) or exists (select from revenue_difference) as all
     from revenue_position`,
    { before },
  );
  if (!row) return null;
  if (row.comparing) return row.comparing;
  if (!row.due) return null;
  return { since: row.all ? null : row.since, through: null, after: null, beganAt: row.now.toISOString() };
}

/**
 * Campaigns that are not here (any more) have no revenue to compare. Those that the order service does not know are
 * compared at the end of a comparison of all.
 */
const compare = `
  with told as (
    select c."platformTenantId" as tenant_id, c."campaignId" as campaign_id
    from json_to_recordset(:campaigns) as c ("platformTenantId" text, "campaignId" text)),
  looked as (
    select tenant_id, campaign_id from told
    union select tenant_id, campaign_id from campaign_revenue
      where :endsAll and compared_at < cast(:beganAt as timestamptz)),
  theirs as (
    select t."platformTenantId" as tenant_id, t."campaignId" as campaign_id, t.currency, t."netMinor" as minor
    from json_to_recordset(:totals) as t ("platformTenantId" text, "campaignId" text, currency text, "netMinor" bigint)
    join campaign c on c.tenant_id = t."platformTenantId" and c.campaign_id = t."campaignId"),
  ours as (
    select tenant_id, campaign_id, currency, sum(paid_minor - refunded_minor)::bigint as minor
    from campaign_revenue join looked using (tenant_id, campaign_id) group by 1, 2, 3),
  seen as (
    update campaign_revenue r set compared_at = now() from looked l
    where (r.tenant_id, r.campaign_id) = (l.tenant_id, l.campaign_id)),
  differing as (
    select tenant_id, campaign_id, currency, coalesce(o.minor, 0) as ours_minor, coalesce(t.minor, 0) as theirs_minor
    from ours o full join theirs t using (tenant_id, campaign_id, currency)
    where coalesce(o.minor, 0) <> coalesce(t.minor, 0)),
  gone as (
    delete from revenue_difference d
    where (:endsAll and d.theirs_minor = 0 and not exists (select from campaign_revenue r
          where (r.tenant_id, r.campaign_id) = (d.tenant_id, d.campaign_id))
        or exists (select from looked l where (l.tenant_id, l.campaign_id) = (d.tenant_id, d.campaign_id)))
      and not exists (select from differing n
        where (n.tenant_id, n.campaign_id, n.currency) = (d.tenant_id, d.campaign_id, d.currency))),
  noted as (
    insert into revenue_difference (tenant_id, campaign_id, currency, ours_minor, theirs_minor, since)
    select tenant_id, campaign_id, currency, ours_minor, theirs_minor, :now from differing
    on conflict (tenant_id, campaign_id, currency) do update
      set ours_minor = excluded.ours_minor, theirs_minor = excluded.theirs_minor),
  gone_on as (
    update revenue_position set comparing = cast(:rest as jsonb),
      compared_through = case when cast(:rest as jsonb) is null then :through else compared_through end,
      compared_at = case when cast(:rest as jsonb) is null then :now else compared_at end,
      compared_all_at = case when :endsAll then now() else compared_all_at end)
  select count(*)::int as differing from differing`;

/**
 * Compares the sums of a page of campaigns with what the order service's ledger says as of the position that was just read,
 * notes which differ, since when, and where the comparison goes on. @returns how many differ
 */
export async function comparePage(
  database: Database,
  comparison: Comparison,
  { totals, campaigns, through, next }: AttributedTotals,
  now: Date,
): Promise<number> {
  const rest: Comparison | null = next && { ...comparison, through, after: next };
  const row = await firstRow<{ differing: number }>(database, compare, {
    totals: JSON.stringify(totals),
    campaigns: JSON.stringify(campaigns),
    endsAll: comparison.since === null && rest === null,
    beganAt: comparison.beganAt,
    rest: rest && JSON.stringify(rest),
    through,
    now,
  });
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
