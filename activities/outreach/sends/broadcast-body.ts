import { buildMessages, type PostbackContext } from '#domain/campaigns/postback.ts';
import { linkParameters, type LinkPlace } from '#domain/campaigns/templates/utm.ts';
import type { DispatchContent } from '#db/outreach/sends/ledger/ledger.ts';
import type { Message } from '#domain/api/messages.ts';
import type { Broadcast } from '#clients/platform/gateway.ts';

/** The part of a campaign that its sub-tasks carry. */
export type BroadcastContent = Pick<
  DispatchContent,
  'campaignId' | 'name' | 'note' | 'channels' | 'sourceId' | 'scheduledAt' | 'utm' | 'sentName'
> & { messages: Message[] };

export interface SubTaskPart extends Pick<PostbackContext, 'appId' | 'sourcePending' | 'step'> {
  key: string;
  contactIds: string[];
  now: Date;
  /** The click token of a link; absent if links carry none. */
  tokenOf?: (place: LinkPlace) => string;
}

/**
 * The body of A1 for one sub-task. If the time has passed it is sent immediately: a platform might reject a past
 * time.
 */
export function broadcastOf(
  { campaignId, sourceId, scheduledAt, ...content }: BroadcastContent,
  { key, contactIds, now, tokenOf, ...postback }: SubTaskPart,
): Broadcast {
  return {
    name: content.name,
    ...(content.note === null ? {} : { note: content.note }),
    channels: content.channels,
    messages: buildMessages(content.messages, {
      ...postback,
      parametersOf: linkParameters(content, tokenOf),
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
