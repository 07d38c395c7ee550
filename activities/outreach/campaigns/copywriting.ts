import { ApplicationFailure } from '@temporalio/activity';
import {
  type CopyOutcome,
  type CopywritingRef,
  endCopywriting,
  findOpenBrief,
} from '../../../db/outreach/campaigns/copywriting.ts';
import { copyPrompt, readDrafts } from '../../../domain/campaigns/copywriting.ts';
import type { OutreachDeps } from '../deps.ts';

/** Worth another try; the workflow gives up after some. */
const again = (message: string, nextRetryDelay: number | null) =>
  ApplicationFailure.create({
    message,
    type: 'AiProvider',
    ...(nextRetryDelay === null ? {} : { nextRetryDelay: Math.min(nextRetryDelay, 10_000) }),
  });

/** Text by a model: brief and drafts are in the rows, ids in the history. */
export function createCopywritingActivities({ database, textModel }: OutreachDeps) {
  async function ask(ref: CopywritingRef): Promise<CopyOutcome> {
    const found = await findOpenBrief(database, ref);
    if (!found) return { kind: 'failed', message: 'The request is over, or the tenant uninstalled' };
    if (!textModel) return { kind: 'misconfigured', message: 'No AI provider is configured' };
    const outcome = await textModel.complete(copyPrompt(found.brief, found.senderName));
    if (outcome.kind === 'failed') throw again(outcome.message, outcome.retryAfterMs);
    if (outcome.kind !== 'text') return outcome;
    const drafts = readDrafts(outcome.text, found.brief);
    if (!drafts) throw again('The AI provider’s text holds no valid card', null);
    return { kind: 'written', drafts };
  }

  return {
    /** Has the drafts written and stores them, or why there are none. @throws ApplicationFailure `AiProvider`. */
    async writeDrafts(ref: CopywritingRef): Promise<CopyOutcome['kind']> {
      const outcome = await ask(ref);
      await endCopywriting(database, ref, outcome);
      return outcome.kind;
    },

    /** Notes that it was given up, with the last failure in words. */
    giveUpDrafts: ({ reason, ...ref }: CopywritingRef & { reason: string }): Promise<void> =>
      endCopywriting(database, ref, { kind: 'failed', message: reason }),
  };
}
