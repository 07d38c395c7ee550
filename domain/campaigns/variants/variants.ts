import type { Message } from '#domain/api/messages.ts';
import type { Variants } from '#domain/api/variants.ts';

/** A message of variant v has the index v × 5 + its own wherever a campaign's messages are counted: in clicks, links and results. */
export const MESSAGES_PER_VARIANT = 5;

/** The arm of whoever is in no share; those of the variants are their positions. */
export const REST_ARM = 5;

/** Arms at most: five variants and the rest. */
export const ARMS = REST_ARM + 1;

/** What a campaign may send. */
export interface VariedMessages {
  messages: Message[];
  variants: Variants | null;
}

export interface Variant {
  name: string;
  sharePercent: number;
  messages: Message[];
}

/** The variants of a campaign, the one of its own messages first; none if it has none. */
export function variantsOf({ messages, variants }: VariedMessages): Variant[] {
  if (variants === null) return [];
  const { name, sharePercent, others } = variants;
  return [{ name, sharePercent, messages }, ...others];
}

/** What a variant says, by its position; null: the campaign's own messages. */
export const messagesOf = (content: VariedMessages, variant: number | null): Message[] =>
  (variant === null ? undefined : variantsOf(content)[variant]?.messages) ?? content.messages;

/** Where the messages of a variant are in a campaign, by its position, as a JSON pointer. */
export const messagesPath = (position: number): string =>
  position === 0 ? '/messages' : `/variants/others/${position - 1}/messages`;

/** What a campaign may send, the campaign's own messages first, each with its place as a JSON pointer. */
export const messagesWithPath = ({ messages, variants }: VariedMessages): { path: string; messages: Message[] }[] =>
  [messages, ...(variants?.others ?? []).map((other) => other.messages)].map((texts, position) => ({
    path: messagesPath(position),
    messages: texts,
  }));

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

/** Every message by its place; of those without variants the places are their own indexes. */
export function messagesByPlace(content: VariedMessages): (Message | undefined)[] {
  const placed: (Message | undefined)[] = [...content.messages];
  for (const [variant, { messages }] of variantsOf(content).entries())
    for (const [index, message] of messages.entries()) placed[placeOf(variant, index)] = message;
  return Array.from(placed);
}

/** How much of an audience no variant gets, in percents. */
export const restPercent = (variants: Variants | null): number =>
  variants === null
    ? 0
    : variants.others.reduce((left, { sharePercent }) => left - sharePercent, 100 - variants.sharePercent);

/** About how many of so many contacts a share is: each is drawn on its own. */
export const expectedShare = (contacts: number, sharePercent: number): number =>
  Math.round((contacts * sharePercent) / 100);
