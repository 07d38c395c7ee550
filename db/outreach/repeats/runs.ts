import { Problem } from '../../../domain/api/problem.ts';
import type { CampaignStatus } from '../../../domain/api/campaign.ts';
import type { RepeatEndReason, RepeatOutcome } from '../../../domain/api/repeats.ts';
import { copyOf } from '../../../domain/campaigns/copies/copy.ts';
import { nextOccurrences, type Occurrence } from '../../../domain/campaigns/repeats/calendar.ts';
import { type Database, firstRow, rows, type Transaction } from '../../database.ts';
import type { Author } from '../audit/record.ts';
import { recordAudit } from '../audit/record.ts';
import { findCampaign } from '../campaigns/campaigns.ts';
import { createCampaign } from '../campaigns/changes.ts';
import { assertInstalled, sendCampaign } from '../sends/dispatches.ts';
import { nextTime, repeatColumns, type RepeatKey, type RepeatRecord } from './repeats.ts';

/** A run that is later than this is no longer carried out. */
export const CATCH_UP_MS = 6 * 60 * 60_000;

/** Missed runs recorded per transaction; the next one continues. */
const MISSED_AT_ONCE = 100;

/** A send that a run has stored. */
export interface RepeatSend {
  campaignId: string;
  status: CampaignStatus;
  dispatchId: string;
  number: number;
  /** What is looked at beside it, as the campaign has it. */
  variants: object | null;
  steps: object | null;
}

export interface Ran {
  /** Null if the newest run stored none. */
  send: RepeatSend | null;
  /** Whether more runs are due. */
  more: boolean;
}

interface Outcome {
  outcome: RepeatOutcome;
  reason: string | null;
  send: RepeatSend | null;
}

const lockDue = `
  select ${repeatColumns} from campaign_repeat r
  where r.tenant_id = :tenantId and r.repeat_id = :repeatId and r.status = 'active' and r.next_at <= :now for update of r`;

/** The run before, or an earlier one, has a campaign of which more is left than sub-tasks in doubt. */
const underWay = `
  select 1 as found from repeat_run u join campaign c using (campaign_id)
  where u.repeat_id = :repeatId and (c.status in ('scheduled', 'paused')
    or (c.status = 'sending' and (
      exists (select from dispatch d where d.campaign_id = c.campaign_id and d.frozen_at is null)
      or exists (select from broadcast_task t where t.campaign_id = c.campaign_id and t.superseded_by is null
        and t.status in ('pending', 'submitting', 'scheduled', 'sending'))))
    or (c.status = 'draft' and exists (select from send_approval a where a.campaign_id = c.campaign_id and a.outcome is null)))
  limit 1`;

const insertRun = `
  insert into repeat_run (repeat_id, local_time, number, due_at, ran_at, outcome, reason)
  values (:repeatId, :localTime, :number, :at, :now, :outcome, :reason)
  on conflict (repeat_id, local_time) do nothing returning number`;

/**
 * Notes that a wall time has had its run.
 * @returns false if it had one before: a calendar that was changed, and back again, comes to the same time twice.
 */
async function noteRun(
  transaction: Transaction,
  repeat: RepeatRecord,
  { localTime, at }: Occurrence,
  { now, ...result }: { outcome: RepeatOutcome; reason: string | null; now: Date },
): Promise<boolean> {
  const { repeatId } = repeat;
  const run = { repeatId, localTime, at, now, number: repeat.runs + 1, ...result };
  if (!(await firstRow(transaction, insertRun, run))) return false;
  repeat.runs += 1;
  return true;
}

const labelOf = (name: string, localTime: string) => `${name} · ${localTime.replace('T', ' ')}`;

/** Creates the campaign of a run and sends it as `:send` does. @throws Problem as `:send`. */
async function sendCopy(
  transaction: Transaction,
  author: Author,
  repeat: RepeatRecord,
  { localTime, now }: { localTime: string; now: Date },
): Promise<Outcome> {
  const { tenantId, repeatId, campaignId } = repeat;
  const template = campaignId === null ? null : await findCampaign(transaction, tenantId, campaignId);
  if (!template) throw new Problem('not_found', 'The template was deleted');
  const content = {
    ...copyOf(template, now),
    name: labelOf(repeat.name, localTime),
    schedule: { type: 'immediate' as const },
  };
  // What a draft is checked for was checked when the template was written, or is by the send.
  const { id } = await createCampaign(transaction, author, content, {
    now,
    check: async () => {},
    copyOf: template.id,
  });
  await rows(
    transaction,
    'update repeat_run set campaign_id = :id where repeat_id = :repeatId and local_time = :localTime',
    { id, repeatId, localTime },
  );
  const idempotencyKey = `repeat:${repeatId}:${localTime}`;
  const { campaign, dispatch } = await sendCampaign(transaction, author, id, {
    idempotencyKey,
    expectedReachableCount: null,
    now,
  });
  if (!dispatch) return { outcome: 'approval', reason: null, send: null };
  const { status, variants, steps } = campaign;
  return { outcome: 'sent', reason: null, send: { campaignId: id, status, variants, steps, ...dispatch } };
}

