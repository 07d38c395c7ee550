import { useI18n } from 'vue-i18n';
import { useProblemToast } from './use-problem-toast.ts';
import { useToasts } from './use-toasts.ts';

/** An edit that was made already and can be undone. */
export interface UndoableEdit {
  /** What happened, as a sentence: “Archived “Regulars”.” */
  done: string;
  /** Undoes it and refreshes the page. */
  undo: () => Promise<unknown>;
  /** The message where undoing fails. */
  notUndone: string;
}

const lastsMs = 10_000;

/**
 * Shows that an edit was made, with a button to undo it, for ten seconds (longer while somebody points at it). Returns
 * the toast's id, to dismiss it once the edit can no longer be undone.
 */
export function useUndoToast(): (edit: UndoableEdit) => number {
  const { t } = useI18n();
  const report = useProblemToast();
  const { addToast } = useToasts();
  return ({ done, undo, notUndone }) => {
    const run = () => void undo().catch((error: unknown) => report(notUndone, error));
    return addToast({ kind: 'success', title: done, lastsMs, action: { label: t('toast.undo'), run } });
  };
}
