import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';

interface AudienceKey {
  tenantId: string;
  audienceId: string;
}

/** Enough to say which. */
const USES_SHOWN = 100;

/** A send of the campaign `c` whose contacts are not all read yet; a retry reads none. */
const unfrozen = `from dispatch d where d.campaign_id = c.campaign_id and d.frozen_at is null and d.retry_of is null
  and c.status in ('scheduled', 'sending', 'paused')`;

/**
 * The campaigns that still need a saved audience: their send has not read all of it, waits for approval, or is repeated. A
 * draft does not.
 */
export async function usesOfAudience(database: Database, key: AudienceKey): Promise<string[]> {
  const found = await rows<{ campaignId: string }>(
    database,
    `select c.campaign_id from campaign c
     where c.tenant_id = :tenantId and c.audience ->> 'audienceId' = :audienceId and (
       exists (select ${unfrozen})
       or (c.status = 'draft' and exists (
         select from send_approval a where a.campaign_id = c.campaign_id and a.outcome is null))
       or exists (select from campaign_repeat r where r.campaign_id = c.campaign_id and r.status in ('active', 'paused')))
     order by c.campaign_id limit ${USES_SHOWN}`,
    { ...key },
  );
  return found.map(({ campaignId }) => campaignId);
}

/** The campaigns whose send has read a part of a saved audience, and not the rest. */
export async function freezingAudience(database: Database, key: AudienceKey): Promise<string[]> {
  const found = await rows<{ campaignId: string }>(
    database,
    `select c.campaign_id from campaign c
     where c.tenant_id = :tenantId and c.audience ->> 'audienceId' = :audienceId
       and exists (select ${unfrozen} and d.frozen_through is not null)
     order by c.campaign_id limit ${USES_SHOWN}`,
    { ...key },
  );
  return found.map(({ campaignId }) => campaignId);
}

/** Keeps a list from being replaced or deleted until the transaction ends. @returns false if it is gone */
export async function keepList(transaction: Transaction, audienceId: string): Promise<boolean> {
  const found = await firstRow<{ kept: boolean }>(
    transaction,
    'select true as kept from audience where audience_id = :audienceId for key share',
    { audienceId },
  );
  return found !== null;
}
