import { type Database, rows, type Transaction } from '#db/database.ts';

interface AudienceKey {
  tenantId: string;
  audienceId: string;
}

/** Enough to say which. */
const USES_SHOWN = 100;

/** SQL: whether a segment somewhere in this asks who is in the list. */
const asksFor = (json: string) =>
  `jsonb_path_query_array(${json}, '$.**.inList.audienceId') @> jsonb_build_array(:audienceId::text)`;

/** SQL: whether the campaign `c` is for the audience, or for a segment that asks for it; inline ids are not searched. */
const isFor = `(c.audience ->> 'audienceId' = :audienceId or c.audience ->> 'type' = 'segment' and ${asksFor('c.audience')})`;

/** A send of the campaign `c` whose contacts are not all read yet; a retry reads none. A filter that it names may have changed. */
const unfrozen = `from dispatch d where d.campaign_id = c.campaign_id and d.frozen_at is null and d.retry_of is null
  and c.status in ('scheduled', 'sending', 'paused') and (${isFor} or ${asksFor('d.source')})`;

const usedBy = `
  select 'campaign/' || c.campaign_id as use from campaign c
  where c.tenant_id = :tenantId and (
    exists (select ${unfrozen})
    or (c.status = 'draft' and ${isFor} and exists (
      select from send_approval a where a.campaign_id = c.campaign_id and a.outcome is null))
    or (${isFor} and exists (
      select from campaign_repeat r where r.campaign_id = c.campaign_id and r.status in ('active', 'paused'))))
  union all
  select 'automation/' || a.automation_id from automation a join campaign c on c.campaign_id = a.automation_id
  where a.tenant_id = :tenantId and c.status in ('sending', 'paused')
    and (${asksFor('a.filter')} or ${asksFor('a.exit_on')})
  union all
  select 'audience/' || a.audience_id from audience a where a.tenant_id = :tenantId and ${asksFor('a.segment')}
  order by use limit ${USES_SHOWN}`;

const usesOf = async (database: Database, sql: string, key: AudienceKey): Promise<string[]> =>
  (await rows<{ use: string }>(database, sql, { ...key })).map(({ use }) => use);

/**
 * What still needs a saved audience: campaigns whose send has not read all of it, waits for approval, or is repeated, open
 * automations, and saved segments that ask who is in it. A draft does not.
 * @returns `campaign/<id>`, `automation/<id>` and `audience/<id>`.
 */
export const usesOfAudience = (database: Database, key: AudienceKey): Promise<string[]> =>
  usesOf(database, usedBy, key);

/** The campaigns whose send has read a part of a saved audience, and not the rest, as `campaign/<id>`. */
export const freezingAudience = (database: Database, key: AudienceKey): Promise<string[]> =>
  usesOf(
    database,
    `select 'campaign/' || c.campaign_id as use from campaign c
     where c.tenant_id = :tenantId and exists (select ${unfrozen} and d.frozen_through is not null)
     order by c.campaign_id limit ${USES_SHOWN}`,
    key,
  );

/** Keeps lists from being replaced or deleted until the transaction ends. @returns false if one is gone */
export async function keepLists(transaction: Transaction, audienceIds: string[]): Promise<boolean> {
  if (audienceIds.length === 0) return true;
  const found = await rows<{ audienceId: string }>(
    transaction,
    'select audience_id from audience where audience_id = any(:audienceIds) order by audience_id for key share',
    { audienceIds },
  );
  return found.length === audienceIds.length;
}
