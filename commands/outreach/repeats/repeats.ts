import { firstRow, rows, type Transaction } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import {
  nextTime,
  repeatColumns,
  type RepeatKey,
  type RepeatRecord,
  storeChange,
  type Timing,
} from '#db/outreach/repeats/repeats.ts';
import { invalidField, Problem } from '#domain/api/problem.ts';
import type { RepeatEndReason, RepeatPatch, RepeatPauseReason } from '#domain/api/repeats.ts';
import type { Occurrence } from '#domain/campaigns/repeats/calendar.ts';

export async function lockRepeat(transaction: Transaction, { tenantId, repeatId }: RepeatKey): Promise<RepeatRecord> {
  const row = await firstRow<RepeatRecord>(
    transaction,
    `select ${repeatColumns} from campaign_repeat r
     where r.tenant_id = :tenantId and r.repeat_id = :repeatId for update of r`,
    { tenantId, repeatId },
  );
  if (!row) throw new Problem('not_found', 'There is no repeat with this id');
  return row;
}

export const timeOf = (written: string | null): Date | null => (written === null ? null : new Date(written));

/** @throws Problem `invalid_content` for a calendar that never comes any more. */
export function assertNextTime(timing: Timing, now: Date): Occurrence {
  const next = nextTime(timing, now);
  if (next) return next;
  const error = invalidField(timing.until === null ? '/calendar' : '/until', 'no_time_left');
  throw new Problem('invalid_content', 'The repeat would never run', { errors: [error] });
}

const audited = ({ name, campaignId, calendar, zone, until, maxRuns, skipReached, status }: RepeatRecord) => ({
  name,
  campaignId,
  calendar,
  zone,
  until,
  maxRuns,
  skipReached,
  status,
});

export type RepeatAction = 'create' | 'update' | 'pause' | 'resume' | 'end';

export async function noteChange(
  transaction: Transaction,
  author: Author,
  action: RepeatAction,
  { before, after }: { before?: RepeatRecord; after: RepeatRecord },
): Promise<void> {
  await recordAudit(transaction, author, {
    action: `repeat.${action}`,
    objectType: 'repeat',
    objectId: after.repeatId,
    before: before && audited(before),
    after: audited(after),
  });
}

interface Change {
  patch: RepeatPatch;
  status: RepeatRecord['status'];
  endReason: RepeatEndReason | null;
  pauseReason: RepeatPauseReason | null;
  startedBy: string;
}

/** Stores a change of a repeat whose lock the caller holds; it runs next at the first time that is still to come. */
export async function store(
  transaction: Transaction,
  before: RepeatRecord,
  change: Change,
  now: Date,
): Promise<RepeatRecord> {
  const { patch, ...state } = change;
  const until = patch.until === undefined ? before.until : timeOf(patch.until);
  const fields = { ...before, ...patch, until };
  const { name, calendar, zone, maxRuns, skipReached, tenantId, repeatId } = fields;
  const next = state.status === 'active' ? assertNextTime(fields, now) : null;
  await rows(transaction, storeChange, {
    ...state,
    name,
    zone,
    until,
    maxRuns,
    skipReached,
    repeatId,
    now,
    calendar: JSON.stringify(calendar),
    nextAt: next?.at ?? null,
    nextLocalTime: next?.localTime ?? null,
  });
  return await lockRepeat(transaction, { tenantId, repeatId });
}

export const refuse = (status: string, verb: string) =>
  new Problem('invalid_state', `A repeat that is ${status} cannot be ${verb}`);