/** Nothing of a campaign that cannot be sent is left, only why. */
async function sendOrRefuse(
  transaction: Transaction,
  author: Author,
  repeat: RepeatRecord,
  run: { localTime: string; now: Date },
): Promise<Outcome> {
  if (await firstRow(transaction, underWay, { repeatId: repeat.repeatId }))
    return { outcome: 'overlap', reason: null, send: null };
  const savepoint = await transaction.transaction();
  try {
    const outcome = await sendCopy(savepoint, author, repeat, run);
    await savepoint.commit();
    return outcome;
  } catch (error) {
    await savepoint.rollback();
    if (!(error instanceof Problem)) throw error;
    return { outcome: 'refused', reason: error.code, send: null };
  }
}

/** Carries out one run, or notes that it was missed. */
async function carryOut(
  transaction: Transaction,
  repeat: RepeatRecord,
  due: Occurrence,
  { isLate, now }: { isLate: boolean; now: Date },
): Promise<RepeatSend | null> {
  const { tenantId, repeatId, startedBy } = repeat;
  const { localTime } = due;
  // Its row comes first: what freezes the audience finds the repeat by the campaign of its run.
  const isNew = await noteRun(transaction, repeat, due, { outcome: 'missed', reason: null, now });
  if (!isNew || isLate) return null;
  const author = { tenantId, userId: startedBy, requestId: null };
  const { send, ...result } = await sendOrRefuse(transaction, author, repeat, { localTime, now });
  if (result.outcome === 'sent' || result.outcome === 'approval') repeat.sends += 1;
  await rows(
    transaction,
    'update repeat_run set outcome = :outcome, reason = :reason where repeat_id = :repeatId and local_time = :localTime',
    { ...result, repeatId, localTime },
  );
  const { variants: _, steps: __, ...sentAs } = send ?? { variants: null, steps: null };
  await recordAudit(
    transaction,
    { tenantId, userId: 'service:schedule', requestId: null },
    { action: 'repeat.run', objectType: 'repeat', objectId: repeatId, after: { localTime, ...result, ...sentAs } },
  );
  return send;
}

const storeNext = `
  update campaign_repeat set runs = :runs, sends = :sends, next_at = :nextAt, next_local_time = :nextLocalTime,
    status = :status, end_reason = :endReason, updated_at = :now, schedule_stale = true
  where repeat_id = :repeatId`;

function endOf(repeat: RepeatRecord, next: Occurrence | null): RepeatEndReason | null {
  if (repeat.maxRuns !== null && repeat.sends >= repeat.maxRuns) return 'runs';
  if (repeat.campaignId === null) return 'template_deleted';
  if (next) return null;
  return repeat.until === null ? 'no_times' : 'until';
}

async function goOn(transaction: Transaction, repeat: RepeatRecord, after: Date, now: Date): Promise<boolean> {
  const { repeatId, runs, sends } = repeat;
  const found = nextTime(repeat, after);
  const endReason = endOf(repeat, found);
  const next = endReason === null ? found : null;
  await rows(transaction, storeNext, {
    repeatId,
    runs,
    sends,
    endReason,
    now,
    status: endReason === null ? 'active' : 'ended',
    nextAt: next?.at ?? null,
    nextLocalTime: next?.localTime ?? null,
  });
  return next !== null && next.at <= now;
}

/** The times from `nextAt` to now, the newest last. */
function dueTimes(repeat: RepeatRecord, nextAt: Date, now: Date): Occurrence[] {
  const { calendar, zone, until } = repeat;
  const before = new Date(nextAt.getTime() - 1);
  const isDue = ({ at }: Occurrence) => at <= now && (until === null || at <= until);
  return nextOccurrences(calendar, zone, before, MISSED_AT_ONCE).filter((one) => isDue(one));
}

/**
 * Carries out the newest run of a repeat that is due, unless it is too late, and notes those before it as missed, in one
 * transaction with what it sends. Of several callers one finds it due.
 */
export function runDueRepeat(database: Database, key: RepeatKey, now: Date): Promise<Ran> {
  return database.transaction(async (transaction) => {
    // Before the locks of repeat and campaign, in the order of an uninstallation; the send says why it is refused.
    await assertInstalled(transaction, key.tenantId).catch(() => undefined);
    const repeat = await firstRow<RepeatRecord>(transaction, lockDue, { ...key, now });
    if (!repeat?.nextAt) return { send: null, more: false };
    const due = dueTimes(repeat, repeat.nextAt, now);
    const newest = due.at(-1);
    const isLast = due.length < MISSED_AT_ONCE;
    let send: RepeatSend | null = null;
    for (const one of due) {
      const isLate = one !== newest || !isLast || now.getTime() - one.at.getTime() > CATCH_UP_MS;
      send = await carryOut(transaction, repeat, one, { isLate, now });
    }
    return { send, more: await goOn(transaction, repeat, newest?.at ?? now, now) };
  });
}
