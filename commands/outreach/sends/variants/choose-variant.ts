import { type Database, firstRow, type Transaction } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import type { CampaignRecord } from '#db/outreach/campaigns/campaigns.ts';
import { chooseSql } from '#db/outreach/sends/variants/choosing.ts';
import { readCompared } from '#db/outreach/sends/variants/figures.ts';
import { invalidField, Problem } from '#domain/api/problem.ts';
import type { Arm } from '#domain/campaigns/variants/evidence.ts';
import { variantsOf } from '#domain/campaigns/variants/variants.ts';
import { verdictOf } from '#domain/campaigns/variants/verdict.ts';
import { lockCampaign } from '#commands/outreach/campaigns/lock-campaign.ts';

export interface Choice {
  /** By its position. */
  variant: number;
  proven: boolean;
  /** What the variants had shown. */
  compared: Arm[];
  now: Date;
}

/**
 * Chooses the variant that the rest of the audience gets, once. The caller holds the campaign's lock.
 * @returns whether it was chosen: not if another one was before, or nobody waits for one.
 */
export async function choose(
  transaction: Transaction,
  author: Author,
  campaign: Pick<CampaignRecord, 'id' | 'messages' | 'variants'>,
  { variant, proven, compared, now }: Choice,
): Promise<boolean> {
  const { tenantId, userId } = author;
  const bindings = { tenantId, campaignId: campaign.id, userId, variant, proven, now };
  const chosen = await firstRow<{ contacts: number }>(transaction, chooseSql, {
    ...bindings,
    compared: JSON.stringify(compared),
  });
  if (!chosen) return false;
  await recordAudit(transaction, author, {
    action: 'campaign.choose_variant',
    objectType: 'campaign',
    objectId: campaign.id,
    after: { variant: variantsOf(campaign)[variant]?.name, proven, contacts: chosen.contacts, compared },
  });
  return true;
}

/**
 * Chooses a variant by its name, as an operator does.
 * @throws Problem `not_found`, `invalid_content` for a name that none has, or one that the platform refused, `invalid_state` if nobody waits for one.
 */
export function chooseVariant(database: Database, author: Author, id: string, name: string, now: Date): Promise<void> {
  return database.transaction(async (transaction) => {
    const campaign = await lockCampaign(transaction, author.tenantId, id);
    const variants = variantsOf(campaign);
    const variant = variants.findIndex((one) => one.name === name);
    if (variant === -1 || campaign.variants === null)
      throw new Problem('invalid_content', 'The campaign has no such variant', {
        errors: [invalidField('/name', 'unknown_variant')],
      });
    const { by: measure, minimum } = campaign.variants.winner;
    const key = { tenantId: author.tenantId, campaignId: id };
    const { arms, states } = await readCompared(transaction, key, { variants: variants.length, measure, now });
    if (states[variant] === 'refused')
      throw new Problem('invalid_content', 'The platform has refused this variant', {
        errors: [invalidField('/name', 'refused_variant')],
      });
    const { verdict, leader } = verdictOf(arms, minimum);
    const proven = verdict === 'proven' && leader === variant;
    if (!(await choose(transaction, author, campaign, { variant, proven, compared: arms, now })))
      throw new Problem('invalid_state', 'Nobody waits for a variant to be chosen');
  });
}
