import { z } from 'zod';
import type { Database, Transaction } from '#db/database.ts';
import { overClassifiedContacts } from '#db/outreach/audiences/resolution.ts';
import { endOfPage } from '#db/outreach/audiences/segments/resolution.ts';
import type { AudienceSource } from '#db/outreach/audiences/source.ts';
import type { AudienceContact, ContactReach } from '#domain/api/audiences.ts';
import type { Page } from '#domain/api/primitives.ts';
import { decodeCursor, keyText, pageOf } from '#domain/cursor.ts';

interface ContactScope {
  tenantId: string;
  serviceNumberId: string;
}

/** The next contacts after an id, at most `count`; limited to one reach if given. */
interface Next {
  now: Date;
  after: string;
  count: number;
  reach: ContactReach | undefined;
}

/** @param within a condition on the profiles `q` that are read for names: the planner may read all that it allows. */
const statementFor =
  (reach: ContactReach | undefined, within = '') =>
  (classified: string) => `
    select m.contact_id, m.class as reach, q.display_name, q.contact_id is not null as known
    from (select * from (${classified}) classified
      where contact_id > :after ${reach === undefined ? '' : 'and class = :reach'}
      order by contact_id limit :count) m
    left join contact_profile q on q.tenant_id = :tenantId and q.service_number_id = :serviceNumberId
      and q.contact_id = m.contact_id ${within}
    order by m.contact_id`;

/** Contacts of the service number that are looked through for a page of a segment at first: so many, and twice the page. */
const FIRST_RANGE = 1000;
/** How many times as many are looked through where the page is not full yet. */
const GROWTH = 4;

/**
 * A segment is evaluated for as many contacts of the service number as the page needs, so that all pages together cost
 * a few evaluations of the whole, be it of many contacts or few. No transaction stays open from page to page.
 */
async function nextOfSegment(
  transaction: Transaction,
  scope: ContactScope,
  source: AudienceSource,
  { now, after: first, count, reach }: Next,
): Promise<AudienceContact[]> {
  const found: AudienceContact[] = [];
  let after: string | null = first;
  for (let size = Math.max(FIRST_RANGE, 2 * count); after !== null && found.length < count; size *= GROWTH) {
    const through: string | null = await endOfPage(transaction, scope, { after, limit: size });
    const more = { after, reach, count: count - found.length };
    const read = { source, now, range: { after, through }, more };
    const within = `and q.contact_id > :after ${through === null ? '' : 'and q.contact_id <= :through'}`;
    const statement = statementFor(reach, within);
    found.push(...(await overClassifiedContacts<AudienceContact>(transaction, scope, read, statement)));
    after = through;
  }
  return found;
}

function next(
  transaction: Transaction,
  scope: ContactScope,
  source: AudienceSource,
  { now, after, count, reach }: Next,
): Promise<AudienceContact[]> {
  // In a large audience, few contacts may have the requested reach.
  const page = reach === undefined ? { isDense: false } : undefined;
  const read = { source, now, page, more: { after, reach, count } };
  return overClassifiedContacts<AudienceContact>(transaction, scope, read, statementFor(reach));
}

/** The contacts that an audience matches, by id, page by page; limited to one reach if given. */
export function listAudienceContacts(
  database: Database,
  scope: ContactScope,
  source: AudienceSource,
  {
    now,
    limit,
    cursor,
    reach,
  }: { now: Date; limit: number; cursor?: string | undefined; reach?: ContactReach | undefined },
): Promise<Page<AudienceContact>> {
  // Before all ids, of which none is empty.
  const after = decodeCursor(z.tuple([keyText]), cursor)?.[0] ?? '';
  return database.transaction(async (transaction) => {
    const read = source.kind === 'segment' ? nextOfSegment : next;
    const found = await read(transaction, scope, source, { now, after, count: limit + 1, reach });
    return pageOf(found, limit, ({ contactId }) => [contactId]);
  });
}
