import type {
  CountedCampaigns,
  FieldTest,
  ProfileTest,
  Segment,
  SegmentCampaigns,
  SegmentCondition,
  SegmentEntry,
  SegmentTimes,
} from '#domain/api/segments.ts';
import type { ProfileField } from '#domain/contacts/segment-limits.ts';
import {
  type GroupDraft,
  isGroup,
  type Keyed,
  newGroup,
  nextKey,
  type PartDraft,
  readTree,
  writeTree,
} from '#web/components/group/group-draft.ts';

/** What a condition is about; each of it may be negated. */
export const subjects = ['tag', 'inList', 'reached', 'clicked', 'conversed', 'entered', 'profile'] as const;
export type Subject = (typeof subjects)[number];

export const fieldOps = ['eq', 'ne', 'in', 'exists', 'before', 'after', 'days_ago'] as const;
export type FieldOp = (typeof fieldOps)[number];

/** Whose reach, clicks or conversations count. */
export interface CampaignsDraft {
  choice: 'chosen' | 'recent';
  ids: string[];
  /** Empty if nothing is typed. */
  days: number | '';
}

/** How often something has to occur; empty without a limit. */
export interface TimesDraft {
  least: number | '';
  most: number | '';
}

export const entryChoices = ['recent', 'before', 'after'] as const;

/** When contacts entered, as typed. */
export interface EntryDraft {
  choice: (typeof entryChoices)[number];
  days: number | '';
  date: string;
}

/** A condition on a field of the profile, as typed. */
export interface FieldDraft {
  field: ProfileField;
  /** Of an attribute. */
  name: string;
  op: FieldOp;
  text: string;
  values: string[];
  date: string;
  from: number | '';
  to: number | '';
  /** Compared without case. */
  fold: boolean;
}

/** One condition while it is being written; what its subject does not use stays as it was. */
export interface LeafDraft extends Keyed {
  subject: Subject;
  negated: boolean;
  tagId: string;
  /** A saved list. */
  audienceId: string;
  campaigns: CampaignsDraft;
  times: TimesDraft;
  /** One button of one message, both counted from 0. */
  messageIndex: number | null;
  actionIndex: number | null;
  /** Any, if empty. */
  eventCode: string;
  entry: EntryDraft;
  profile: FieldDraft;
}

export type SegmentDraft = GroupDraft<LeafDraft>;

export function newLeaf(subject: Subject, negated = false): LeafDraft {
  return {
    key: nextKey(),
    subject,
    negated,
    tagId: '',
    audienceId: '',
    campaigns: { choice: 'chosen', ids: [], days: 30 },
    times: { least: '', most: '' },
    messageIndex: null,
    actionIndex: null,
    eventCode: '',
    entry: { choice: 'recent', days: 30, date: '' },
    profile: { field: 'channel', name: '', op: 'eq', text: '', values: [], date: '', from: 0, to: 30, fold: false },
  };
}

export const newSegment = (): SegmentDraft => newGroup<LeafDraft>('all');

function campaignsDraftOf(campaigns: SegmentCampaigns): CampaignsDraft {
  return 'lastDays' in campaigns
    ? { choice: 'recent', ids: [], days: campaigns.lastDays }
    : { choice: 'chosen', ids: [...campaigns.campaignIds], days: 30 };
}

const timesDraftOf = ({
  gte = '',
  lte = '',
}: { gte?: SegmentTimes['gte'] | ''; lte?: SegmentTimes['lte'] | '' } = {}) => ({
  least: gte,
  most: lte,
});

const countedDraftOf = (counted: CountedCampaigns) => ({
  campaigns: campaignsDraftOf(counted),
  times: timesDraftOf(counted.times),
});

function entryDraftOf(entry: SegmentEntry): Partial<EntryDraft> {
  if ('lastDays' in entry) return { choice: 'recent', days: entry.lastDays };
  return 'before' in entry ? { choice: 'before', date: entry.before } : { choice: 'after', date: entry.after };
}

function testDraftOf(test: FieldTest): Partial<FieldDraft> {
  const { op } = test;
  if (op === 'eq' || op === 'ne') return { op, text: test.value, fold: test.fold ?? false };
  if (op === 'in') return { op, values: [...test.values], fold: test.fold ?? false };
  if (op === 'exists') return { op };
  return op === 'days_ago' ? { op, from: test.from, to: test.to } : { op, date: test.date };
}

