import { uuidv7 } from 'uuidv7';
import { type Database, rows, type Transaction } from '#db/database.ts';
import type { Author } from '#db/outreach/audit/record.ts';
import type { AutomationKey, AutomationRecord } from '#db/outreach/automations/automations.ts';
import { activate, close, pause, resume, unapprovedLimit } from '#db/outreach/automations/states.ts';
import { cancelPending } from '#db/outreach/sends/ledger/status.ts';
import { Problem } from '#domain/api/problem.ts';
import { anyRevision, type RevisionCheck } from '../revision-check.ts';
import { endWhatIsOpen } from '../sends/cancel-campaign.ts';
import { assertInstalled } from '../sends/dispatches.ts';
import { assertActiveServiceNumber } from '../tenants/service-numbers.ts';
import { holdUnapproved, requestApproval } from './approval.ts';
import { isWaiting, lockAutomation, noteChange, refuse, reread } from './automations.ts';
import { assertValid, contentOf } from './content.ts';
import { prepareLooks } from './look-by-time.ts';

export interface Move {
  now: Date;
  appId: string;
  /** The interval of looks at segments; null: what the trigger says. */
  lookMs: number | null;
}

/** Begins a draft in the name of a person. The caller holds its lock. @throws Problem `invalid_content`. */
export async function begin(
  transaction: Transaction,
  draft: AutomationRecord,
  { startedBy, now, appId, lookMs }: Move & { startedBy: string },
): Promise<void> {
  const { tenantId, automationId, serviceNumberId } = draft;
  await assertActiveServiceNumber(transaction, tenantId, serviceNumberId);
  await assertValid(transaction, { tenantId, serviceNumberId, appId }, contentOf(draft), { now });
  await rows(transaction, activate, { tenantId, automationId, dispatchId: uuidv7(), startedBy, now });
  await prepareLooks(transaction, draft, { now, lookMs });
}

/**
 * Goes on with what is paused, whose lock the caller holds: what was put into sub-tasks and not submitted is decided about anew.
 */
export async function goOn(
  transaction: Transaction,
  { tenantId, automationId }: AutomationKey,
  now: Date,
): Promise<void> {
  await rows(transaction, resume, { tenantId, automationId, now });
  await transaction.raw(cancelPending, { tenantId, campaignId: automationId, now });
}

/** Ends an automation whose lock the caller holds: what waits is skipped. */
export async function end(
  transaction: Transaction,
  author: Author,
  before: AutomationRecord,
  { endReason, now }: { endReason: 'operator' | 'ends_at'; now: Date },
): Promise<void> {
  const { tenantId, automationId } = before;
  await close(transaction, before, { endReason, now });
  await endWhatIsOpen(transaction, author, { tenantId, campaignId: automationId }, now);
  await noteChange(transaction, author, 'end', { before, after: await reread(transaction, before) });
}

const carryOut: Record<
  'activate' | 'pause' | 'resume',
  (transaction: Transaction, author: Author, before: AutomationRecord, move: Move) => Promise<void>
> = {
  activate: async (transaction, author, before, move) => {
    const { userId: startedBy } = author;
    const { tenantId, serviceNumberId } = before;
    const { now, appId } = move;
    const above = await unapprovedLimit(transaction, before);
    if (above === null) return await begin(transaction, before, { ...move, startedBy });
    await assertValid(transaction, { tenantId, serviceNumberId, appId }, contentOf(before), { now });
    await requestApproval(transaction, author, before, { above, requestedBy: startedBy, now });
  },
  pause: async (transaction, _author, { tenantId, automationId }, { now }) => {
    await rows(transaction, pause, { tenantId, automationId, reason: 'operator', now });
  },
  resume: async (transaction, author, before, { now }) => {
    if (await holdUnapproved(transaction, author, before, { requestedBy: author.userId, now })) return;
    await goOn(transaction, before, now);
  },
};

const moves = {
  activate: { from: ['draft'], verb: 'activated' },
  pause: { from: ['active'], verb: 'paused' },
  resume: { from: ['paused'], verb: 'resumed' },
  end: { from: ['active', 'paused'], verb: 'ended' },
} as const;

/** What an operator does with an automation. */
export type AutomationMove = keyof typeof moves;

/**
 * Carries it out; of several concurrent calls one does.
 * @throws Problem `forbidden`, `not_found`, `invalid_state`, `stale`, `invalid_content` if a draft is not valid any more.
 */
export function moveAutomation(
  database: Database,
  author: Author,
  automationId: string,
  { action, checkRevision = anyRevision, ...move }: Move & { action: AutomationMove; checkRevision?: RevisionCheck },
): Promise<AutomationRecord> {
  const { tenantId } = author;
  const { from, verb } = moves[action];
  return database.transaction(async (transaction) => {
    await assertInstalled(transaction, tenantId);
    const before = await lockAutomation(transaction, { tenantId, automationId });
    if (!from.some((status) => status === before.status)) throw refuse(before, verb);
    if (action !== 'end' && action !== 'pause' && isWaiting(before))
      throw new Problem('invalid_state', 'Another person has to approve the automation');
    checkRevision(before.revision);
    if (action === 'end') await end(transaction, author, before, { endReason: 'operator', now: move.now });
    else await carryOut[action](transaction, author, before, move);
    const after = await reread(transaction, before);
    if (action !== 'end' && after.status !== before.status)
      await noteChange(transaction, author, action, { before, after });
    return after;
  });
}

/**
 * Ends an automation whose end has passed; does nothing otherwise, or if there is none with this id.
 * @returns whether it has ended.
 */
export async function endWhenOver(transaction: Transaction, key: AutomationKey, now: Date): Promise<boolean> {
  const automation = await lockAutomation(transaction, key).catch((error: unknown) => {
    if (error instanceof Problem) return null;
    throw error;
  });
  if (!automation) return false;
  const { status, endsAt } = automation;
  if (status === 'ended') return true;
  if (status === 'draft' || endsAt === null || endsAt > now) return false;
  const author = { tenantId: key.tenantId, userId: 'service:schedule', requestId: null };
  await end(transaction, author, automation, { endReason: 'ends_at', now });
  return true;
}
