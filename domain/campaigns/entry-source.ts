import { opensConversations } from './postback.ts';
import { allMessages, type VariedMessages } from './variants/variants.ts';

/** Whether a button of the campaign opens a conversation, and there is no entry source for it yet (F1). */
export const lacksSource = (content: VariedMessages & { sourceId: string | null }, appId: string): boolean =>
  content.sourceId === null && opensConversations(allMessages(content), appId);
