import { createHmac, randomBytes } from 'node:crypto';
import { type Database, rows } from '#db/database.ts';

const xorOf = (block: Buffer, byte: number): Buffer => Buffer.from(block.map((one) => one ^ byte));

/** Whether a campaign with this key holds the contact back, by Node's own HMAC. */
export function isDrawn(key: Buffer, percent: number, contactId: string): boolean {
  const hash = createHmac('sha256', key).update(contactId).digest();
  return hash.readUInt32BE() < Math.floor((percent / 100) * 2 ** 32);
}

/** What a campaign with this key draws a sample by, by Node's own HMAC: the contacts whose hash is least are in it. */
export const sampleHash = (key: Buffer, contactId: string): Buffer =>
  createHmac('sha256', key).update(contactId).digest().subarray(12);

/** The arm of a contact in a campaign with this key, by Node's own HMAC: which of the shares, or 5 for none of them. */
export function drawnArm(key: Buffer, shares: number[], contactId: string): number {
  const hash = createHmac('sha256', key).update(contactId).digest();
  const bounds = shares.map((_, index) => shares.slice(0, index + 1).reduce((sum, share) => sum + share, 0));
  const arm = bounds.findIndex((bound) => bound >= 100 || hash.readUInt32BE(4) < Math.floor((bound / 100) * 2 ** 32));
  return arm === -1 ? 5 : arm;
}

/** The key that a campaign draws its control group with. */
export async function keyOf(database: Database, campaignId: string): Promise<Buffer> {
  const [row] = await rows<{ innerBlock: Buffer }>(
    database,
    'select inner_block from holdout_key where campaign_id = :campaignId',
    { campaignId },
  );
  if (!row) throw new Error(`campaign ${campaignId} has no key`);
  return xorOf(row.innerBlock, 0x36).subarray(0, 32);
}

export interface WantedControl {
  percent: number;
  audience: string[];
  /** Those of the audience who are held back; a handful, since keys are tried until one fits. */
  control: string[];
}

/** Gives a draft a key by which exactly these contacts are held back. */
export async function chooseControl(
  database: Database,
  campaignId: string,
  { percent, audience, control }: WantedControl,
): Promise<void> {
  const fits = (key: Buffer) => audience.every((one) => isDrawn(key, percent, one) === control.includes(one));
  let key = randomBytes(32);
  while (!fits(key)) key = randomBytes(32);
  const block = Buffer.concat([key, Buffer.alloc(32)]);
  await rows(
    database,
    'insert into holdout_key (campaign_id, inner_block, outer_block) values (:campaignId, :inner, :outer)',
    { campaignId, inner: xorOf(block, 0x36), outer: xorOf(block, 0x5c) },
  );
}
