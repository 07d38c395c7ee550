import type { Traces } from '#domain/tracing.ts';
import type { BatchResult } from './batch.ts';

/** Adds the outcome of each event of a committed batch to its trace: how it was handled, by which rule, the tag. */
export function traceBatch(traces: Traces, { traced, given }: BatchResult, startedAt: Date): void {
  const endedAt = new Date();
  for (const { event, outcome } of traced) {
    const { eventId, eventType, traceParent } = event;
    if (traceParent === null) continue;
    const times = { startedAt, endedAt };
    const facts = { eventId, outcome: outcome.kind };
    const handled = traces.ended({ name: `inbox ${eventType}`, parent: traceParent, ...times, facts });
    for (const { ruleId, tagId, eventId: cause } of given) {
      if (cause !== eventId) continue;
      const rule = traces.ended({ name: 'rule', parent: handled, ...times, facts: { ruleId } });
      traces.ended({ name: 'tag', parent: rule, ...times, facts: { tagId } });
    }
  }
}
