import type { Arm } from '../../../../domain/campaigns/variants/evidence.ts';
import { REST_ARM, variantsOf } from '../../../../domain/campaigns/variants/variants.ts';
import { invalidField, Problem } from '../../../../domain/api/problem.ts';
import { verdictOf } from '../../../../domain/campaigns/variants/verdict.ts';
import { type Database, firstRow, type Transaction } from '../../../database.ts';
import { type Author, recordAudit } from '../../audit/record.ts';
import { type CampaignRecord, lockCampaign } from '../../campaigns/campaigns.ts';
import { readCompared } from './figures.ts';

/** The actor of automatic choices. */
export const CHOSEN_BY_TEST = 'service:variants';

export interface Choice {
  /** By its position. */
  variant: number;
  proven: boolean;
  /** What the variants had shown. */
  compared: Arm[];
  now: Date;
}

// The one statement that decides: only the first choice finds a test without one, and with it the rest becomes due. Whoever
// chooses decides about its time, too, so the late rule no longer applies.
const chooseSql = `
  with choice as (
    update variant_test v set chosen = :variant, chosen_at = :now, chosen_by = :userId, proven = :proven,
      compared = :compared::jsonb, next_look_at = null
    from campaign c
    where v.tenant_id = :tenantId and v.campaign_id = :campaignId and v.chosen is null and c.campaign_id = v.campaign_id
      and c.status in ('sending', 'scheduled', 'paused') and not c.cancel_requested
      and not exists (select 1 from dispatch d where d.campaign_id = c.campaign_id and d.frozen_at is null)
      and exists (select 1 from broadcast_task t where t.campaign_id = c.campaign_id and t.status = 'pending'
        and t.arm = ${REST_ARM} and t.variant is null)
    returning v.campaign_id
  ), released as (
    update broadcast_task t set variant = :variant from choice
    where t.campaign_id = choice.campaign_id and t.arm = ${REST_ARM} and t.variant is null
    returning t.status, t.contact_count
  ), begun as (
    update dispatch d set late_at = coalesce(d.late_at, :now) from choice
    where d.campaign_id = choice.campaign_id and d.scheduled_at <= :now
  ), touched as (
    update campaign c set updated_at = :now from choice where c.campaign_id = choice.campaign_id
  )
  select coalesce(sum(contact_count) filter (where status = 'pending'), 0)::int as contacts from released
  having exists (select 1 from choice)`;

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
