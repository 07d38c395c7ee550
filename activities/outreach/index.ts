import type { OutreachDeps } from './deps.ts';
import { createCopywritingActivities } from './copywriting.ts';
import { createDispatchActivities } from './dispatch.ts';
import { createEntrySourceActivities } from './entry-source.ts';
import { createInboxActivities } from './inbox.ts';
import { createPayloadRetentionActivities } from './payload-retention.ts';
import { createPollActivities } from './poll.ts';
import { createSourceChangeActivities } from './source-changes.ts';
import { createSweepActivities } from './sweep.ts';
import { createTagFlowActivities } from './tag-flows.ts';

/** All activities of task queue `outreach`. Their inputs are ids; contents and secrets stay out of Temporal. */
export function createOutreachActivities(deps: OutreachDeps) {
  return {
    ...createDispatchActivities(deps),
    ...createEntrySourceActivities(deps),
    ...createSourceChangeActivities(deps),
    ...createPollActivities(deps),
    ...createInboxActivities(deps),
    ...createSweepActivities(deps),
    ...createTagFlowActivities(deps),
    ...createPayloadRetentionActivities(deps),
    ...createCopywritingActivities(deps),
  };
}

export type OutreachActivities = ReturnType<typeof createOutreachActivities>;
