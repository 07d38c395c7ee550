import type { CampaignStatus, SubTaskStatus } from '../api/campaign.ts';

/** What a campaign's row, and an open change of it, say about submitting. */
export interface SendingFacts {
  status: CampaignStatus;
  cancelRequested: boolean;
  /** Its tasks are being cancelled for a change of its content. */
  isBeingChanged: boolean;
}

/** Whether sub-tasks of a campaign may be submitted, as far as operators are concerned. */
export const maySend = ({ status, cancelRequested, isBeingChanged }: SendingFacts): boolean =>
  (status === 'sending' || status === 'scheduled') && !cancelRequested && !isBeingChanged;

/** All that decides whether a sub-task is submitted now. */
export interface ClaimFacts extends SendingFacts {
  subTask: SubTaskStatus;
  /** Not before then; null: at once. */
  nextAttemptAt: Date | null;
  /** It is of the rest of a test of variants, and none is chosen. */
  awaitsChoice: boolean;
  /** Something of the campaign was claimed, or somebody has decided that it may be. */
  decided: boolean;
  /** The tenant's integration is ACTIVE, and its database was not started elsewhere. */
  mayCall: boolean;
  /** The campaign is spread over time. */
  paced: boolean;
}

/**
 * Whether a worker may claim a sub-task. The statement that claims decides by the same conditions in SQL
 * (`claimSubTask`), which a property test compares with this.
 * @param inTurn the caller has looked at the campaign's pace, and it leaves room.
 */
export const mayClaim = (facts: ClaimFacts, now: Date, { inTurn }: { inTurn: boolean }): boolean =>
  facts.subTask === 'pending' &&
  (facts.nextAttemptAt === null || facts.nextAttemptAt <= now) &&
  !facts.awaitsChoice &&
  facts.decided &&
  maySend(facts) &&
  facts.mayCall &&
  (inTurn || !facts.paced);
