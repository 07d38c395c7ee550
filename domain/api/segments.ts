import { z } from 'zod';
import { isBoundedTree } from '../rules/bounded-tree.ts';
import { profileFields, SEGMENT_LEVELS, SEGMENT_PARTS } from '../contacts/segment-limits.ts';
import { refinement } from './field-errors.ts';
import { type FieldError, invalidField } from './problem.ts';
import { label, ownId, text } from './primitives.ts';

const chosenCampaigns = z.strictObject({ campaignIds: z.array(ownId).min(1).max(100) });
const recent = z.strictObject({ lastDays: z.int().min(1).max(366) });

/** Campaigns whose reach, clicks or conversations count: chosen ones, or all of the last days. */
const campaignsSchema = z.union([chosenCampaigns, recent]);
export type SegmentCampaigns = z.infer<typeof campaignsSchema>;

const number = z.int().min(0).max(1000);
/** How often, both ends included. Without `gte`, 0 counts. At least one of the two, and in order: `invalidTimes`. */
const timesSchema = z.strictObject({ gte: number.optional(), lte: number.optional() });
export type SegmentTimes = z.infer<typeof timesSchema>;

const times = { times: timesSchema.optional() };
/** Campaigns, and of how many of them something holds, or how often. */
const countedCampaignsSchema = z.union([chosenCampaigns.extend(times), recent.extend(times)]);
export type CountedCampaigns = z.infer<typeof countedCampaignsSchema>;

const value = label(1000);
const day = z.iso.date().refine((date) => date >= '0001', 'must be in the years 1 to 9999');
const daysAgo = z.int().min(0).max(36_600);

/** Compares both sides in lower case, of whatever script. */
const fold = z.boolean().optional();

/**
 * What is asked of a field. Values are compared as text; of a field without a value only `ne` holds. Dates are values
 * that begin with `YYYY-MM-DD`; days are those of UTC, and `days_ago` includes both ends.
 */
const fieldTestSchema = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('eq'), value, fold }),
  z.strictObject({ op: z.literal('ne'), value, fold }),
  z.strictObject({ op: z.literal('in'), values: z.array(value).min(1).max(100), fold }),
  z.strictObject({ op: z.literal('exists') }),
  z.strictObject({ op: z.literal('before'), date: day }),
  z.strictObject({ op: z.literal('after'), date: day }),
  z.strictObject({ op: z.literal('days_ago'), from: daysAgo, to: daysAgo }).refine(({ from, to }) => from <= to, {
    ...refinement('reversed_days', 'must not be less than `from`'),
    path: ['to'],
  }),
]);
export type FieldTest = z.infer<typeof fieldTestSchema>;

const profileSchema = z
  .strictObject({ field: z.enum(profileFields), name: label(256).optional(), test: fieldTestSchema })
  .refine(({ field, name }) => (field === 'attribute') === (name !== undefined), {
    ...refinement('attribute_name', 'is needed for an attribute, and for nothing else'),
    path: ['name'],
  });
export type ProfileTest = z.infer<typeof profileSchema>;

const index = z.int().min(0).max(100);
const clicksSchema = z.strictObject({
  campaigns: campaignsSchema,
  /** One button of one message, both counted from 0. */
  messageIndex: index.optional(),
  actionIndex: index.optional(),
  bizEventCode: text(256).min(1).optional(),
  ...times,
});
export type SegmentClicks = z.infer<typeof clicksSchema>;

/** When the contact first entered or followed: within so many times 24 hours, or on a day of UTC before or after this one. */
const entrySchema = z.union([recent, z.strictObject({ before: day }), z.strictObject({ after: day })]);
export type SegmentEntry = z.infer<typeof entrySchema>;

const conditions = [
  z.strictObject({ tag: ownId }),
  z.strictObject({ inList: z.strictObject({ audienceId: ownId }) }),
  z.strictObject({ reached: countedCampaignsSchema }),
  z.strictObject({ clicked: clicksSchema }),
  z.strictObject({ conversed: countedCampaignsSchema }),
  z.strictObject({ entered: entrySchema }),
  z.strictObject({ profile: profileSchema }),
] as const;
export type SegmentCondition = z.infer<(typeof conditions)[number]>;

/** Contacts by behaviour and profile: conditions, and groups of which all, any or none hold. */
export type Segment = SegmentCondition | { all: Segment[] } | { any: Segment[] } | { not: Segment };

const segment: z.ZodType<Segment> = z
  .lazy(() =>
    z.union([
      z.strictObject({ all: z.array(segment).min(1).max(SEGMENT_PARTS) }),
      z.strictObject({ any: z.array(segment).min(1).max(SEGMENT_PARTS) }),
      z.strictObject({ not: segment }),
      ...conditions,
    ]),
  )
  .meta({ id: 'Segment' });

/** `{all}`, `{any}`, `{not}` or one condition, at most 5 levels and 30 parts. */
export const segmentSchema = z.preprocess((given, context) => {
  if (isBoundedTree(given, { levels: SEGMENT_LEVELS, nodes: SEGMENT_PARTS })) return given;
  context.addIssue({
    code: 'custom',
    ...refinement('too_deep', `must have at most ${SEGMENT_LEVELS} levels and ${SEGMENT_PARTS} parts`),
  });
  return z.NEVER;
}, segment);

/** A part of a segment and its place as a JSON pointer, for example `/all/0/not`; that of the whole is empty. */
export interface SegmentPart {
  path: string;
  part: Segment;
}

/** Every part of a segment, a group before what is in it. */
export function segmentParts(part: Segment, path = ''): SegmentPart[] {
  const inside = (name: string, parts: Segment[]) =>
    parts.flatMap((one, at) => segmentParts(one, `${path}/${name}/${at}`));
  if ('all' in part) return [{ path, part }, ...inside('all', part.all)];
  if ('any' in part) return [{ path, part }, ...inside('any', part.any)];
  return 'not' in part ? [{ path, part }, ...segmentParts(part.not, `${path}/not`)] : [{ path, part }];
}

function timesOf(part: Segment): { times: SegmentTimes; path: string } | null {
  if ('reached' in part && part.reached.times) return { times: part.reached.times, path: '/reached/times' };
  if ('clicked' in part && part.clicked.times) return { times: part.clicked.times, path: '/clicked/times' };
  if ('conversed' in part && part.conversed.times) return { times: part.conversed.times, path: '/conversed/times' };
  return null;
}

/** A field error for each `times` that says nothing, or whose `gte` is above its `lte`. */
export function invalidTimes(segment: Segment, at = ''): FieldError[] {
  return segmentParts(segment, at).flatMap(({ part, path }) => {
    const given = timesOf(part);
    if (!given) return [];
    const { gte, lte } = given.times;
    if (gte === undefined && lte === undefined) return [invalidField(`${path}${given.path}`, 'no_bound')];
    const isReversed = gte !== undefined && lte !== undefined && gte > lte;
    return isReversed ? [invalidField(`${path}${given.path}/lte`, 'reversed_bounds')] : [];
  });
}

/** The saved lists that a segment asks for. */
export const listsIn = (segment: Segment): string[] => [
  ...new Set(segmentParts(segment).flatMap(({ part }) => ('inList' in part ? [part.inList.audienceId] : []))),
];
