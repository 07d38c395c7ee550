import type { AutomationTrigger } from '#domain/api/automations.ts';
import type english from '#web/locales/automations/en.json';

type English = (typeof english)['automations'];

export type TriggerEvent = AutomationTrigger['event'];

/** Keys of the locales contain no dots. An event without a name, a sentence and a cause does not compile. */
export const triggerKeys = {
  'contact.entered': 'entered',
  'contact.followed': 'followed',
  'tag.assigned': 'tagAssigned',
  'tag.removed': 'tagRemoved',
  'notice.clicked': 'clicked',
  'session.closed': 'sessionClosed',
  'order.paid': 'orderPaid',
  'order.refunded': 'orderRefunded',
  date: 'date',
  'segment.entered': 'segment',
} as const satisfies Record<TriggerEvent, keyof English['trigger'] & keyof English['when'] & keyof English['cause']>;

export const triggerEvents = Object.keys(triggerKeys) as TriggerEvent[];
