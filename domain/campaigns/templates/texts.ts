import type { Action, Message } from '#domain/api/messages.ts';
import type { Step } from '#domain/api/steps.ts';
import type { Variants } from '#domain/api/variants.ts';
import { mapChoice, type WrittenChoice } from '../cases/cases.ts';
import type { Utm } from './utm.ts';

/** Variables in the texts of templates, written `{{name}}`. They are filled once for a campaign, not for each contact. */

const PLACEHOLDER = /\{\{\s*([A-Za-z][A-Za-z0-9_]{0,39})\s*\}\}/g;

export const VARIABLE_NAME = /^[A-Za-z][A-Za-z0-9_]{0,39}$/;

/** What of a campaign a template keeps. */
export interface TemplateTexts extends WrittenChoice {
  campaignName: string | null;
  note: string | null;
  /** Parameters for its links; their patterns may have variables. */
  utm?: Utm | null | undefined;
  variants?: Variants | null | undefined;
  steps?: Step[] | null | undefined;
}

/** How a text is replaced: `url` where what is put in becomes part of an address. */
type Replace = (text: string, as: 'text' | 'url') => string;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function inJson(value: unknown, replace: Replace): unknown {
  if (typeof value === 'string') return replace(value, 'text');
  if (Array.isArray(value)) return value.map((item) => inJson(item, replace));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inJson(item, replace)]));
}

/** Data that is the text of an object stays one, whatever is put into its texts. */
function inData(data: string | Record<string, unknown>, replace: Replace): string | Record<string, unknown> {
  if (typeof data !== 'string') return inJson(data, replace) as Record<string, unknown>;
  try {
    const parsed: unknown = JSON.parse(data);
    if (isObject(parsed)) return JSON.stringify(inJson(parsed, replace));
  } catch {
    // Not JSON: plain text.
  }
  return replace(data, 'text');
}

const optional = <Name extends string>(name: Name, value: string | undefined, replace: (text: string) => string) =>
  (value === undefined ? {} : { [name]: replace(value) }) as Partial<Record<Name, string>>;

function inAction(action: Action, replace: Replace): Action {
  const text = (value: string) => replace(value, 'text');
  const common = {
    label: text(action.label),
    ...optional('title', action.title, text),
    ...optional('text', action.text, text),
    ...optional('displayText', action.displayText, text),
    ...optional('imageUrl', action.imageUrl, (value) => replace(value, 'url')),
  };
  if (action.type === 'Url') return { ...action, ...common, url: replace(action.url, 'url') };
  return { ...action, ...common, ...(action.data === undefined ? {} : { data: inData(action.data, replace) }) };
}

function inMessage(message: Message, replace: Replace): Message {
  const text = (value: string) => replace(value, 'text');
  const url = (value: string) => replace(value, 'url');
  switch (message.type) {
    case 'text':
      return { ...message, text: text(message.text) };
    case 'image':
      return { ...message, url: url(message.url) };
    case 'file':
      return { ...message, url: url(message.url), name: text(message.name) };
    default:
      return {
        ...message,
        title: text(message.title),
        text: text(message.text),
        ...optional('image', message.image, url),
        actions: message.actions.map((action) => inAction(action, replace)),
      };
  }
}

/** The texts with the messages that `change` makes of the campaign's, of each other variant's and of what follows. */
export function withMessages<Texts extends Pick<TemplateTexts, 'messages' | 'messagesBy' | 'variants' | 'steps'>>(
  texts: Texts,
  change: (messages: Message[]) => Message[],
): Texts {
  const { variants, steps } = texts;
  const changed = <Part extends WrittenChoice>(part: Part): Part => mapChoice(part, change);
  return {
    ...changed(texts),
    ...(variants && { variants: { ...variants, others: variants.others.map(changed) } }),
    ...(steps && { steps: steps.map(changed) }),
  };
}

function inTexts(texts: TemplateTexts, replace: Replace): TemplateTexts {
  const { campaignName, note, utm } = texts;
  const filled = {
    ...texts,
    campaignName: campaignName === null ? null : replace(campaignName, 'text'),
    note: note === null ? null : replace(note, 'text'),
    ...(utm && { utm: inJson(utm, replace) as Utm }),
  };
  return withMessages(filled, (messages) => messages.map((message) => inMessage(message, replace)));
}

/** The names of the variables that the texts use, each once, in the order of their first use. */
export function variablesIn(texts: TemplateTexts): string[] {
  const names = new Set<string>();
  inTexts(texts, (text) => {
    for (const [, name = ''] of text.matchAll(PLACEHOLDER)) names.add(name);
    return text;
  });
  return [...names];
}

/** The texts with a value for each variable; one without a value stays as it is written. In addresses values are encoded. */
export function fillTexts(texts: TemplateTexts, values: ReadonlyMap<string, string>): TemplateTexts {
  return inTexts(texts, (text, as) =>
    text.replaceAll(PLACEHOLDER, (written, name: string) => {
      const value = values.get(name);
      if (value === undefined) return written;
      return as === 'url' ? encodeURIComponent(value) : value;
    }),
  );
}
