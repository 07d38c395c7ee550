import { z } from 'zod';
import type { CampaignContact } from '#domain/api/campaign-contacts.ts';
import type { Page } from '#domain/api/primitives.ts';
import type { ContactOutcome } from '#domain/contacts/outcomes.ts';
import { decodeCursor, encodeCursor, keyText, pageOf } from '#domain/cursor.ts';
import { type Database, rows } from '#db/database.ts';
import { isoOf } from '../sql-fragments.ts';
import type { ClickFilter } from '../clicks/filter.ts';
import { wasDelivered } from '../sends/ledger/conditions.ts';
import { listRecipients } from '../sends/snapshots.ts';
import { clicksOf, noted } from './noted.ts';
import type { CampaignKey } from '../sends/ledger/campaign-key.ts';

interface OutcomeRequest extends ClickFilter {
  outcome?: ContactOutcome | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** As the database has them; the button's label is not stored with a click. */
export type ContactOutcomeRecord = Omit<CampaignContact, 'clicks'> & {
  clicks: (Omit<CampaignContact['clicks'][number], 'label'> & { messageCase: number | null })[];
};

/** Recipients that are read at once where not all of them are wanted, and how often before a page ends as it is. */
const WINDOW = 2000;
const WINDOWS = 10;
const CLICKS_OF_ONE = 20;

/** SQL: those held back by each send, beginning with the lists that have somebody after `:after`: enough for `:rows`. */
const heldBack = `(
  select k.contact_id from dispatch d cross join lateral (
    select contact_ids from dispatch_control l where l.dispatch_id = d.dispatch_id and l.last_id > :after
    order by l.last_id limit :rows) l cross join unnest(l.contact_ids) as k (contact_id)
  where d.tenant_id = :tenantId and d.campaign_id = :campaignId and d.control_count > 0) k where true`;

async function notedPage(
  database: Database,
  key: CampaignKey,
  sql: string,
  { limit, cursor, ...filter }: OutcomeRequest,
): Promise<Page<string>> {
  const after = decodeCursor(z.tuple([keyText]), cursor)?.[0] ?? '';
  const found = await rows<{ contactId: string }>(
    database,
    `select distinct contact_id from ${sql} and contact_id > :after order by contact_id limit :rows`,
    { ...filter, ...key, after, rows: limit + 1 },
  );
  const page = pageOf(found, limit, ({ contactId }) => [contactId]);
  return { items: page.items.map(({ contactId }) => contactId), nextCursor: page.nextCursor };
}

/** Which of the recipients have the outcome. */
async function chosenOf(
  database: Database,
  key: CampaignKey,
  recipients: { contactId: string; subTaskKey: string | null }[],
  { outcome, ...request }: OutcomeRequest,
): Promise<string[]> {
  const ids = recipients.map(({ contactId }) => contactId);
  if (outcome === undefined) return ids;
  const { messageIndex, actionIndex, bizEventCode } = request;
  const filter = { messageIndex, actionIndex, bizEventCode };
  const keys = [...new Set(recipients.flatMap(({ subTaskKey }) => subTaskKey ?? []))];
  const [clickers, delivered] = await Promise.all([
    outcome === 'not_clicked'
      ? rows<{ contactId: string }>(database, `select contact_id from ${clicksOf(filter)} and contact_id = any(:ids)`, {
          ...key,
          ...filter,
          ids,
        })
      : [],
    rows<{ key: string }>(database, `select t.key from broadcast_task t where t.key = any(:keys) and ${wasDelivered}`, {
      keys,
    }),
  ]);
  const clicked = new Set(clickers.map(({ contactId }) => contactId));
  const received = new Set(delivered.map((task) => task.key));
  return recipients
    .filter(({ contactId, subTaskKey }) => {
      const isReceived = subTaskKey !== null && received.has(subTaskKey);
      if (outcome === 'not_clicked') return isReceived && !clicked.has(contactId);
      return isReceived === (outcome === 'received');
    })
    .map(({ contactId }) => contactId);
}

/** Recipients that have the outcome: a page of those in the next windows, with where it ended. */
async function recipientPage(database: Database, key: CampaignKey, request: OutcomeRequest): Promise<Page<string>> {
  const { limit, outcome } = request;
  const found: string[] = [];
  let cursor: string | undefined = request.cursor;
  for (let windows = 0; windows < WINDOWS; windows += 1) {
    const size = outcome === undefined ? limit : WINDOW;
    const page: Awaited<ReturnType<typeof listRecipients>> = await listRecipients(database, key, {
      limit: size,
      cursor,
    });
    found.push(...(await chosenOf(database, key, page.items, request)));
    const last = found[limit - 1];
    if (found.length > limit || (found.length === limit && page.nextCursor !== null))
      return { items: found.slice(0, limit), nextCursor: last === undefined ? null : encodeCursor([last]) };
    if (page.nextCursor === null) return { items: found, nextCursor: null };
    cursor = page.nextCursor;
  }
  return { items: found, nextCursor: cursor ?? null };
}

type SubTaskOfContact = NonNullable<ContactOutcomeRecord['subTask']>;

/**
 * The newest sub-task of each of the contacts that has one. Each list that may have some of them is read once: looked up
 * contact by contact, a list of a thousand would be read a thousand times.
 */
async function newestSubTasks(
  database: Database,
  key: CampaignKey,
  ids: string[],
): Promise<Map<string, SubTaskOfContact>> {
  const found = await rows<{ contactId: string; subTask: SubTaskOfContact }>(
    database,
    `with ids as materialized (select unnest(:ids::text[]) as id
     ), lists as materialized (
       select d.dispatch_id, d.number, r.chunk, r.contact_ids
       from dispatch d join dispatch_chunk r on r.dispatch_id = d.dispatch_id
         and r.last_id >= (select min(id) from ids) and r.first_id <= (select max(id) from ids)
       where d.tenant_id = :tenantId and d.campaign_id = :campaignId
         and exists (select 1 from ids where id between r.first_id and r.last_id)
     ), newest as (
       select distinct on (i.contact_id) i.contact_id, l.dispatch_id, l.number, l.chunk
       from lists l cross join unnest(l.contact_ids) as i (contact_id)
       where i.contact_id = any(:ids)
       order by i.contact_id, l.number desc
     )
     select n.contact_id, json_build_object('key', t.key, 'send', n.number, 'taskId', t.task_id, 'status', t.status,
       'errorCode', t.error_code, 'delivered', ${wasDelivered}) as sub_task
     from newest n join broadcast_task t on t.dispatch_id = n.dispatch_id and t.chunk = n.chunk`,
    { ...key, ids },
  );
  return new Map(found.map(({ contactId, subTask }) => [contactId, subTask]));
}

const clicksOfContact = `
  select coalesce(json_agg(json_build_object('messageIndex', k.message_index, 'messageCase', k.message_case, 'actionIndex', k.action_index,
      'bizEventCode', k.biz_event_code, 'clickedAt', ${isoOf('k.clicked_at')}, 'repeats', k.repeats,
      'eventId', k.event_id) order by k.clicked_at), '[]') as clicks
  from (select * from click_attribution where tenant_id = :tenantId and contact_id = i.contact_id
    and campaign_id = :campaignId order by clicked_at limit ${CLICKS_OF_ONE}) k`;

const firstConversation = `
  select json_build_object('sessionId', session_id, 'openedAt', ${isoOf('opened_at')},
    'closedAt', ${isoOf('closed_at')}) as conversation
  from conversation where tenant_id = :tenantId and contact_id = i.contact_id and campaign_id = :campaignId
  order by opened_at limit 1`;

const tagsOfContact = `
  select coalesce(json_agg(json_build_object('tagId', a.tag_id, 'name', g.name, 'color', g.color,
      'assignedAt', ${isoOf('a.assigned_at')}, 'ruleId', a.source_rule_id, 'ruleVersion', a.source_rule_version,
      'eventId', a.source_event_id) order by a.assigned_at, a.tag_id), '[]') as tags
  from tag_assignment a join tag g using (tenant_id, tag_id)
  where a.tenant_id = :tenantId and a.contact_id = i.contact_id and a.source_campaign_id = :campaignId`;

/** What the contacts did, in their order. */
async function outcomesOf(database: Database, key: CampaignKey, ids: string[]): Promise<ContactOutcomeRecord[]> {
  const [subTasks, found] = await Promise.all([
    newestSubTasks(database, key, ids),
    rows<Omit<ContactOutcomeRecord, 'subTask'>>(
      database,
      `select i.contact_id, p.display_name, k.clicks, v.conversation, g.tags
       from unnest(:ids::text[]) with ordinality as i (contact_id, place)
       join campaign c on c.campaign_id = :campaignId
       left join contact_profile p on p.tenant_id = :tenantId and p.service_number_id = c.service_number_id
         and p.contact_id = i.contact_id
       left join lateral (${clicksOfContact}) k on true
       left join lateral (${firstConversation}) v on true
       left join lateral (${tagsOfContact}) g on true
       order by i.place`,
      { ...key, ids },
    ),
  ]);
  return found.map((outcome) => ({ ...outcome, subTask: subTasks.get(outcome.contactId) ?? null }));
}

/**
 * The contacts of a campaign that have an outcome, by id, with what each did. A page ends early where the outcome is not
 * found in 20,000 recipients.
 */
export async function listContactOutcomes(
  database: Database,
  key: CampaignKey,
  request: OutcomeRequest,
): Promise<Page<ContactOutcomeRecord>> {
  const { outcome, messageIndex, actionIndex, bizEventCode } = request;
  const sql =
    outcome === 'held_back' ? heldBack : outcome && noted[outcome]?.from({ messageIndex, actionIndex, bizEventCode });
  const page = sql ? await notedPage(database, key, sql, request) : await recipientPage(database, key, request);
  return { items: await outcomesOf(database, key, page.items), nextCursor: page.nextCursor };
}
