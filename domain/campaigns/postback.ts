import type { Action, Message, PostbackAction } from '../api/messages.ts';
import { jsonObject } from '../api/primitives.ts';
import { type FieldError, fieldErrors, invalidField } from '../api/problem.ts';
import { clickedLinks, type SentMessages } from './links/clicked.ts';
import { type Parameter, sentLink } from './links/sent-link.ts';
import type { LinkPlace } from './templates/utm.ts';
import type { FieldErrorCode } from '../api/field-errors.ts';

/** `Broadcast`: a plain click. `InboundReason`: the platform also opens a session, and needs the sourceId of F1. */
export type PostbackEvent = 'Broadcast' | 'InboundReason';

/** Set by us on every send; an operator's values under these names are overwritten. */
const reservedFields = ['appId', 'event', 'campaignId', 'subTaskKey', 'messageIndex', 'sourceId'] as const;

/** Prefix of the sub-task keys of test sends; their clicks are not counted anywhere. */
export const TEST_KEY_PREFIX = 'test-';

/** An operator's Postback data, parsed. */
export interface Postback {
  event: PostbackEvent;
  /** The operator's own fields, including bizEventCode, without the reserved ones. */
  fields: Record<string, unknown>;
}

/** The path of the error is empty: it concerns the data as a whole. */
export type ParsedPostback = { ok: true; postback: Postback } | { ok: false; rejected: FieldError };

const reject = (code: FieldErrorCode): ParsedPostback => ({ ok: false, rejected: invalidField('', code) });

