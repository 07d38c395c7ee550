import type { AutomationCause } from '#domain/api/automation-entries.ts';
import type { AutomationTrigger } from '#domain/api/automations.ts';
import { PSEUDONYM_PATTERN } from '#domain/contacts/pseudonym.ts';
import { rows, type Transaction } from '#db/database.ts';
import type { AudienceOwner } from '../audiences/owner.ts';

/** A cause of the past, as the triggers of the tables would write it. */
export interface PastCause {
  contactId: string;
  causedAt: Date;
  cause: Omit<AutomationCause, 'at'>;
}

const within = (at: string) => `${at} > :from and ${at} <= :to`;

/** SQL: causes `contact_id`, `caused_at`, `cause`, of each kind of event. */
const sources: Record<AutomationTrigger['event'], string> = {
  'contact.entered': 'contact',
  'contact.followed': 'contact',
  'tag.assigned': `
    select contact_id, at as caused_at, jsonb_build_object('event', 'tag.assigned', 'tagId', :tagId::text) as cause
    from (select contact_id, assigned_at as at from tag_assignment where tag_id = :tagId
      union all select contact_id, since from tag_assignment_past where tag_id = :tagId) a where ${within('at')}`,
  'tag.removed': `
    select contact_id, until as caused_at, jsonb_build_object('event', 'tag.removed', 'tagId', :tagId::text) as cause
    from tag_assignment_past where tag_id = :tagId and ${within('until')}`,
  'notice.clicked': `
    select k.contact_id, k.clicked_at as caused_at, jsonb_strip_nulls(jsonb_build_object('event', 'notice.clicked',
      'eventId', k.event_id, 'campaignId', k.campaign_id, 'taskId', k.task_id, 'actionIndex', k.action_index,
      'bizEventCode', k.biz_event_code)) as cause
    from click_attribution k join campaign o using (campaign_id)
    where k.tenant_id = :tenantId and o.service_number_id = :serviceNumberId and k.campaign_id <> :automationId
      and ${within('k.clicked_at')}
      and (:campaignIds::text[] is null or k.campaign_id = any(:campaignIds))
      and (:actionIndex::int is null or k.action_index = :actionIndex)
      and (:bizEventCode::text is null or k.biz_event_code = :bizEventCode)`,
  'session.closed': `
    select v.contact_id, v.closed_at as caused_at, jsonb_strip_nulls(jsonb_build_object('event', 'session.closed',
      'sessionId', v.session_id, 'campaignId', v.campaign_id)) as cause
    from conversation v
    where v.tenant_id = :tenantId and ${within('v.closed_at')} and coalesce(v.message_count, 0) >= :minMessages
      and coalesce(v.service_number_id, (select o.service_number_id from campaign o
        where o.campaign_id = v.campaign_id)) = :serviceNumberId`,
};

const contactEvents = `
  select contact_id, occurred_at as caused_at, jsonb_build_object('event', event_type, 'eventId', event_id) as cause
  from contact_event
  where tenant_id = :tenantId and service_number_id = :serviceNumberId and event_type = :event and ${within('occurred_at')}`;

/** What would have been the causes of an automation within (from, to], the oldest first. */
export function pastCauses(
  transaction: Transaction,
  { tenantId, serviceNumberId, automationId }: AudienceOwner & { automationId: string },
  trigger: AutomationTrigger,
  period: { from: Date; to: Date },
): Promise<PastCause[]> {
  const source = sources[trigger.event];
  return rows<PastCause>(
    transaction,
    `select * from (${source === 'contact' ? contactEvents : source}) causes
     where contact_id not like '${PSEUDONYM_PATTERN}' order by caused_at, contact_id`,
    {
      campaignIds: null,
      actionIndex: null,
      bizEventCode: null,
      minMessages: 0,
      tagId: null,
      ...trigger,
      tenantId,
      serviceNumberId,
      automationId,
      ...period,
    },
  );
}
