import type { Attention } from '#domain/api/overview.ts';
import type { CampaignPhase } from '#domain/campaigns/standing.ts';
import { TASK_NOT_FOUND } from '#domain/campaigns/sub-task-errors.ts';
import { fromMinor } from '#domain/orders/money.ts';
import { rows, type Transaction } from '#db/database.ts';
import type { ServiceNumbers } from '../rights/viewers.ts';
import { standingCampaigns } from './standing.ts';

/** Whose figures, for one service number or for all. */
export interface InsightScope {
  tenantId: string;
  serviceNumberId?: string | undefined;
  /** Those that the reader sees; null, or absent: all. */
  seen?: ServiceNumbers | undefined;
}

/** Maximum number of items of each kind in one response; the count covers all. */
const NAMED = 20;

/** Longer than any retry or poll is delayed (60 s), with room for a restart: until then nobody has to do anything. */
const STUCK_MINUTES = 10;

/** What cannot always be fixed, or not at all, is listed for a week: then only its own page shows it. */
const LISTED_DAYS = 7;

const iso = (time: Date) => time.toISOString();

const ofNumber = ({ serviceNumberId }: InsightScope, column = 'c.service_number_id') =>
  serviceNumberId === undefined ? '' : `and ${column} = :serviceNumberId`;

const campaignColumns = 'c.campaign_id, c.name, c.service_number_id';

type Found<Row> = Row & { count: number };

/** The first rows of a list with its total count. */
async function needing<Row extends object, Item>(
  transaction: Transaction,
  sql: string,
  bindings: object,
  toItem: (row: Row) => Item,
): Promise<{ count: number; items: Item[] }> {
  const found = await rows<Found<Row>>(transaction, `${sql} limit ${NAMED}`, { ...bindings });
  return {
    count: found[0]?.count ?? 0,
    items: found.map(({ count: _count, ...row }) => toItem(row as unknown as Row)),
  };
}

type Item<Name extends keyof Attention> = Attention[Name]['items'][number];
type Dated<Name extends keyof Attention, Field extends string> = Omit<Item<Name>, Field> & Record<Field, Date>;

const unknownSubTasks = (transaction: Transaction, scope: InsightScope) =>
  needing<Omit<Item<'unknownSubTasks'>, 'since'> & { since: Date | null }, Item<'unknownSubTasks'>>(
    transaction,
    `select ${campaignColumns}, t.key, t.contact_count,
       case when t.error_code = '${TASK_NOT_FOUND}' then '${TASK_NOT_FOUND}' else 'outcome_unknown' end as reason,
       coalesce(t.not_found_since, t.submitting_since, t.created_at) as since, count(*) over () as count
     from broadcast_task t join campaign c using (campaign_id)
     where t.tenant_id = :tenantId and t.status = 'unknown' ${ofNumber(scope)} order by since, t.key`,
    scope,
    (row) => ({ ...row, since: row.since && iso(row.since) }),
  );

const sentTwice = (transaction: Transaction, scope: InsightScope, now: Date) =>
  needing<Dated<'sentTwice', 'since'>, Item<'sentTwice'>>(
    transaction,
    `select ${campaignColumns}, c.sent_twice as contacts, c.sent_twice_at as since, count(*) over () as count
     from campaign c where c.tenant_id = :tenantId and c.sent_twice > 0
       and c.sent_twice_at > :now::timestamptz - interval '${LISTED_DAYS} days' ${ofNumber(scope)}
     order by c.sent_twice_at desc, c.campaign_id`,
    { ...scope, now },
    (row) => ({ ...row, since: iso(row.since) }),
  );

const pausedCampaigns = (transaction: Transaction, scope: InsightScope) =>
  needing<Dated<'pausedCampaigns', 'since'>, Item<'pausedCampaigns'>>(
    transaction,
    `select ${campaignColumns}, c.pause_reason as reason, c.updated_at as since, count(*) over () as count
     from campaign c where c.tenant_id = :tenantId and c.status = 'paused' and not c.automation and c.pause_reason <> 'approval' ${ofNumber(scope)}
     order by c.updated_at desc, c.campaign_id`,
    scope,
    (row) => ({ ...row, since: iso(row.since) }),
  );

const waitingSends = (transaction: Transaction, scope: InsightScope) =>
  needing<Dated<'waitingSends', 'since'>, Item<'waitingSends'>>(
    transaction,
    `select ${campaignColumns}, a.contacts, a.requested_by, a.requested_at as since,
       c.status = 'paused' as is_paused, count(*) over () as count
     from send_approval a join campaign c using (campaign_id)
     where a.tenant_id = :tenantId and a.outcome is null and not c.automation ${ofNumber(scope)} order by a.requested_at, a.approval_id`,
    scope,
    (row) => ({ ...row, since: iso(row.since) }),
  );

