import { activeRules, giveTags, type RuleHit } from '#db/outreach/rules/application.ts';
import { findOccurrences } from '#db/outreach/rules/occurrences.ts';
import type { EventTrigger } from '#domain/rules/triggers.ts';
import { ruleApplies } from '#domain/rules/smart-rule.ts';
import type { EventHandler } from './handler.ts';

/**
 * smart_tag_rules: applies the tenant's rules to what the handler has processed, under the same savepoint: an event
 * is handled and has assigned its tags, or neither.
 */
export function withRules(trigger: EventTrigger, handle: EventHandler): EventHandler {
  return async (transaction, events, context) => {
    const outcomes = await handle(transaction, events, context);
    const handled = events.filter(
      ({ eventType }, index) => eventType === trigger && outcomes[index]?.kind === 'processed',
    );
    const rules = await activeRules(
      transaction,
      trigger,
      handled.map(({ tenantId }) => tenantId),
    );
    if (rules.length === 0) return outcomes;
    const tenants = new Set(rules.map(({ tenantId }) => tenantId));
    const concerned = handled.filter(({ tenantId }) => tenants.has(tenantId));
    const hits: RuleHit[] = [];
    for (const occurrence of await findOccurrences(transaction, trigger, concerned)) {
      for (const rule of rules) {
        if (rule.tenantId === occurrence.tenantId && ruleApplies(rule, occurrence)) hits.push({ rule, occurrence });
      }
    }
    context.given.push(...(await giveTags(transaction, hits, context.now)));
    return outcomes;
  };
}
