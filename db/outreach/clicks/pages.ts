import { firstRow, type Transaction } from '../../database.ts';
import { PSEUDONYM_PATTERN } from '../../../domain/contacts/pseudonym.ts';
import { atMicroseconds, toMicroseconds } from '../sql-fragments.ts';

/** Which clicks of a campaign; all of them without any. */
export interface ClickFilter {
  messageIndex?: number | undefined;
  actionIndex?: number | undefined;
  bizEventCode?: string | undefined;
}

/** SQL conditions on clicks, each after an `and`; the filter's fields are bound by their names after `prefix`. */
export function clickConditions({ messageIndex, actionIndex, bizEventCode }: ClickFilter, prefix = ''): string {
  return [
    ...(messageIndex === undefined ? [] : [`and message_index = :${prefix}messageIndex`]),
    ...(actionIndex === undefined ? [] : [`and action_index = :${prefix}actionIndex`]),
    ...(bizEventCode === undefined ? [] : [`and biz_event_code = :${prefix}bizEventCode`]),
  ].join(' ');
}

/** Clicks that one transaction reads. */
const CLICKS_PER_PAGE = 20_000;

/**
 * SQL: the next clicks of a campaign, the oldest first. Those of one moment come together, so that a time alone says how
 * far it is: a position with the id of a contact would have to be erased with it.
 */
const clickPage = (filter: ClickFilter, after: string | null): string => `
  select contact_id, clicked_at from click_attribution
  where tenant_id = :tenantId and campaign_id = :campaignId ${clickConditions(filter)}
    ${after === null ? '' : `and clicked_at > ${atMicroseconds('after')}`}
  order by clicked_at fetch first ${CLICKS_PER_PAGE} rows with ties`;

/**
 * SQL: whether the service number knows the contact of the row `alias`, which nothing erased stands for. `offset 0` looks
 * each contact up by its key: joined, the planner may compare all with all, since it knows nothing of new rows.
 */
export const isKnownContact = (alias: string): string => `(${alias}.contact_id not like '${PSEUDONYM_PATTERN}'
  and exists (select 1 from contact_profile p where p.tenant_id = :tenantId
    and p.service_number_id = :serviceNumberId and p.contact_id = ${alias}.contact_id offset 0))`;

/** Where the clicks are, and whose contacts are known. */
interface ClickScope {
  tenantId: string;
  serviceNumberId: string;
  campaignId: string;
}

/**
 * Inserts something for each known contact of the next page of clicks.
 * @param insert the table with its columns, and the SQL of their values for a click `k`; what is there already stays
 * @returns how many were inserted, and the position after the page; null after the last
 */
export async function insertForClickers(
  transaction: Transaction,
  clicks: { scope: ClickScope; filter: ClickFilter; after: string | null },
  insert: { into: string; values: string; bindings: Record<string, unknown> },
): Promise<{ added: number; after: string | null }> {
  const { scope, filter, after } = clicks;
  const page = await firstRow<{ read: number; last: string | null; added: number }>(
    transaction,
    `with page as (${clickPage(filter, after)}),
     added as (
       insert into ${insert.into} select distinct ${insert.values} from page k where ${isKnownContact('k')}
       on conflict do nothing returning 1)
     select (select count(*) from page) as read, (select ${toMicroseconds('max(clicked_at)')} from page) as last,
       (select count(*) from added) as added`,
    { ...insert.bindings, ...filter, ...scope, after },
  );
  const { read = 0, last = null, added = 0 } = page ?? {};
  return { added, after: read < CLICKS_PER_PAGE ? null : last };
}
