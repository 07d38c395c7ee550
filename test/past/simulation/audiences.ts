import type { Audience } from '#domain/api/audiences.ts';
import type { Segment, SegmentCampaigns } from '#domain/api/segments.ts';
import type { Random } from './random.ts';

export interface Known {
  tagIds: string[];
  campaignIds: string[];
  /** A list that never changes. */
  listId: string;
}

const day = (date: Date, days: number) => new Date(date.getTime() + days * 86_400_000).toISOString().slice(0, 10);

function campaignsOf(random: Random, { campaignIds }: Known): SegmentCampaigns {
  if (campaignIds.length === 0 || random.next() < 0.5) return { lastDays: random.whole(1, 10) };
  return { campaignIds: random.some(campaignIds.slice(-12), 4) };
}

function profileOf(random: Random, now: Date): Segment {
  return random.of<Segment>([
    { profile: { field: 'language', test: { op: 'eq', value: 'en' } } },
    { profile: { field: 'language', test: { op: 'ne', value: 'en' } } },
    { profile: { field: 'region', test: { op: 'eq', value: 'NORTH', fold: true } } },
    { entered: { lastDays: 4 } },
    { entered: { before: day(now, -1) } },
    { profile: { field: 'region', test: { op: 'in', values: ['north', 'south'] } } },
    { profile: { field: 'channel', test: { op: 'exists' } } },
    { profile: { field: 'attribute', name: 'born', test: { op: 'before', date: day(now, -2) } } },
    { profile: { field: 'attribute', name: 'born', test: { op: 'days_ago', from: 0, to: 5 } } },
  ]);
}

function conditionOf(random: Random, known: Known, now: Date): Segment {
  const campaigns = campaignsOf(random, known);
  const times = random.of([undefined, undefined, { gte: 2 }, { lte: 1 }, { lte: 0 }]);
  const often = times ? { times } : {};
  const button = random.next() < 0.5 ? { actionIndex: random.whole(0, 1) } : {};
  return random.of<Segment>([
    { tag: random.of(known.tagIds) },
    { tag: random.of(known.tagIds) },
    { inList: { audienceId: known.listId } },
    { reached: { ...campaigns, ...often } },
    { clicked: { campaigns, ...button, ...often } },
    { conversed: { ...campaigns, ...often } },
    profileOf(random, now),
  ]);
}

function segmentOf(random: Random, known: Known, now: Date, depth = 0): Segment {
  const kind = depth > 2 ? 0 : random.next();
  const inside = () => segmentOf(random, known, now, depth + 1);
  const several = () => Array.from({ length: random.whole(1, 3) }, inside);
  if (kind > 0.8) return { all: several() };
  if (kind > 0.5) return { any: several() };
  return kind > 0.35 ? { not: inside() } : conditionOf(random, known, now);
}

/** An audience of any kind that is evaluated: a filter of tags, or a segment. */
export function audienceOf(random: Random, known: Known, now: Date): Audience {
  if (random.next() < 0.7) return { type: 'segment', segment: segmentOf(random, known, now) };
  return {
    type: 'app_tags',
    appTagIds: random.some(known.tagIds, 3),
    tagOperator: random.of(['AND', 'OR']),
    excludeTagIds: random.next() < 0.5 ? random.some(known.tagIds, 1) : [],
  };
}
