import { useI18n } from 'vue-i18n';
import { isUnanswered } from '../api/http/kept-keys.ts';
import { ApiProblem } from '../api/http/problem.ts';
import { useProblemLabels } from '../components/feedback/use-problem-labels.ts';
import { useToasts } from './use-toasts.ts';

/** Reports a failed action in a toast that stays until dismissed and lets one copy the request id. */
export function useProblemToast(): (title: string, error: unknown) => void {
  const { t } = useI18n();
  const labelsOf = useProblemLabels();
  const { addToast } = useToasts();
  return (title, error) => {
    const { kind, advice, fields, reported, requestId } = labelsOf(error);
    const inEnglish = [reported, ...fields.map((field) => field.reported)].filter(Boolean).join(' ');
    const what = isUnanswered(error) ? t('problem.unknown.advice') : advice;
    const lines = [kind, what, ...fields.map(({ text }) => text), inEnglish, requestId].flatMap((line) => line || []);
    addToast({
      kind: 'error',
      title: isUnanswered(error) ? t('problem.unknown.title') : title,
      lines: [...new Set(lines)],
      ...(requestId && {
        action: { label: t('problem.copyRequestId'), run: () => void navigator.clipboard.writeText(requestId) },
      }),
    });
    // Anything else is a bug, which must not vanish into a toast.
    if (!(error instanceof ApiProblem)) reportError(error);
  };
}
