import type { OutreachDeps } from './deps.ts';
import { createCopywritingActivities } from './campaigns/copywriting.ts';
import { createDispatchActivities } from './sends/dispatch.ts';
import { createEntrySourceActivities } from './entry-sources/create.ts';
import { createInboxActivities } from './inbox/drain.ts';
import { createPayloadRetentionActivities } from './inbox/retention.ts';
import { createPollActivities } from './sends/poll.ts';
import { createSourceChangeActivities } from './entry-sources/changes.ts';
import { createSweepActivities } from './sweep.ts';
import { createTagFlowActivities } from './tags/expiry-and-no-response.ts';

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
