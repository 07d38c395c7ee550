import type { ContactOutcome } from '#domain/contacts/outcomes.ts';
import type { Segment } from '#domain/api/segments.ts';

/** The outcomes that a segment can say. */
export type SegmentOutcome = Extract<ContactOutcome, 'received' | 'clicked' | 'not_clicked' | 'conversed'>;

/** Contacts of a campaign with an outcome; a button narrows those of clicks. */
export interface OutcomeFilter<Outcome extends ContactOutcome = ContactOutcome> {
  outcome: Outcome;
  messageIndex?: number;
  actionIndex?: number;
}

/** Whether a segment can say it. */
export const isSegmentOutcome = (outcome: ContactOutcome | undefined): outcome is SegmentOutcome =>
  outcome === 'received' || outcome === 'clicked' || outcome === 'not_clicked' || outcome === 'conversed';

/** The contacts of a campaign with an outcome, as a segment. */
export function segmentOf(campaignId: string, { outcome, ...button }: OutcomeFilter<SegmentOutcome>): Segment {
  const campaigns = { campaignIds: [campaignId] };
  const clicked: Segment = { clicked: { campaigns, ...button } };
  const reached: Segment = { reached: campaigns };
  const parts: Record<SegmentOutcome, Segment[]> = {
    received: [reached],
    clicked: [clicked],
    not_clicked: [reached, { not: clicked }],
    conversed: [{ conversed: campaigns }],
  };
  return { all: parts[outcome] };
}
