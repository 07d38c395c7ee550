import { useI18n } from 'vue-i18n';
import type { FieldError } from '../../domain/api/problem.ts';
import { type FieldRefusal, fieldRefusals } from '../../domain/field-refusals.ts';
import { ApiProblem } from '../api/problem.ts';

/** One refused field in the reader's language; `said` is the server's own text where it adds something. */
export interface RefusedField {
  path: string;
  words: string | null;
  said: string | null;
}

const isRefusal = (code: string | undefined): code is FieldRefusal => code !== undefined && code in fieldRefusals;

/** What is known of a failure in the reader's language, and apart from it what the server said in English. */
export function useProblemWords() {
  const { t } = useI18n();

  function fieldOf({ path, message, code }: FieldError): RefusedField {
    if (!isRefusal(code)) return { path, words: null, said: message };
    return { path, words: t(`problem.field.${code}`), said: message === fieldRefusals[code] ? null : message };
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
