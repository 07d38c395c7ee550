import type { RepeatEndReason, RepeatOutcome } from '#domain/api/repeats.ts';
import type { Occurrence } from '#domain/campaigns/repeats/calendar.ts';
import { firstRow, rows, type Transaction } from '#db/database.ts';
import { nextTime, repeatColumns, type RepeatRecord } from './repeats.ts';

export const lockDue = `
  select ${repeatColumns} from campaign_repeat r
  where r.tenant_id = :tenantId and r.repeat_id = :repeatId and r.status = 'active' and r.next_at <= :now for update of r`;

/** The run before, or an earlier one, has a campaign of which more is left than sub-tasks in doubt. */
export const underWay = `
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
export async function noteRun(
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

export async function goOn(transaction: Transaction, repeat: RepeatRecord, after: Date, now: Date): Promise<boolean> {
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
