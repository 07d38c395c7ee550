import {
  ActivityFailure,
  proxyActivities,
  rootCause,
  setCurrentDetails,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { OutreachActivities } from '../../activities/outreach/index.ts';
import { activityProfiles } from '../../temporal.config.ts';
import type { AiCopywritingInput, AiCopywritingResult } from '../contracts/ai-copywriting.ts';
import { bizStatusAttribute } from '../contracts/search-attributes.ts';

// A person waits: few tries, soon after one another.
const { writeDrafts } = proxyActivities<OutreachActivities>({
  startToCloseTimeout: '40 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumAttempts: 3 },
});
const { giveUpDrafts } = proxyActivities<OutreachActivities>(activityProfiles.database);

const details: Record<AiCopywritingResult, string> = {
  written: 'The drafts are written.',
  refused: 'The AI provider gives no text for this brief.',
  misconfigured: 'The AI provider is not configured as it should be: AI_BASE_URL, AI_API_KEY, AI_MODEL.',
  failed: 'The AI provider gave no usable answer; the request was given up.',
};

function show(status: string, text: string): void {
  upsertSearchAttributes([{ key: bizStatusAttribute, value: status }]);
  setCurrentDetails(text);
}

/** Has drafts of a card written for one request, and gives it up after some tries. */
export async function aiCopywriting(input: AiCopywritingInput): Promise<AiCopywritingResult> {
  show('WRITING', 'The AI provider is asked for drafts.');
  let result: AiCopywritingResult;
  try {
    result = await writeDrafts(input);
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    await giveUpDrafts({ ...input, reason: rootCause(error) ?? 'The AI provider did not answer' });
    result = 'failed';
  }
  show(result.toUpperCase(), details[result]);
  return result;
}
