import type { Segment } from '#domain/api/segments.ts';
import type { EntryRefusal } from '#domain/automations/entering.ts';
import { rows, type Transaction } from '#db/database.ts';
import type { AudienceOwner } from '../audiences/owner.ts';
import type { AudienceRelations } from '../audiences/relations.ts';
import { classifiedBySegment, readingSets } from '../audiences/segments/resolution.ts';
import { boundOf, drawHash, ensureDrawKey } from '../sends/control/draw-key.ts';
import type { AutomationKey } from './automations.ts';

export interface Undecided {
  entryId: string;
  contactId: string;
  causedAt: Date;
}

/** The oldest causes about which nothing is decided, locked. */
export function takeUndecided(
  transaction: Transaction,
  { automationId }: AutomationKey,
  limit: number,
): Promise<Undecided[]> {
  return rows<Undecided>(
    transaction,
    `select entry_id, contact_id, caused_at from automation_entry
     where automation_id = :automationId and decided_at is null order by caused_at, entry_id limit :limit for update`,
    { automationId, limit },
  );
}

/** When contacts have entered before: those that wait, were sent to or may have been, and those held back. */
export async function earlierEntries(
  transaction: Transaction,
  { automationId }: AutomationKey,
  contactIds: string[],
): Promise<Map<string, Date[]>> {
  const found = await rows<{ contactId: string; causedAt: Date }>(
    transaction,
    `select contact_id, caused_at from automation_entry
     where automation_id = :automationId and contact_id = any(:contactIds) and decided_at is not null
       and (status <> 'skipped' or reason = 'held_back')`,
    { automationId, contactIds },
  );
  const times = new Map<string, Date[]>();
  for (const { contactId, causedAt } of found) times.set(contactId, [...(times.get(contactId) ?? []), causedAt]);
  return times;
}

/** Those of the contacts that an automation holds back: always the same ones. */
export async function heldBackOf(
  transaction: Transaction,
  { automationId }: AutomationKey,
  { contactIds, holdoutPercent }: { contactIds: string[]; holdoutPercent: number | null },
): Promise<Set<string>> {
  if (holdoutPercent === null) return new Set();
  await ensureDrawKey(transaction, automationId);
  const found = await rows<{ contactId: string }>(
    transaction,
    `select r.contact_id from unnest(:contactIds::text[]) as r (contact_id) cross join holdout_key k
     where k.campaign_id = :automationId and ${drawHash} < :bound::bytea`,
    { automationId, contactIds, bound: boundOf(holdoutPercent) },
  );
  return new Set(found.map(({ contactId }) => contactId));
}

/** Those of the contacts that a segment matches at `now`, whether or not they can be reached. */
export async function matchingOf(
  transaction: Transaction,
  owner: AudienceOwner,
  segment: Segment,
  { contactIds, now, relations }: { contactIds: string[]; now: Date; relations?: AudienceRelations },
): Promise<Set<string>> {
  const { sql, bindings } = classifiedBySegment(segment, owner, { now, only: contactIds, relations });
  const found = await readingSets(transaction, () =>
    rows<{ contactId: string }>(transaction, `select contact_id from (${sql}) matching`, bindings),
  );
  return new Set(found.map(({ contactId }) => contactId));
}

export interface Decided extends Undecided {
  reason: EntryRefusal | null;
}

/** Stores what was decided; who enters gets the first step. */
export async function storeDecisions(
  transaction: Transaction,
  { tenantId, automationId }: AutomationKey,
  { decided, delayMinutes, now }: { decided: Decided[]; delayMinutes: number; now: Date },
): Promise<void> {
  await rows(
    transaction,
    `with given as (
       select * from unnest(:entryIds::text[], :reasons::text[]) as g (entry_id, reason)
     ), decided as (
       update automation_entry e set decided_at = :now, entered_at = :now, reason = g.reason,
         status = case when g.reason is null then 'waiting' else 'skipped' end
       from given g where e.entry_id = g.entry_id returning e.*
     )
     insert into automation_step (entry_id, step, tenant_id, automation_id, contact_id, due_at)
     select entry_id, 0, :tenantId, :automationId, contact_id, caused_at + make_interval(mins => :delayMinutes::int)
     from decided where status = 'waiting'`,
    {
      tenantId,
      automationId,
      delayMinutes,
      now,
      entryIds: decided.map(({ entryId }) => entryId),
      reasons: decided.map(({ reason }) => reason),
    },
  );
}
