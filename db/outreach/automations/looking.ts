import type { Segment } from '#domain/api/segments.ts';
import { firstRow, rows, type Transaction } from '#db/database.ts';
import type { AudienceOwner } from '../audiences/owner.ts';
import { type AudienceRelations, pastRelations } from '../audiences/relations.ts';
import { classifiedBySegment, readingSets } from '../audiences/segments/resolution.ts';
import type { AutomationKey } from './automations.ts';

/** When contacts enter next by time; null if they do not. */
export async function lookTime(transaction: Transaction, { automationId }: AutomationKey): Promise<Date | null> {
  const row = await firstRow<{ at: Date | null }>(
    transaction,
    'select next_look_at as at from automation where automation_id = :automationId',
    { automationId },
  );
  return row?.at ?? null;
}

export async function setLookTime(
  transaction: Transaction,
  { automationId }: AutomationKey,
  at: Date | null,
): Promise<void> {
  await rows(transaction, 'update automation set next_look_at = :at where automation_id = :automationId', {
    automationId,
    at,
  });
}

/** Those of a number whose attribute is one of the dates, or is on one of the days of a year. */
export interface DateMatch {
  attribute: string;
  dates?: string[];
  monthDays?: string[];
}

/** SQL: `contact_id` of whose attribute is a date that matches, as `DateMatch` binds it. */
export const onDate = ({ profile }: AudienceRelations) => `
  select p.contact_id from ${profile('p')}
  where p.tenant_id = :tenantId and p.service_number_id = :serviceNumberId
    and p.attributes ->> :attribute ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}'
    and (left(p.attributes ->> :attribute, 10) = any(:dates::text[])
      or substr(p.attributes ->> :attribute, 6, 5) = any(:monthDays::text[]))`;

export const dateBindings = ({ attribute, dates = [], monthDays = [] }: DateMatch) => ({ attribute, dates, monthDays });

const enter = (contacts: string) => `
  insert into automation_entry (tenant_id, automation_id, contact_id, cause_key, cause, caused_at, entered_at)
  select :tenantId, :automationId, n.contact_id, :causeKey, :cause::jsonb, :at, :enteredAt
  from (${contacts}) n
  where exists (select from automation a join campaign c on c.campaign_id = a.automation_id
    where a.automation_id = :automationId and counts_for_automation(a, c, :at))
  on conflict do nothing`;

/** A moment by which contacts enter. */
export interface Moment {
  at: Date;
  causeKey: string;
  cause: object;
  now: Date;
}

/** Has the contacts enter whose date is met, as of that moment, however late it is looked at. */
export async function enterByDate(
  transaction: Transaction,
  { tenantId, automationId, serviceNumberId }: AutomationKey & AudienceOwner,
  match: DateMatch,
  { cause, now: enteredAt, ...moment }: Moment,
): Promise<void> {
  await rows(transaction, enter(onDate(pastRelations)), {
    tenantId,
    automationId,
    serviceNumberId,
    ...dateBindings(match),
    ...moment,
    enteredAt,
    now: moment.at,
    cause: JSON.stringify(cause),
  });
}

/** Has the contacts enter that are in the segment now and were not at the look before; null: learns only who is in. */
export async function lookAtSegment(
  transaction: Transaction,
  { tenantId, automationId, serviceNumberId }: AutomationKey & AudienceOwner,
  segment: Segment,
  { now, moment }: { now: Date; moment: Moment | null },
): Promise<void> {
  const { sql, bindings } = classifiedBySegment(segment, { tenantId, serviceNumberId }, { now });
  await transaction.raw('create temporary table inside (contact_id text primary key) on commit drop');
  await readingSets(transaction, () =>
    rows(transaction, `insert into inside select contact_id from (${sql}) matching`, bindings),
  );
  const key = { tenantId, automationId };
  const isNew = `select i.contact_id from inside i where not exists (
    select from automation_member m where m.automation_id = :automationId and m.contact_id = i.contact_id)`;
  if (moment)
    await rows(transaction, enter(isNew), { ...key, ...moment, enteredAt: now, cause: JSON.stringify(moment.cause) });
  await rows(
    transaction,
    `insert into automation_member (automation_id, contact_id, tenant_id)
     select :automationId, n.contact_id, :tenantId from (${isNew}) n`,
    key,
  );
  await rows(
    transaction,
    `delete from automation_member m where m.automation_id = :automationId
       and not exists (select from inside i where i.contact_id = m.contact_id)`,
    key,
  );
  await transaction.raw('drop table inside');
}

/** Has the contacts of orders enter, of which these movements were told. */
export async function enterByOrders(transaction: Transaction, movements: string[]): Promise<void> {
  await rows(
    transaction,
    `insert into automation_entry (tenant_id, automation_id, contact_id, cause_key, cause, caused_at, entered_at)
     select r.tenant_id, a.automation_id, w.contact_id, r.order_id || ' ' || r.movement,
       jsonb_build_object('event', a.event, 'orderId', r.order_id, 'campaignId', r.campaign_id,
         'actionIndex', r.action_index), r.at, clock_timestamp()
     from revenue_entry r
       join automation a on a.tenant_id = r.tenant_id and a.event in ('order.paid', 'order.refunded')
         and a.activated_at is not null and takes_order(a, r)
       join campaign c on c.campaign_id = a.automation_id
       join campaign o on o.campaign_id = r.campaign_id and o.service_number_id = c.service_number_id
       cross join lateral (select contact_of_order(r) as contact_id) w
     where r.movement = any(:movements) and w.contact_id is not null and counts_for_automation(a, c, r.at)
     on conflict do nothing`,
    { movements },
  );
}
