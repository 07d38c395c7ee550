import { buildMessages, type PostbackContext } from '#domain/campaigns/postback.ts';
import { linkedMessages } from '#domain/campaigns/templates/utm.ts';
import type { DispatchContent } from '#db/outreach/sends/ledger/ledger.ts';
import type { Broadcast } from '#clients/platform/gateway.ts';

/** The part of a campaign that its sub-tasks carry. */
export type BroadcastContent = Pick<
  DispatchContent,
  'campaignId' | 'name' | 'note' | 'channels' | 'messages' | 'sourceId' | 'scheduledAt' | 'utm' | 'sentName'
>;

export interface SubTaskPart extends Pick<PostbackContext, 'appId' | 'sourcePending' | 'tokenOf'> {
  key: string;
  contactIds: string[];
  now: Date;
}

/**
 * The body of A1 for one sub-task. If the time has passed it is sent immediately: a platform might reject a past
 * time.
 */
export function broadcastOf(
  { campaignId, sourceId, scheduledAt, ...content }: BroadcastContent,
  { key, contactIds, now, ...postback }: SubTaskPart,
): Broadcast {
  return {
    name: content.name,
    ...(content.note === null ? {} : { note: content.note }),
    channels: content.channels,
    messages: buildMessages(linkedMessages(content.messages, content), {
      ...postback,
      campaignId,
      subTaskKey: key,
      sourceId,
    }),
    audience: { type: 'contacts', contactIds },
    schedule:
      scheduledAt !== null && scheduledAt > now
        ? { type: 'scheduled', at: scheduledAt.toISOString() }
        : { type: 'immediate' },
  };
}
