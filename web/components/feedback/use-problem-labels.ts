import { useI18n } from 'vue-i18n';
import type { FieldError } from '#domain/api/problem.ts';
import { ApiProblem } from '#web/api/http/problem.ts';
import { useFormat } from '#web/composables/use-format.ts';
import { pointerParts, useFieldPath } from './use-field-path.ts';

/** One invalid field in the reader's language; `reported` is the server's own text where its code has no label. */
export interface InvalidField {
  /** Empty where the whole body is invalid. */
  place: string;
  /** Place and reason. */
  text: string | null;
  reported: string | null;
}

/** What is known about a failure in the reader's language and, separately, what the server reported in English. */
export function useProblemLabels() {
  const { t, te } = useI18n();
  const { number } = useFormat();
  const placeOf = useFieldPath();

  function fieldOf({ path, message, code, params = {} }: FieldError): InvalidField {
    const place = placeOf(pointerParts(path));
    // A test has each code labelled, so a page need not load the server's own texts to know which are.
    if (code === undefined || !te(`problem.field.${code}`)) return { place, text: null, reported: message };
    const limits = Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, typeof value === 'number' ? number(value) : value]),
    );
    const reason = t(`problem.field.${code}`, limits);
    const text = place === '' ? reason : t('problem.refused', { field: place, words: reason });
    return { place, text, reported: null };
  }

  return (error: unknown) => {
    const problem = error instanceof ApiProblem ? error : null;
    const code = problem?.code ?? 'defect';
    return {
      code,
      kind: t(`problem.${code}.title`),
      advice: problem?.words ?? t(`problem.${code}.advice`),
      reported: problem?.detail || null,
      fields: (problem?.errors ?? []).map(fieldOf),
      requestId: problem?.requestId ?? null,
    };
  };
}
