import type { Variants } from '#domain/api/variants.ts';
import { REST_ARM } from '#domain/campaigns/variants/variants.ts';
import { rows, type Transaction } from '#db/database.ts';
import { drawHash, ensureDrawKey } from '../control/draw-key.ts';

const HASH_FROM = 5;
const HASH_BYTES = 8;

/** No hash is above it. */
const everybody = Buffer.alloc(HASH_BYTES + 1, 0xff);

/** A contact is in the share of the first bound, byte by byte, that its hash is below. */
function boundsOf({ sharePercent, others }: Variants): Buffer[] {
  let sum = 0;
  return [sharePercent, ...others.map((other) => other.sharePercent)].map((share) => {
    sum += share;
    if (sum >= 100) return everybody;
    const bound = Buffer.alloc(HASH_BYTES);
    bound.writeUInt32BE(Math.floor((sum / 100) * 2 ** 32));
    return bound;
  });
}

const draw = `
  update resolved r set arm = case when d.arm < :variants::int then d.arm else ${REST_ARM} end
  from (select r.contact_id, (select count(*) from unnest(:bounds::bytea[]) as bound
      where bound <= substring(${drawHash} from ${HASH_FROM} for ${HASH_BYTES})) as arm
    from resolved r cross join holdout_key k where k.campaign_id = :campaignId and r.class = 'reachable') d
  where r.contact_id = d.contact_id`;

/**
 * Draws for each reachable contact of the table `resolved` that is not held back which variant it gets, or that it is in the
 * rest: each on its own by a keyed hash, so that nobody can choose, and a rehearsal draws as the send does.
 */
export async function drawArms(
  transaction: Transaction,
  { campaignId, variants }: { campaignId: string; variants: Variants | null },
): Promise<void> {
  if (variants === null) return;
  await ensureDrawKey(transaction, campaignId);
  const bounds = boundsOf(variants);
  await rows(transaction, draw, { campaignId, bounds, variants: bounds.length });
}
