import type { ConditionField } from './condition-fields.ts';

/** Contact actions that belong to a campaign. All of these events are handled, and each can trigger a rule. */
export const eventTriggers = ['notice.clicked', 'session.created', 'session.closed'] as const;
export type EventTrigger = (typeof eventTriggers)[number];

/** The events that count as a contact's response. */
export const responseEvents = ['notice.clicked', 'session.created'] as const satisfies readonly EventTrigger[];

export const NO_RESPONSE = 'no_response_for_N_days';
export const ruleTriggers = [...eventTriggers, NO_RESPONSE] as const;
export type RuleTrigger = (typeof ruleTriggers)[number];

/** How far back events are kept, and so how far back a backtest or a no-response rule can look. */
export const RULE_HISTORY_DAYS = 90;

/** The fields an occurrence of each trigger can have; a condition on any other field finds nothing. */
export const triggerFields = {
  'notice.clicked': [
    'bizEventCode',
    'campaignId',
    'actionIndex',
    'actionType',
    'url',
    'noticeId',
    'serviceNumberId',
    'sourceId',
  ],
  'session.created': ['campaignId', 'entryReasonId', 'sourceId', 'serviceNumberId'],
  'session.closed': ['durationSeconds', 'messageCount', 'campaignId', 'entryReasonId', 'sourceId', 'serviceNumberId'],
  no_response_for_N_days: ['campaignId', 'serviceNumberId'],
} as const satisfies Record<RuleTrigger, readonly ConditionField[]>;
