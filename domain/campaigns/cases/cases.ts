import type { Message } from '#domain/api/messages.ts';
import type { CaseName, MessagesBy } from '#domain/api/messages-by.ts';
import { OTHERWISE } from './limits.ts';

/** What is sent: the same messages to everybody, or by case. One of the two is null. */
export interface MessageChoice {
  messages: Message[] | null;
  messagesBy: MessagesBy | null;
}

/** As people write it: what is missing is null. */
export type WrittenChoice = { [Name in keyof MessageChoice]?: MessageChoice[Name] | undefined };

export const choiceOf = ({ messages, messagesBy }: WrittenChoice): MessageChoice => ({
  messages: messages ?? null,
  messagesBy: messagesBy ?? null,
});

/** The same with its choice in full. */
export const withChoice = <Part extends WrittenChoice>(part: Part): Part & MessageChoice => ({
  ...part,
  ...choiceOf(part),
});

export const nameOfCase = (number: number): CaseName => (number === OTHERWISE ? 'otherwise' : number);

/** A case, or what those get who are in none, with its place in `messagesBy`. */
export interface SentCase {
  number: number;
  /** None: it is of whoever has another value, or none. */
  values: string[];
  messages: Message[];
  path: string;
}

/** Everything that messages by case may send, `otherwise` last. */
export function casesOf({ cases, otherwise }: MessagesBy): SentCase[] {
  const sent = cases.map((one, number) => ({ ...one, number, path: `/cases/${number}/messages` }));
  return otherwise === 'skip'
    ? sent
    : [...sent, { number: OTHERWISE, values: [], messages: otherwise, path: '/otherwise' }];
}

/** Whether somebody may be sent nothing because of the case. */
export const skipsSomebody = ({ messagesBy }: WrittenChoice): boolean => messagesBy?.otherwise === 'skip';

/** Everything that is sent, each with its place as a JSON pointer; `at` is that of the whole. */
export const choiceWithPath = (choice: WrittenChoice, at = ''): { path: string; messages: Message[] }[] => [
  ...(choice.messages ? [{ path: `${at}/messages`, messages: choice.messages }] : []),
  ...(choice.messagesBy ? casesOf(choice.messagesBy) : []).map(({ path, messages }) => ({
    path: `${at}/messagesBy${path}`,
    messages,
  })),
];

/** What contacts of a case get; of messages that have changed to or from cases since, the nearest that there is. */
export function messagesOfCase({ messages, messagesBy }: MessageChoice, number: number | null): Message[] {
  if (messagesBy === null) return messages ?? [];
  const cases = casesOf(messagesBy);
  return (cases.find((one) => one.number === number) ?? cases.at(-1))?.messages ?? [];
}

const actionsIn = (message: Message | undefined): number => (message?.type === 'buttons' ? message.actions.length : -1);

/** A message for each index, to name buttons of all cases together: of those with the same index, the first with the most buttons. */
export function messagesTogether(choice: WrittenChoice): Message[] {
  const together: Message[] = [];
  for (const { messages } of choiceWithPath(choice))
    for (const [index, message] of messages.entries())
      if (together[index] === undefined || actionsIn(message) > actionsIn(together[index])) together[index] = message;
  return together;
}

/** The same with the messages that `change` makes of each. */
export function mapChoice<Part extends WrittenChoice>(part: Part, change: (messages: Message[]) => Message[]): Part {
  const { messages, messagesBy } = part;
  return {
    ...part,
    ...(messages && { messages: change(messages) }),
    ...(messagesBy && {
      messagesBy: {
        ...messagesBy,
        cases: messagesBy.cases.map((one) => ({ ...one, messages: change(one.messages) })),
        otherwise: messagesBy.otherwise === 'skip' ? 'skip' : change(messagesBy.otherwise),
      },
    }),
  };
}
