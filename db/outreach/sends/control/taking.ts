import type { Take } from '#domain/api/audiences.ts';
import { firstRow, type Transaction } from '#db/database.ts';
import { boundOf, drawHash, ensureDrawKey } from './draw-key.ts';

/** SQL: what of the hash decides about the contact `r`: the bytes after those that hold back and that draw variants. */
const drawn = `substring(${drawHash} from 13)`;

const markByShare = `
  with untaken as (
    update resolved r set class = 'untaken' from holdout_key k
    where k.campaign_id = :campaignId and r.class = 'reachable' and ${drawn} >= :bound::bytea
    returning 1)
  select count(*)::int as contacts from untaken`;

const markByNumber = `
  with drawn as materialized (
    select r.contact_id, ${drawn} as hash, row_number() over (order by ${drawn}) as place
    from resolved r cross join holdout_key k where k.campaign_id = :campaignId and r.class = 'reachable'
  ), untaken as (
    update resolved r set class = 'untaken' from drawn d
    where r.contact_id = d.contact_id and (d.place > :left::int or coalesce(d.hash > :bound::bytea, false))
    returning 1)
  select count(*)::int as contacts from untaken`;

const findBound = `
  select ${drawn} as bound from resolved r cross join holdout_key k
  where k.campaign_id = :campaignId and r.class = 'reachable' order by 1 offset :atMost::int - 1 limit 1`;

/** Up to which hash, by the key that the campaign has, so many of the reachable contacts of the table `resolved` are; null if there are no more than those. */
export async function boundOfNumber(
  transaction: Transaction,
  { campaignId, atMost }: { campaignId: string; atMost: number },
): Promise<Buffer | null> {
  return (await firstRow<{ bound: Buffer }>(transaction, findBound, { campaignId, atMost }))?.bound ?? null;
}

export interface Taking {
  campaignId: string;
  take: Take | undefined;
  /** Of a number: how many were taken from earlier pages, and up to which hash contacts of any page are taken. */
  before?: number;
  bound?: Buffer | null;
}

/**
 * Gives the class `untaken` to the reachable contacts of the table `resolved` that are not in the sample of the campaign: a
 * keyed hash draws, so that nobody can choose, and a rehearsal draws as the send does.
 * @returns how many they are.
 */
export async function leaveOutUntaken(
  transaction: Transaction,
  { campaignId, take, before = 0, bound = null }: Taking,
): Promise<number> {
  if (take === undefined) return 0;
  await ensureDrawKey(transaction, campaignId);
  const marked = await ('percent' in take
    ? firstRow<{ contacts: number }>(transaction, markByShare, { campaignId, bound: boundOf(take.percent) })
    : firstRow<{ contacts: number }>(transaction, markByNumber, { campaignId, bound, left: take.atMost - before }));
  return marked?.contacts ?? 0;
}
