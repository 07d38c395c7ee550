import { isoOf, messageOfClick } from '../sql-fragments.ts';

/**
 * The click that an assignment came from; several cards may have a button with the same index, the event tells which.
 */
const click = `(select k.message_index, k.message_case, k.clicked_at from click_attribution k
  where k.tenant_id = a.tenant_id and k.task_id = a.source_task_id and k.contact_id = a.contact_id
    and k.action_index = a.source_action_index and k.campaign_id = a.source_campaign_id
  order by k.event_id = a.source_event_id desc limit 1)`;

/**
 * The `origin` of the assignment `a`, with the name that users know each hop by. The name of anything that no longer
 * exists (an event after its retention) is null.
 */
export const originColumns = `(select json_build_object('ruleId', a.source_rule_id, 'ruleVersion', a.source_rule_version,
  'ruleName', (select v.name from smart_tag_rule_version v
    where v.rule_id = a.source_rule_id and v.version = a.source_rule_version),
  'campaignId', a.source_campaign_id, 'campaignName', c.name, 'taskId', a.source_task_id,
  'actionIndex', a.source_action_index, 'buttonLabel', ${messageOfClick('c', 'k')} -> 'actions' -> a.source_action_index ->> 'label',
  'bizEventCode', a.source_biz_event_code, 'eventId', a.source_event_id, 'eventType', e.event_type,
  'occurredAt', ${isoOf('coalesce(k.clicked_at, e.occurred_at)')}, 'assignedBy', a.assigned_by,
  'assignedByName', (select u.name from app_user u where u.tenant_id = a.tenant_id and u.platform_user_id = a.assigned_by))
  from (select 1) one
  left join campaign c on c.campaign_id = a.source_campaign_id
  left join lateral ${click} k on true
  left join lateral (select i.event_type, i.occurred_at from event_inbox i
    where i.tenant_id = a.tenant_id and i.event_id = a.source_event_id limit 1) e on true) as origin`;
