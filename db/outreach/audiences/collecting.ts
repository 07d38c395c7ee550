import { type Database, firstRow, rows, type Transaction } from '../../database.ts';
import type { Author } from '../audit/record.ts';
import { type ClickFilter, insertForClickers, isKnownContact } from '../clicks/pages.ts';
import { AudienceRow, type Collecting } from '../models/audiences.ts';
import { wasDelivered } from '../sends/ledger/conditions.ts';
import { insertAudience, recordCreation } from './audiences.ts';

export type Collected = Pick<Collecting, 'campaignId' | 'who'> & ClickFilter;

/** Sub-tasks whose contacts one transaction reads: at most 20,000. */
const TASKS_PER_PAGE = 20;

/** Stores an empty list that `collectList` fills. The id is the caller's, who may refer to it in the same transaction. */
export async function insertCollectedList(
  transaction: Transaction,
  author: Author,
  list: { audienceId: string; serviceNumberId: string; name: string; collected: Collected },
  now: Date,
): Promise<AudienceRow> {
  const { collected, ...named } = list;
  const collecting: Collecting = { ...collected, afterClick: null, afterTask: null };
  await insertAudience(transaction, author, { ...named, type: 'contacts', collecting }, now);
  const row = await AudienceRow.query(transaction).findById(named.audienceId).throwIfNotFound();
  await recordCreation(transaction, author, row);
  return row;
}

interface Page {
  added: number;
  /** Null once everybody is in the list. */
  next: Collecting | null;
}

const scopeOf = ({ tenantId, serviceNumberId, audienceId }: AudienceRow, { campaignId }: Collecting) => ({
  tenantId,
  serviceNumberId,
  audienceId,
  campaignId,
});

async function addClickers(transaction: Transaction, list: AudienceRow, from: Collecting): Promise<Page> {
  const { messageIndex, actionIndex, bizEventCode, afterClick } = from;
  const { audienceId, ...scope } = scopeOf(list, from);
  const { added, after } = await insertForClickers(
    transaction,
    { scope, filter: { messageIndex, actionIndex, bizEventCode }, after: afterClick },
    {
      into: 'audience_member (audience_id, contact_id)',
      values: ':audienceId, k.contact_id',
      bindings: { audienceId },
    },
  );
  return { added, next: after === null ? null : { ...from, afterClick: after } };
}

/**
 * SQL: the next sub-tasks whose contacts the platform delivered to, send by send. What a retry replaced does not count,
 * as in the campaign's figures.
 */
const deliveredTasks = `
  select d.number, t.dispatch_id, t.chunk from dispatch d cross join lateral (
    select dispatch_id, chunk from broadcast_task t
    where t.dispatch_id = d.dispatch_id and t.chunk > case when d.number = :number then :chunk else -1 end
      and ${wasDelivered}
    order by t.chunk limit ${TASKS_PER_PAGE}) t
  where d.tenant_id = :tenantId and d.campaign_id = :campaignId and d.number >= :number
  order by d.number, t.chunk limit ${TASKS_PER_PAGE}`;

const addSilent = `
  with page as (${deliveredTasks}),
  added as (
    insert into audience_member (audience_id, contact_id)
    select :audienceId, r.contact_id from page t
    join dispatch_recipient r on r.dispatch_id = t.dispatch_id and r.chunk = t.chunk
    where ${isKnownContact('r')} and not exists (
      select 1 from click_attribution k where k.tenant_id = :tenantId and k.contact_id = r.contact_id
        and k.campaign_id = :campaignId offset 0)
    on conflict do nothing returning 1)
  select (select count(*) from page) as read, l.number, l.chunk, (select count(*) from added) as added
  from (select 1) one left join lateral (select number, chunk from page order by number desc, chunk desc limit 1) l on true`;

async function addThoseWithoutClick(transaction: Transaction, list: AudienceRow, from: Collecting): Promise<Page> {
  const { number, chunk } = from.afterTask ?? { number: 0, chunk: -1 };
  const page = await firstRow<{ read: number; number: number; chunk: number; added: number }>(transaction, addSilent, {
    ...scopeOf(list, from),
    number,
    chunk,
  });
  if (!page) return { added: 0, next: null };
  const afterTask = { number: page.number, chunk: page.chunk };
  return { added: page.added, next: page.read < TASKS_PER_PAGE ? null : { ...from, afterTask } };
}

/** Adds one page, in a transaction of its own. False once the list is complete, or was deleted or replaced. */
function collectPage(database: Database, audienceId: string, now: Date): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const list = await AudienceRow.query(transaction).findById(audienceId).forUpdate();
    if (!list?.collecting) return false;
    const add = list.collecting.who === 'clicked' ? addClickers : addThoseWithoutClick;
    const { added, next } = await add(transaction, list, list.collecting);
    await AudienceRow.query(transaction)
      .findById(audienceId)
      .patch({ memberCount: list.memberCount + added, collecting: next, updatedAt: now });
    return next !== null;
  });
}

/** Fills a list, page by page. It can be repeated, and continued by another process. */
export async function collectList(database: Database, audienceId: string, now: () => Date): Promise<void> {
  while (await collectPage(database, audienceId, now()));
}

/** Lists that nobody has added to since `before`: the process that filled them died. */
export async function unfinishedLists(
  database: Database,
  { before, limit }: { before: Date; limit: number },
): Promise<string[]> {
  const found = await rows<{ audienceId: string }>(
    database,
    `select audience_id from audience where collecting is not null and updated_at < :before
     order by updated_at limit :limit`,
    { before, limit },
  );
  return found.map(({ audienceId }) => audienceId);
}
