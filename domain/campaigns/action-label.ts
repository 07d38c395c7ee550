import type { Message } from '../api/messages.ts';

/** The button's text; empty if the campaign has no such button. */
export function actionLabel(
  messages: readonly (Message | undefined)[],
  messageIndex: number | null,
  actionIndex: number,
): string {
  const message = messageIndex === null ? undefined : messages[messageIndex];
  return message?.type === 'buttons' ? (message.actions[actionIndex]?.label ?? '') : '';
}
