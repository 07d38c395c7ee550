import { useI18n } from 'vue-i18n';
import type { FieldError } from '../../../domain/api/problem.ts';
import { fieldErrorCodes, schemaErrorCodes } from '../../../domain/field-errors.ts';
import { ApiProblem } from '../../api/http/problem.ts';
import { useFormat } from '../../composables/use-format.ts';
import { pointerParts, useFieldPath } from './use-field-path.ts';

/** One refused field in the reader's language; `said` is the server's own text where its code has no words. */
export interface InvalidField {
  /** Empty where the whole is refused. */
  place: string;
  /** Place and reason. */
  words: string | null;
  said: string | null;
}

const told = new Set<string>([...Object.keys(fieldErrorCodes), ...schemaErrorCodes]);

/** What is known of a failure in the reader's language, and apart from it what the server said in English. */
export function useProblemLabels() {
  const { t } = useI18n();
  const { number } = useFormat();
  const placeOf = useFieldPath();

  function fieldOf({ path, message, code, params = {} }: FieldError): InvalidField {
    const place = placeOf(pointerParts(path));
    if (code === undefined || !told.has(code)) return { place, words: null, said: message };
    const limits = Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, typeof value === 'number' ? number(value) : value]),
    );
    const words = t(`problem.field.${code}`, limits);
    return { place, words: place === '' ? words : t('problem.refused', { field: place, words }), said: null };
  }

  return (error: unknown) => {
    const problem = error instanceof ApiProblem ? error : null;
    const code = problem?.code ?? 'defect';
    return {
      code,
      kind: t(`problem.${code}.title`),
      advice: problem?.words ?? t(`problem.${code}.advice`),
      said: problem?.detail || null,
      fields: (problem?.errors ?? []).map(fieldOf),
      requestId: problem?.requestId ?? null,
    };
  };
}
