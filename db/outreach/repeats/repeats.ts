import { uuidv7 } from 'uuidv7';
import { Problem, invalidField } from '../../../domain/api/problem.ts';
import type {
  Repeat,
  RepeatBody,
  RepeatEndReason,
  RepeatPatch,
  RepeatPauseReason,
} from '../../../domain/api/repeats.ts';
import { nextOccurrences, type Occurrence } from '../../../domain/campaigns/repeats/calendar.ts';
import { type Database, firstRow, rows, type Transaction } from '../../database.ts';
import { type Author, recordAudit } from '../audit/record.ts';
import { CampaignRow } from '../models/campaigns.ts';

/** A repeat as its row stores it. */
export interface RepeatRecord extends Omit<Repeat, 'until' | 'nextAt' | 'createdAt' | 'updatedAt'> {
  tenantId: string;
  until: Date | null;
  nextAt: Date | null;
  /** Counts all runs, whatever their outcome. */
  runs: number;
  createdAt: Date;
  updatedAt: Date;
}

export interface RepeatKey {
  tenantId: string;
  repeatId: string;
}

export const repeatColumns = `r.repeat_id, r.tenant_id, r.service_number_id, r.name, r.campaign_id,
  (select c.name from campaign c where c.campaign_id = r.campaign_id) as campaign_name, r.calendar, r.zone, r.until,
  r.max_runs, r.skip_reached, r.status, r.end_reason, r.pause_reason, r.next_at, r.next_local_time, r.runs, r.sends,
  (select u.outcome from repeat_run u where u.repeat_id = r.repeat_id and u.number = r.runs) as last_outcome,
  r.started_by, r.created_at, r.updated_at`;

/** Null if the tenant has no such repeat. */
export function findRepeat(database: Database, { tenantId, repeatId }: RepeatKey): Promise<RepeatRecord | null> {
  return firstRow<RepeatRecord>(
    database,
    `select ${repeatColumns} from campaign_repeat r where r.tenant_id = :tenantId and r.repeat_id = :repeatId`,
    { tenantId, repeatId },
  );
}

async function lockRepeat(transaction: Transaction, { tenantId, repeatId }: RepeatKey): Promise<RepeatRecord> {
  const row = await firstRow<RepeatRecord>(
    transaction,
    `select ${repeatColumns} from campaign_repeat r
     where r.tenant_id = :tenantId and r.repeat_id = :repeatId for update of r`,
    { tenantId, repeatId },
  );
  if (!row) throw new Problem('not_found', 'There is no repeat with this id');
  return row;
}

const timeOf = (written: string | null): Date | null => (written === null ? null : new Date(written));

type Timing = Pick<RepeatRecord, 'calendar' | 'zone' | 'until'>;

/** The first time after `after` at which it may run; null if it has none any more. */
export function nextTime({ calendar, zone, until }: Timing, after: Date): Occurrence | null {
  const [next] = nextOccurrences(calendar, zone, after, 1);
  return next && (until === null || next.at <= until) ? next : null;
}

