import { isDeepStrictEqual } from 'node:util';
import type { CampaignPatch } from '#domain/api/campaign.ts';
import { type FieldError, Problem, invalidField } from '#domain/api/problem.ts';
import { type CampaignContent, type CampaignStage, fixedFields } from '#domain/campaigns/fields.ts';
import { invalidChoice } from '#domain/campaigns/cases/checks.ts';
import { invalidPostbacks } from '#domain/campaigns/postback.ts';
import { messagesPath } from '#domain/campaigns/variants/variants.ts';
import { invalidSteps } from '#domain/campaigns/steps/checks.ts';
import { invalidEnd, invalidPace, invalidTimes } from '#domain/campaigns/times.ts';
import type { Database } from '#db/database.ts';
import { audienceSource } from '#commands/outreach/audiences/source.ts';
import { findTag } from '#db/outreach/tags/tags.ts';
import { assertActiveServiceNumber } from '#commands/outreach/tenants/service-numbers.ts';

export function rejectContent(errors: FieldError[]): void {
  if (errors.length > 0) throw new Problem('invalid_content', 'The campaign is not valid', { errors });
}

/** What the messages are refused for, those of any case or variant. @throws Problem `invalid_request` where there are none. */
function invalidMessages(content: CampaignContent, appId: string): FieldError[] {
  const { messages, messagesBy, variants } = content;
  if (messages === null && messagesBy === null)
    throw new Problem('invalid_request', 'A campaign has messages, or messages by case', {
      errors: [{ path: '/messages', message: 'is needed, or messagesBy' }],
    });
  const others = variants?.others ?? [];
  return [
    ...invalidChoice(content, { appId }),
    ...others.flatMap((other, index) => invalidPostbacks(other.messages, appId, messagesPath(index + 1))),
  ];
}

/** @throws Problem `invalid_content` where variants are compared by a tag that the service number does not have. */
async function assertMeasurable(
  database: Database,
  { tenantId, serviceNumberId }: { tenantId: string; serviceNumberId: string },
  { variants }: CampaignContent,
): Promise<void> {
  if (variants?.winner.by.type !== 'tag') return;
  const tag = await findTag(database, tenantId, variants.winner.by.tagId);
  if (tag?.serviceNumberId !== serviceNumberId)
    rejectContent([invalidField('/variants/winner/by/tagId', 'unknown_tag')]);
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
  const { serviceNumberId, audience } = content;
  await assertActiveServiceNumber(database, tenantId, serviceNumberId);
  rejectContent([
    ...invalidTimes(content, now),
    ...invalidMessages(content, appId),
    ...invalidSteps(content, { appId, now }),
  ]);
  await assertMeasurable(database, { tenantId, serviceNumberId }, content);
  await audienceSource(database, { tenantId, serviceNumberId, path: '/audience' }, audience);
}

/** @throws Problem `invalid_state` for fields that are fixed once the campaign was sent, or has started. */
export function assertChangeable(stage: CampaignStage, patch: CampaignPatch): void {
  if (stage === 'draft') return;
  const fixed = fixedFields(patch, stage);
  const moment = stage === 'scheduled' ? 'was sent' : 'has started';
  if (fixed.length > 0)
    throw new Problem('invalid_state', `${fixed.join(', ')} cannot change after the campaign ${moment}`, {
      errors: fixed.map((name) => invalidField(`/${name}`, 'fixed_once_sent')),
    });
}

/**
 * Checks the content of a campaign after a change, as far as it may change at its stage.
 * @throws Problem `invalid_content`.
 */
export async function checkContent(
  database: Database,
  content: CampaignContent,
  before: Pick<CampaignContent, 'endsAt' | 'pace'> & { stage: CampaignStage },
  caller: { tenantId: string; appId: string; now: Date },
): Promise<void> {
  const { now, appId } = caller;
  if (before.stage === 'draft') return await checkDraft(database, content, caller);
  if (before.stage === 'scheduled')
    return rejectContent([
      ...invalidTimes(content, now),
      ...invalidMessages(content, appId),
      ...invalidSteps(content, { appId, now }),
    ]);
  if (content.endsAt?.getTime() !== before.endsAt?.getTime()) rejectContent(invalidEnd(content, now));
  if (!isDeepStrictEqual(content.pace, before.pace)) rejectContent(invalidPace(content, now));
}
