import { type Period } from '../../../domain/period.ts';
import { firstRow, rows, type Transaction } from '../../database.ts';
import type { InsightScope } from './attention.ts';

const DAY_MS = 86_400_000;

/** A time, and the UTC days around it. */
interface Edge {
  at: Date;
  dayBefore: Date;
  dayAfter: Date;
  /** Nobody clicked between the start of the day and the time, or between the time and the end of the day. */
  quietBefore: boolean;
  quietAfter: boolean;
}

/** The clicks of a scope, as `k`. */
const clicks = ({ serviceNumberId }: InsightScope) =>
  serviceNumberId === undefined
    ? 'click_attribution k where k.tenant_id = :tenantId'
    : `click_attribution k join campaign c using (campaign_id)
       where k.tenant_id = :tenantId and c.service_number_id = :serviceNumberId`;

async function readEdge(transaction: Transaction, scope: InsightScope, at: Date): Promise<Edge> {
  const dayBefore = new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS);
  const dayAfter = new Date(Math.ceil(at.getTime() / DAY_MS) * DAY_MS);
  const none = (from: string, to: string) =>
    `not exists (select from ${clicks(scope)} and k.clicked_at >= ${from} and k.clicked_at < ${to})`;
  const quiet = await firstRow<Pick<Edge, 'quietBefore' | 'quietAfter'>>(
    transaction,
    `select ${none(':dayBefore', ':at')} as quiet_before, ${none(':at', ':dayAfter')} as quiet_after`,
    { ...scope, dayBefore, at, dayAfter },
  );
  if (!quiet) throw new Error('The query returned no row');
  return { at, dayBefore, dayAfter, ...quiet };
}

const asDay = (instant: Date) => instant.toISOString().slice(0, 10);

/**
 * Contacts of whole days: for each contact, exactly one day in the range has its previous click day outside the
 * range.
 */
async function contactsOfDays(transaction: Transaction, scope: InsightScope, from: Date, to: Date): Promise<number> {
  const found = await firstRow<{ contacts: number }>(
    transaction,
    `select coalesce(sum(contacts), 0) as contacts from clicked_day
     where tenant_id = :tenantId and service_number_id = :serviceNumberId
       and day >= :from::date and day < :to::date and former_day < :from::date`,
    { tenantId: scope.tenantId, serviceNumberId: scope.serviceNumberId ?? '', from: asDay(from), to: asDay(to) },
  );
  return found?.contacts ?? 0;
}

/** Contacts of the partial days before and after the whole ones, without those of the whole ones. */
async function contactsBeside(
  transaction: Transaction,
  scope: InsightScope,
  bounds: { from: Date; firstDay: Date; endDay: Date; to: Date },
): Promise<number> {
  const found = await firstRow<{ contacts: number }>(
    transaction,
    `select count(*) as contacts from (select contact_id from ${clicks(scope)} and k.clicked_at >= :from and k.clicked_at < :firstDay
         union select contact_id from ${clicks(scope)} and k.clicked_at >= :endDay and k.clicked_at < :to) beside
     where not exists (select from ${clicks(scope)}
       and k.contact_id = beside.contact_id and k.clicked_at >= :firstDay and k.clicked_at < :endDay)`,
    { ...scope, ...bounds },
  );
  return found?.contacts ?? 0;
}

async function contactsBetween(transaction: Transaction, scope: InsightScope, from: Edge, to: Edge): Promise<number> {
  const firstDay = from.quietBefore ? from.dayBefore : from.dayAfter;
  const endDay = to.quietAfter ? to.dayAfter : to.dayBefore;
  if (firstDay >= endDay) {
    const bounds = { from: from.at, firstDay: to.at, endDay: to.at, to: to.at };
    return await contactsBeside(transaction, scope, bounds);
  }
  return (
    (await contactsOfDays(transaction, scope, firstDay, endDay)) +
    (await contactsBeside(transaction, scope, { from: from.at, firstDay, endDay, to: to.at }))
  );
}

/**
 * How many contacts clicked in the period and in the one before it. Whole UTC days come from the roll-up, partial
 * days are counted click by click.
 */
export async function readClickedContacts(
  transaction: Transaction,
  scope: InsightScope,
  period: Period,
): Promise<{ current: number; previous: number }> {
  const previousFrom = await readEdge(transaction, scope, period.previousFrom);
  const from = await readEdge(transaction, scope, period.from);
  const to = await readEdge(transaction, scope, period.to);
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
