import {
  type Client,
  isGrpcDeadlineError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowFailedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import pMap from 'p-map';
import type { CampaignRef, Launched, Launcher, Send, Started } from '../../activities/outreach/deps.ts';
import { taskQueues, workflowTaskTimeout } from '../../temporal.config.ts';
import { type AiCopywritingInput, aiCopywritingWorkflowId } from '../../workflows/contracts/ai-copywriting.ts';
import { closeWakeSignal, type CloseCampaignInput, closeWorkflowId } from '../../workflows/contracts/close-campaign.ts';
import { deleteOldPayloadsScheduleId } from '../../workflows/contracts/delete-old-payloads.ts';
import {
  dispatchWakeSignal,
  dispatchWorkflowId,
  type DispatchCampaignInput,
} from '../../workflows/contracts/dispatch-campaign.ts';
import { expireTemporaryTagsScheduleId } from '../../workflows/contracts/expire-temporary-tags.ts';
import { type HandleInboxInput, inboxWakeSignal, inboxWorkflowId } from '../../workflows/contracts/handle-inbox.ts';
import {
  pollWakeSignal,
  pollWorkflowId,
  type PollTaskStatusInput,
} from '../../workflows/contracts/poll-task-status.ts';
import {
  bizStatusAttribute,
  campaignIdAttribute,
  tenantIdAttribute,
} from '../../workflows/contracts/search-attributes.ts';
import { noResponseScanScheduleId } from '../../workflows/contracts/scan-no-response.ts';
import { outreachSweepScheduleId } from '../../workflows/contracts/sweep-outreach.ts';
import {
  sweepLongest,
  type SweepRounds,
  sweepRunMs,
  sweepStartsEveryMs,
} from '../../workflows/contracts/sweep-rounds.ts';
import {
  updateSourcesWakeSignal,
  updateSourcesWorkflowId,
  type UpdateEntrySourcesInput,
} from '../../workflows/contracts/update-entry-sources.ts';
import { ensureSchedule, type ScheduleDefinition } from '../runtime/schedules.ts';
import type { ApiLauncher, SendNumber } from './deps.ts';

const taskQueue = taskQueues.outreach;

/** What a start needs beside its type. */
interface Start<Input> {
  workflowId: string;
  input: Input;
  summary: string;
  /** What its rows are, and what ends it. */
  details: string;
  signal: { name: string };
  wake: boolean;
  about?: Started<CampaignRef>;
}

/** Starts a workflow where none of its id runs; with `wake` a running one is signalled instead. */
async function launch<Input>(client: Client, type: string, start: Start<Input>): Promise<Launched> {
  const { about } = start;
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
            { key: tenantIdAttribute, value: about.tenantId },
            { key: campaignIdAttribute, value: about.campaignId },
            ...(about.status ? [{ key: bizStatusAttribute, value: about.status }] : []),
          ],
        }
      : {}),
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

/** What informs the platform about a campaign's entry sources. */
function sourceLaunches(client: Client): Pick<Launcher, 'closing' | 'sourceUpdates'> {
  return {
    closing: (about, { wake }) => {
      const { tenantId, campaignId } = about;
      return launch<CloseCampaignInput>(client, 'closeCampaign', {
        workflowId: closeWorkflowId(campaignId),
        input: { tenantId, campaignId },
        summary: `Closes campaign ${campaignId} and ends its entry sources`,
        details: 'Ends when the platform has confirmed, or refused for good, that each entry source is inactive (F3).',
        signal: closeWakeSignal,
        wake,
        about,
      });
    },
    sourceUpdates: (about, { wake }) => {
      const { tenantId, campaignId } = about;
      return launch<UpdateEntrySourcesInput>(client, 'updateEntrySources', {
        workflowId: updateSourcesWorkflowId(campaignId),
        input: { tenantId, campaignId },
        summary: `Tells the platform name and end of campaign ${campaignId}'s entry sources`,
        details: 'Ends when the platform has confirmed, or refused for good, what each entry source says (F2).',
        signal: updateSourcesWakeSignal,
        wake,
        about,
      });
    },
  };
}

/** What submits a campaign's sends and follows their tasks. */
function sendLaunches(client: Client): Pick<Launcher, 'dispatch' | 'polling'> {
  return {
    dispatch: (about: Started<Send>, { wake }) => {
      const { tenantId, campaignId, dispatchId, number } = about;
      return launch<DispatchCampaignInput>(client, 'dispatchCampaign', {
        workflowId: dispatchWorkflowId(campaignId, number),
        input: { tenantId, campaignId, dispatchId, number },
        summary: `Submits send ${number} of campaign ${campaignId} to the platform`,
        details: `Ends when no sub-task of dispatch ${dispatchId} may be sent; a pause keeps the rest back, a resume starts it again.`,
        signal: dispatchWakeSignal,
        wake,
        about,
      });
    },
    polling: (about, { wake }) => {
      const { tenantId, campaignId } = about;
      return launch<PollTaskStatusInput>(client, 'pollTaskStatus', {
        workflowId: pollWorkflowId(campaignId),
        input: { tenantId, campaignId },
        summary: `Follows the platform's tasks of campaign ${campaignId}`,
        details:
          'Ends a day after the last task, since reads come late. Between two rounds its activity waits as a retry.',
        signal: pollWakeSignal,
        wake,
        about,
      });
    },
  };
}

