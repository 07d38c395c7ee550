import { type Draft, draftFields, type FieldName, fieldNames, newDraft, valueOf } from './draft/draft.ts';

export const steps = ['message', 'audience', 'when', 'following', 'review'] as const;
export type Step = (typeof steps)[number];

/** The steps of a draft on which something was entered: the others hold what a new draft begins with. */
export function filledSteps(draft: Draft): Step[] {
  const written = (of: Draft, field: FieldName) => JSON.stringify(draftFields[field].write(valueOf(of, field)));
  const initial = newDraft();
  return steps.filter((step) =>
    fieldNames.some((field) => draftFields[field].step === step && written(draft, field) !== written(initial, field)),
  );
}

/** The step on which a place of the draft is edited. */
export function stepOf(at: string): Step {
  const [name] = at.split('/');
  const field = fieldNames.find((one) => one === name);
  return field ? draftFields[field].step : 'message';
}