function leafDraftOf(condition: SegmentCondition, negated: boolean): LeafDraft {
  if ('tag' in condition) return { ...newLeaf('tag', negated), tagId: condition.tag };
  if ('inList' in condition) return { ...newLeaf('inList', negated), audienceId: condition.inList.audienceId };
  if ('reached' in condition) return { ...newLeaf('reached', negated), ...countedDraftOf(condition.reached) };
  if ('conversed' in condition) return { ...newLeaf('conversed', negated), ...countedDraftOf(condition.conversed) };
  if ('clicked' in condition) {
    const { campaigns, messageIndex = null, actionIndex = null, bizEventCode = '', times } = condition.clicked;
    const leaf = { ...newLeaf('clicked', negated), campaigns: campaignsDraftOf(campaigns), times: timesDraftOf(times) };
    return { ...leaf, messageIndex, actionIndex, eventCode: bizEventCode };
  }
  if ('entered' in condition) {
    const leaf = newLeaf('entered', negated);
    return { ...leaf, entry: { ...leaf.entry, ...entryDraftOf(condition.entered) } };
  }
  const { field, name = '', test } = condition.profile;
  const leaf = newLeaf('profile', negated);
  return { ...leaf, profile: { ...leaf.profile, field, name, ...testDraftOf(test) } };
}

/** A stored segment as a draft; a condition in `not` is the negated condition. */
export const segmentDraftOf = (segment: Segment): SegmentDraft =>
  readTree<SegmentCondition, LeafDraft>(segment, {
    leaf: (condition) => leafDraftOf(condition, false),
    negated: (condition) => leafDraftOf(condition, true),
  });

function campaignsOf({ choice, ids, days }: CampaignsDraft): SegmentCampaigns {
  // A number that is missing is for the schema to reject.
  return choice === 'chosen' ? { campaignIds: [...ids] } : { lastDays: days as number };
}

function timesOf({ least, most }: TimesDraft): { times?: SegmentTimes } {
  const times = { ...(least !== '' && { gte: least }), ...(most !== '' && { lte: most }) };
  return Object.keys(times).length > 0 ? { times } : {};
}

function entryOf({ choice, days, date }: EntryDraft): SegmentEntry {
  if (choice === 'recent') return { lastDays: days as number };
  return choice === 'before' ? { before: date } : { after: date };
}

function testOf({ op, text, values, date, from, to, fold: folds }: FieldDraft): FieldTest {
  const fold = folds ? { fold: true } : {};
  if (op === 'eq' || op === 'ne') return { op, value: text, ...fold };
  if (op === 'in') return { op, values: [...values], ...fold };
  if (op === 'exists') return { op };
  return op === 'days_ago' ? { op, from: from as number, to: to as number } : { op, date };
}

function profileOf(draft: FieldDraft): ProfileTest {
  const { field, name } = draft;
  return { field, ...(field === 'attribute' && { name }), test: testOf(draft) };
}

function conditionOf(leaf: LeafDraft): SegmentCondition {
  const { subject, tagId, messageIndex, actionIndex, eventCode } = leaf;
  if (subject === 'tag') return { tag: tagId };
  if (subject === 'inList') return { inList: { audienceId: leaf.audienceId } };
  if (subject === 'entered') return { entered: entryOf(leaf.entry) };
  if (subject === 'profile') return { profile: profileOf(leaf.profile) };
  const campaigns = campaignsOf(leaf.campaigns);
  const times = timesOf(leaf.times);
  if (subject === 'reached') return { reached: { ...campaigns, ...times } };
  if (subject === 'conversed') return { conversed: { ...campaigns, ...times } };
  return {
    clicked: {
      campaigns,
      ...(messageIndex !== null && { messageIndex }),
      ...(actionIndex !== null && { actionIndex }),
      ...(eventCode !== '' && { bizEventCode: eventCode }),
      ...times,
    },
  };
}

function write(
  draft: PartDraft<LeafDraft>,
  at: (part: PartDraft<LeafDraft>, path: string) => void = () => {},
): Segment {
  return writeTree<SegmentCondition, LeafDraft>(draft, {
    leaf: (leaf) => (leaf.negated ? { not: conditionOf(leaf) } : conditionOf(leaf)),
    // `{not: {any}}` and `{not: condition}` are read as something else.
    standsAlone: (only) => isGroup(only) && only.kind === 'all',
    at,
  });
}

/** The segment as it is stored, whether the schema accepts it or not. */
export const segmentOf = (draft: PartDraft<LeafDraft>): Segment => write(draft);

/** Where each part of the draft is in its segment, as a JSON pointer, by the key of the part. */
export function pathsOf(draft: SegmentDraft): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  write(draft, ({ key }, path) => paths.set(key, path));
  return paths;
}
