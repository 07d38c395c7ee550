import { type EventFacts, type MatchCondition, matches } from './match-condition.ts';
import type { RuleTrigger, triggerFields } from './triggers.ts';

/** Everything known about an occurrence of a trigger; each fact is present or null. */
export type FactsOf<Trigger extends RuleTrigger> = Required<Pick<EventFacts, (typeof triggerFields)[Trigger][number]>>;

/** What decides whether a rule applies. */
export interface RuleScope {
  /** That of the tag that the rule assigns: a rule sees events of that service number only. */
  serviceNumberId: string;
  /** Null means every campaign. */
  campaignId: string | null;
  matchCondition: MatchCondition;
}

export interface Occurrence {
  serviceNumberId: string | null;
  campaignId: string;
  facts: EventFacts;
}

export function ruleApplies(rule: RuleScope, { serviceNumberId, campaignId, facts }: Occurrence): boolean {
  return (
    serviceNumberId === rule.serviceNumberId &&
    (rule.campaignId === null || rule.campaignId === campaignId) &&
    matches(rule.matchCondition, facts)
  );
}
