import type { Campaign, CampaignBody, CampaignPatch } from '#domain/api/campaign.ts';
import { audienceOf, draftAudienceOf, newAudience } from './audience.ts';
import { cardOf, messageOf, newCard } from './cards.ts';
import { type DraftCases, draftCasesOf, messagesByOf } from './cases.ts';
import { type DraftDateTime, type DraftStart, instantOf, readingOf } from './date-time.ts';
import type { DraftHoldout } from './holdout.ts';
import { draftPaceOf, newPace, paceOf } from './pace.ts';
import type { DraftUtm } from '../message/utm.ts';
import { type DraftStep, draftStepsOf, stepsOf } from '../following/draft-steps.ts';
import { type DraftVariants, draftVariantsOf, variantsOf } from './variants.ts';

/** The fields of a campaign that the editor edits, saved one by one. */
export type FieldName = Exclude<keyof CampaignBody, 'channels' | 'serviceNumberId'>;
export type EditedCampaign = Pick<CampaignBody, FieldName>;

/** Definition of one field for the editor. Methods, so that definitions with different value types fit one table. */
interface FieldDefinition<Part extends string, Value> {
  /** The part of the draft that holds the field while it is edited. */
  part: Part;
  /** The step on which it is edited. */
  step: 'message' | 'audience' | 'when' | 'following';
  empty(): Value;
  /** The stored field as the editor shows it, with times read in `zone`. */
  read(campaign: Campaign, zone: string): Value;
  /** The field as the API expects it, whether valid or not. */
  write(value: Value): unknown;
  /** Whether another field takes its place: it is stored as null then. */
  isReplaced?(draft: { cases: unknown }): boolean;
  /** Whether the summary lists the field; true if absent. */
  isSummarised?(value: Value): boolean;
  /** The issue reported wherever the schema rejects the field; by default the schema's own issue decides. */
  issueKey?: DraftIssue['key'];
}

const define = <const Part extends string, Value>(definition: FieldDefinition<Part, Value>) => definition;

/** Every edited field in the order in which it is checked and listed. To add a field, start here. */
const table = {
  name: define({
    part: 'name',
    step: 'message',
    empty: () => '',
    read: ({ name }) => name,
    write: (name) => name,
  }),
  note: define({
    part: 'note',
    step: 'message',
    empty: () => '',
    read: ({ note }) => note ?? '',
    write: (note) => note,
    isSummarised: (note) => note !== '',
  }),
  labels: define({
    part: 'labels',
    step: 'message',
    empty: (): string[] => [],
    // An audit entry from before there were labels has none.
    read: (campaign) => [...((campaign as Partial<Campaign>).labels ?? [])],
    write: (labels) => labels,
    isSummarised: (labels) => labels.length > 0,
  }),
  messages: define({
    part: 'cards',
    step: 'message',
    empty: () => [newCard('buttons')],
    read: ({ messages }) => messages?.map(cardOf) ?? [newCard('buttons')],
    write: (cards) => cards.map(messageOf),
    isReplaced: ({ cases }) => cases !== null,
  }),
  /** Null: everybody gets the same messages. */
  messagesBy: define({
    part: 'cases',
    step: 'message',
    empty: (): DraftCases | null => null,
    read: ({ messagesBy }) => draftCasesOf(messagesBy),
    write: messagesByOf,
    isSummarised: (cases) => cases !== null,
  }),
  /** Null: everybody gets the same message. */
  variants: define({
    part: 'variants',
    step: 'message',
    empty: (): DraftVariants => null,
    read: ({ variants }) => draftVariantsOf(variants),
    write: variantsOf,
    isSummarised: (variants) => variants !== null,
  }),
  audience: define({
    part: 'audience',
    step: 'audience',
    empty: newAudience,
    read: ({ audience }) => draftAudienceOf(audience),
    write: audienceOf,
  }),
  /** Null: now. */
  schedule: define({
    part: 'start',
    step: 'when',
    empty: (): DraftStart | null => null,
    read: ({ schedule }, zone) =>
      schedule.type === 'scheduled'
        ? { ...readingOf(schedule.at, zone), atStart: schedule.audience === 'at_start' }
        : null,
    write: (start) =>
      start
        ? {
            type: 'scheduled',
            at: instantOf(start)?.toISOString(),
            ...(start.atStart ? { audience: 'at_start' } : {}),
          }
        : { type: 'immediate' },
    issueKey: 'dateTime',
  }),
  /** Null: open end. */
  endsAt: define({
    part: 'end',
    step: 'when',
    empty: (): DraftDateTime | null => null,
    read: ({ endsAt }, zone) => (endsAt ? readingOf(endsAt, zone) : null),
    write: (end) => (end ? (instantOf(end)?.toISOString() ?? '') : null),
    issueKey: 'dateTime',
  }),
  /** Null: no control group. */
  holdoutPercent: define({
    part: 'holdout',
    step: 'audience',
    empty: (): DraftHoldout => null,
    read: ({ holdoutPercent }) => holdoutPercent?.toString() ?? null,
    write: (typed) => (typed !== null && /^\d+$/.test(typed.trim()) ? Number(typed) : typed),
    isSummarised: (typed) => typed !== null,
    issueKey: 'percent',
  }),
  /** Null: orders are not tracked. */
  revenueWindowDays: define({
    part: 'revenueWindow',
    step: 'when',
    empty: (): string | null => null,
    read: ({ revenueWindowDays }) => revenueWindowDays?.toString() ?? null,
    write: (typed) => (typed !== null && /^\d+$/.test(typed.trim()) ? Number(typed) : typed),
    isSummarised: (typed) => typed !== null,
    issueKey: 'days',
  }),
  pace: define({
    part: 'pace',
    step: 'when',
    empty: newPace,
    read: ({ pace }, zone) => draftPaceOf(pace, zone),
    write: paceOf,
    isSummarised: (pace) => paceOf(pace) !== null,
    issueKey: 'pace',
  }),
  /** Empty: nothing follows. */
  steps: define({
    part: 'following',
    step: 'following',
    empty: (): DraftStep[] => [],
    read: ({ steps }) => draftStepsOf(steps),
    write: stepsOf,
    isSummarised: (following) => following.length > 0,
  }),
  /** Null: links stay as written. */
  utm: define({
    part: 'utm',
    step: 'message',
    empty: (): DraftUtm => 'usual',
    read: ({ utm }) => utm ?? null,
    write: (utm) => (utm === 'usual' ? undefined : utm),
    isSummarised: (utm) => utm !== null && utm !== 'usual',
  }),
} satisfies Record<FieldName, FieldDefinition<string, unknown>>;

