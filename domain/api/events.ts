import { z } from 'zod';
import { withoutClickToken } from '../campaigns/revenue/tracked-link.ts';
import { eventTriggers } from '../rules/triggers.ts';
import { describedObject, describedText } from './described.ts';
import {
  jsonObject,
  label,
  platformId,
  platformTimestamp,
  receivedId,
  receivedName,
  text,
  timestamp,
} from './primitives.ts';
import { canonical } from '../json-text.ts';
import { traceParentPattern } from '../tracing.ts';

export const contactEventTypes = [
  'contact.entered',
  'contact.followed',
  'contact.unfollowed',
  'contact.unsubscribed',
  'contact.resubscribed',
  'contact.updated',
] as const;

/** Event types that are stored and handled; all others are discarded (S0, Events 5). */
export const handledEventTypes = [...eventTriggers, ...contactEventTypes] as const;
export type HandledEventType = (typeof handledEventTypes)[number];

const scope = z.object({ serviceNumberId: receivedId.nullish() }).nullish();

/** The largest number of a column of type integer. */
const LARGEST_INTEGER = 2_147_483_647;

/** Only the envelope; `data` is validated per type, and only for the types that are handled. */
export const envelopeSchema = z.object({
  eventId: receivedId,
  eventType: label(64),
  occurredAt: platformTimestamp,
  scope,
  data: z.record(z.string(), z.unknown()),
});
export type Envelope = z.infer<typeof envelopeSchema>;

export const noticeClickedSchema = z.object({
  taskId: receivedId,
  noticeId: receivedId,
  actionIndex: z.int().min(0).max(1000),
  action: z.object({
    type: z.enum(['Postback', 'Url']),
    data: z.union([text(8000), jsonObject]).nullish(),
    /** As the operator wrote it: the click token of the link that was sent says nothing about the click. */
    url: text(4096).transform(withoutClickToken).nullish(),
  }),
  contactId: receivedId,
  serviceNumberId: receivedId.nullish(),
  clickedAt: platformTimestamp,
});
export type NoticeClicked = z.infer<typeof noticeClickedSchema>;

export const sessionCreatedSchema = z.object({
  sessionId: receivedId,
  sourceId: receivedId.nullish(),
  contactId: receivedId,
  serviceNumberId: receivedId.nullish(),
  channel: describedText(64),
  entryReason: z
    .object({
      type: describedText(64),
      name: describedText(500),
      id: receivedName.nullish(),
      data: describedObject,
    })
    .nullish(),
});
export type SessionCreated = z.infer<typeof sessionCreatedSchema>;

export const sessionClosedSchema = z.object({
  sessionId: receivedId,
  sourceId: receivedId.nullish(),
  closedAt: platformTimestamp,
  /** Duration in seconds. */
  summary: z.looseObject({
    duration: z.number().min(0).max(Number.MAX_SAFE_INTEGER),
    messageCount: z.int().min(0).max(LARGEST_INTEGER),
    agentId: receivedName.nullish(),
  }),
});
export type SessionClosed = z.infer<typeof sessionClosedSchema>;

export const contactEventSchema = z.object({
  contactId: receivedId,
  serviceNumberId: receivedId,
  displayName: describedText(500),
  channel: describedText(64),
  language: describedText(64),
  region: describedText(64),
  attributes: describedObject,
});
export type ContactEvent = z.infer<typeof contactEventSchema>;

/** The schema of each handled type's `data`. */
export const eventDataSchemas: Record<HandledEventType, z.ZodType> = {
  'notice.clicked': noticeClickedSchema,
  'session.created': sessionCreatedSchema,
  'session.closed': sessionClosedSchema,
  'contact.entered': contactEventSchema,
  'contact.followed': contactEventSchema,
  'contact.unfollowed': contactEventSchema,
  'contact.unsubscribed': contactEventSchema,
  'contact.resubscribed': contactEventSchema,
  'contact.updated': contactEventSchema,
};

const describing: Partial<Record<HandledEventType, string[][]>> = {
  'session.created': [['channel'], ['entryReason', 'type'], ['entryReason', 'name'], ['entryReason', 'data']],
  ...Object.fromEntries(
    contactEventTypes.map((type) => [
      type,
      ['displayName', 'channel', 'language', 'region', 'attributes'].map((name) => [name]),
    ]),
  ),
};

const memberOf = (value: unknown, path: string[]): unknown =>
  path.reduce<unknown>((part, name) => (part as Record<string, unknown> | null | undefined)?.[name], value);

/** What of an event's data is not stored as it came, as JSON pointers: of text that only describes, what could not be. */
export function repairedFields(eventType: HandledEventType, data: unknown): string[] {
  const read = eventDataSchemas[eventType].safeParse(data);
  if (!read.success) return [];
  return (describing[eventType] ?? [])
    .filter((path) => canonical(memberOf(data, path) ?? null) !== canonical(memberOf(read.data, path) ?? null))
    .map((path) => `/${path.join('/')}`);
}

/** The normalised command that the BFF sends to the backend's intake for one verified event. */
export const intakeCommandSchema = z.object({
  tenantIntegrationId: platformId,
  eventId: platformId,
  eventType: z.enum(handledEventTypes),
  occurredAt: timestamp,
  serviceNumberId: platformId.nullable(),
  /** The event's `data` as JSON text, verbatim. */
  payload: z.string().max(1_048_576),
  /** Where it belongs in a trace, if there are traces. */
  traceParent: z.string().regex(traceParentPattern).optional(),
});
export type IntakeCommand = z.infer<typeof intakeCommandSchema>;
