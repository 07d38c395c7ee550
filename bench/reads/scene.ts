import { type Database, rows } from '#db/database.ts';
import { addMonths } from '#db/outreach/retention/partitions.ts';
import { seedSend } from '#test/support/outreach/rows.ts';
import { uuidv7 } from 'uuidv7';
import { importContacts, type TaggedContacts, withoutSearchIndexes } from '../growth/contacts.ts';

export const CLICK_DAYS = 39;
const DAY_MS = 86_400_000;
const SUB_TASK = 1000;

/** How much there is to read. */
export interface Size {
  contacts: number;
  clicks: number;
}

export interface Owned {
  tenantId: string;
  serviceNumberId: string;
  tenantIntegrationId: string;
}

/** Each tag is given to two thirds of the contacts, others of them each time. */
const insertTags = `
  with added as (
    insert into tag (tag_id, tenant_id, service_number_id, name, source, kind, status, contact_count)
    select id, :tenantId, :serviceNumberId, 'Segment ' || n, 'app_manual', 'permanent', 'active', 0
    from unnest(:tagIds::text[]) with ordinality as t(id, n) returning tag_id)
  select count(*)::int as count from added`;

const insertAssignments = `
  insert into tag_assignment (tenant_id, tag_id, contact_id)
  select :tenantId, id, contact_id
  from unnest(:tagIds::text[]) with ordinality as t(id, n), contact_profile
  where tenant_id = :tenantId and service_number_id = :serviceNumberId and hashtext(contact_id || n) % 3 <> 0`;

const countAssignments = `
  update tag set contact_count = (select count(*) from tag_assignment x where x.tag_id = tag.tag_id)
  where tag_id = any(:tagIds)`;

/** Letters a to p; one name in 20,000 has a pair of signs that no other has. */
const insertNames = `
  update contact_profile set display_name = initcap(translate(md5(contact_id), '0123456789', 'ghijklmnop'))
    || case when hashtext(contact_id) % 20000 = 0 then '9q' else '' end
  where tenant_id = :tenantId and service_number_id = :serviceNumberId`;

const clickedAt = `now() - n * (:days * interval '1 day' / :clicks::int)`;
const clicker = `:serviceNumberId || '-' || lpad((n::bigint * 7654321 % :contacts::int + 1)::text, 9, '0')`;

const insertClicks = `
  insert into click_attribution (tenant_id, task_id, contact_id, notice_id, action_index, message_index, campaign_id,
    biz_event_code, event_id, clicked_at, contact_ordinal)
  select :tenantId, 'task', contact_id, 'n' || n, 0, 0, :campaignId, 'buy', 'e' || n, ${clickedAt}, p.ordinal
  from (select n, ${clicker} as contact_id from generate_series(1, :clicks::int) as n) clicks
    left join contact_profile p using (contact_id)
  where p.tenant_id = :tenantId and p.service_number_id = :serviceNumberId
  order by n desc`;

const insertEvents = `
  insert into event_inbox (tenant_integration_id, event_id, tenant_id, event_type, service_number_id, partition, payload,
    occurred_at, received_at, status)
  select :tenantIntegrationId, 'e' || n, :tenantId, 'notice.clicked', :serviceNumberId, 0, jsonb_build_object(
      'taskId', 'task', 'noticeId', 'n' || n, 'actionIndex', 0,
      'action', jsonb_build_object('type', 'Url', 'url', 'https://shop.example/more'),
      'contactId', ${clicker}, 'serviceNumberId', :serviceNumberId::text, 'clickedAt', ${clickedAt})::text,
    ${clickedAt}, ${clickedAt}, 'processed'
  from generate_series(1, :clicks::int) as n`;

const endSubTasks = `
  update broadcast_task set status = 'completed', task_id = case chunk when 0 then 'task' else key end,
    finished_at = now() - interval '3 days' + chunk * interval '1 second'
  where campaign_id = :campaignId`;

/** The campaign that ended has been sent to contacts that are known. */
const addressEverybody = `
  update dispatch_chunk c set contact_ids = lists.contact_ids
  from dispatch d, (
    select n / ${SUB_TASK} as chunk, array_agg(contact_id order by contact_id) as contact_ids
    from (select contact_id, row_number() over (order by contact_id) - 1 as n from contact_profile
      where tenant_id = :tenantId and service_number_id = :serviceNumberId) contacts
    group by 1) lists
  where d.tenant_id = :tenantId and d.campaign_id = :campaignId and c.dispatch_id = d.dispatch_id and c.chunk = lists.chunk`;

