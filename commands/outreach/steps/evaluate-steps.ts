import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';
import { recordAudit } from '#db/outreach/audit/record.ts';
import { type CampaignRecord, findCampaign } from '#db/outreach/campaigns/campaigns.ts';
import type { CampaignKey } from '#db/outreach/sends/ledger/campaign-key.ts';
import { findOpenStep, type OpenStep } from '#db/outreach/steps/facts.ts';
import { decide, goOn, isUnprocessed, lookLater } from '#db/outreach/steps/evaluation.ts';
import type { CampaignStatus } from '#domain/api/campaign.ts';
import { Problem } from '#domain/api/problem.ts';
import { stepCopyOf } from '#domain/campaigns/copies/copy.ts';
import { decideStep } from '#domain/campaigns/steps/decision.ts';
import { createCampaign } from '../campaigns/create-campaign.ts';
import { assertInstalled } from '../sends/dispatches.ts';
import { sendCampaign } from '../sends/send-campaign.ts';

/** Clicks that have arrived are handled within seconds. */
const INBOX_LOOK_MS = 5000;

/** Where the steps of a campaign are. */
export interface StepEvaluation {
  /**
   * `submission`, `time`, `outcome`: the step waits for the message before it to be submitted, for its time, or for the platform to
   * finish that message; `inbox`: for clicks that have arrived and are not handled; `paused`: for somebody who resumes it;
   * `ended`: none is left.
   */
  state:
    'submission' | 'time' | 'outcome' | 'inbox' | 'paused' | 'sent' | 'approval' | 'skipped' | 'cancelled' | 'ended';
  /** Null if none is left. */
  position: number | null;
  steps: number;
  reason: string | null;
  /** The campaign of the message before the evaluated step. */
  previousId: string | null;
  /** A send that this look has stored. */
  send: { campaignId: string; status: CampaignStatus; dispatchId: string; number: number } | null;
  /** When to look again; null: no more. */
  nextLookAt: Date | null;
}

interface Outcome {
  state: 'sent' | 'approval' | 'skipped' | 'cancelled';
  reason: string | null;
  send: StepEvaluation['send'];
}

interface Due extends CampaignKey {
  position: number;
  previousId: string;
  now: Date;
}

/** Creates the campaign of a step and sends it as `:send` does. @throws Problem as `:send`. */
async function sendStep(transaction: Transaction, campaign: CampaignRecord, due: Due): Promise<Outcome> {
  const { tenantId, campaignId, position, previousId, now } = due;
  const author = { tenantId, userId: campaign.confirmedBy ?? campaign.createdBy, requestId: null };
  const content = stepCopyOf(campaign, { position, previousId, now });
  // What a draft is checked for was checked when the steps were written, or is by the send.
  const { id } = await createCampaign(transaction, author, content, { now, check: async () => {}, copyOf: campaignId });
  await rows(
    transaction,
    'update campaign_step set step_campaign_id = :id where campaign_id = :campaignId and position = :position',
    { id, campaignId, position },
  );
  const request = { idempotencyKey: `step:${campaignId}:${position}`, expectedReachableCount: null, now };
  const sent = await sendCampaign(transaction, author, id, request);
  if (!sent.dispatch) return { state: 'approval', reason: null, send: null };
  return { state: 'sent', reason: null, send: { campaignId: id, status: sent.campaign.status, ...sent.dispatch } };
}

/** Nothing of a campaign that cannot be sent is left, only why. */
async function sendOrSkip(transaction: Transaction, campaign: CampaignRecord, due: Due): Promise<Outcome> {
  try {
    return await transaction.transaction((savepoint) => sendStep(savepoint, campaign, due));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { state: 'skipped', reason: error.code, send: null };
  }
}

async function store(
  transaction: Transaction,
  key: CampaignKey & { position: number },
  { send, ...outcome }: Outcome & { dueAt: Date | null },
  now: Date,
): Promise<boolean> {
  const isSent = outcome.state === 'sent' || outcome.state === 'approval';
  await rows(transaction, decide, { ...key, ...outcome, now });
  const { state, reason } = outcome;
  const following = await rows(transaction, goOn, { ...key, state, reason, isSent, now });
  await recordAudit(
    transaction,
    { tenantId: key.tenantId, userId: 'service:schedule', requestId: null },
    {
      action: 'campaign.run_step',
      objectType: 'campaign',
      objectId: key.campaignId,
      after: { position: key.position, ...outcome, ...send },
    },
  );
  return isSent && following.length > 0;
}

/** Decides about a step that is due, unless what would decide about its contacts has arrived and is not handled. */
async function carryOut(
  transaction: Transaction,
  key: CampaignKey,
  { open, dueAt, now }: { open: OpenStep; dueAt: Date; now: Date },
): Promise<Outcome | 'inbox'> {
  const { position, previousId } = open;
  const campaign = await findCampaign(transaction, key.tenantId, key.campaignId);
  if (!campaign || previousId === null) return { state: 'cancelled', reason: 'previous_deleted', send: null };
  if (await firstRow(transaction, isUnprocessed, { tenantId: key.tenantId, previousId, dueAt })) return 'inbox';
  return await sendOrSkip(transaction, campaign, { ...key, position, previousId, now });
}

async function look(transaction: Transaction, key: CampaignKey, open: OpenStep, now: Date): Promise<StepEvaluation> {
  const { position, previousId, steps } = open;
  const seen = { position, previousId, steps: steps.length, reason: null, send: null };
  const step = steps[position - 1];
  if (!step) throw new Error(`Campaign ${key.campaignId} has no step ${position}`);
  const decision = decideStep(step.after, open, now);
  const later = async (state: StepEvaluation['state'], nextLookAt: Date): Promise<StepEvaluation> => {
    await lookLater(transaction, key, open, nextLookAt);
    return { ...seen, state, nextLookAt };
  };
  if (open.isPaused && decision.kind !== 'end') return { ...seen, state: 'paused', nextLookAt: null };
  if (decision.kind === 'wait') return await later(decision.for, decision.lookAt);
  const dueAt = decision.kind === 'due' ? decision.dueAt : null;
  const outcome =
    decision.kind === 'end'
      ? ({ state: 'cancelled', reason: decision.reason, send: null } as const)
      : await carryOut(transaction, key, { open, dueAt: decision.dueAt, now });
  if (outcome === 'inbox') return await later('inbox', new Date(now.getTime() + INBOX_LOOK_MS));
  const goesOn = await store(transaction, { ...key, position }, { ...outcome, dueAt }, now);
  return { ...seen, ...outcome, nextLookAt: goesOn ? now : null };
}

const nothingLeft: StepEvaluation = {
  state: 'ended',
  position: null,
  steps: 0,
  reason: null,
  previousId: null,
  send: null,
  nextLookAt: null,
};

/**
 * Looks at the next step of a campaign, and sends it if it is due, in one transaction with its row: of several callers one finds
 * it waiting.
 */
export function evaluateSteps(database: Database, key: CampaignKey, now: Date): Promise<StepEvaluation> {
  return database.transaction(async (transaction) => {
    // Before the locks of step and campaign, in the order of an uninstallation; the send says why it is refused.
    await assertInstalled(transaction, key.tenantId).catch(() => undefined);
    const open = await findOpenStep(transaction, key, { lock: true });
    return open ? await look(transaction, key, open, now) : nothingLeft;
  });
}
