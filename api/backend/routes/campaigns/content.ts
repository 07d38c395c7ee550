import type { CampaignPatch, CampaignStatus } from '../../../../domain/api/campaign.ts';
import { type FieldError, Problem, invalidField } from '../../../../domain/api/problem.ts';
import { type CampaignContent, fixedOnceSent } from '../../../../domain/campaigns/fields.ts';
import { invalidPostbacks } from '../../../../domain/campaigns/postback.ts';
import { invalidEnd, invalidTimes } from '../../../../domain/campaigns/times.ts';
import type { Database } from '../../../../db/database.ts';
import { audienceSource } from '../../../../db/outreach/audiences/source.ts';
import { assertActiveServiceNumber } from '../../../../db/outreach/tenants/service-numbers.ts';

export function rejectContent(errors: FieldError[]): void {
  if (errors.length > 0) throw new Problem('invalid_content', 'The campaign is not valid', { errors });
}

/**
 * Checks the rules for drafts and reports every invalid field.
 * @throws Problem `invalid_content`.
 */
export async function checkDraft(
  database: Database,
  content: CampaignContent,
  { tenantId, appId, now }: { tenantId: string; appId: string; now: Date },
): Promise<void> {
  const { serviceNumberId, messages, audience } = content;
  await assertActiveServiceNumber(database, tenantId, serviceNumberId);
  rejectContent([...invalidTimes(content, now), ...invalidPostbacks(messages, appId)]);
  await audienceSource(database, { tenantId, serviceNumberId, path: '/audience' }, audience);
}

/** @throws Problem `invalid_state` for fields that are fixed once the campaign was sent, and for closed campaigns. */
export function assertChangeable(status: CampaignStatus, patch: CampaignPatch): void {
  if (status === 'draft') return;
  const fixed = fixedOnceSent(patch);
  if (fixed.length > 0)
    throw new Problem('invalid_state', `${fixed.join(', ')} cannot change after the campaign was sent`, {
      errors: fixed.map((name) => invalidField(`/${name}`, 'fixed_once_sent')),
    });
}

/** Checks a new end for a campaign that was sent. */
export function checkEnd(content: CampaignContent, before: { endsAt: Date | null }, now: Date): void {
  if (content.endsAt?.getTime() !== before.endsAt?.getTime()) rejectContent(invalidEnd(content, now));
}
