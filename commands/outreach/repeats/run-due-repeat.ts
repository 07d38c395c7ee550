import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { findCampaign } from '#db/outreach/campaigns/campaigns.ts';
import type { RepeatKey, RepeatRecord } from '#db/outreach/repeats/repeats.ts';
import { goOn, lockDue, noteRun, underWay } from '#db/outreach/repeats/runs.ts';
import type { CampaignStatus } from '#domain/api/campaign.ts';
import { Problem } from '#domain/api/problem.ts';
import type { RepeatOutcome } from '#domain/api/repeats.ts';
import { copyOf } from '#domain/campaigns/copies/copy.ts';
import { nextOccurrences, type Occurrence } from '#domain/campaigns/repeats/calendar.ts';
import { createCampaign } from '../campaigns/create-campaign.ts';
import { assertInstalled } from '../sends/dispatches.ts';
import { sendCampaign } from '../sends/send-campaign.ts';

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
  try {
    return await transaction.transaction((savepoint) => sendCopy(savepoint, author, repeat, run));
  } catch (error) {
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
