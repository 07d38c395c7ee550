import type { Figures, LastCampaign, Overview, Series } from '#domain/api/overview.ts';
import { type Period, seriesUnit } from '#domain/period.ts';
import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';
import { readRevenueWithin } from '../revenue/sums.ts';
import { type InsightScope, readAttention } from './attention.ts';
import { readClickedContacts, readClickSeries } from './click-roll-ups.ts';
import { conversationsOpened, conversions, readOutcomes } from './outcome-roll-ups.ts';

const LAST_CAMPAIGNS = 5;

// From the tenant's campaigns to their outcomes: each path has an index that starts with the campaign.
const ownCampaigns = ({ serviceNumberId }: InsightScope) =>
  `(select campaign_id from campaign where tenant_id = :tenantId
     ${serviceNumberId === undefined ? '' : 'and service_number_id = :serviceNumberId'}) c`;

const startedAt = 'coalesce(t.started_at, t.submitted_at)';

const within = (column: string) => `${column} >= :previousFrom and ${column} < :to`;

/** One aggregate over the period and over the one before it. */
const twice = (aggregate: string, column: string, source: string) =>
  `(select json_build_object('current', coalesce(${aggregate} filter (where ${column} >= :from), 0),
     'previous', coalesce(${aggregate} filter (where ${column} < :from), 0))
   from ${source} and ${within(column)})`;

/** The period of an overview, and the time zone whose days its series counts. */
export type ZonedPeriod = Period & { timeZone: string };

async function readFigures(transaction: Transaction, scope: InsightScope, period: Period): Promise<Figures> {
  const row = await firstRow<Pick<Figures, 'delivered'>>(
    transaction,
    `select ${twice('sum(t.delivered)', startedAt, `${ownCampaigns(scope)} join broadcast_task t using (campaign_id) where true`)} as delivered`,
    { ...scope, ...period },
  );
  if (!row) throw new Error('An aggregate returned no row');
  return {
    ...row,
    clickedContacts: await readClickedContacts(transaction, scope, period),
    conversationsOpened: await readOutcomes(transaction, scope, period, conversationsOpened),
    conversions: await readOutcomes(transaction, scope, period, conversions),
  };
}

async function readSeries(transaction: Transaction, scope: InsightScope, period: ZonedPeriod): Promise<Series> {
  const unit = seriesUnit(period);
  const bucket = (column: string) => `date_trunc('${unit}', ${column}, :timeZone)`;
  const inPeriod = (column: string) => `${column} >= :from and ${column} < :to`;
  const found = await rows<{ at: Date; delivered: number }>(
    transaction,
    `select s.at, coalesce(d.delivered, 0) as delivered
     from generate_series(${bucket(':from::timestamptz')}, :to::timestamptz - interval '1 microsecond',
       interval '1 ${unit}', :timeZone) as s(at)
     left join (select ${bucket(startedAt)} as at, sum(t.delivered) as delivered
       from ${ownCampaigns(scope)} join broadcast_task t using (campaign_id) where ${inPeriod(startedAt)} group by 1) d
       on d.at = s.at
     order by s.at`,
    { ...scope, ...period },
  );
  const counted = await readClickSeries(transaction, scope, { ...period, unit });
  const clicks = new Map(counted.map(({ at, clicks: count }) => [at.getTime(), count]));
  return {
    unit,
    timeZone: period.timeZone,
    items: found.map(({ at, delivered }) => ({
      at: at.toISOString(),
      delivered,
      clicks: clicks.get(at.getTime()) ?? 0,
    })),
  };
}

// As in a campaign's own figures: sends that retry another reach contacts that are already counted.
const selectLastCampaigns = `
  select c.campaign_id, c.name, c.service_number_id, c.status, c.sent_at, c.started_at, c.schedule ->> 'at' as scheduled_at,
    json_build_object(
      'audience', (select coalesce(sum(d.audience_count), 0) from dispatch d
         where d.campaign_id = c.campaign_id and d.retry_of is null),
      'sent', t.sent, 'delivered', t.delivered, 'read', t.read,
      'clickedContacts', coalesce((select k.contacts from campaign_clicks k
         where k.tenant_id = c.tenant_id and k.campaign_id = c.campaign_id), 0),
      'conversations', (select coalesce(sum(h.opened), 0) from conversation_hour h
         where h.tenant_id = c.tenant_id and h.campaign_id = c.campaign_id),
      'conversions', (select coalesce(sum(h.contacts), 0) from conversion_hour h
         where h.tenant_id = c.tenant_id and h.campaign_id = c.campaign_id)) as funnel
  from campaign c cross join lateral (
    select coalesce(sum(sent), 0) as sent, coalesce(sum(delivered), 0) as delivered, coalesce(sum(read), 0) as read
    from broadcast_task where campaign_id = c.campaign_id and superseded_by is null) t`;

async function readLastCampaigns(transaction: Transaction, scope: InsightScope): Promise<LastCampaign[]> {
  const found = await rows<Omit<LastCampaign, 'sentAt' | 'startedAt'> & { sentAt: Date; startedAt: Date | null }>(
    transaction,
    `${selectLastCampaigns}
     where c.campaign_id in (select campaign_id from campaign where tenant_id = :tenantId and sent_at is not null and not automation
       ${scope.serviceNumberId === undefined ? '' : 'and service_number_id = :serviceNumberId'}
       order by sent_at desc, campaign_id desc limit ${LAST_CAMPAIGNS})
     order by c.sent_at desc, c.campaign_id desc`,
    { ...scope },
  );
  return found.map((campaign) => ({
    ...campaign,
    sentAt: campaign.sentAt.toISOString(),
    startedAt: campaign.startedAt?.toISOString() ?? null,
  }));
}

async function readChecklist(transaction: Transaction, { tenantId }: InsightScope): Promise<Overview['checklist']> {
  const any = (table: string, more = '') => `exists (select 1 from ${table} where tenant_id = :tenantId ${more})`;
  const row = await firstRow<Overview['checklist']>(
    transaction,
    `select ${any('tenant_integration', "and status = 'ACTIVE'")} as installed,
       ${any('contact_profile')} as contacts_arriving, ${any('tag')} as first_tag,
       ${any('campaign', 'and sent_at is not null')} as first_campaign, ${any('campaign_clicks')} as first_click`,
    { tenantId },
  );
  if (!row) throw new Error('An aggregate returned no row');
  return row;
}

/** What needs a person's attention now and what worked in the period, all as of one point in time. */
export function readOverview(
  database: Database,
  scope: InsightScope,
  period: ZonedPeriod,
  now: Date,
): Promise<Overview> {
  return database.transaction(
    async (transaction) => {
      return {
        period: {
          from: period.from.toISOString(),
          to: period.to.toISOString(),
          previousFrom: period.previousFrom.toISOString(),
        },
        attention: await readAttention(transaction, scope, now),
        figures: await readFigures(transaction, scope, period),
        revenue: await readRevenueWithin(transaction, scope, period),
        series: await readSeries(transaction, scope, period),
        lastCampaigns: await readLastCampaigns(transaction, scope),
        checklist: await readChecklist(transaction, scope),
      };
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  );
}