function readData(data: PostbackAction['data']): unknown {
  if (data === undefined) return {};
  if (typeof data !== 'string') return data;
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

/**
 * Parses the `data` of a Postback action: an object, its JSON text, or nothing.
 * @returns the error (422) if it is not a JSON object, or has an unknown event or another application's appId.
 */
export function parsePostback(data: PostbackAction['data'], appId: string): ParsedPostback {
  const value = readData(data);
  if (value === undefined) return reject('no_json');
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return reject('no_json_object');
  const storable = jsonObject.safeParse(value);
  if (!storable.success) {
    const [rejected = invalidField('', 'no_json_object')] = fieldErrors(storable.error);
    return { ok: false, rejected };
  }
  const { event = 'Broadcast', appId: givenAppId, ...fields } = storable.data;
  if (event !== 'Broadcast' && event !== 'InboundReason') return reject('unknown_event');
  if (givenAppId !== undefined && givenAppId !== appId) return reject('foreign_app');
  for (const name of reservedFields) delete fields[name];
  return { ok: true, postback: { event, fields } };
}

function actionsOf(
  messages: readonly Message[],
  at = '/messages',
): { path: string; messageIndex: number; actionIndex: number; action: Action }[] {
  return messages.flatMap((message, messageIndex) =>
    message.type === 'buttons'
      ? message.actions.map((action, actionIndex) => ({
          path: `${at}/${messageIndex}/actions/${actionIndex}/data`,
          messageIndex,
          actionIndex,
          action,
        }))
      : [],
  );
}

/** Every Postback of the messages that the platform would reject, with its place; `at` is where the messages are. */
export function invalidPostbacks(messages: Message[], appId: string, at?: string): FieldError[] {
  return actionsOf(messages, at).flatMap(({ path, action }) => {
    if (action.type !== 'Postback') return [];
    const parsed = parsePostback(action.data, appId);
    return parsed.ok ? [] : [{ ...parsed.rejected, path }];
  });
}

/** Whether any button opens a conversation, so that the campaign needs an entry source (F1) before it is sent. */
export function opensConversations(messages: Message[], appId: string): boolean {
  return actionsOf(messages).some(({ action }) => {
    if (action.type !== 'Postback') return false;
    const parsed = parsePostback(action.data, appId);
    return parsed.ok && parsed.postback.event === 'InboundReason';
  });
}

export interface PostbackContext {
  appId: string;
  campaignId: string;
  subTaskKey: string;
  /** Of what an automation sends, counted from 0; absent otherwise. */
  step?: number;
  /** Null if no button opens a conversation, and for test sends. */
  sourceId: string | null;
  /**
   * A dry run: the source is created only when the campaign is sent, so InboundReason stays, without its
   * sourceId.
   */
  sourcePending?: boolean;
  /** What a link gets; absent if links get nothing. */
  parametersOf?: (place: LinkPlace) => Parameter[];
}

/**
 * The `data` text of one Postback as sent to the platform.
 * @throws Error if the data was never validated; that of a stored campaign has been.
 */
function buildPostbackData(
  data: PostbackAction['data'],
  messageIndex: number,
  { appId, campaignId, subTaskKey, step, sourceId, sourcePending = false }: PostbackContext,
): string {
  const parsed = parsePostback(data, appId);
  if (!parsed.ok) throw new Error(`The Postback data ${parsed.rejected.message}`);
  const { event, fields } = parsed.postback;
  // Without a source the platform would reject InboundReason, so a test send is a plain click.
  const inbound = event === 'InboundReason' && (sourceId !== null || sourcePending);
  return JSON.stringify({
    ...fields,
    appId,
    event: inbound ? 'InboundReason' : 'Broadcast',
    campaignId,
    subTaskKey,
    messageIndex,
    ...(step === undefined ? {} : { automationId: campaignId, step }),
    ...(inbound && sourceId !== null ? { sourceId } : {}),
  });
}

/**
 * The messages of a sub-task as A1 accepts them: Postback data filled in, links with their parameters, every other field
 * unchanged. Whether a link is tracked says nothing to the platform.
 */
export function buildMessages(messages: Message[], context: PostbackContext): Message[] {
  return messages.map((message, messageIndex) =>
    message.type === 'buttons'
      ? {
          ...message,
          actions: message.actions.map((action, actionIndex) => {
            if (action.type === 'Postback')
              return { ...action, data: buildPostbackData(action.data, messageIndex, context) };
            const { tracked, ...rest } = action;
            const parameters = context.parametersOf?.({ messageIndex, actionIndex }) ?? [];
            return { ...rest, url: sentLink({ url: rest.url, tracked }, parameters).url };
          }),
        }
      : message,
  );
}

/** What a click's Postback data says about its origin; null if it is not ours. */
export interface ClickOrigin {
  campaignId: string | null;
  subTaskKey: string | null;
  messageIndex: number | null;
  bizEventCode: string | null;
  /** Present only on buttons that open a conversation. */
  sourceId: string | null;
}

/**
 * Reads a click's data, an object or JSON text. Foreign or broken data gives nulls: the click itself is still
 * valid.
 */
export function readClickOrigin(data: unknown): ClickOrigin {
  const value = typeof data === 'string' ? readData(data) : data;
  const record = value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
  const textOf = (name: string) => {
    const found = record[name];
    return typeof found === 'string' && found !== '' && found.length <= 200 ? found : null;
  };
  const index = record['messageIndex'];
  return {
    campaignId: textOf('campaignId'),
    subTaskKey: textOf('subTaskKey'),
    messageIndex: typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < 5 ? index : null,
    bizEventCode: textOf('bizEventCode'),
    sourceId: textOf('sourceId'),
  };
}

/**
 * The message a click belongs to if its data does not say: the one whose button at this index has this url, else
 * the only one with a button of this type at this index.
 */
export function findMessageIndex(
  sent: SentMessages,
  click: { actionIndex: number; type: Action['type']; url: string | null },
): number | null {
  if (click.type === 'Url' && click.url !== null) {
    const [byUrl] = clickedLinks(sent, { ...click, url: click.url });
    if (byUrl) return byUrl.messageIndex;
  }
  const [first, ...more] = actionsOf(sent.messages).filter(
    ({ actionIndex, action }) => actionIndex === click.actionIndex && action.type === click.type,
  );
  return more.length === 0 ? (first?.messageIndex ?? null) : null;
}

/** The url of a Url button, for clicks that arrive without it. */
export function findActionUrl(
  messages: readonly Message[],
  messageIndex: number | null,
  actionIndex: number,
): string | null {
  const found = actionsOf(messages).find(
    (place) => place.messageIndex === messageIndex && place.actionIndex === actionIndex,
  );
  return found?.action.type === 'Url' ? found.action.url : null;
}

/** The address of a click as it is written in its button; one that is of no button stays as it is. */
export function writtenUrl(
  sent: SentMessages,
  click: { messageIndex: number | null; actionIndex: number; url: string },
): string {
  const found = clickedLinks(sent, click);
  const its = found.find(({ messageIndex }) => messageIndex === click.messageIndex);
  return (its ?? found[0])?.written ?? click.url;
}
