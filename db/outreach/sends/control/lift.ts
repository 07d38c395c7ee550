import { COMPARED_TAGS, type CampaignLift, type Comparison, type LiftState } from '#domain/api/lift.ts';
import { type Arm, liftOf } from '#domain/campaigns/lift/lift.ts';
import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';
import { withPlannerMethodsDisabled } from '#db/outreach/planner-methods.ts';

const DAY_MS = 24 * 60 * 60_000;

/** A campaign's first send, whose audience all others repeat a part of. */
interface FirstSend {
  serviceNumberId: string;
  startedAt: Date | null;
  holdoutPercent: number | null;
  dispatchId: string | null;
  controlCount: number | null;
  frozenAt: Date | null;
  recipientsDeletedAt: Date | null;
}

const findFirstSend = `
  select c.service_number_id, c.started_at, c.holdout_percent, d.dispatch_id, d.control_count, d.frozen_at,
    d.recipients_deleted_at
  from campaign c left join dispatch d on d.campaign_id = c.campaign_id and d.number = 1
  where c.tenant_id = :tenantId and c.campaign_id = :campaignId`;

/** Contacts and window of the figures. */
interface Window {
  tenantId: string;
  campaignId: string;
  serviceNumberId: string;
  dispatchId: string;
  from: Date;
  until: Date;
}

/** Each contact of the frozen audience with its arm. Its lists are read in full, whatever the planner takes them for. */
const arms = `(
  select r.contact_id, false as control from dispatch_chunk c cross join lateral unnest(c.contact_ids) as r (contact_id)
  where c.dispatch_id = :dispatchId
  union all
  select r.contact_id, true from dispatch_control c cross join lateral unnest(c.contact_ids) as r (contact_id)
  where c.dispatch_id = :dispatchId) a`;

const byArm = 'count(*) filter (where not a.control) as sent, count(*) filter (where a.control) as control';

interface Counts {
  sent: number;
  control: number;
}

const readSizes = `
  select (select coalesce(sum(contact_count), 0) from dispatch_chunk where dispatch_id = :dispatchId) as sent,
    (select coalesce(sum(contact_count), 0) from dispatch_control where dispatch_id = :dispatchId) as control`;

const countConversations = `
  select ${byArm} from (
    select distinct contact_id from conversation
    where tenant_id = :tenantId and opened_at >= :from and opened_at < :until
      and coalesce(service_number_id, :serviceNumberId) = :serviceNumberId) v
  join ${arms} on a.contact_id = v.contact_id`;

// What the campaign's own clicks and conversations gave, or an operator gave to those who clicked, the control group could
// not get.
const findComparableTags = `
  select t.tag_id from tag t where t.tenant_id = :tenantId and t.service_number_id = :serviceNumberId
    and not exists (select 1 from conversion_hour h
      where h.tenant_id = :tenantId and h.campaign_id = :campaignId and h.tag_id = t.tag_id)
    and not exists (select 1 from audit_log l where l.tenant_id = :tenantId and l.object_type = 'tag'
      and l.object_id = t.tag_id and l.action = 'tag.assign' and l.after ->> 'clickedIn' = :campaignId)`;

const countTags = `
  select t.tag_id, t.name, ${byArm} from tag_assignment g join ${arms} on a.contact_id = g.contact_id
  join tag t on t.tag_id = g.tag_id
  where g.tag_id = any(:tagIds) and g.assigned_at >= :from and g.assigned_at < :until
  group by 1, 2 order by count(*) desc, 1 limit :limit`;

function comparisonOf(measure: Comparison['measure'], converted: Counts, sizes: Counts): Comparison {
  const armOf = (name: keyof Counts): Arm => ({ contacts: sizes[name], converted: converted[name] });
  const [sent, control] = [armOf('sent'), armOf('control')];
  return { measure, sent, control, ...liftOf(sent, control) };
}

async function compare(transaction: Transaction, window: Window, tagIds: string[]): Promise<Comparison[]> {
  const bindings = { ...window };
  const none: Counts = { sent: 0, control: 0 };
  const sizes = (await firstRow<Counts>(transaction, readSizes, bindings)) ?? none;
  const conversed = (await firstRow<Counts>(transaction, countConversations, bindings)) ?? none;
  const tagged = await rows<Counts & { tagId: string; name: string }>(transaction, countTags, {
    ...bindings,
    tagIds,
    limit: COMPARED_TAGS,
  });
  return [
    comparisonOf({ type: 'conversation' }, conversed, sizes),
    ...tagged.map(({ tagId, name, ...counts }) => comparisonOf({ type: 'tag', tagId, name }, counts, sizes)),
  ];
}

function stateOf(send: FirstSend, until: Date | null, now: Date): LiftState {
  const isKnown = send.frozenAt !== null;
  if (send.holdoutPercent === null || send.dispatchId === null) return 'no_control_group';
  if (isKnown && send.controlCount === 0) return 'no_control_group';
  if (send.recipientsDeletedAt !== null) return 'deleted';
  if (!isKnown || until === null) return 'not_started';
  return now < until ? 'open' : 'complete';
}

/**
 * What those sent to and the control group did within `windowDays` × 24 hours of the campaign's start, as of one point in
 * time; null if the tenant has no such campaign.
 */
export function readLift(
  database: Database,
  { tenantId, campaignId }: { tenantId: string; campaignId: string },
  { windowDays, now }: { windowDays: number; now: Date },
): Promise<CampaignLift | null> {
  return database.transaction(
    async (transaction) => {
      const send = await firstRow<FirstSend>(transaction, findFirstSend, { tenantId, campaignId });
      if (!send) return null;
      const { startedAt: from, serviceNumberId, dispatchId } = send;
      const until = from && new Date(from.getTime() + windowDays * DAY_MS);
      const state = stateOf(send, until, now);
      if ((state !== 'open' && state !== 'complete') || !from || !until || dispatchId === null)
        return { state, windowDays, from: null, until: null, comparisons: [] };
      const window = { tenantId, campaignId, serviceNumberId, dispatchId, from, until };
      const tags = await rows<{ tagId: string }>(transaction, findComparableTags, { ...window });
      const tagIds = tags.map(({ tagId }) => tagId);
      // Each set is hashed once: looked up one by one, a million contacts take minutes.
      const comparisons = await withPlannerMethodsDisabled(transaction, ['nestloop'], () =>
        compare(transaction, window, tagIds),
      );
      return { state, windowDays, from: from.toISOString(), until: until.toISOString(), comparisons };
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  );
}
