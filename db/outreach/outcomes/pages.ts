import type { ContactOutcome } from '#domain/contacts/outcomes.ts';
import { PSEUDONYM_PATTERN } from '#domain/contacts/pseudonym.ts';
import { firstRow, type Transaction } from '#db/database.ts';
import type { ClickFilter } from '../clicks/filter.ts';
import { wasDelivered } from '../sends/ledger/conditions.ts';
import { atMicroseconds, toMicroseconds } from '../sql-fragments.ts';
import { clicksOf, type Noted, noted } from './noted.ts';

/** Contacts of a campaign by what they did; a button or an event code narrows `clicked` and `not_clicked`. */
export interface WantedOutcome extends ClickFilter {
  who: ContactOutcome;
}

/** How far the contacts of an outcome have been read. No part of it is the id of a contact, which would have to be erased with it. */
export interface OutcomePosition {
  /** The time of the last click, conversation or tag that was read, in microseconds. */
  afterClick: string | null;
  /** The last sub-task that was read, or list of a control group: the number of its send and its place there. */
  afterTask: { number: number; chunk: number } | null;
}

/** Whose outcomes are read, and whose contacts are known. */
export interface OutcomeScope {
  tenantId: string;
  serviceNumberId: string;
  campaignId: string;
}

/** What is inserted for each contact `k`: the table with its columns, and the SQL of their values. What is there already stays. */
interface Insertion {
  into: string;
  values: string;
  bindings: Record<string, unknown>;
}

interface Page {
  added: number;
  /** Where the next page begins; null after the last. */
  next: OutcomePosition | null;
}

/** Rows with a time that one transaction reads. */
const ROWS_PER_PAGE = 20_000;
/** Sub-tasks, or lists of a control group, whose contacts one transaction reads: at most 20,000. */
const TASKS_PER_PAGE = 20;

/**
 * SQL: whether the service number knows the contact of the row `alias`, which nothing erased stands for. `offset 0` looks
 * each contact up by its key: joined, the planner may compare all with all, since it knows nothing of new rows.
 */
const isKnownContact = (alias: string): string => `(${alias}.contact_id not like '${PSEUDONYM_PATTERN}'
  and exists (select 1 from contact_profile p where p.tenant_id = :tenantId
    and p.service_number_id = :serviceNumberId and p.contact_id = ${alias}.contact_id offset 0))`;

/** SQL condition on a sub-task `t`: its contacts have the outcome. What a retry replaced does not count, as in a campaign's figures. */
const ofTask = (who: ContactOutcome): string =>
  who === 'not_received' ? `(t.superseded_by is null and not ${wasDelivered})` : wasDelivered;

/**
 * SQL: the next rows, the oldest first. Those of one moment come together, so that a time alone says how far it is: a
 * position with the id of a contact would have to be erased with it.
 */
const notedPage = ({ from, at }: Noted, filter: ClickFilter, after: string | null): string => `
  select contact_id, ${at} as at from ${from(filter)} ${after === null ? '' : `and ${at} > ${atMicroseconds('after')}`}
  order by ${at} fetch first ${ROWS_PER_PAGE} rows with ties`;

async function insertForNoted(
  transaction: Transaction,
  given: { scope: OutcomeScope; filter: ClickFilter; after: string | null; rows: Noted },
  insert: Insertion,
): Promise<Page> {
  const { scope, filter, after, rows } = given;
  const page = await firstRow<{ read: number; last: string | null; added: number }>(
    transaction,
    `with page as (${notedPage(rows, filter, after)}),
     added as (
       insert into ${insert.into} select distinct ${insert.values} from page k where ${isKnownContact('k')}
       on conflict do nothing returning 1)
     select (select count(*) from page) as read, (select ${toMicroseconds('max(at)')} from page) as last,
       (select count(*) from added) as added`,
    { ...insert.bindings, ...filter, ...scope, after },
  );
  const { read = 0, last = null, added = 0 } = page ?? {};
  return { added, next: read < ROWS_PER_PAGE ? null : { afterClick: last, afterTask: null } };
}

/** Where the contacts of an outcome are that follows from where they were put. */
interface Place {
  /** SQL: rows `t`, each with its `dispatch_id` and its `chunk`. */
  from: string;
  /** SQL: the contacts `k` of the rows `t`. */
  contacts: string;
}

const placeOf = (who: ContactOutcome): Place =>
  who === 'held_back'
    ? {
        from: '(select dispatch_id, part as chunk from dispatch_control) t where true',
        contacts: `dispatch_control l on l.dispatch_id = t.dispatch_id and l.part = t.chunk
          cross join unnest(l.contact_ids) as k (contact_id)`,
      }
    : {
        from: `broadcast_task t where ${ofTask(who)}`,
        contacts: 'dispatch_recipient k on k.dispatch_id = t.dispatch_id and k.chunk = t.chunk',
      };

/** SQL: the next of them, send by send. */
const placePage = (from: string): string => `
  select d.number, t.dispatch_id, t.chunk from dispatch d cross join lateral (
    select t.dispatch_id, t.chunk from ${from}
      and t.dispatch_id = d.dispatch_id and t.chunk > case when d.number = :number then :chunk else -1 end
    order by t.chunk limit ${TASKS_PER_PAGE}) t
  where d.tenant_id = :tenantId and d.campaign_id = :campaignId and d.number >= :number
  order by d.number, t.chunk limit ${TASKS_PER_PAGE}`;

const withoutClick = (filter: ClickFilter): string =>
  `and not exists (select 1 from ${clicksOf(filter)} and contact_id = k.contact_id offset 0)`;

async function insertForPlaces(
  transaction: Transaction,
  { scope, wanted, after }: { scope: OutcomeScope; wanted: WantedOutcome; after: OutcomePosition['afterTask'] },
  insert: Insertion,
): Promise<Page> {
  const { who, ...filter } = wanted;
  const { from, contacts } = placeOf(who);
  const page = await firstRow<{ read: number; number: number; chunk: number; added: number }>(
    transaction,
    `with page as (${placePage(from)}),
     added as (
       insert into ${insert.into} select ${insert.values}
       from page t join ${contacts}
       where ${isKnownContact('k')} ${who === 'not_clicked' ? withoutClick(filter) : ''}
       on conflict do nothing returning 1)
     select (select count(*) from page) as read, l.number, l.chunk, (select count(*) from added) as added
     from (select 1) one left join lateral (
       select number, chunk from page order by number desc, chunk desc limit 1) l on true`,
    { ...insert.bindings, ...filter, ...scope, ...(after ?? { number: 0, chunk: -1 }) },
  );
  const { read = 0, number = 0, chunk = 0, added = 0 } = page ?? {};
  return { added, next: read < TASKS_PER_PAGE ? null : { afterClick: null, afterTask: { number, chunk } } };
}

/** Inserts something for each known contact of the next page of those with an outcome. */
export function insertForOutcome(
  transaction: Transaction,
  { scope, wanted, after }: { scope: OutcomeScope; wanted: WantedOutcome; after: OutcomePosition },
  insert: Insertion,
): Promise<Page> {
  const { who, ...filter } = wanted;
  const rows = noted[who];
  return rows
    ? insertForNoted(transaction, { scope, filter, rows, after: after.afterClick }, insert)
    : insertForPlaces(transaction, { scope, wanted, after: after.afterTask }, insert);
}
