import { draftFields, fieldNames } from './draft/draft.ts';

export const steps = ['message', 'audience', 'when', 'review'] as const;
export type Step = (typeof steps)[number];

/** The step on which a place of the draft is edited. */
export function stepOf(at: string): Step {
  const [name] = at.split('/');
  const field = fieldNames.find((one) => one === name);
  return field ? draftFields[field].step : 'message';
}
