import { z } from 'zod';
import { httpUrl, jsonObject, label, text } from './primitives.ts';

const optionalActionFields = {
  title: text(200).optional(),
  text: text(1000).optional(),
  imageUrl: httpUrl.optional(),
  displayText: text(200).optional(),
  isDefault: z.boolean().optional(),
};

/**
 * What an operator may write into a Postback: an object, or its JSON text. Reserved fields are overwritten on
 * send.
 */
export const postbackActionSchema = z.object({
  type: z.literal('Postback'),
  label: label(100),
  data: z.union([text(4000), jsonObject]).optional(),
  ...optionalActionFields,
});

export const urlActionSchema = z.object({
  type: z.literal('Url'),
  label: label(100),
  url: httpUrl,
  tracked: z.boolean().optional().meta({
    description: 'False: the link is sent exactly as it is written, without UTM parameters and a click token.',
  }),
  ...optionalActionFields,
});

export const actionSchema = z.discriminatedUnion('type', [postbackActionSchema, urlActionSchema]);

export const messageSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('buttons'),
    title: label(200),
    text: label(2000),
    image: httpUrl.optional(),
    actions: z.array(actionSchema).min(1).max(10),
  }),
  z.object({ type: z.literal('text'), text: label(5000) }),
  z.object({ type: z.literal('image'), url: httpUrl }),
  z.object({ type: z.literal('file'), url: httpUrl, name: label(255) }),
]);

/** One to five messages make a broadcast (S0, Limits). */
export const messagesSchema = z.array(messageSchema).min(1).max(5);

export type Action = z.infer<typeof actionSchema>;
export type PostbackAction = z.infer<typeof postbackActionSchema>;
export type UrlAction = z.infer<typeof urlActionSchema>;
export type Message = z.infer<typeof messageSchema>;
