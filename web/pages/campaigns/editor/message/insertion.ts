import type { Message } from '#domain/api/messages.ts';
import { cardOf, type DraftCard, isBlank, MOST_CARDS, newCard } from '../draft/cards.ts';

/** Whether one more message can be put in. */
export const mayInsert = (cards: readonly DraftCard[]): boolean => cards.length < MOST_CARDS || cards.some(isBlank);

/**
 * Puts a message in the place of one that is still empty, else after the others. Returns how it is taken out again; `items` is the
 * list as it is at any later time.
 */
export function insertMessage(items: () => DraftCard[], message: Message): () => void {
  const card = cardOf(message);
  const blank = items().findIndex(isBlank);
  const [replaced] = blank === -1 ? [] : items().splice(blank, 1, card);
  if (!replaced) items().push(card);
  return () => {
    const now = items();
    const position = now.findIndex(({ key }) => key === card.key);
    if (position === -1) throw new Error('The message is not there any more');
    // A draft without any message could not be edited.
    const before = replaced ?? (now.length === 1 ? newCard(card.type) : undefined);
    now.splice(position, 1, ...(before ? [before] : []));
  };
}
