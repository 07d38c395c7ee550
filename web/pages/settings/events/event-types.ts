import type { EventDelivery, OutgoingEventType } from '#domain/api/webhook.ts';

/** The types that an administrator chooses from, named here since the schemas stay out of the console. */
export const chosenTypes = [
  'campaign.sent',
  'campaign.completed',
  'subtask.unknown',
  'contact.clicked',
  'contact.tagged',
  'campaign.scheduled',
  'campaign.paused',
  'campaign.failed',
  'campaign.cancelled',
  'approval.requested',
  'approval.decided',
  'automation.entered',
  'automation.paused',
  'conversation.opened',
  'conversation.closed',
  'contact.unfollowed',
  'audience.imported',
] as const satisfies readonly OutgoingEventType[];

export const eventTypes = [...chosenTypes, 'webhook.test'] as const satisfies readonly EventDelivery['type'][];

export const deliveryStatuses = [
  'pending',
  'delivered',
  'failed',
] as const satisfies readonly EventDelivery['status'][];
