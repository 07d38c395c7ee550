import { useI18n } from 'vue-i18n';
import { useProblemToast } from './use-problem-toast.ts';
import { useToasts } from './use-toasts.ts';

/** An edit that is done already and can be taken back. */
export interface UndoableEdit {
  /** What happened, as a sentence: “Archived “Regulars”.” */
  done: string;
  /** Takes it back and brings the page up to date. */
  undo: () => Promise<unknown>;
  /** What is said where taking it back fails. */
  notUndone: string;
}

const lastsMs = 10_000;

/**
 * Tells of an edit that was done at once, with the way back, for ten seconds (longer while somebody points at it). Gives
 * the toast's id, for an edit that cannot be taken back any longer.
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
