import type { AudiencePreview } from '#domain/api/audiences.ts';
import type { MessagesBy } from '#domain/api/messages-by.ts';
import type { Variants } from '#domain/api/variants.ts';
import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';
import type { AudienceOwner } from '../audiences/owner.ts';
import { nobodyExcluded } from '../audiences/reach-counts.ts';
import { candidateCount } from '../audiences/resolution.ts';
import { createResolvedTable, type ResolvedPage, resolveAll, resolvePage } from '../audiences/resolved-table.ts';
import type { AudienceDefinition, AudienceSource } from '../audiences/source.ts';
import { leaveOutReached } from '../repeats/leaving-out.ts';
import { ensureDrawKey } from './control/draw-key.ts';
import { holdBack } from './control/holding-back.ts';
import { boundOfNumber, leaveOutUntaken } from './control/taking.ts';
import { recordDrift } from './dry-runs/drift.ts';
import type { CampaignKey } from './ledger/campaign-key.ts';
import type { DispatchKey } from './ledger/ledger.ts';
import { addToSend, CONTACTS_PER_SUB_TASK } from './splitting.ts';
import { chooseCases } from './cases.ts';
import { drawArms } from './variants/drawing.ts';
import {
  addToArms,
  type ArmCounts,
  armsResolved,
  type Division,
  divisionOf,
  filledArms,
} from './variants/splitting.ts';

/** Contacts that one transaction reads. An audience that fits is frozen by `:send` itself. */
export const CONTACTS_PER_PAGE = 20_000;

/** Sub-tasks that one transaction of a retry takes over. Fewer are taken over by `:retry-failed` itself. */
export const SUB_TASKS_PER_PAGE = CONTACTS_PER_PAGE / CONTACTS_PER_SUB_TASK;

/** Whether all of an audience fits into one page. */
export async function fitsOnePage(
  transaction: Transaction,
  owner: AudienceOwner,
  source: AudienceSource,
): Promise<boolean> {
  return (await candidateCount(transaction, owner, source, CONTACTS_PER_PAGE)) < CONTACTS_PER_PAGE;
}

/**
 * SQL: the contacts of a campaign that are in no sub-task yet. Those of the last one count until it is full; a retry
 * puts all that it has taken over into sub-tasks at once.
 */
export const preparingContacts = (campaignId: string): string => `(
  select coalesce(sum(d.audience_count - case when d.retry_of is not null then d.frozen_count
    when d.arm_counts is not null
      then (select sum(frozen / d.sub_task_size * d.sub_task_size)::int from unnest(d.arm_counts) as frozen)
    else d.frozen_count / d.sub_task_size * d.sub_task_size end), 0)
  from dispatch d where d.campaign_id = ${campaignId} and d.frozen_at is null)`;

export interface Preparing extends DispatchKey, CampaignKey {
  serviceNumberId: string;
  /** Null for a retry, which takes over contacts of sub-tasks. */
  source: AudienceDefinition | null;
  contactIds: string[] | null;
  freezeAt: Date;
  holdoutPercent: number | null;
  audienceCount: number;
  audienceHash: string;
  frozenCount: number;
  subTaskSize: number;
  controlCount: number;
  variants: Variants | null;
  messagesBy: MessagesBy | null;
  /** How many of those left out were in no case. */
  skippedByCase: number;
  /** Contacts frozen so far, by arm; null before the first, and without variants and cases. */
  armCounts: ArmCounts | null;
  frozenExcluded: AudiencePreview['excluded'];
  frozenThrough: string | null;
  /** Contacts that the audience reaches so far, and the send does not. */
  leftOutCount: number;
  /** Of a sample of so many contacts of an audience of several pages: up to which hash they are. */
  takeBound: Buffer | null;
  /** A run of a repeat that skips contacts already reached. */
  skipsReached: boolean;
}

export const lockCampaign = `
  select tenant_id, campaign_id, dispatches from campaign where tenant_id = :tenantId
    and campaign_id = (select campaign_id from dispatch where dispatch_id = :dispatchId) for update`;

