import { randomBytes } from 'node:crypto';
import { rows, type Transaction } from '#db/database.ts';

const BLOCK_BYTES = 64;
const KEY_BYTES = 32;

const xorOf = (block: Buffer, byte: number): Buffer => Buffer.from(block.map((one) => one ^ byte));

/** The two blocks that HMAC-SHA-256 puts before what it hashes (RFC 2104): SQL knows SHA-256 only. */
function newBlocks(): { inner: Buffer; outer: Buffer } {
  const block = Buffer.concat([randomBytes(KEY_BYTES), Buffer.alloc(BLOCK_BYTES - KEY_BYTES)]);
  return { inner: xorOf(block, 0x36), outer: xorOf(block, 0x5c) };
}

const insertKey = `
  insert into holdout_key (campaign_id, inner_block, outer_block) values (:campaignId, :inner, :outer)
  on conflict (campaign_id) do nothing`;

/** The campaign's key is random and stored only here; dry run and send draw with the same key. */
export async function ensureDrawKey(transaction: Transaction, campaignId: string): Promise<void> {
  await rows(transaction, insertKey, { campaignId, ...newBlocks() });
}

/**
 * SQL: HMAC-SHA-256 of the contact `r` by the key `k` of the campaign. Its first 4 bytes decide who is held back, the next 8 who
 * gets which variant, the others who is in a sample, so that none says anything about another.
 */
export const drawHash = `sha256(k.outer_block || sha256(k.inner_block || convert_to(r.contact_id, 'UTF8')))`;

/** Hashes that are less, byte by byte, are those of so many of a hundred. */
export function boundOf(percent: number): Buffer {
  const bound = Buffer.alloc(4);
  bound.writeUInt32BE(Math.floor((percent / 100) * 2 ** 32));
  return bound;
}
