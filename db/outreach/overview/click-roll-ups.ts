import { type Period } from '#domain/period.ts';
import { firstRow, rows, type Transaction } from '#db/database.ts';
import type { InsightScope } from './attention.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** The clicks of a scope, as `k`. */
const clicks = ({ serviceNumberId }: InsightScope) =>
  serviceNumberId === undefined
    ? 'click_attribution k where k.tenant_id = :tenantId'
    : `click_attribution k join campaign c using (campaign_id)
       where k.tenant_id = :tenantId and c.service_number_id = :serviceNumberId`;

const clickers = (scope: InsightScope, from: string, to: string) =>
  `select k.contact_id from ${clicks(scope)} and k.clicked_at >= ${from} and k.clicked_at < ${to}`;

/** The planner would read all clicks of a long period, or of a campaign: OFFSET 0 and the inner query keep it from that. */
const clickedNever = ({ serviceNumberId }: InsightScope, from: string, to: string) =>
  `not exists (select from click_attribution k
     where k.tenant_id = :tenantId and k.contact_id = edge.contact_id and k.clicked_at >= ${from} and k.clicked_at < ${to}
       ${serviceNumberId === undefined ? '' : 'and (select c.service_number_id from campaign c where c.campaign_id = k.campaign_id) = :serviceNumberId'}
     offset 0)`;

const ofRollUp = 'tenant_id = :tenantId and service_number_id = :rollUp';

/** For each contact, exactly one day in the range has its previous click day before the range. */
const onDays = `
  select coalesce(sum(contacts), 0) from clicked_day
  where ${ofRollUp} and day >= :firstDay::date and day < :endDay::date and former_day < :firstDay::date`;

/** Contacts whose last click on the partial day at the start is in the period, and who did not click on the whole days. */
const beforeDays = (scope: InsightScope) => `
  select coalesce(sum(contacts), 0) + (
    select count(*) from (select distinct contact_id from (${clickers(scope, ':from', ':firstHour')}) edge) edge
    where ${clickedNever(scope, ':firstHour', ':endDay')})
  from clicked_hour
  where ${ofRollUp} and not is_first and day < :firstDay::date and day = :fromDay::date
    and hour >= :fromHour and nearest_day >= :endDay::date`;

/** Contacts whose first click on the partial day at the end is in the period, and who did not click on the whole days. */
const afterDays = (scope: InsightScope) => `
  select coalesce(sum(contacts), 0) + (
    select count(*) from (select distinct contact_id from (${clickers(scope, ':endHour', ':to')}) edge) edge
    where ${clickedNever(scope, ':firstDay', ':endHour')})
  from clicked_hour
  where ${ofRollUp} and is_first and day = :endDay::date and hour < :toHour and nearest_day < :firstDay::date`;

/** Contacts that clicked on both partial days, and on no day between them. */
const onBothEdges = (scope: InsightScope) => `
  select case when not exists (select from clicked_day where ${ofRollUp}
      and day = :endDay::date and former_day = :fromDay::date and former_day < :firstDay::date and contacts > 0) then 0
    else (select count(*) from (${clickers(scope, ':from', ':firstDay')} intersect ${clickers(scope, ':endDay', ':to')}) edge
      where ${clickedNever(scope, ':firstDay', ':endDay')}) end`;

const iso = (instant: number) => new Date(instant).toISOString();

/**
 * How many contacts clicked from one time to another. Whole UTC days, and whole hours of the days at both ends, come
 * from roll-ups; clicks are read of the hours at both ends, of contacts on both of these days, and within a day.
 */
async function contactsBetween(transaction: Transaction, scope: InsightScope, from: Date, to: Date): Promise<number> {
  // No roll-up has the contacts of some numbers, each once.
  const isRolledUp = scope.serviceNumberId !== undefined || !scope.seen;
  const [start, end] = [from.getTime(), to.getTime()];
  const firstDay = Math.ceil(start / DAY_MS) * DAY_MS;
  const endDay = Math.floor(end / DAY_MS) * DAY_MS;
  const fromDay = Math.floor(start / DAY_MS) * DAY_MS;
  const firstHour = Math.ceil(start / HOUR_MS) * HOUR_MS;
  const endHour = Math.floor(end / HOUR_MS) * HOUR_MS;
  const sql =
    firstDay > endDay || !isRolledUp
      ? `select count(distinct contact_id) as contacts from (${clickers(scope, ':from', ':to')}) inside`
      : `select (${onDays}) + (${beforeDays(scope)}) + (${afterDays(scope)}) - (${onBothEdges(scope)}) as contacts`;
  const found = await firstRow<{ contacts: number }>(transaction, sql, {
    ...scope,
    rollUp: scope.serviceNumberId ?? '',
    from,
    to,
    firstHour: iso(firstHour),
    endHour: iso(endHour),
    fromHour: (firstHour - fromDay) / HOUR_MS,
    toHour: (endHour - endDay) / HOUR_MS,
    fromDay: iso(fromDay),
    firstDay: iso(firstDay),
    endDay: iso(endDay),
  });
  return found?.contacts ?? 0;
}

/** How many contacts clicked in the period and in the one before it. */
export async function readClickedContacts(
  transaction: Transaction,
  given: InsightScope,
  { previousFrom, from, to }: Period,
): Promise<{ current: number; previous: number }> {
  const [only, another] = given.seen ?? [];
  const scope = another === undefined ? { ...given, serviceNumberId: given.serviceNumberId ?? only } : given;
  return {
    current: await contactsBetween(transaction, scope, from, to),
    previous: await contactsBetween(transaction, scope, previousFrom, from),
  };
}

const QUARTER_MS = 900_000;

/**
 * Clicks by hour or day of a time zone, leaving out intervals without clicks. Whole quarters of an hour come from the
 * roll-up: since the year 2000 no time zone's hour or day has begun within one.
 */
export async function readClickSeries(
  transaction: Transaction,
  scope: InsightScope,
  { from, to, unit, timeZone }: Pick<Period, 'from' | 'to'> & { unit: 'hour' | 'day'; timeZone: string },
): Promise<{ at: Date; clicks: number }[]> {
  const firstQuarter = new Date(Math.min(Math.ceil(from.getTime() / QUARTER_MS) * QUARTER_MS, to.getTime()));
  const endQuarter = new Date(Math.max(Math.floor(to.getTime() / QUARTER_MS) * QUARTER_MS, firstQuarter.getTime()));
  return await rows(
    transaction,
    `select date_trunc('${unit}', at, :timeZone) as at, sum(clicks) as clicks
     from (select at, clicks from click_quarter
         where tenant_id = :tenantId and at >= :firstQuarter and at < :endQuarter
           ${scope.serviceNumberId === undefined ? '' : 'and service_number_id = :serviceNumberId'}
       union all select k.clicked_at, 1 from ${clicks(scope)} and k.clicked_at >= :from and k.clicked_at < :firstQuarter
       union all select k.clicked_at, 1 from ${clicks(scope)} and k.clicked_at >= :endQuarter and k.clicked_at < :to) counted
     group by 1`,
    { ...scope, from, firstQuarter, endQuarter, to, timeZone },
  );
}