export const lockPreparing = `
  select d.tenant_id, d.dispatch_id, d.campaign_id, c.service_number_id, d.source, d.freeze_at, d.audience_count,
    d.audience_hash, d.frozen_count, '{"controlGroup": 0}'::jsonb || d.frozen_excluded as frozen_excluded, d.frozen_through, d.sub_task_size, d.control_count, d.arm_counts,
    d.left_out_count, d.skipped_by_case, d.take_bound, c.holdout_percent, c.variants, c.messages_by,
    exists (select from repeat_run u join campaign_repeat r using (repeat_id)
      where u.campaign_id = d.campaign_id and r.skip_reached) as skips_reached,
    case when d.source ->> 'kind' = 'ids' then c.audience -> 'contactIds' end as contact_ids
  from dispatch d join campaign c using (campaign_id)
  where d.tenant_id = :tenantId and d.dispatch_id = :dispatchId and d.frozen_at is null for update of d`;

const sourceOf = (definition: AudienceDefinition, contactIds: string[] | null): AudienceSource =>
  definition.kind === 'ids' ? { ...definition, contactIds: contactIds ?? [] } : definition;

/** The contacts of the next sub-tasks that a retry replaces, in the table `resolved`. */
async function takeOver(transaction: Transaction, { dispatchId, frozenThrough }: Preparing): Promise<ResolvedPage> {
  await createResolvedTable(transaction);
  const taken = await firstRow<{ tasks: number; last: string | null; contacts: number }>(
    transaction,
    `with taken as (
       select key, dispatch_id, chunk, coalesce(arm, message_case) as arm from broadcast_task
       where superseded_by = :dispatchId and key > :after order by key limit :limit
     ), gathered as (
       insert into resolved
       select r.contact_id, 'reachable', t.arm from taken t
       cross join lateral (select contact_id from dispatch_recipient
         where dispatch_id = t.dispatch_id and chunk = t.chunk) r
       returning 1)
     select (select count(*) from taken) as tasks, (select max(key) from taken) as last,
       (select count(*) from gathered) as contacts`,
    { dispatchId, after: frozenThrough ?? '', limit: SUB_TASKS_PER_PAGE },
  );
  const contacts = taken?.contacts ?? 0;
  return {
    preview: {
      hitCount: contacts,
      reachableCount: contacts,
      excluded: nobodyExcluded,
    },
    through: taken && taken.tasks === SUB_TASKS_PER_PAGE ? taken.last : null,
  };
}

interface SendPage extends ResolvedPage {
  /** Contacts that are held back as a control group. */
  held: number;
  /** Contacts that an earlier run of the campaign's repeat reached, that are not in the sample, or that are in no case. */
  leftOut: number;
  /** Of those the last. */
  noCase: number;
}

const keepBound = 'update dispatch set take_bound = :bound where dispatch_id = :dispatchId';

/**
 * Up to which hash contacts are taken, where a sample of so many is drawn from several pages: all of them are looked at before
 * the first is frozen, and forgotten again.
 */
async function boundOfTake(
  transaction: Transaction,
  preparing: Preparing,
  source: AudienceSource,
): Promise<Buffer | null> {
  const { tenantId, serviceNumberId, campaignId, dispatchId, frozenThrough, takeBound, freezeAt: now } = preparing;
  const { take } = source;
  if (frozenThrough !== null || take === undefined || 'percent' in take) return takeBound;
  const owner = { tenantId, serviceNumberId };
  if (await fitsOnePage(transaction, owner, source)) return null;
  await ensureDrawKey(transaction, campaignId);
  const look = await transaction.transaction();
  await resolveAll(look, owner, { source, now });
  if (preparing.skipsReached) await leaveOutReached(look, { campaignId, after: null, through: null });
  const bound = await boundOfNumber(look, { campaignId, atMost: take.atMost });
  await look.rollback();
  await rows(transaction, keepBound, { dispatchId, bound });
  return bound;
}

