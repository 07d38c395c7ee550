import type { OutreachDeps } from './deps.ts';
import { createAutomationActivities } from './automations/automations.ts';
import { createCopywritingActivities } from './campaigns/copywriting.ts';
import { createDispatchActivities } from './sends/dispatch.ts';
import { createFreezeActivities } from './sends/freeze.ts';
import { createEntrySourceActivities } from './entry-sources/create.ts';
import { createInboxActivities } from './inbox/drain.ts';
import { createPayloadRetentionActivities } from './retention/payloads.ts';
import { createRetentionActivities } from './retention/expired.ts';
import { createPollActivities } from './sends/poll.ts';
import { createNoResponseActivities } from './rules/no-response.ts';
import { createRepeatActivities } from './repeats/repeats.ts';
import { createSourceEndActivities } from './entry-sources/end.ts';
import { createSourceUpdateActivities } from './entry-sources/update.ts';
import { createStepActivities } from './steps/steps.ts';
import { createSweepActivities } from './sweep.ts';
import { createTagExpiryActivities } from './tags/expiry.ts';
import { createVariantActivities } from './variants.ts';

/** All activities of task queue `outreach`. Their inputs are ids; contents and secrets stay out of Temporal. */
export function createOutreachActivities(deps: OutreachDeps) {
  return {
    ...createDispatchActivities(deps),
    ...createFreezeActivities(deps),
    ...createEntrySourceActivities(deps),
    ...createSourceEndActivities(deps),
    ...createSourceUpdateActivities(deps),
    ...createPollActivities(deps),
    ...createInboxActivities(deps),
    ...createSweepActivities(deps),
    ...createTagExpiryActivities(deps),
    ...createNoResponseActivities(deps),
    ...createPayloadRetentionActivities(deps),
    ...createRetentionActivities(deps),
    ...createCopywritingActivities(deps),
    ...createVariantActivities(deps),
    ...createRepeatActivities(deps),
    ...createStepActivities(deps),
    ...createAutomationActivities(deps),
  };
}

export type OutreachActivities = ReturnType<typeof createOutreachActivities>;
