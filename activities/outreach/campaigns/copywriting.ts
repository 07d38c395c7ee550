import { ApplicationFailure } from '@temporalio/activity';
import {
  type CopyOutcome,
  type CopywritingRef,
  endCopywriting,
  findOpenBrief,
} from '#db/outreach/campaigns/copywriting.ts';
import { copyPrompt, readDrafts } from '#domain/campaigns/copywriting.ts';
import type { OutreachDeps } from '../deps.ts';

/** Retryable; the workflow gives up after several attempts. */
const again = (message: string, nextRetryDelay: number | null) =>
  ApplicationFailure.create({
    message,
    type: 'AiProvider',
    ...(nextRetryDelay === null ? {} : { nextRetryDelay: Math.min(nextRetryDelay, 10_000) }),
  });

/** Text generation by a model: brief and drafts stay in the rows, only ids are in the history. */
export function createCopywritingActivities({ database, textModel }: OutreachDeps) {
  async function ask(ref: CopywritingRef): Promise<CopyOutcome> {
    const found = await findOpenBrief(database, ref);
    if (!found) return { kind: 'failed', message: 'The request is over, or the tenant was uninstalled' };
    if (!textModel) return { kind: 'misconfigured', message: 'No AI provider is configured' };
    const outcome = await textModel.complete(copyPrompt(found.brief, found.senderName));
    if (outcome.kind === 'failed') throw again(outcome.message, outcome.retryAfterMs);
    if (outcome.kind !== 'text') return outcome;
    const drafts = readDrafts(outcome.text, found.brief);
    if (!drafts) throw again('The AI provider’s text contains no valid card', null);
    return { kind: 'written', drafts };
  }

  return {
    /**
     * Has the drafts written and stores them, or the reason why there are none.
     * @throws ApplicationFailure `AiProvider`.
     */
    async writeDrafts(ref: CopywritingRef): Promise<CopyOutcome['kind']> {
      const outcome = await ask(ref);
      await endCopywriting(database, ref, outcome);
      return outcome.kind;
    },

    /** Records that the request was given up, with the message of the last failure. */
    giveUpDrafts: ({ reason, ...ref }: CopywritingRef & { reason: string }): Promise<void> =>
      endCopywriting(database, ref, { kind: 'failed', message: reason }),
  };
}
