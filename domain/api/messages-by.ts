import { z } from 'zod';
import { CASES, VALUES_PER_CASE } from '../campaigns/cases/limits.ts';
import { messagesSchema } from './messages.ts';
import { label } from './primitives.ts';

/** By which field of its profile a contact gets its messages. */
export const caseFieldSchema = z.union([
  z.enum(['language', 'region', 'channel']),
  z.strictObject({ attribute: label(256) }),
]);
export type CaseField = z.infer<typeof caseFieldSchema>;

const caseSchema = z.object({
  /** Compared whole, without case; each is in one case only. */
  values: z.array(label(1000)).min(1).max(VALUES_PER_CASE),
  messages: messagesSchema,
});
export type MessageCase = z.infer<typeof caseSchema>;

/** Messages by a field of the contact's profile, as it is when the contact is put into a sub-task. */
export const messagesBySchema = z.object({
  field: caseFieldSchema,
  cases: z.array(caseSchema).min(1).max(CASES),
  /** What those get whose value is in no case, or who have none; `skip`: nothing is sent to them. */
  otherwise: z.union([messagesSchema, z.literal('skip')]),
});
export type MessagesBy = z.infer<typeof messagesBySchema>;

/** The number of a case, from 0. */
export const caseNameSchema = z.union([z.int(), z.literal('otherwise')]);
export type CaseName = z.infer<typeof caseNameSchema>;

/** Exactly one of the two; null means that the other is there. */
export const messageChoice = {
  messages: messagesSchema.nullable().optional(),
  messagesBy: messagesBySchema.nullable().optional(),
};

/** The same as returned: both are present. */
export const shownChoice = { messages: messagesSchema.nullable(), messagesBy: messagesBySchema.nullable() };

/** Refuses content without either. With both it is refused where its other rules are checked. */
export function needsMessages({ value, issues }: z.core.ParsePayload<{ messages?: unknown; messagesBy?: unknown }>) {
  if ((value.messages ?? value.messagesBy ?? null) !== null) return;
  issues.push({
    code: 'custom',
    input: value,
    path: ['messages'],
    message: 'is needed, or messagesBy',
    params: { code: 'wrong_kind' },
  });
}
