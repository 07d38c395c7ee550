import type { CampaignStatus, PauseReason } from '../api/campaign.ts';
import { type FieldError, invalidField, Problem, type ProblemCode } from '../api/problem.ts';
import type { CampaignStage } from '../campaigns/fields.ts';
import { maySend } from './claim.ts';

/** What decides which actions a campaign's sends allow now. */
export interface SendFacts {
  status: CampaignStatus;
  pauseReason: PauseReason | null;
  cancelRequested: boolean;
  /** Another person has to decide about its send. */
  awaitsApproval: boolean;
  /** Its tasks are being cancelled for a change of its content. */
  isBeingChanged: boolean;
  /** The newest send starts at a time that has not come. */
  beforeStart: boolean;
  /** The audience of the newest send is to be resolved later. */
  unresolved: boolean;
  /** Some of an audience is in no sub-task yet. */
  preparing: boolean;
  /** Sub-tasks that no retry has replaced, by what matters; contacts in them. */
  contacts: {
    /** In no sub-task yet. */
    preparing: number;
    pending: number;
    submitting: number;
    /** Of sub-tasks that are not known to have begun. */
    cancellable: number;
    /** Of scheduled tasks that the platform has, or may have. */
    atPlatform: number;
    /** Of sub-tasks from which certainly nobody received anything, whose contacts are still known. */
    nothingSent: number;
    /** Of sub-tasks of which nobody knows whether the platform has them. */
    inDoubt: number;
  };
}

/** `content`, `time`, `pace`, `note` and `end` change the campaign; tasks contain the content, the time and the note. */
export const sendActions = [
  'send',
  'pause',
  'resume',
  'cancel',
  'close',
  'retry',
  'content',
  'time',
  'pace',
  'note',
  'end',
  'delete',
] as const;
export type SendAction = (typeof sendActions)[number];

/** Why an action is impossible now. */
export interface Refusal {
  code: ProblemCode;
  detail: string;
  errors?: FieldError[];
}

const invalidState = (detail: string, errors?: FieldError[]): Refusal => ({
  code: 'invalid_state',
  detail,
  ...(errors && { errors }),
});

const impossibleWhile = ({ status }: SendFacts, what: string): Refusal =>
  invalidState(`A campaign that is ${status} cannot be ${what}`);

/** How far a campaign is with its newest send. */
export function stageOf({
  status,
  cancelRequested,
  beforeStart,
}: Pick<SendFacts, 'status' | 'cancelRequested' | 'beforeStart'>): CampaignStage {
  if (status === 'draft') return 'draft';
  const isWaiting = (status === 'scheduled' || status === 'paused') && !cancelRequested;
  return isWaiting && beforeStart ? 'scheduled' : 'started';
}

/** Statuses of a campaign that somebody may still be sent to. */
const open: ReadonlySet<CampaignStatus> = new Set(['scheduled', 'sending', 'paused']);

/** Whether something is not submitted that still can be. */
const hasUnsubmitted = ({ preparing, contacts }: SendFacts): boolean =>
  preparing || contacts.pending + contacts.submitting > 0;

/** Whoever decides about a send, and whoever changes it, changes nothing under the other's hands. */
function fixedMeanwhile({ isBeingChanged, awaitsApproval }: SendFacts): Refusal | null {
  if (isBeingChanged) return invalidState('The campaign is being changed');
  if (awaitsApproval) return invalidState('The send waits for approval: withdraw the request first');
  return null;
}

function fixedContent(facts: SendFacts): Refusal | null {
  const fixed = fixedMeanwhile(facts);
  if (fixed) return fixed;
  const stage = stageOf(facts);
  if (stage === 'started') return invalidState('The campaign has started');
  const undecided = facts.contacts.inDoubt > 0 || (facts.preparing && !facts.unresolved);
  return stage === 'scheduled' && undecided
    ? invalidState('Sub-tasks of the campaign are unknown or still being prepared')
    : null;
}

const refusals: Record<SendAction, (facts: SendFacts) => Refusal | null> = {
  send(facts) {
    if (facts.status !== 'draft') return impossibleWhile(facts, 'sent');
    return facts.awaitsApproval ? invalidState('The send waits for approval') : null;
  },
  pause(facts) {
    if (facts.status !== 'sending' && facts.status !== 'scheduled') return impossibleWhile(facts, 'paused');
    return facts.preparing || facts.contacts.pending > 0 ? null : invalidState('Everything is already submitted');
  },
  resume(facts) {
    if (facts.status !== 'paused') return impossibleWhile(facts, 'resumed');
    return facts.pauseReason === 'approval'
      ? { code: 'approval_required', detail: 'Another operator has to approve this send' }
      : null;
  },
  cancel(facts) {
    if (!open.has(facts.status)) return impossibleWhile(facts, 'cancelled');
    const cancellable = facts.preparing || facts.contacts.cancellable > 0 || facts.isBeingChanged;
    return cancellable ? null : invalidState('Everything has already started sending');
  },
  close: (facts) => (facts.status === 'draft' || facts.status === 'closed' ? impossibleWhile(facts, 'closed') : null),
  retry(facts) {
    if (!mayRetry(facts)) return impossibleWhile(facts, 'retried');
    return facts.contacts.nothingSent > 0 ? null : invalidState('No sub-task failed with nothing sent');
  },
  content: fixedContent,
  time: fixedContent,
  pace(facts) {
    const fixed = fixedMeanwhile(facts);
    if (fixed || facts.status === 'draft') return fixed;
    const inTasks = stageOf(facts) === 'scheduled' && facts.contacts.atPlatform > 0;
    if (inTasks || (open.has(facts.status) && !facts.cancelRequested && hasUnsubmitted(facts))) return null;
    return invalidState('Everything is already submitted', [invalidField('/pace', 'fixed_once_sent')]);
  },
  note: (facts) => (stageOf(facts) === 'scheduled' ? fixedContent(facts) : fixedMeanwhile(facts)),
  end: fixedMeanwhile,
  delete(facts) {
    if (facts.status !== 'draft') return invalidState('Only a draft can be deleted');
    return facts.awaitsApproval ? invalidState('The send waits for approval: withdraw the request first') : null;
  },
};

/** Why this action is impossible now; null if it is possible. */
export const refusalOf = (action: SendAction, facts: SendFacts): Refusal | null => refusals[action](facts);

/** @throws Problem `invalid_state`, and `approval_required` for what another operator has to approve. */
export function assertPossible(action: SendAction, facts: SendFacts): void {
  const refusal = refusalOf(action, facts);
  if (refusal) throw new Problem(refusal.code, refusal.detail, { ...(refusal.errors && { errors: refusal.errors }) });
}

/** Whether failed sub-tasks would be sent to again, if there are any. */
export const mayRetry = (facts: Pick<SendFacts, 'status' | 'cancelRequested' | 'isBeingChanged'>): boolean =>
  maySend(facts) ||
  (['partially_failed', 'failed'].includes(facts.status) && !facts.cancelRequested && !facts.isBeingChanged);
