import type { ForecastComparison, SendForecast } from '#domain/api/forecast.ts';
import type { CampaignKey } from '../ledger/campaign-key.ts';
import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';

/** Keeps what a dry run forecasts of its send. */
export async function storeForecast(
  database: Database | Transaction,
  { tenantId, campaignId }: CampaignKey,
  forecast: SendForecast,
): Promise<void> {
  await rows(
    database,
    'update dry_run set forecast = :forecast::jsonb where tenant_id = :tenantId and campaign_id = :campaignId',
    { tenantId, campaignId, forecast: JSON.stringify(forecast) },
  );
}

interface Compared {
  forecast: SendForecast | null;
  forecastAt: Date | null;
  durationSeconds: number | null;
  submissions: number;
  polls: number;
}

const compare = `
  select r.forecast, r.created_at as forecast_at,
    extract(epoch from c.finished_at - coalesce(d.scheduled_at, d.created_at))::float8 as duration_seconds,
    coalesce(t.submissions, 0) as submissions, coalesce(t.polls, 0) as polls
  from campaign c
    left join dry_run r on r.campaign_id = c.campaign_id and r.forecast is not null
    left join dispatch d on d.campaign_id = c.campaign_id and d.number = 1
    left join lateral (select sum(attempts)::int as submissions, sum(polls)::int as polls
      from broadcast_task t where t.campaign_id = c.campaign_id and t.dispatch_id = d.dispatch_id) t on true
  where c.tenant_id = :tenantId and c.campaign_id = :campaignId`;

/** What the last dry run forecast, beside what the first send took, as far as rows say it. */
export async function readComparison(
  database: Database,
  key: CampaignKey,
): Promise<{
  forecast: ForecastComparison['forecast'];
  actual: Omit<NonNullable<ForecastComparison['actual']>, 'temporalActions'> | null;
} | null> {
  const found = await firstRow<Compared>(database, compare, { ...key });
  if (!found) return null;
  const { forecast, forecastAt, durationSeconds, submissions, polls } = found;
  return {
    forecast: forecast && forecastAt ? { ...forecast, at: forecastAt.toISOString() } : null,
    actual:
      durationSeconds === null
        ? null
        : { durationSeconds: Math.max(0, Math.round(durationSeconds * 10) / 10), submissions, polls },
  };
}
