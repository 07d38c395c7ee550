import type { TagOrigin } from '#domain/api/tags.ts';

/** One step back from a tag towards what it came from. */
export type Hop =
  | { kind: 'rule'; ruleId: string; version: number | null; name: string | null }
  | { kind: 'event'; eventId: string; eventType: string | null; bizEventCode: string | null }
  | { kind: 'silence' }
  | { kind: 'campaign'; campaignId: string; name: string | null }
  | { kind: 'button'; campaignId: string | null; label: string | null; index: number }
  | { kind: 'time'; at: string }
  | { kind: 'person'; name: string }
  | { kind: 'unknown' };

/** Why a contact has a tag: rule and version → event → campaign → button → time, or the person who gave it. */
export function hopsOf(origin: TagOrigin): Hop[] {
  const { ruleId, campaignId, eventId, actionIndex, assignedBy } = origin;
  if (ruleId === null) {
    return [assignedBy === null ? { kind: 'unknown' } : { kind: 'person', name: origin.assignedByName ?? assignedBy }];
  }
  const { eventType, bizEventCode } = origin;
  const hops: (Hop | null)[] = [
    { kind: 'rule', ruleId, version: origin.ruleVersion, name: origin.ruleName },
    eventId === null ? { kind: 'silence' } : { kind: 'event', eventId, eventType, bizEventCode },
    campaignId === null ? null : { kind: 'campaign', campaignId, name: origin.campaignName },
    actionIndex === null ? null : { kind: 'button', campaignId, label: origin.buttonLabel, index: actionIndex },
    origin.occurredAt === null ? null : { kind: 'time', at: origin.occurredAt },
  ];
  return hops.filter((hop) => hop !== null);
}
