import type { ContactOutcome } from '../../../../../domain/contacts/outcomes.ts';
import type { Segment } from '../../../../../domain/api/segments.ts';

/** The outcomes that a segment can say. */
export type SegmentOutcome = Extract<ContactOutcome, 'received' | 'clicked' | 'not_clicked' | 'conversed'>;

interface OutcomeFilter {
  outcome?: ContactOutcome;
  messageIndex?: number;
  actionIndex?: number;
}

/** The contacts of a filter as a segment; null if it has no outcome, or one that no segment can say. */
export function segmentOf(
  campaignId: string,
  { outcome, ...button }: OutcomeFilter,
): { outcome: SegmentOutcome; segment: Segment } | null {
  const campaigns = { campaignIds: [campaignId] };
  const clicked: Segment = { clicked: { campaigns, ...button } };
  const reached: Segment = { reached: campaigns };
  if (outcome === 'received') return { outcome, segment: { all: [reached] } };
  if (outcome === 'clicked') return { outcome, segment: { all: [clicked] } };
  if (outcome === 'not_clicked') return { outcome, segment: { all: [reached, { not: clicked }] } };
  return outcome === 'conversed' ? { outcome, segment: { all: [{ conversed: campaigns }] } } : null;
}
