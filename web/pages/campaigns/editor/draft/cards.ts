import type { Action, Message } from '#domain/api/messages.ts';

/** A button while it is being edited: fields of both kinds are kept, so that switching the kind loses nothing. */
export interface DraftButton {
  key: string;
  kind: 'Url' | 'Postback';
  label: string;
  url: string;
  /** False: the link is sent exactly as it is typed; null: it says nothing. */
  tracked: boolean | null;
  eventCode: string;
  opensConversation: boolean;
  /** Further fields of the Postback's data, as JSON text; empty for none. */
  extra: string;
  /** Optional action fields that the editor does not show but must not lose. */
  rest: Partial<Pick<Action, 'title' | 'text' | 'imageUrl' | 'displayText' | 'isDefault'>>;
}

export interface DraftCard {
  key: string;
  type: Message['type'];
  title: string;
  text: string;
  /** Image of a card, or the address of an image or file message. */
  url: string;
  /** Name of a file message. */
  name: string;
  buttons: DraftButton[];
}

/** Cards of one message. */
export const MOST_CARDS = 5;

let keys = 0;
const nextKey = () => `k${(keys += 1)}`;

export function newButton(): DraftButton {
  return {
    key: nextKey(),
    kind: 'Url',
    label: '',
    url: '',
    tracked: null,
    eventCode: '',
    opensConversation: false,
    extra: '',
    rest: {},
  };
}

/** The optional fields with one of them set; an empty text and false leave it out. */
export function withField<Name extends keyof DraftButton['rest']>(
  rest: DraftButton['rest'],
  name: Name,
  value: DraftButton['rest'][Name],
): DraftButton['rest'] {
  const { [name]: _, ...others } = rest;
  return value ? { ...others, [name]: value } : others;
}

export function newCard(type: Message['type']): DraftCard {
  return {
    key: nextKey(),
    type,
    title: '',
    text: '',
    url: '',
    name: '',
    buttons: type === 'buttons' ? [newButton()] : [],
  };
}

/** The same card again, as it is typed. */
export const copyOf = (card: DraftCard): DraftCard => ({
  ...card,
  key: nextKey(),
  buttons: card.buttons.map((button) => ({ ...button, key: nextKey(), rest: { ...button.rest } })),
});

/** Whether nothing has been entered yet. */
export function isBlank({ title, text, url, name, buttons }: DraftCard): boolean {
  const written = [
    title,
    text,
    url,
    name,
    ...buttons.flatMap((button) => [button.label, button.url, button.eventCode]),
  ];
  return written.every((one) => one.trim() === '');
}

/** The extra fields as an object; null if the text is not a JSON object. */
export function extraOf(text: string): Record<string, unknown> | null {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

const reserved = new Set(['appId', 'event', 'campaignId', 'subTaskKey', 'messageIndex', 'sourceId', 'taskId']);

function buttonOf(action: Action): DraftButton {
  const { type: kind, label, ...others } = action;
  const button = { ...newButton(), kind, label };
  if (action.type === 'Url') {
    const { type: _, label: __, url, tracked = null, ...rest } = action;
    return { ...button, url, tracked, rest };
  }
  const { data: _, ...rest } = others as Omit<Extract<Action, { type: 'Postback' }>, 'type' | 'label'>;
  const data = (typeof action.data === 'string' ? extraOf(action.data) : action.data) ?? {};
  const { bizEventCode, event, ...fields } = data;
  const extra = Object.fromEntries(Object.entries(fields).filter(([name]) => !reserved.has(name)));
  return {
    ...button,
    eventCode: typeof bizEventCode === 'string' ? bizEventCode : '',
    opensConversation: event === 'InboundReason',
    extra: Object.keys(extra).length > 0 ? JSON.stringify(extra, null, 2) : '',
    rest,
  };
}

/** A message as the editor shows it. */
export function cardOf(message: Message): DraftCard {
  const card = newCard(message.type);
  if (message.type === 'buttons') {
    const { title, text, image, actions } = message;
    return { ...card, title, text, url: image ?? '', buttons: actions.map(buttonOf) };
  }
  if (message.type === 'text') return { ...card, text: message.text };
  return { ...card, url: message.url, name: message.type === 'file' ? message.name : '' };
}

function actionOf(button: DraftButton): Action {
  if (button.kind === 'Url') {
    const { rest, label, url, tracked } = button;
    return { ...rest, type: 'Url', label, url: url.trim(), ...(tracked === null ? {} : { tracked }) };
  }
  const data: Record<string, unknown> = {
    ...extraOf(button.extra),
    event: button.opensConversation ? 'InboundReason' : 'Broadcast',
  };
  if (button.eventCode.trim() !== '') data['bizEventCode'] = button.eventCode.trim();
  return { ...button.rest, type: 'Postback', label: button.label, data };
}

/** A card as the API expects it, whether valid or not. */
export function messageOf(card: DraftCard): Message {
  const url = card.url.trim();
  switch (card.type) {
    case 'buttons': {
      const message: Message = {
        type: 'buttons',
        title: card.title,
        text: card.text,
        actions: card.buttons.map(actionOf),
      };
      return url === '' ? message : { ...message, image: url };
    }
    case 'text':
      return { type: 'text', text: card.text };
    case 'image':
      return { type: 'image', url };
    case 'file':
      return { type: 'file', url, name: card.name };
  }
}
