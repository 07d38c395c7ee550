import { type AudienceDrift, type DriftReason, NAMED_DRIFT } from '#domain/api/dry-run.ts';
import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';
import { withPlannerMethodsDisabled } from '#db/outreach/planner-methods.ts';
import { type AudienceSource, definitionOf } from '#db/outreach/audiences/source.ts';

interface ComparedRun {
  dryRunId: string;
  createdAt: Date;
  sameDefinition: boolean;
}

const findRun = `
  select dry_run_id, created_at, source = :definition::jsonb as same_definition
  from dry_run where campaign_id = :campaignId`;

// An expired tag still matches (class expiredTags), and as an excluded tag it excludes nobody: what neither class
// explains was assigned or removed since, or the tag's expiry passed or was moved.
const reasonOf = `
  case when now_class = 'unsubscribed' then 'unsubscribed'
    when now_class = 'unreachable' then 'unreachable'
    when now_class = 'expiredTags' and wanted_expired then 'tag_expired'
    when kept_class = 'unsubscribed' then 'resubscribed'
    when kept_class = 'unreachable' then 'reachable'
    when now_class = 'controlGroup' or kept_class = 'controlGroup' then 'control_group_changed'
    when now_class = 'noCase' or kept_class = 'noCase' then 'case_changed'
    when now_class = 'control' or kept_class = 'control' then 'holdout_changed'
    when not :sameDefinition then 'audience_changed'
    when now_class = 'untaken' or kept_class = 'untaken' then 'sample_changed'
    when :bySegment then 'match_changed'
    when not :byTags then 'list_changed'
    when kept_class = 'expiredTags' then case when newly_wanted then 'tag_added' else 'tag_revived' end
    when change = 'added' then
      case when not wanted_before then 'tag_added' when exclusion_expired then 'tag_expired' else 'tag_removed' end
    else case when newly_excluded then 'tag_added' when excluded_now then 'tag_revived' else 'tag_removed' end
  end`;

const insertDrift = `
  with kept as (
    select class, contact_id from dry_run_part cross join unnest(contact_ids) as contact_id
    where dry_run_id = :dryRunId and last_id > :after and (:through::text is null or first_id <= :through)
      and contact_id > :after and (:through::text is null or contact_id <= :through)
  ), changed as (
    select contact_id, r.class as now_class, k.class as kept_class,
      case when r.class = 'reachable' then 'added' else 'removed' end as change
    from resolved r full join kept k using (contact_id)
    where coalesce(r.class = 'reachable', false) <> coalesce(k.class = 'reachable', false)
  ), used_tag as (
    select tag_id, tag_id = any(:wantedIds) as wanted, tag_id = any(:excludedIds) as excluded,
      expires_at, status = 'expired' or coalesce(expires_at <= :now, false) as expired
    from tag where tag_id = any(:tagIds)
  ), facts as (
    select a.contact_id, bool_or(t.wanted and a.assigned_at > :keptAt) as newly_wanted,
      bool_or(t.wanted and t.expired and t.expires_at > :keptAt) as wanted_expired,
      count(*) filter (where t.wanted and a.assigned_at <= :keptAt) >= :needed::int as wanted_before,
      bool_or(t.excluded and t.expired and t.expires_at > :keptAt) as exclusion_expired,
      bool_or(t.excluded and not t.expired) as excluded_now,
      bool_or(t.excluded and not t.expired and a.assigned_at > :keptAt) as newly_excluded
    from tag_assignment a join used_tag t using (tag_id)
    where a.tag_id = any(:tagIds) and a.contact_id in (select contact_id from changed) group by a.contact_id
  )
  insert into audience_drift (dispatch_id, change, contact_id, reason)
  select :dispatchId, change, contact_id, ${reasonOf} from changed left join facts using (contact_id)`;

function tagBindings(source: AudienceSource) {
  const bySegment = source.kind === 'segment';
  if (source.kind !== 'tags')
    return { byTags: false, bySegment, wantedIds: [], excludedIds: [], tagIds: [], needed: 0 };
  const wantedIds = [...new Set(source.appTagIds)];
  const { excludeTagIds: excludedIds, tagOperator } = source;
  const needed = tagOperator === 'AND' ? wantedIds.length : 1;
  return { byTags: true, bySegment, wantedIds, excludedIds, tagIds: [...wantedIds, ...excludedIds], needed };
}

/** The page of a send whose contacts, with those that it does not reach, are in the table `resolved`. */
interface SentPage {
  campaignId: string;
  dispatchId: string;
  source: AudienceSource;
  now: Date;
  /** Contacts after the first, null: from the beginning, up to the second, null: to the end. */
  range: { after: string | null; through: string | null };
}

/**
 * Stores how a page of a send differs from the campaign's last dry run, with one reason per contact. Recorded now,
 * since tags and profiles keep changing; does nothing without a dry run.
 */
export async function recordDrift(
  transaction: Transaction,
  { campaignId, dispatchId, source, now, range }: SentPage,
): Promise<void> {
  const definition = JSON.stringify(definitionOf(source));
  const run = await firstRow<ComparedRun>(transaction, findRun, { campaignId, definition });
  if (!run) return;
  const { dryRunId, sameDefinition, createdAt: keptAt } = run;
  const bounds = { after: range.after ?? '', through: range.through };
  // Each set is hashed or sorted once.
  await withPlannerMethodsDisabled(transaction, ['nestloop'], () =>
    rows(transaction, insertDrift, {
      ...bounds,
      dispatchId,
      dryRunId,
      sameDefinition,
      keptAt,
      now,
      ...tagBindings(source),
    }),
  );
}

interface SnapshotTimes {
  dispatchId: string | null;
  runAt: Date | null;
  runCount: number | null;
  sentAt: Date | null;
  sentCount: number | null;
}

const readTimes = `
  select d.dispatch_id, d.created_at as sent_at, d.audience_count as sent_count,
    r.created_at as run_at, r.audience_count as run_count
  from campaign c left join dry_run r using (campaign_id)
  left join dispatch d on d.campaign_id = c.campaign_id and d.number = 1
  where c.tenant_id = :tenantId and c.campaign_id = :campaignId`;

const instant = (at: Date | null, audienceCount: number | null) =>
  at === null ? null : { at: at.toISOString(), audienceCount: audienceCount ?? 0 };

/**
 * How the first send of a campaign of the tenant differs from the dry run before it; no entries if either is missing.
 */
export async function readDrift(database: Database, tenantId: string, campaignId: string): Promise<AudienceDrift> {
  const found = await firstRow<SnapshotTimes>(database, readTimes, { tenantId, campaignId });
  const dispatchId = found?.dispatchId ?? null;
  const named = (change: string) =>
    rows<{ contactId: string; reason: DriftReason }>(
      database,
      `select contact_id, reason from audience_drift
       where dispatch_id = :dispatchId and change = :change order by contact_id limit :limit`,
      { dispatchId, change, limit: NAMED_DRIFT },
    );
  const reasons = await rows<AudienceDrift['reasons'][number]>(
    database,
    `select change, reason, count(*) as contacts from audience_drift where dispatch_id = :dispatchId
     group by 1, 2 order by 1, 3 desc, 2`,
    { dispatchId },
  );
  const count = (change: string) =>
    reasons.filter((one) => one.change === change).reduce((sum, { contacts }) => sum + contacts, 0);
  return {
    added: await named('added'),
    removed: await named('removed'),
    addedCount: count('added'),
    removedCount: count('removed'),
    reasons,
    dryRun: instant(found?.runAt ?? null, found?.runCount ?? null),
    sent: instant(found?.sentAt ?? null, found?.sentCount ?? null),
  };
}