type Table = typeof table;

/** A campaign as the editor holds it: each part as its field defines it. */
export type Draft = { [Field in FieldName as Table[Field]['part']]: ReturnType<Table[Field]['empty']> };

export const draftFields: Record<FieldName, FieldDefinition<keyof Draft, Draft[keyof Draft]>> = table;
export const fieldNames = Object.keys(table) as FieldName[];

/** Something to fix: its place, and a locale key under `editor.issue` for the text. */
export interface PlacedIssue {
  /** Place within the draft, for example `messages/0/actions/1/url`. */
  at: string;
  key:
    | 'blank'
    | 'tooLong'
    | 'tooMany'
    | 'tooFew'
    | 'address'
    | 'json'
    | 'dateTime'
    | 'percent'
    | 'days'
    | 'pace'
    | 'share'
    | 'hours'
    | 'conversions'
    | 'sameNames'
    | 'sameValues'
    | 'aboveHundred'
    | 'steps'
    | 'delay'
    | 'wholeNumber'
    | 'amount'
    | 'invalid';
  max?: number;
}

/** Something to fix before a campaign is sent. */
export interface DraftIssue extends PlacedIssue {
  field: FieldName;
}

export interface DraftFields {
  /** Values that may be saved as they are. */
  valid: CampaignPatch;
  issues: DraftIssue[];
}

function draftFrom(partOf: (field: FieldName) => Draft[keyof Draft]): Draft {
  return Object.fromEntries(fieldNames.map((field) => [draftFields[field].part, partOf(field)])) as Draft;
}

export const newDraft = (): Draft => draftFrom((field) => draftFields[field].empty());

/** A stored draft as the editor shows it, with times read in `zone`. */
export const draftOf = (campaign: Campaign, zone: string): Draft =>
  draftFrom((field) => draftFields[field].read(campaign, zone));

/** A field of the draft while it is edited. */
export const valueOf = (draft: Draft, field: FieldName): Draft[keyof Draft] => draft[draftFields[field].part];

const replacedOr = (draft: Draft, field: FieldName) =>
  draftFields[field].isReplaced?.(draft) ? null : valueOf(draft, field);

/** A field as the API expects it, whether valid or not. */
export const writtenOf = (draft: Draft, field: FieldName): unknown => {
  const { isReplaced, write } = draftFields[field];
  return isReplaced?.(draft) ? null : write(valueOf(draft, field));
};

const stripKeys = (name: string, value: unknown) => (name === 'key' ? undefined : value);

/** Each field as it is in the editor, valid or not, to find out what was changed. */
export function rawOf(draft: Draft): Record<FieldName, string> {
  return Object.fromEntries(
    fieldNames.map((field) => [field, JSON.stringify(replacedOr(draft, field), stripKeys)]),
  ) as Record<FieldName, string>;
}
