import { z } from 'zod';
import { messageSchema } from './messages.ts';
import { operation } from './operation.ts';
import { httpUrl, label, platformId } from './primitives.ts';

/** An operator's brief for the card to be written. */
export const copyBriefSchema = z
  .object({
    brief: label(2000).describe('What the message should say, and to whom'),
    serviceNumberId: platformId.optional().describe('In whose name the text speaks'),
    language: label(35).optional().describe('BCP 47, for example zh-Hant-TW; defaults to the language of the brief'),
    tone: label(100).optional(),
    count: z.int().min(1).max(5).default(3).describe('How many drafts'),
    buttons: z.int().min(1).max(3).default(1).describe('Buttons on each card'),
    url: httpUrl.optional().describe('The target of the buttons; without it they are Postbacks'),
  })
  .meta({ id: 'CopyBrief' });
export type CopyBrief = z.infer<typeof copyBriefSchema>;

export const copyDraftsSchema = z.object({ drafts: z.array(messageSchema).min(1).max(5) }).meta({ id: 'CopyDrafts' });
export type CopyDrafts = z.infer<typeof copyDraftsSchema>;

/**
 * Served by the backend under `/internal/v1` and by the BFF under `/api`, in both only while the Tool API is
 * enabled.
 */
export const aiOperations = {
  writeCopy: operation({
    method: 'post',
    path: '/ai/copywriting',
    tag: 'ai',
    summary: 'Has drafts of a card written; they can be used in a campaign as they are',
    access: 'write',
    body: copyBriefSchema,
    status: 200,
    response: copyDraftsSchema,
    errors: ['phase_2', 'invalid_state', 'invalid_content', 'rate_limited'],
  }),
};