/** A page of a send, and how many of its contacts are not sent to; a retry takes over only those that were. */
export async function nextPage(transaction: Transaction, preparing: Preparing): Promise<SendPage> {
  const { source, contactIds, frozenThrough, freezeAt, tenantId, serviceNumberId } = preparing;
  if (source === null) {
    const taken = await takeOver(transaction, preparing);
    const noCase = await chooseCases(transaction, preparing, preparing);
    return { ...taken, held: 0, leftOut: noCase, noCase };
  }
  const resolved = sourceOf(source, contactIds);
  const bound = await boundOfTake(transaction, preparing, resolved);
  const page = await resolvePage(
    transaction,
    { tenantId, serviceNumberId },
    { source: resolved, now: freezeAt, after: frozenThrough, limit: CONTACTS_PER_PAGE },
  );
  const range = { after: frozenThrough, through: page.through };
  const { campaignId } = preparing;
  const skipped = preparing.skipsReached ? await leaveOutReached(transaction, { campaignId, ...range }) : 0;
  const before = preparing.frozenCount + preparing.controlCount + preparing.skippedByCase;
  const untaken = await leaveOutUntaken(transaction, { campaignId, take: resolved.take, before, bound });
  const noCase = await chooseCases(transaction, preparing, preparing);
  const held = await holdBack(transaction, preparing);
  await drawArms(transaction, preparing);
  await recordDrift(transaction, { ...preparing, source: resolved, now: freezeAt, range });
  return { ...page, held, leftOut: skipped + untaken + noCase, noCase };
}

// The count may differ: contacts change while a large audience is read.
export const advance = `
  update dispatch set frozen_count = :total, frozen_through = coalesce(:through, frozen_through),
    frozen_excluded = :excluded::jsonb, audience_hash = :audienceHash, control_count = control_count + :held::int,
    left_out_count = left_out_count + :leftOut::int, skipped_by_case = skipped_by_case + :noCase::int,
    arm_counts = :armCounts,
    audience_count = case when :complete then :total else greatest(audience_count, :total) end,
    excluded = case when :complete then :excluded::jsonb else excluded end,
    frozen_at = case when :complete then :now::timestamptz end
  where dispatch_id = :dispatchId`;

/** The number of contacts that fill the sub-tasks which a send has. */
async function filledContacts(transaction: Transaction, { dispatchId, subTaskSize }: Preparing): Promise<number> {
  const row = await firstRow<{ next: number }>(
    transaction,
    'select coalesce(max(chunk) + 1, 0) as next from broadcast_task where dispatch_id = :dispatchId',
    { dispatchId },
  );
  return (row?.next ?? 0) * subTaskSize;
}

interface Page {
  contacts: number;
  complete: boolean;
  now: Date;
}

interface Added {
  /** The numbers of the new sub-tasks. */
  chunks: number[];
  armCounts: ArmCounts | null;
}

/** As `addPage`, for a campaign with variants or cases: each arm has sub-tasks of its own. */
async function addPageToArms(
  transaction: Transaction,
  preparing: Preparing,
  { division, complete, now }: Page & { division: Division },
): Promise<Added> {
  const isRetry = preparing.source === null;
  const added = await armsResolved(transaction, division);
  const before = isRetry
    ? await filledArms(transaction, preparing, division)
    : (preparing.armCounts ?? added.map(() => 0));
  const total = added.map((contacts, arm) => contacts + (before[arm] ?? 0));
  const chunks = await addToArms(transaction, preparing, { before, total, now, complete: complete || isRetry });
  return { chunks, armCounts: isRetry ? null : total };
}

/**
 * Adds a page to the sub-tasks of a send. A retry fills its last one with no contacts of the next page: whoever turns
 * out to have been sent to by the sub-task that it replaces is found in those of its own, or still in that one.
 */
export async function addPage(transaction: Transaction, preparing: Preparing, page: Page): Promise<Added> {
  const division = divisionOf(preparing);
  if (division !== null) return await addPageToArms(transaction, preparing, { ...page, division });
  const { contacts, complete, now } = page;
  const isRetry = preparing.source === null;
  const before = isRetry ? await filledContacts(transaction, preparing) : preparing.frozenCount;
  const added = { before, total: before + contacts, now, complete: complete || isRetry };
  return { chunks: await addToSend(transaction, preparing, added), armCounts: null };
}

/** When the audience of a send is to be frozen; null once it is, or if there is no such send. */
export async function freezeTime(database: Database, { tenantId, dispatchId }: DispatchKey): Promise<Date | null> {
  const row = await firstRow<{ freezeAt: Date }>(
    database,
    `select freeze_at from dispatch
     where tenant_id = :tenantId and dispatch_id = :dispatchId and frozen_at is null`,
    { tenantId, dispatchId },
  );
  return row?.freezeAt ?? null;
}
