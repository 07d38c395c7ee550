import type { Message } from '#domain/api/messages.ts';
import type { Variants } from '#domain/api/variants.ts';
import { actionLabel } from '../action-label.ts';
import {
  type MessageChoice,
  choiceOf,
  choiceWithPath,
  messagesOfCase,
  messagesTogether,
  type WrittenChoice,
} from '../cases/cases.ts';

/** A message of variant v has the index v × 5 + its own wherever a campaign's messages are counted: in clicks, links and results. */
export const MESSAGES_PER_VARIANT = 5;

/** The arm of whoever is in no share; those of the variants are their positions. */
export const REST_ARM = 5;

/** Arms at most: five variants and the rest. */
export const ARMS = REST_ARM + 1;

/** As stored: the further steps of an automation are stored as variants are, and may have messages by case. */
export type StoredVariants = Omit<Variants, 'others'> & {
  others: (Omit<Variants['others'][number], 'messages'> & WrittenChoice)[];
};

/** What a campaign may send. */
export interface VariedMessages extends MessageChoice {
  variants: StoredVariants | null;
}

/** What variants are made of; those have no messages by case. */
type TestedMessages = Pick<VariedMessages, 'messages'> & { variants: Variants | null };

export interface Variant {
  name: string;
  sharePercent: number;
  messages: Message[];
}

/** The variants of a campaign, the one of its own messages first; none if it has none. */
export function variantsOf({ messages, variants }: TestedMessages): Variant[] {
  if (variants === null || messages === null) return [];
  const { name, sharePercent, others } = variants;
  return [{ name, sharePercent, messages }, ...others];
}

/** What a variant says, by its position; null: what the campaign itself says. */
export const choiceOfVariant = (content: VariedMessages, variant: number | null): MessageChoice =>
  choiceOf((variant === null || variant === 0 ? undefined : content.variants?.others[variant - 1]) ?? content);

/** What contacts get of a variant, by its position, and of a case, by its number. */
export const messagesOf = (
  content: VariedMessages,
  variant: number | null,
  messageCase: number | null = null,
): Message[] => messagesOfCase(choiceOfVariant(content, variant), messageCase);

/** Where the messages of a variant are in a campaign, by its position, as a JSON pointer. */
export const messagesPath = (position: number): string =>
  position === 0 ? '/messages' : `/variants/others/${position - 1}/messages`;

/** What a campaign may send, the campaign's own messages first, each with its place as a JSON pointer. */
export const messagesWithPath = ({ variants, ...own }: VariedMessages): { path: string; messages: Message[] }[] => [
  ...choiceWithPath(own),
  ...(variants?.others ?? []).flatMap((other, index) => choiceWithPath(other, `/variants/others/${index}`)),
];

/** Everything that a campaign may say. */
export const allMessages = (content: VariedMessages): Message[] =>
  messagesWithPath(content).flatMap(({ messages }) => messages);

/** Where a message of a variant is among all of the campaign's. */
export const placeOf = (variant: number | null, messageIndex: number): number =>
  (variant ?? 0) * MESSAGES_PER_VARIANT + messageIndex;

/** Which message of which variant is at a place. */
export const partsOf = (place: number): { variant: number; messageIndex: number } => ({
  variant: Math.floor(place / MESSAGES_PER_VARIANT),
  messageIndex: place % MESSAGES_PER_VARIANT,
});

/**
 * Every message by its place; of those without variants the places are their own indexes. Those of a case, by its number, or of
 * all cases together.
 */
export function messagesByPlace(content: VariedMessages, messageCase: number | null = null): (Message | undefined)[] {
  const placed: (Message | undefined)[] = [];
  for (const variant of [0, ...(content.variants?.others ?? []).map((_, index) => index + 1)]) {
    const choice = choiceOfVariant(content, variant);
    const messages = messageCase === null ? messagesTogether(choice) : messagesOfCase(choice, messageCase);
    for (const [index, message] of messages.entries()) placed[placeOf(variant, index)] = message;
  }
  return Array.from(placed);
}

/** Names the buttons that clicks are about, by their place and their contact's case. */
export function buttonLabels(
  content: VariedMessages,
): (click: { messageIndex: number | null; messageCase: number | null; actionIndex: number }) => string {
  const placed = new Map<number | null, (Message | undefined)[]>();
  return ({ messageIndex, messageCase, actionIndex }) => {
    const messages = placed.get(messageCase) ?? messagesByPlace(content, messageCase);
    placed.set(messageCase, messages);
    return actionLabel(messages, messageIndex, actionIndex);
  };
}

/** How much of an audience no variant gets, in percents. */
export const restPercent = (variants: StoredVariants | null): number =>
  variants === null
    ? 0
    : variants.others.reduce((left, { sharePercent }) => left - sharePercent, 100 - variants.sharePercent);

/** About how many of so many contacts a share is: each is drawn on its own. */
export const expectedShare = (contacts: number, sharePercent: number): number =>
  Math.round((contacts * sharePercent) / 100);
