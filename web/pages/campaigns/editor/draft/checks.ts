import type { z } from 'zod';
import '../../../../api/http/compile-no-schemas.ts';
import { campaignBodySchema, type CampaignPatch } from '../../../../../domain/api/campaign.ts';
import { extraOf, messageOf, momentOf, type Draft } from './draft.ts';
import { audienceOf, fieldNames, isNobody, type DraftFields, type FieldName, type Mend } from './fields.ts';

function valueOf(draft: Draft, field: FieldName): unknown {
  switch (field) {
    case 'name':
    case 'note':
      return draft[field];
    case 'messages':
      return draft.cards.map(messageOf);
    case 'audience':
      return audienceOf(draft.audience);
    case 'schedule':
      return draft.start ? { type: 'scheduled', at: momentOf(draft.start)?.toISOString() } : { type: 'immediate' };
    case 'endsAt':
      return draft.end ? (momentOf(draft.end)?.toISOString() ?? '') : null;
  }
}

function keyOf(issue: z.core.$ZodIssue, value: unknown): Pick<Mend, 'key' | 'max'> {
  if (typeof value === 'string' && value.trim() === '') return { key: 'blank' };
  if (issue.code === 'too_big') {
    return { key: issue.origin === 'array' ? 'tooMany' : 'tooLong', max: Number(issue.maximum) };
  }
  if (issue.code === 'too_small') return { key: issue.origin === 'array' ? 'tooFew' : 'blank' };
  if (issue.code === 'invalid_format') return { key: issue.format === 'url' ? 'address' : 'moment' };
  return { key: 'invalid' };
}

function valueAt(root: unknown, path: PropertyKey[]): unknown {
  let value = root;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value;
}

/** Extra fields that are no JSON object never reach the schema: they are found here. */
function brokenExtras(draft: Draft): Mend[] {
  return draft.cards.flatMap((card, cardIndex) =>
    card.buttons.flatMap((button, index) =>
      button.kind === 'Postback' && extraOf(button.extra) === null
        ? [{ field: 'messages' as const, at: `messages/${cardIndex}/actions/${index}/extra`, key: 'json' as const }]
        : [],
    ),
  );
}

/** Checks each part against the API's own schema: what may be saved, and what is to be mended. */
export function fieldsOf(draft: Draft): DraftFields {
  const valid: Record<string, unknown> = {};
  const mends: Mend[] = brokenExtras(draft);
  for (const field of fieldNames) {
    const value = valueOf(draft, field);
    const result = campaignBodySchema.shape[field].safeParse(value);
    if (!result.success) {
      for (const issue of result.error.issues) {
        const at = [field, ...issue.path].join('/').replace('schedule/at', 'schedule');
        const moment = field === 'schedule' || field === 'endsAt';
        mends.push({ field, at, ...(moment ? { key: 'moment' as const } : keyOf(issue, valueAt(value, issue.path))) });
      }
    } else if (!mends.some((mend) => mend.field === field)) valid[field] = value;
  }
  const { audience } = valid as CampaignPatch;
  if (audience && isNobody(audience)) mends.push({ field: 'audience', at: 'audience', key: 'tooFew' });
  return { valid: valid as CampaignPatch, mends };
}