// There may be very many: they are counted in the index, and only the listed ones are read.
const failedEvents = (transaction: Transaction, scope: InsightScope) => {
  const failed = `event_inbox where tenant_id = :tenantId and status = 'failed' ${ofNumber(scope, 'service_number_id')}`;
  return needing<Dated<'failedEvents', 'receivedAt'>, Item<'failedEvents'>>(
    transaction,
    `select event_id, event_type, received_at, error, (select count(*) from ${failed}) as count
     from ${failed} order by received_at desc, event_id desc`,
    scope,
    (row) => ({ ...row, receivedAt: iso(row.receivedAt) }),
  );
};

const stuckReason: Partial<Record<CampaignPhase, Item<'stuckCampaigns'>['reason']>> = {
  submit: 'not_submitted',
  adoption: 'not_submitted',
  poll: 'not_polled',
};

const selectNamed = `select ${campaignColumns} from campaign c where c.campaign_id = any(:campaignIds)`;

/** Of the campaigns that stand still, those that need somebody who runs the service. */
async function stuckCampaigns(
  transaction: Transaction,
  scope: InsightScope,
  now: Date,
): Promise<Attention['stuckCampaigns']> {
  const before = new Date(now.getTime() - STUCK_MINUTES * 60_000);
  const stuck = (await standingCampaigns(transaction, scope, now)).flatMap(({ campaignId, phase, since }) => {
    const reason = stuckReason[phase];
    return reason && since < before ? [{ campaignId, reason, since }] : [];
  });
  const listed = stuck.toSorted((one, other) => one.since.getTime() - other.since.getTime()).slice(0, NAMED);
  const named = await rows<Pick<Item<'stuckCampaigns'>, 'campaignId' | 'name' | 'serviceNumberId'>>(
    transaction,
    selectNamed,
    { campaignIds: listed.map(({ campaignId }) => campaignId) },
  );
  const items = listed.flatMap(({ campaignId, reason, since }) => {
    const campaign = named.find((one) => one.campaignId === campaignId);
    return campaign ? [{ ...campaign, reason, since: iso(since) }] : [];
  });
  return { count: stuck.length, items };
}

const refusedSources = (transaction: Transaction, scope: InsightScope, now: Date) =>
  needing<Dated<'refusedSources', 'since'>, Item<'refusedSources'>>(
    transaction,
    `select ${campaignColumns}, s.source_id, s.error_call as call, s.error_code as code, s.error_message as message,
       s.error_at as since, count(*) over () as count
     from entry_source s join campaign c using (campaign_id)
     where s.tenant_id = :tenantId and s.error_at > :now::timestamptz - interval '${LISTED_DAYS} days' ${ofNumber(scope)}
     order by s.error_at desc, s.source_id`,
    { ...scope, now },
    (row) => ({ ...row, since: iso(row.since) }),
  );

const revenueDiffers = (transaction: Transaction, scope: InsightScope) =>
  needing<Dated<'revenueDiffers', 'since'>, Item<'revenueDiffers'>>(
    transaction,
    `select ${campaignColumns}, d.currency, d.ours_minor as shown, d.theirs_minor as ledger, d.since,
       count(*) over () as count
     from revenue_difference d join campaign c on c.tenant_id = d.tenant_id and c.campaign_id = d.campaign_id
     where d.tenant_id = :tenantId ${ofNumber(scope)} order by d.since, c.campaign_id, d.currency`,
    scope,
    (row) => ({ ...row, shown: fromMinor(row.shown), ledger: fromMinor(row.ledger), since: iso(row.since) }),
  );

/**
 * What needs a person's attention, each item with the reason. Run one after another, since they share a connection.
 */
export async function readAttention(transaction: Transaction, scope: InsightScope, now: Date): Promise<Attention> {
  return {
    unknownSubTasks: await unknownSubTasks(transaction, scope),
    sentTwice: await sentTwice(transaction, scope, now),
    pausedCampaigns: await pausedCampaigns(transaction, scope),
    waitingSends: await waitingSends(transaction, scope),
    failedEvents: await failedEvents(transaction, scope),
    stuckCampaigns: await stuckCampaigns(transaction, scope, now),
    refusedSources: await refusedSources(transaction, scope, now),
    revenueDiffers: await revenueDiffers(transaction, scope),
  };
}
