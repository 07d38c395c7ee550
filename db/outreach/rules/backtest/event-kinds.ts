import type { ConditionField } from '#domain/rules/condition-fields.ts';
import type { EventTrigger } from '#domain/rules/triggers.ts';
import { PSEUDONYM_PATTERN } from '#domain/contacts/pseudonym.ts';

/** SQL over an event `e`, whose `data` is its payload. */
export interface EventKind {
  /** What the event is joined with; who has no match there has no occurrence. */
  joins: string;
  contactId: string;
  /** Events for which all of these are equal differ, to the rule, in their contacts only. */
  columns: string[];
}

/** When a click came matters only if the platform issued its task id more than once. */
const reusedTasks = `
  select task_id from (
    select task_id from broadcast_task where tenant_id = :tenantId and task_id is not null
    union all select task_id from test_send where tenant_id = :tenantId and task_id is not null) holders
  group by task_id having count(*) > 1`;

/** The button's data names the sub-task, so it is always part of it. */
const clickKind = (asked: ReadonlySet<ConditionField>): EventKind => ({
  joins: '',
  contactId: `data ->> 'contactId'`,
  columns: [
    'e.service_number_id',
    `data ->> 'serviceNumberId'`,
    `data ->> 'taskId'`,
    `data -> 'actionIndex'`,
    `data #>> '{action,type}'`,
    `data #> '{action,data}'`,
    `case when data ->> 'taskId' in (${reusedTasks}) then e.received_at end`,
    ...(asked.has('url') ? [`data #>> '{action,url}'`] : []),
    ...(asked.has('noticeId') ? [`data ->> 'noticeId'`] : []),
  ],
});

/** As `findOccurrences` finds what a session belongs to. */
const sessionKind = (columns: string[], asked: ReadonlySet<ConditionField>): EventKind => ({
  joins: `join conversation v on v.tenant_id = :tenantId and v.session_id = e.data ->> 'sessionId'
    and v.campaign_id is not null and v.contact_id not like '${PSEUDONYM_PATTERN}'`,
  contactId: 'v.contact_id',
  columns: [
    'e.service_number_id',
    'v.service_number_id',
    'v.campaign_id',
    ...columns,
    ...(asked.has('sourceId') ? [`data ->> 'sourceId'`, 'v.source_id'] : []),
  ],
});

/** What makes two events of a trigger the same to a rule whose condition asks for these fields. */
export function kindOf(trigger: EventTrigger, asked: ReadonlySet<ConditionField>): EventKind {
  switch (trigger) {
    case 'notice.clicked':
      return clickKind(asked);
    case 'session.created':
      return sessionKind(asked.has('entryReasonId') ? [`data #>> '{entryReason,id}'`] : [], asked);
    case 'session.closed': {
      const duration = asked.has('durationSeconds') ? [`data #> '{summary,duration}'`] : [];
      const count = asked.has('messageCount') ? [`data #> '{summary,messageCount}'`] : [];
      return sessionKind([...duration, ...count], asked);
    }
  }
}
