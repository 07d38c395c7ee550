import { z } from 'zod';
import { SandboxError } from '#sandbox/http/route.ts';

const httpUrl = z.url({ protocol: /^https?$/ });

const action = z
  .looseObject({
    type: z.enum(['Postback', 'Url']),
    label: z.string().min(1),
    data: z.string().optional(),
    url: httpUrl.optional(),
    title: z.string().optional(),
    text: z.string().optional(),
    imageUrl: httpUrl.optional(),
    displayText: z.string().optional(),
    isDefault: z.boolean().optional(),
  })
  .refine((one) => one.type !== 'Url' || one.url !== undefined, { path: ['url'], message: 'a Url action needs a url' });

const card = z.looseObject({
  type: z.literal('buttons'),
  title: z.string().min(1),
  text: z.string(),
  image: httpUrl.optional(),
  actions: z.array(action).max(20),
});
const message = z.discriminatedUnion('type', [
  card,
  z.looseObject({ type: z.literal('text'), text: z.string().min(1) }),
  z.looseObject({ type: z.literal('image'), url: httpUrl }),
  z.looseObject({ type: z.literal('file'), url: httpUrl, name: z.string().min(1) }),
]);

export type Action = z.infer<typeof action>;
export type Message = z.infer<typeof message>;

export const broadcastSchema = z.object({
  name: z.string().min(1),
  note: z.string().nullish(),
  channels: z.array(z.string().min(1)).min(1),
  messages: z.array(message).min(1).max(5),
  audience: z.discriminatedUnion('type', [
    z.object({ type: z.literal('contacts'), contactIds: z.array(z.string().min(1)).min(1) }),
    z.object({
      type: z.literal('tags'),
      tagIds: z.array(z.string().min(1)).min(1),
      tagOperator: z.enum(['AND', 'OR']),
    }),
  ]),
  schedule: z.discriminatedUnion('type', [
    z.object({ type: z.literal('immediate') }),
    z.object({ type: z.literal('scheduled'), at: z.iso.datetime({ offset: true }) }),
  ]),
});

export type Broadcast = z.infer<typeof broadcastSchema>;

/** The part of a Postback's data that the platform reads; everything else in it belongs to the application. */
export interface Postback {
  appId: string;
  event: 'Broadcast' | 'InboundReason';
  sourceId?: string;
}

const postbackSchema = z.looseObject({
  appId: z.string(),
  event: z.enum(['Broadcast', 'InboundReason']),
  sourceId: z.string().optional(),
});

/** Parses a Postback's data; returns a string with the reason if it is invalid. */
export function parsePostback(data: string | undefined): Postback | string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(data ?? '');
  } catch {
    return 'data is not valid JSON';
  }
  const result = postbackSchema.safeParse(parsed);
  if (!result.success) return `data.${result.error.issues[0]?.path.join('.') ?? ''} is missing or unknown`;
  const { appId, event, sourceId } = result.data;
  return { appId, event, ...(sourceId === undefined ? {} : { sourceId }) };
}

/**
 * Checks every Postback of the messages, S0 "Postback data top-level fields".
 * @throws Refusal 422 `invalid_postback`
 */
export function assertPostbacks(messages: Message[], appId: string, sourceExists: (sourceId: string) => boolean): void {
  messages.forEach((one, messageIndex) => {
    if (one.type !== 'buttons') return;
    one.actions.forEach((button, actionIndex) => {
      const reason = button.type === 'Postback' ? postbackFault(button.data, appId, sourceExists) : null;
      if (!reason) return;
      throw new SandboxError(422, 'invalid_postback', `/messages/${messageIndex}/actions/${actionIndex}: ${reason}`);
    });
  });
}

function postbackFault(
  data: string | undefined,
  appId: string,
  sourceExists: (sourceId: string) => boolean,
): string | null {
  const postback = parsePostback(data);
  if (typeof postback === 'string') return postback;
  if (postback.appId !== appId) return 'data.appId is not the application';
  if (postback.event !== 'InboundReason') return null;
  if (!postback.sourceId) return 'data.sourceId is missing';
  return sourceExists(postback.sourceId) ? null : 'data.sourceId is not an entry source';
}