/** @throws Problem `invalid_content` for a calendar that never comes any more. */
function assertNextTime(timing: Timing, now: Date): Occurrence {
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

type RepeatAction = 'create' | 'update' | 'pause' | 'resume' | 'end';

async function noteChange(
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

const insertRepeat = `
  insert into campaign_repeat (repeat_id, tenant_id, service_number_id, campaign_id, name, calendar, zone, until, max_runs,
    skip_reached, status, next_at, next_local_time, started_by, created_at, updated_at)
  values (:repeatId, :tenantId, :serviceNumberId, :campaignId, :name, :calendar::jsonb, :zone, :until, :maxRuns,
    :skipReached, 'active', :at, :localTime, :userId, :now, :now)`;

/** @throws Problem `invalid_content` for a campaign that the tenant does not have, and for a calendar without a time. */
export function createRepeat(database: Database, author: Author, body: RepeatBody, now: Date): Promise<RepeatRecord> {
  const { tenantId, userId } = author;
  const repeatId = uuidv7();
  return database.transaction(async (transaction) => {
    const template = await CampaignRow.query(transaction)
      .select('serviceNumberId')
      .findOne({ tenantId, campaignId: body.campaignId })
      .forShare();
    if (!template)
      throw new Problem('invalid_content', 'There is no campaign with this id', {
        errors: [invalidField('/campaignId', 'unknown_campaign')],
      });
    const until = timeOf(body.until);
    const next = assertNextTime({ ...body, until }, now);
    const calendar = JSON.stringify(body.calendar);
    const { serviceNumberId } = template;
    await rows(transaction, insertRepeat, {
      ...body,
      ...next,
      until,
      calendar,
      serviceNumberId,
      repeatId,
      tenantId,
      userId,
      now,
    });
    const after = await lockRepeat(transaction, { tenantId, repeatId });
    await noteChange(transaction, author, 'create', { after });
    return after;
  });
}

interface Change {
  patch: RepeatPatch;
  status: RepeatRecord['status'];
  endReason: RepeatEndReason | null;
  pauseReason: RepeatPauseReason | null;
  startedBy: string;
}

const storeChange = `
  update campaign_repeat set name = :name, calendar = :calendar::jsonb, zone = :zone, until = :until, max_runs = :maxRuns,
    skip_reached = :skipReached, status = :status, end_reason = :endReason,
    pause_reason = :pauseReason, next_at = :nextAt, next_local_time = :nextLocalTime, started_by = :startedBy, updated_at = :now, schedule_stale = true
  where repeat_id = :repeatId`;

/** Stores a change of a repeat whose lock the caller holds; it runs next at the first time that is still to come. */
async function store(transaction: Transaction, before: RepeatRecord, change: Change, now: Date): Promise<RepeatRecord> {
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

const refuse = (status: string, verb: string) =>
  new Problem('invalid_state', `A repeat that is ${status} cannot be ${verb}`);

/** @throws Problem `not_found`, `invalid_state` once it has ended, `invalid_content`. */
export function updateRepeat(
  database: Database,
  author: Author,
  repeatId: string,
  { patch, now }: { patch: RepeatPatch; now: Date },
): Promise<RepeatRecord> {
  return database.transaction(async (transaction) => {
    const before = await lockRepeat(transaction, { tenantId: author.tenantId, repeatId });
    const { status, pauseReason, startedBy } = before;
    if (status === 'ended') throw refuse(status, 'changed');
    const after = await store(transaction, before, { patch, status, endReason: null, pauseReason, startedBy }, now);
    await noteChange(transaction, author, 'update', { before, after });
    return after;
  });
}

/** What an operator does with a repeat, from which status and to which. */
const moves = {
  pause: { from: ['active'], to: 'paused', verb: 'paused' },
  resume: { from: ['paused'], to: 'active', verb: 'resumed' },
  end: { from: ['active', 'paused'], to: 'ended', verb: 'ended' },
} as const satisfies Partial<Record<RepeatAction, { from: string[]; to: RepeatRecord['status']; verb: string }>>;

/** @throws Problem `not_found`, `invalid_state`, `invalid_content` if it is resumed and has no time left. */
export function moveRepeat(
  database: Database,
  author: Author,
  repeatId: string,
  { action, now }: { action: keyof typeof moves; now: Date },
): Promise<RepeatRecord> {
  const { from, to, verb } = moves[action];
  return database.transaction(async (transaction) => {
    const before = await lockRepeat(transaction, { tenantId: author.tenantId, repeatId });
    if (!from.some((status) => status === before.status)) throw refuse(before.status, verb);
    const startedBy = action === 'resume' ? author.userId : before.startedBy;
    const endReason = to === 'ended' ? 'operator' : null;
    const pauseReason = to === 'paused' ? 'operator' : null;
    const change = { patch: {}, status: to, endReason, pauseReason, startedBy } as const;
    const after = await store(transaction, before, change, now);
    await noteChange(transaction, author, action, { before, after });
    return after;
  });
}