/** Less than the BFF waits for an answer. */
const COPYWRITING_WAIT_MS = 50_000;

/** Starts the writing and waits for its end, however it ends: what came of it is in its row. */
async function writeCopy(client: Client, input: AiCopywritingInput): Promise<void> {
  const handle = await client.workflow.start('aiCopywriting', {
    workflowId: aiCopywritingWorkflowId(input.copywritingId),
    taskQueue,
    workflowTaskTimeout,
    workflowExecutionTimeout: '5 minutes',
    staticSummary: 'Writes drafts of a card',
    staticDetails: `Request ${input.copywritingId}; brief and drafts are in its row.`,
    typedSearchAttributes: [{ key: tenantIdAttribute, value: input.tenantId }],
    args: [input],
  });
  try {
    await client.withDeadline(Date.now() + COPYWRITING_WAIT_MS, () => handle.result());
  } catch (error) {
    if (!isGrpcDeadlineError(error) && !(error instanceof WorkflowFailedError)) throw error;
  }
}

/** A tenant may have thousands of campaigns, and the BFF waits for the answer. */
const CANCELS_AT_ONCE = 16;

async function cancelWorkflow(client: Client, workflowId: string): Promise<void> {
  try {
    await client.workflow.getHandle(workflowId).cancel();
  } catch (error) {
    // Already ended, or never started: both are what is wanted.
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

/** The caller names the sends from the rows: visibility lags behind what was just started. */
async function endCampaigns(client: Client, campaignIds: string[], sends: SendNumber[]): Promise<void> {
  const ids = [
    ...campaignIds.flatMap((id) => [pollWorkflowId(id), closeWorkflowId(id), updateSourcesWorkflowId(id)]),
    ...sends.map(({ campaignId, number }) => dispatchWorkflowId(campaignId, number)),
  ];
  await pMap(ids, (id) => cancelWorkflow(client, id), { concurrency: CANCELS_AT_ONCE });
}

/** The only place that starts the backend's workflows: ids, queue, summaries and search attributes. */
export function createLauncher(client: Client): ApiLauncher {
  return {
    ...sendLaunches(client),
    ...sourceLaunches(client),
    inbox: async (partition) => {
      await launch<HandleInboxInput>(client, 'handleInbox', {
        workflowId: inboxWorkflowId(partition),
        input: { partition },
        summary: `Handles the stored events of partition ${partition}`,
        details: 'Ends two seconds after the last event; the next one stored starts it again, or the sweep does.',
        signal: inboxWakeSignal,
        wake: true,
      });
    },
    writeCopy: (request) => writeCopy(client, request),
    endCampaigns: (campaignIds, sends) => endCampaigns(client, campaignIds, sends),
  };
}

/** What runs by the clock. */
const schedules: ScheduleDefinition[] = [
  {
    id: outreachSweepScheduleId,
    type: 'sweepOutreach',
    taskQueue,
    // Ends of campaigns, and what a crash left behind, are noticed within the time between two rounds.
    args: [{ everyMs: 15_000, forMs: sweepRunMs } satisfies SweepRounds],
    // A run that is under way goes on; one that somebody ended is followed by the next within a minute.
    when: { every: sweepStartsEveryMs },
    // After an outage one sweep finds all there is: the missed ones have nothing to add.
    catchupWindow: '1 minute',
    longest: sweepLongest,
    startsAtOnce: true,
    summary: 'Starts again, every 15 seconds, what the rows say should be running',
  },
  {
    id: expireTemporaryTagsScheduleId,
    type: 'expireTemporaryTags',
    taskQueue,
    when: { hour: 0, minute: 5 },
    // The last one missed is made up for, not those before it.
    catchupWindow: '1 day',
    longest: '1 hour',
    summary: 'Marks the tags whose time has passed',
  },
  {
    id: noResponseScanScheduleId,
    type: 'scanNoResponse',
    taskQueue,
    when: { every: '15 minutes' },
    // A scan finds everything that is due, whatever was missed before it.
    catchupWindow: '15 minutes',
    longest: '6 hours',
    summary: 'Tags the contacts that did not respond within the days of a rule',
  },
  {
    id: deleteOldPayloadsScheduleId,
    type: 'deleteOldPayloads',
    taskQueue,
    when: { hour: 0, minute: 35 },
    // A run finds everything that is old enough, whatever was missed before it.
    catchupWindow: '1 day',
    longest: '6 hours',
    summary: 'Deletes the payloads of events that came more than 90 days ago',
  },
];

/** The backend's Schedules, as they are defined here. */
export async function ensureSchedules(client: Client): Promise<void> {
  for (const schedule of schedules) await ensureSchedule(client, schedule);
}
