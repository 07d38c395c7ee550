import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';
import { hasContact } from '../chunks.ts';
import type { CampaignKey } from '../ledger/campaign-key.ts';
import { CONTACTS_PER_SUB_TASK } from '../splitting.ts';
import { boundOf, drawHash, ensureDrawKey } from './draw-key.ts';

const selectTemplate = `
  select r.campaign_id from repeat_run u join campaign_repeat r using (repeat_id)
  where u.campaign_id = :campaignId and r.campaign_id is not null`;

/** Whose key holds back: all runs of a repeat hold back the same contacts, by the key of their template. */
async function holdoutOf(transaction: Transaction, campaignId: string): Promise<string> {
  return (
    (await firstRow<{ campaignId: string }>(transaction, selectTemplate, { campaignId }))?.campaignId ?? campaignId
  );
}

const markControl = `
  with held as (
    update resolved r set class = 'control' from holdout_key k
    where k.campaign_id = :campaignId and r.class = 'reachable'
      and ${drawHash} < :bound::bytea
    returning 1)
  select count(*) as contacts from held`;

/** The holdout settings of a campaign. */
export interface HoldingBack {
  campaignId: string;
  /** Null: no holdout. */
  holdoutPercent: number | null;
}

/**
 * Gives the class `control` to the reachable contacts of the table `resolved` that the campaign holds back: those that a
 * keyed hash chooses, whichever page they are on, and each on its own, so that their number is near the percentage and not
 * exactly it. The key is random and is kept nowhere else; a rehearsal and the send choose alike.
 * @returns how many they are.
 */
export async function holdBack(transaction: Transaction, { campaignId, holdoutPercent }: HoldingBack): Promise<number> {
  if (holdoutPercent === null) return 0;
  const keyOf = await holdoutOf(transaction, campaignId);
  await ensureDrawKey(transaction, keyOf);
  const held = await firstRow<{ contacts: number }>(transaction, markControl, {
    campaignId: keyOf,
    bound: boundOf(holdoutPercent),
  });
  return held?.contacts ?? 0;
}

// The last list of the page before may not have been full.
const insertControl = `
  insert into dispatch_control as c (dispatch_id, part, contact_ids)
  select :dispatchId, part, array_agg(contact_id order by contact_id)
  from (select contact_id, (:before::int + row_number() over (order by contact_id) - 1) / :size::int as part
    from resolved where class = 'control') held
  group by part
  on conflict (dispatch_id, part) do update
    set contact_ids = array(select id from unnest(c.contact_ids || excluded.contact_ids) as id order by id)`;

/** Freezes the control group of a page with those `before`. */
export async function addToControl(
  transaction: Transaction,
  { dispatchId, before }: { dispatchId: string; before: number },
): Promise<void> {
  await rows(transaction, insertControl, { dispatchId, before, size: CONTACTS_PER_SUB_TASK });
}

const findControl = `
  select 1 as found from dispatch d join dispatch_control c on c.dispatch_id = d.dispatch_id and ${hasContact('c', ':contactId')}
  where d.tenant_id = :tenantId and d.campaign_id = :campaignId limit 1`;

/** Whether a campaign holds a contact back. */
export async function isHeldBack(database: Database, key: CampaignKey, contactId: string): Promise<boolean> {
  return (await firstRow(database, findControl, { ...key, contactId })) !== null;
}
