import type { AutomationCause } from '#domain/api/automation-entries.ts';
import type { AutomationTrigger } from '#domain/api/automations.ts';
import { PSEUDONYM_PATTERN } from '#domain/contacts/pseudonym.ts';
import { rows, type Transaction } from '#db/database.ts';
import { datesOn, dayAt, isTimed, nextLookOf, type TimedTrigger } from '#domain/automations/looks.ts';
import type { AudienceOwner } from '../audiences/owner.ts';
import { pastRelations } from '../audiences/relations.ts';
import { classifiedBySegment, readingSets } from '../audiences/segments/resolution.ts';
import { dateBindings, onDate } from './looking.ts';

type EventTrigger = Exclude<AutomationTrigger, { event: 'date' | 'segment.entered' }>;

/** A cause of the past, as the triggers of the tables would write it. */
export interface PastCause {
  contactId: string;
  causedAt: Date;
  cause: Omit<AutomationCause, 'at'>;
}

const within = (at: string) => `${at} > :from and ${at} <= :to`;

/** SQL: orders that the automation would take. */
const orders = `
  select contact_of_order(r) as contact_id, r.at as caused_at, jsonb_build_object('event', a.event,
    'orderId', r.order_id, 'campaignId', r.campaign_id, 'actionIndex', r.action_index) as cause
  from automation a join revenue_entry r on r.tenant_id = a.tenant_id and takes_order(a, r)
    join campaign o on o.campaign_id = r.campaign_id and o.service_number_id = :serviceNumberId
  where a.automation_id = :automationId and ${within('r.at')}`;

const contactEvents = `
  select contact_id, occurred_at as caused_at, jsonb_build_object('event', event_type, 'eventId', event_id) as cause
  from contact_event
  where tenant_id = :tenantId and service_number_id = :serviceNumberId and event_type = :event and ${within('occurred_at')}`;

/** SQL: causes `contact_id`, `caused_at`, `cause`, of each kind of event. */
const sources: Record<EventTrigger['event'], string> = {
  'contact.entered': contactEvents,
  'contact.followed': contactEvents,
  'order.paid': orders,
  'order.refunded': orders,
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

type Owner = AudienceOwner & { automationId: string };

interface CausePeriod {
  from: Date;
  to: Date;
}

/** The oldest first. */
function pastEvents(
  transaction: Transaction,
  { tenantId, serviceNumberId, automationId }: Owner,
  trigger: EventTrigger,
  period: CausePeriod,
): Promise<PastCause[]> {
  return rows<PastCause>(
    transaction,
    `select * from (${sources[trigger.event]}) causes
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

function momentsIn(trigger: TimedTrigger, { from, to }: CausePeriod): Date[] {
  const moments: Date[] = [];
  for (let at = nextLookOf(trigger, from, null); at <= to; at = nextLookOf(trigger, at, null)) moments.push(at);
  return moments;
}

async function pastDates(
  transaction: Transaction,
  { tenantId, serviceNumberId }: Owner,
  trigger: Extract<TimedTrigger, { event: 'date' }>,
  period: CausePeriod,
): Promise<PastCause[]> {
  const causes: PastCause[] = [];
  for (const at of momentsIn(trigger, period)) {
    const date = dayAt(at, trigger.zone);
    const match = dateBindings({ attribute: trigger.attribute, ...datesOn(date, trigger) });
    const bindings = { tenantId, serviceNumberId, now: at, ...match };
    const found = await rows<{ contactId: string }>(transaction, onDate(pastRelations), bindings);
    causes.push(...found.map(({ contactId }) => ({ contactId, causedAt: at, cause: { event: 'date', date } })));
  }
  return causes;
}

/** The first look only learns who is in. */
async function pastSegments(
  transaction: Transaction,
  { tenantId, serviceNumberId }: Owner,
  trigger: Extract<TimedTrigger, { event: 'segment.entered' }>,
  period: CausePeriod,
): Promise<PastCause[]> {
  const causes: PastCause[] = [];
  let inside: ReadonlySet<string> | null = null;
  for (const at of [period.from, ...momentsIn(trigger, period)]) {
    const { sql, bindings } = classifiedBySegment(
      trigger.segment,
      { tenantId, serviceNumberId },
      { now: at, relations: pastRelations },
    );
    const found = await readingSets(transaction, () =>
      rows<{ contactId: string }>(transaction, `select contact_id from (${sql}) matching order by 1`, bindings),
    );
    const before = inside;
    if (before !== null)
      causes.push(
        ...found
          .filter(({ contactId }) => !before.has(contactId))
          .map(({ contactId }) => ({ contactId, causedAt: at, cause: { event: 'segment.entered' } })),
      );
    inside = new Set(found.map(({ contactId }) => contactId));
  }
  return causes;
}

/** What would have been the causes of an automation within (from, to], the oldest first. */
export function pastCauses(
  transaction: Transaction,
  owner: Owner,
  trigger: AutomationTrigger,
  period: CausePeriod,
): Promise<PastCause[]> {
  if (!isTimed(trigger)) return pastEvents(transaction, owner, trigger, period);
  return trigger.event === 'date'
    ? pastDates(transaction, owner, trigger, period)
    : pastSegments(transaction, owner, trigger, period);
}
