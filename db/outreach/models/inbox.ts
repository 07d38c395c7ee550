import { Model } from 'objection';
import type { HandledEventType } from '#domain/api/events.ts';
import type { InboxStatus } from '#domain/api/inbox.ts';

/** An event as the platform sent it. The payload is text: parsing it could change its numbers. */
export class EventRow extends Model {
  static override tableName = 'event_inbox';
  static override idColumn = ['tenantIntegrationId', 'eventId'];

  declare tenantIntegrationId: string;
  declare eventId: string;
  declare tenantId: string;
  declare eventType: HandledEventType;
  declare serviceNumberId: string | null;
  declare partition: number;
  /** Empty once its 90 days have passed. */
  declare payload: string;
  declare occurredAt: Date;
  declare receivedAt: Date;
  declare status: InboxStatus;
  declare nextAttemptAt: Date;
  /** How often it was handled. */
  declare attempts: number;
  declare waitingFor: string | null;
  /** Its subject, as far as handling could tell. */
  declare contactId: string | null;
  declare campaignId: string | null;
  declare error: string | null;
  declare processedAt: Date | null;
}
