import {
  ActivityFailure,
  proxyActivities,
  rootCause,
  setCurrentDetails,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { OutreachActivities } from '#activities/outreach/index.ts';
import { activityProfiles } from '#temporal.config.ts';
import type { AiCopywritingInput, AiCopywritingResult } from '../contracts/ai-copywriting.ts';
import { bizStatusAttribute } from '../contracts/search-attributes.ts';

// A person is waiting: few attempts, in quick succession.
const { writeDrafts } = proxyActivities<OutreachActivities>({
  startToCloseTimeout: '40 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumAttempts: 3 },
});
const { giveUpDrafts } = proxyActivities<OutreachActivities>(activityProfiles.database);

const details: Record<AiCopywritingResult, string> = {
  written: 'The drafts are written.',
  refused: 'The AI provider returns no text for this brief.',
  misconfigured: 'The AI provider is misconfigured: check AI_BASE_URL, AI_API_KEY and AI_MODEL.',
  failed: 'The AI provider returned no usable response; the request was abandoned.',
};

function show(status: string, text: string): void {
  upsertSearchAttributes([{ key: bizStatusAttribute, value: status }]);
  setCurrentDetails(text);
}

/** Has an AI provider write drafts of a card for one request; gives up after a few attempts. */
export async function aiCopywriting(input: AiCopywritingInput): Promise<AiCopywritingResult> {
  show('WRITING', 'Requesting drafts from the AI provider.');
  let result: AiCopywritingResult;
  try {
    result = await writeDrafts(input);
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    await giveUpDrafts({ ...input, reason: rootCause(error) ?? 'The AI provider did not respond' });
    result = 'failed';
  }
  show(result.toUpperCase(), details[result]);
  return result;
}
