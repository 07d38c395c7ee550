import {
  type Client,
  isGrpcDeadlineError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowFailedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import type { CampaignRef, Launched, Launcher, Send, Started } from '#activities/outreach/deps.ts';
import { taskQueues, workflowTaskTimeout } from '#temporal.config.ts';
import { type AiCopywritingInput, aiCopywritingWorkflowId } from '#workflows/contracts/ai-copywriting.ts';
import {
  automationsWakeSignal,
  automationsWorkflowId,
  type DriveAutomationsInput,
} from '#workflows/contracts/drive-automations.ts';
import { closeWakeSignal, type CloseCampaignInput, closeWorkflowId } from '#workflows/contracts/close-campaign.ts';
import {
  dispatchWakeSignal,
  dispatchWorkflowId,
  type DispatchCampaignInput,
} from '#workflows/contracts/dispatch-campaign.ts';
import { type FollowStepsInput, stepsWakeSignal, stepsWorkflowId } from '#workflows/contracts/follow-steps.ts';
import { type HandleInboxInput, inboxWakeSignal, inboxWorkflowId } from '#workflows/contracts/handle-inbox.ts';
import { pollWakeSignal, pollWorkflowId, type PollTaskStatusInput } from '#workflows/contracts/poll-task-status.ts';
import { bizStatusAttribute, campaignIdAttribute, tenantAttribute } from '#workflows/contracts/search-attributes.ts';
import {
  updateSourcesWakeSignal,
  updateSourcesWorkflowId,
  type UpdateEntrySourcesInput,
} from '#workflows/contracts/update-entry-sources.ts';
import { type TestVariantsInput, variantsWakeSignal, variantsWorkflowId } from '#workflows/contracts/test-variants.ts';
import type { CampaignWorkflow } from '#db/outreach/tenants/uninstall.ts';
import { actionsOfSend } from './workflows/send-actions.ts';
import { type NameCampaign, subjectOf } from './workflows/campaign-subject.ts';
import type { ApiLauncher } from './deps.ts';
import { repeatLaunches } from './routes/repeats/schedules.ts';
import { tracing } from '../runtime/tracing/tracing.ts';

const taskQueue = taskQueues.outreach;

/** What starting a workflow needs besides its type. */
interface Start<Input> {
  workflowId: string;
  input: Input;
  summary: string;
  /** Says where its data is stored and when it ends. */
  details: string;
  signal: { name: string };
  wake: boolean;
  about?: Started<CampaignRef>;
  /** Whose it is, where it is about no campaign. */
  tenantId?: string;
}

/** Starts a workflow unless one with this id is running; with `wake`, signals the running one instead. */
async function launch<Input>(client: Client, type: string, start: Start<Input>): Promise<Launched> {
  const { about, tenantId } = start;
  const options = {
    workflowId: start.workflowId,
    taskQueue,
    workflowTaskTimeout,
    staticSummary: start.summary,
    staticDetails: start.details,
    args: [start.input],
    ...(about
      ? {
          typedSearchAttributes: [
            tenantAttribute(about.tenantId),
            { key: campaignIdAttribute, value: about.campaignId },
            ...(about.status ? [{ key: bizStatusAttribute, value: about.status }] : []),
          ],
        }
      : tenantId === undefined
        ? {}
        : { typedSearchAttributes: [tenantAttribute(tenantId)] }),
  };
  if (start.wake) {
    await client.workflow.signalWithStart(type, { ...options, signal: start.signal.name, signalArgs: [] });
    return 'running';
  }
  try {
    await client.workflow.start(type, options);
    return 'started';
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return 'running';
    throw error;
  }
}

/** Launches the workflows that send entry source changes to the platform. */
function sourceLaunches(client: Client, nameCampaign: NameCampaign): Pick<Launcher, 'closing' | 'sourceUpdates'> {
  return {
    closing: async (about, { wake }) => {
      const { tenantId, campaignId } = about;
      const subject = await subjectOf(nameCampaign, about);
      const cancelled = about.status === 'cancelled';
      return launch<CloseCampaignInput>(client, 'closeCampaign', {
        workflowId: closeWorkflowId(campaignId),
        input: { tenantId, campaignId, ...(cancelled ? { cancelled } : {}) },
        summary: cancelled
          ? `Ends the entry sources of the cancelled ${subject.short}`
          : `Closes ${subject.short} and ends its entry sources`,
        details: `${subject.full} Ends when the platform has confirmed, or rejected for good, that each entry source is inactive (F3).`,
        signal: closeWakeSignal,
        wake,
        about,
      });
    },
    sourceUpdates: async (about, { wake }) => {
      const { tenantId, campaignId } = about;
      const subject = await subjectOf(nameCampaign, about);
      return launch<UpdateEntrySourcesInput>(client, 'updateEntrySources', {
        workflowId: updateSourcesWorkflowId(campaignId),
        input: { tenantId, campaignId },
        summary: `Sends name and end of the entry sources of ${subject.short} to the platform`,
        details: `${subject.full} Ends when the platform has confirmed, or rejected for good, the data of each entry source (F2).`,
        signal: updateSourcesWakeSignal,
        wake,
        about,
      });
    },
  };
}

/** Launches the workflows that submit a campaign's sends and follow their tasks. */
function sendLaunches(client: Client, nameCampaign: NameCampaign): Pick<Launcher, 'dispatch' | 'polling'> {
  return {
    dispatch: async (about: Started<Send>, { wake }) => {
      const { tenantId, campaignId, dispatchId, number } = about;
      const subject = await subjectOf(nameCampaign, about);
      return launch<DispatchCampaignInput>(client, 'dispatchCampaign', {
        workflowId: dispatchWorkflowId(campaignId, number),
        input: { tenantId, campaignId, dispatchId, number },
        summary: `Submits send ${number} of ${subject.short} to the platform`,
        details: `${subject.full} Ends when dispatch ${dispatchId} has no sub-task left to send; a pause holds the rest back, a resume starts it again.`,
        signal: dispatchWakeSignal,
        wake,
        about,
      });
    },
    polling: async (about, { wake }) => {
      const { tenantId, campaignId } = about;
      const subject = await subjectOf(nameCampaign, about);
      return launch<PollTaskStatusInput>(client, 'pollTaskStatus', {
        workflowId: pollWorkflowId(campaignId),
        input: { tenantId, campaignId },
        summary: `Follows the platform's tasks of ${subject.short}`,
        details: `${subject.full} Ends a day after the last task, since contacts may read late. Between two rounds its activity waits as a retry.`,
        signal: pollWakeSignal,
        wake,
        about,
      });
    },
  };
}

/** Launches the workflow that looks at the test of a campaign's variants. */
function testLaunches(client: Client, nameCampaign: NameCampaign): Pick<Launcher, 'variantTest'> {
  return {
    variantTest: async (about, { wake }) => {
      const { tenantId, campaignId } = about;
      const subject = await subjectOf(nameCampaign, about);
      return launch<TestVariantsInput>(client, 'testVariants', {
        workflowId: variantsWorkflowId(campaignId),
        input: { tenantId, campaignId },
        summary: `Tests the variants of ${subject.short}`,
        details: `${subject.full} Ends when a variant is chosen for the rest of the audience, or nobody waits for one any more; pausing the campaign pauses it.`,
        signal: variantsWakeSignal,
        wake,
        about,
      });
    },
  };
}

/** Launches the workflow that sends the steps of a campaign. */
function stepLaunches(client: Client, nameCampaign: NameCampaign): Pick<Launcher, 'steps'> {
  return {
    steps: async (about, { wake }) => {
      const { tenantId, campaignId } = about;
      const subject = await subjectOf(nameCampaign, about);
      return launch<FollowStepsInput>(client, 'followSteps', {
        workflowId: stepsWorkflowId(campaignId),
        input: { tenantId, campaignId },
        summary: `Sends the steps of ${subject.short}`,
        details: `${subject.full} Ends when each step was sent, skipped or cancelled; each is sent as a campaign of its own.`,
        signal: stepsWakeSignal,
        wake,
        about,
      });
    },
  };
}

/** Shorter than the BFF's own wait for the response. */
const COPYWRITING_WAIT_MS = 50_000;

/** Starts the writing and waits until it ends, however it ends: the row holds the result. */
async function writeCopy(client: Client, input: AiCopywritingInput): Promise<void> {
  const handle = await client.workflow.start('aiCopywriting', {
    workflowId: aiCopywritingWorkflowId(input.copywritingId),
    taskQueue,
    workflowTaskTimeout,
    workflowExecutionTimeout: '5 minutes',
    staticSummary: 'Writes drafts of a card',
    staticDetails: `Request ${input.copywritingId}; its row holds brief and drafts.`,
    typedSearchAttributes: [tenantAttribute(input.tenantId)],
    args: [input],
  });
  try {
    await client.withDeadline(Date.now() + COPYWRITING_WAIT_MS, () => handle.result());
  } catch (error) {
    if (!isGrpcDeadlineError(error) && !(error instanceof WorkflowFailedError)) throw error;
  }
}

function workflowIdOf({ campaignId, kind, number }: CampaignWorkflow): string {
  switch (kind) {
    case 'dispatch':
      return dispatchWorkflowId(campaignId, number);
    case 'poll':
      return pollWorkflowId(campaignId);
    case 'close':
      return closeWorkflowId(campaignId);
    case 'sources':
      return updateSourcesWorkflowId(campaignId);
    case 'variants':
      return variantsWorkflowId(campaignId);
    case 'steps':
      return stepsWorkflowId(campaignId);
  }
}

async function cancelWorkflow(client: Client, workflowId: string): Promise<void> {
  try {
    await client.workflow.getHandle(workflowId).cancel();
  } catch (error) {
    // Already ended or never started; both are fine.
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

/**
 * The only place that starts the backend's workflows. It sets ids, task queue, summaries and search attributes. Without
 * `nameCampaign`, summaries have the ids of campaigns alone.
 */
export function createLauncher(client: Client, nameCampaign: NameCampaign = async () => null): ApiLauncher {
  return {
    ...sendLaunches(client, nameCampaign),
    ...sourceLaunches(client, nameCampaign),
    ...testLaunches(client, nameCampaign),
    ...stepLaunches(client, nameCampaign),
    automations: (number, { wake }) =>
      launch<DriveAutomationsInput>(client, 'driveAutomations', {
        workflowId: automationsWorkflowId(number),
        input: number,
        summary: `Drives the automations of service number ${number.serviceNumberId}`,
        details: 'Ends when nothing of them is due soon; the sweep starts it again when something is.',
        signal: automationsWakeSignal,
        wake,
        tenantId: number.tenantId,
      }),
    ...repeatLaunches(client),
    inbox: async (partition) => {
      const wake = () =>
        launch<HandleInboxInput>(client, 'handleInbox', {
          workflowId: inboxWorkflowId(partition),
          input: { partition },
          summary: `Handles the stored events of partition ${partition}`,
          details: 'Ends two seconds after the last event; the next stored event or the sweep starts it again.',
          signal: inboxWakeSignal,
          wake: true,
        });
      // It handles events of many tenants, so no single one caused it.
      await (tracing()?.apart(wake) ?? wake());
    },
    writeCopy: (request) => writeCopy(client, request),
    actionsOf: (campaignId) => actionsOfSend(client, campaignId),
    end: (workflow) => cancelWorkflow(client, workflowIdOf(workflow)),
  };
}
