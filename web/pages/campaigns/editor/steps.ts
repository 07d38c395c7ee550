import type { FieldName } from './draft/fields.ts';

export const steps = ['message', 'audience', 'when', 'review'] as const;
export type Step = (typeof steps)[number];

const stepOfField: Record<FieldName, Step> = {
  name: 'message',
  note: 'message',
  messages: 'message',
  audience: 'audience',
  schedule: 'when',
  endsAt: 'when',
};

/** The step on which a place of the draft is edited. */
export function stepOf(at: string): Step {
  return stepOfField[at.split('/')[0] as FieldName] ?? 'message';
}