const CAMPAIGNS = 100;

/** Campaigns of the last days, `reached-1` to `reached-100`, each delivered to every hundredth of the contacts. */
const insertCampaigns = `
  with numbers as (select n, 'reached-' || n as id, now() - n * interval '6 hours' as at from generate_series(1, ${CAMPAIGNS}) n),
  campaigns as (
    insert into campaign (campaign_id, tenant_id, service_number_id, name, channels, messages, audience, schedule, status,
      dispatches, created_by, sent_at)
    select id, :tenantId, :serviceNumberId, 'Reached ' || n, '{default}', '[]', '{"type":"contacts","contactIds":[]}',
      '{"type":"immediate"}', 'completed', 1, 'u1', at from numbers),
  dispatches as (
    insert into dispatch (dispatch_id, tenant_id, campaign_id, number, audience_count, audience_hash, excluded, created_by,
      frozen_count, frozen_at)
    select id, :tenantId, id, 1, :contacts::int / ${CAMPAIGNS}, 'hash', '{}', 'u1', :contacts::int / ${CAMPAIGNS}, at from numbers),
  contacts as (
    select contact_id, row_number() over (order by contact_id) - 1 as n from contact_profile
    where tenant_id = :tenantId and service_number_id = :serviceNumberId),
  chunks as (
    select id, at, c.n / ${CAMPAIGNS * SUB_TASK} as chunk, array_agg(contact_id order by contact_id) as contact_ids
    from numbers join contacts c on c.n % ${CAMPAIGNS} = numbers.n - 1 group by 1, 2, 3),
  recipients as (
    insert into dispatch_chunk (dispatch_id, chunk, contact_ids) select id, chunk, contact_ids from chunks),
  added as (
    insert into broadcast_task (key, tenant_id, campaign_id, dispatch_id, chunk, status, contact_count, delivered,
      finished_at)
    select id || '-' || chunk, :tenantId, id, id, chunk, 'completed', cardinality(contact_ids), cardinality(contact_ids), at
    from chunks returning 1)
  select count(*)::int as count from added`;

/**
 * A tenant's contacts, three further tags of two thirds of them each, a campaign that ended three days ago, and clicks
 * over 39 days.
 * @returns the ids of the three tags and of the campaign.
 */
export async function fill(
  owner: Database,
  owned: Owned & TaggedContacts,
  { contacts, clicks }: Size,
): Promise<{ tagIds: string[]; campaignId: string }> {
  const tagIds = [1, 2, 3].map(() => uuidv7());
  for (let back = 0; back <= CLICK_DAYS; back += CLICK_DAYS / 3)
    await addMonths(owner, new Date(Date.now() - back * DAY_MS));
  await importContacts(owner, owned, 1, contacts);
  await withoutSearchIndexes(owner, async (transaction) => void (await rows(transaction, insertNames, { ...owned })));
  await rows(owner, insertTags, { ...owned, tagIds });
  await rows(owner, insertAssignments, { ...owned, tagIds });
  await rows(owner, countAssignments, { tagIds });
  const { campaignId } = await seedSend(owner, owned.tenantId, {
    chunks: Array.from({ length: contacts / SUB_TASK }, () => SUB_TASK),
  });
  await rows(owner, endSubTasks, { campaignId });
  const clicked = { ...owned, campaignId, contacts, clicks, days: CLICK_DAYS };
  await rows(owner, insertClicks, clicked);
  await rows(owner, insertEvents, clicked);
  await owner.raw('vacuum analyze');
  return { tagIds, campaignId };
}

/** Adds a hundred campaigns of the last days, each of which reached a hundredth of the contacts; the first reached all. */
export async function addCampaigns(
  owner: Database,
  owned: Owned & { campaignId: string },
  { contacts }: Size,
): Promise<void> {
  await rows(owner, addressEverybody, { ...owned });
  await rows(owner, insertCampaigns, { ...owned, contacts });
  await owner.raw('vacuum analyze');
}

/** Takes the sets of contacts away that sends reached, and keeps the sweep from building them. */
export async function withoutReach(owner: Database): Promise<void> {
  await owner.raw(`update dispatch_reach set built_at = null, due_at = 'infinity'`);
}

/** Lets the sweep build them. */
export async function letReachBeBuilt(owner: Database): Promise<void> {
  await owner.raw(`update dispatch_reach set due_at = now()`);
}

export async function hasReach(owner: Database): Promise<boolean> {
  const [row] = await rows<{ count: number }>(owner, 'select count(*) from dispatch_reach where built_at is null', {});
  return row?.count === 0;
}
