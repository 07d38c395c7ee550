import { rows, type Transaction } from '#db/database.ts';
import { ordinalOfContact } from '../contacts/ordinals.ts';

export interface OpenedConversation {
  tenantId: string;
  sessionId: string;
  /** The entry reason's id: a campaign of the tenant, or anything else. */
  reasonId: string | null;
  sourceId: string | null;
  serviceNumberId: string | null;
  contactId: string;
  channel: string | null;
  openedAt: Date;
}

/**
 * Stores opened conversations, each with its campaign if the reason or the source names one. Duplicates change
 * nothing, in whichever month they were opened: the events of a tenant are handled one batch after the other.
 */
export async function storeConversations(
  transaction: Transaction,
  opened: OpenedConversation[],
  now: Date,
): Promise<void> {
  const column = <Name extends keyof OpenedConversation>(name: Name) => opened.map((item) => item[name]);
  await rows(
    transaction,
    `insert into conversation (tenant_id, session_id, campaign_id, source_id, service_number_id, contact_id, channel,
       opened_at, contact_ordinal, stored_at)
     select g.tenant_id, g.session_id, campaign.campaign_id, g.source_id, g.service_number_id, g.contact_id, g.channel,
       g.opened_at, ${ordinalOfContact('g', 'campaign.campaign_id')}, :now::timestamptz
     from unnest(:tenantIds::text[], :sessionIds::text[], :reasonIds::text[], :sourceIds::text[],
         :serviceNumberIds::text[], :contactIds::text[], :channels::text[], :times::timestamptz[])
       as g(tenant_id, session_id, reason_id, source_id, service_number_id, contact_id, channel, opened_at)
     cross join lateral (select coalesce(
       (select c.campaign_id from campaign c where c.tenant_id = g.tenant_id and c.campaign_id = g.reason_id),
       (select c.campaign_id from campaign c where c.tenant_id = g.tenant_id and c.source_id = g.source_id
        order by c.sent_at desc nulls last limit 1)) as campaign_id) campaign
     where not exists (select from conversation v
       where v.tenant_id = g.tenant_id and v.session_id = g.session_id offset 0)
     order by 1, 2
     on conflict do nothing`,
    {
      now,
      tenantIds: column('tenantId'),
      sessionIds: column('sessionId'),
      reasonIds: column('reasonId'),
      sourceIds: column('sourceId'),
      serviceNumberIds: column('serviceNumberId'),
      contactIds: column('contactId'),
      channels: column('channel'),
      times: column('openedAt').map((time) => time.toISOString()),
    },
  );
}

export interface ClosedConversation {
  tenantId: string;
  sessionId: string;
  closedAt: Date;
  durationSeconds: number;
  messageCount: number;
}

/**
 * Closes opened conversations; closing one again changes nothing.
 * @returns those that are known, as `tenant session`.
 */
export async function closeConversations(transaction: Transaction, closed: ClosedConversation[]): Promise<Set<string>> {
  const column = <Name extends keyof ClosedConversation>(name: Name) => closed.map((item) => item[name]);
  const found = await rows<{ tenantId: string; sessionId: string }>(
    transaction,
    `update conversation v set closed_at = coalesce(v.closed_at, g.closed_at),
       duration_seconds = coalesce(v.duration_seconds, g.duration), message_count = coalesce(v.message_count, g.messages)
     from unnest(:tenantIds::text[], :sessionIds::text[], :times::timestamptz[], :durations::float8[], :messages::int[])
       as g(tenant_id, session_id, closed_at, duration, messages)
     where v.tenant_id = g.tenant_id and v.session_id = g.session_id
     returning v.tenant_id, v.session_id`,
    {
      tenantIds: column('tenantId'),
      sessionIds: column('sessionId'),
      times: column('closedAt').map((time) => time.toISOString()),
      durations: column('durationSeconds'),
      messages: column('messageCount'),
    },
  );
  return new Set(found.map(({ tenantId, sessionId }) => `${tenantId} ${sessionId}`));
}
