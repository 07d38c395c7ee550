import type { z } from 'zod';
import '#web/api/http/compile-no-schemas.ts';
import { campaignBodySchema, type CampaignPatch } from '#domain/api/campaign.ts';
import type { MessagesBy } from '#domain/api/messages-by.ts';
import { unclearChoice } from '#domain/campaigns/cases/checks.ts';
import { messagesByOf } from './cases.ts';
import { isNobody } from './audience.ts';
import { brokenStepExtras, isDelay } from '../following/issues.ts';
import { type DraftCard, extraOf } from './cards.ts';
import {
  type Draft,
  draftFields,
  type DraftFields,
  type DraftIssue,
  type FieldName,
  fieldNames,
  type PlacedIssue,
  writtenOf,
} from './draft.ts';
import { fieldsAt, partsIn, placeOfVariant, variantsIn } from './variant-list.ts';

/** What the text of an issue is, by what the schema says of a value. */
export function keyOf(issue: z.core.$ZodIssue, value: unknown): Pick<PlacedIssue, 'key' | 'max'> {
  if (isDelay(issue.path)) return { key: 'steps' };
  if (typeof value === 'string' && value.trim() === '') return { key: 'blank' };
  if (issue.code === 'too_big') {
    return { key: issue.origin === 'array' ? 'tooMany' : 'tooLong', max: Number(issue.maximum) };
  }
  if (issue.code === 'too_small') return { key: issue.origin === 'array' ? 'tooFew' : 'blank' };
  if (issue.code === 'invalid_format') return { key: issue.format === 'url' ? 'address' : 'dateTime' };
  return { key: 'invalid' };
}

export function valueAt(root: unknown, path: PropertyKey[]): unknown {
  let value = root;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value;
}

/** Extra fields that are not a JSON object never reach the schema, so they are checked here. */
export function brokenExtrasOf(cards: readonly DraftCard[], at: string): PlacedIssue[] {
  return cards.flatMap((card, cardIndex) =>
    card.buttons.flatMap((button, index) =>
      button.kind === 'Postback' && extraOf(button.extra) === null
        ? [{ at: `${at}/${cardIndex}/actions/${index}/extra`, key: 'json' as const }]
        : [],
    ),
  );
}

const brokenExtras = (draft: Draft): DraftIssue[] => {
  const within = (field: FieldName, cards: readonly DraftCard[], place: string): DraftIssue[] =>
    brokenExtrasOf(cards, place).map((issue) => ({ field, ...issue }));
  if (draft.cases) return partsIn(draft).flatMap(({ cards, place }) => within('messagesBy', cards, place));
  return [
    ...within('messages', draft.cards, placeOfVariant(0)),
    ...(draft.variants?.others ?? []).flatMap(({ cards }, index) =>
      within('variants', cards, placeOfVariant(index + 1)),
    ),
  ];
};

/** What messages by case lack: of `otherwise`, which has an alternative to messages, what those lack. */
export function caseIssues(
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
  above: PropertyKey[] = [],
): DraftIssue[] {
  return issues.flatMap((issue): DraftIssue[] => {
    const path = [...above, ...issue.path];
    if (issue.code === 'invalid_union' && path[0] === 'otherwise' && path.length === 1)
      return caseIssues(issue.errors[0] ?? [], value, path);
    const key = path[0] === 'field' ? { key: 'blank' as const } : keyOf(issue, valueAt(value, path));
    return [{ field: 'messagesBy', at: ['messagesBy', ...path].join('/'), ...key }];
  });
}

/** Values that are in two cases. */
export const sameValues = ({ cases }: Pick<Draft, 'cases'>): DraftIssue[] =>
  unclearChoice({ messagesBy: messagesByOf(cases) as MessagesBy | null }).map(({ path }) => ({
    field: 'messagesBy',
    at: path.slice(1).replace(/\/\d+$/, ''),
    key: 'sameValues',
  }));

/** What a test of variants lacks, where it differs from what messages lack: its numbers, and what concerns several of its parts. */
function variantIssue(issue: z.core.$ZodIssue, draft: Draft): Omit<DraftIssue, 'field'> | null {
  const last = issue.path.at(-1);
  const at = ['variants', ...issue.path].join('/');
  if (last === 'sharePercent') return { at, key: 'share' };
  if (last === 'afterHours') return { at, key: 'hours' };
  if (last === 'minimum') return { at, key: 'conversions' };
  if (issue.code !== 'custom' || issue.path.length > 0) return null;
  if (issue.params?.['code'] === 'above_hundred') return { at: 'variants/sharePercent', key: 'aboveHundred' };
  const names = variantsIn(draft).map(({ name }) => name);
  const repeated = names.findIndex((name, position) => names.indexOf(name) < position);
  return { at: `${fieldsAt(repeated)}/name`, key: 'sameNames' };
}

/** Checks each field against the API's own schema: what may be saved, and what needs fixing. */
export function fieldsOf(draft: Draft): DraftFields {
  const valid: Record<string, unknown> = {};
  const issues: DraftIssue[] = [...brokenExtras(draft), ...sameValues(draft), ...brokenStepExtras(draft.following)];
  for (const field of fieldNames) {
    const { issueKey } = draftFields[field];
    const value = writtenOf(draft, field);
    const result = campaignBodySchema.shape[field].safeParse(value);
    if (!result.success) {
      if (field === 'messagesBy') issues.push(...caseIssues(result.error.issues, value));
      else
        for (const issue of result.error.issues) {
          const own = field === 'variants' ? variantIssue(issue, draft) : null;
          if (own) issues.push({ field, ...own });
          else if (issueKey) issues.push({ field, at: field, key: issueKey });
          else
            issues.push({ field, at: [field, ...issue.path].join('/'), ...keyOf(issue, valueAt(value, issue.path)) });
        }
    } else if (!issues.some((issue) => issue.field === field)) valid[field] = value;
  }
  // One takes the place of the other: neither is stored alone.
  if (!('messages' in valid && 'messagesBy' in valid)) {
    delete valid['messages'];
    delete valid['messagesBy'];
  }
  const { audience } = valid as CampaignPatch;
  if (audience && isNobody(audience)) issues.push({ field: 'audience', at: 'audience', key: 'tooFew' });
  return { valid: valid as CampaignPatch, issues };
}
