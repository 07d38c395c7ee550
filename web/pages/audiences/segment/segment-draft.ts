import type { FieldTest, ProfileTest, Segment, SegmentCampaigns, SegmentCondition } from '#domain/api/segments.ts';
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
export const subjects = ['tag', 'reached', 'clicked', 'conversed', 'profile'] as const;
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
}

/** One condition while it is being written; what its subject does not use stays as it was. */
export interface LeafDraft extends Keyed {
  subject: Subject;
  negated: boolean;
  tagId: string;
  campaigns: CampaignsDraft;
  /** One button of one message, both counted from 0. */
  messageIndex: number | null;
  actionIndex: number | null;
  /** Any, if empty. */
  eventCode: string;
  profile: FieldDraft;
}

export type SegmentDraft = GroupDraft<LeafDraft>;

export function newLeaf(subject: Subject, negated = false): LeafDraft {
  return {
    key: nextKey(),
    subject,
    negated,
    tagId: '',
    campaigns: { choice: 'chosen', ids: [], days: 30 },
    messageIndex: null,
    actionIndex: null,
    eventCode: '',
    profile: { field: 'channel', name: '', op: 'eq', text: '', values: [], date: '', from: 0, to: 30 },
  };
}

export const newSegment = (): SegmentDraft => newGroup<LeafDraft>('all');

function campaignsDraftOf(campaigns: SegmentCampaigns): CampaignsDraft {
  return 'lastDays' in campaigns
    ? { choice: 'recent', ids: [], days: campaigns.lastDays }
    : { choice: 'chosen', ids: [...campaigns.campaignIds], days: 30 };
}

function testDraftOf(test: FieldTest): Partial<FieldDraft> {
  const { op } = test;
  if (op === 'eq' || op === 'ne') return { op, text: test.value };
  if (op === 'in') return { op, values: [...test.values] };
  if (op === 'exists') return { op };
  return op === 'days_ago' ? { op, from: test.from, to: test.to } : { op, date: test.date };
}

function leafDraftOf(condition: SegmentCondition, negated: boolean): LeafDraft {
  if ('tag' in condition) return { ...newLeaf('tag', negated), tagId: condition.tag };
  if ('reached' in condition) return { ...newLeaf('reached', negated), campaigns: campaignsDraftOf(condition.reached) };
  if ('conversed' in condition)
    return { ...newLeaf('conversed', negated), campaigns: campaignsDraftOf(condition.conversed) };
  if ('clicked' in condition) {
    const { campaigns, messageIndex = null, actionIndex = null, bizEventCode = '' } = condition.clicked;
    const leaf = { ...newLeaf('clicked', negated), campaigns: campaignsDraftOf(campaigns) };
    return { ...leaf, messageIndex, actionIndex, eventCode: bizEventCode };
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

function testOf({ op, text, values, date, from, to }: FieldDraft): FieldTest {
  if (op === 'eq' || op === 'ne') return { op, value: text };
  if (op === 'in') return { op, values: [...values] };
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
  if (subject === 'profile') return { profile: profileOf(leaf.profile) };
  const campaigns = campaignsOf(leaf.campaigns);
  if (subject === 'reached') return { reached: campaigns };
  if (subject === 'conversed') return { conversed: campaigns };
  return {
    clicked: {
      campaigns,
      ...(messageIndex !== null && { messageIndex }),
      ...(actionIndex !== null && { actionIndex }),
      ...(eventCode !== '' && { bizEventCode: eventCode }),
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
