import { useMutation } from '@tanstack/vue-query';
import { useI18n } from 'vue-i18n';
import type { Repeat } from '#domain/api/repeats.ts';
import { call } from '#web/api/index.ts';
import { useForgetRepeats } from '#web/api/queries/repeats.ts';
import { useProblemToast } from '#web/composables/use-problem-toast.ts';
import { useUndoToast } from '#web/composables/use-undo-toast.ts';

/** Pauses an active repeat or resumes a paused one immediately, with an undo. */
export function usePauseRepeat() {
  const { t } = useI18n();
  const report = useProblemToast();
  const offerUndo = useUndoToast();
  const forget = useForgetRepeats();

  async function set(repeatId: string, active: boolean): Promise<void> {
    await call(active ? 'resumeRepeat' : 'pauseRepeat', { params: { repeatId } });
    await forget();
  }
  const notDone = (wasActive: boolean) => (wasActive ? t('repeats.notPaused') : t('repeats.notResumed'));

  return useMutation({
    mutationFn: ({ repeatId, status }: Repeat) => set(repeatId, status !== 'active'),
    onSuccess: (_, { repeatId, name, status }) => {
      const wasActive = status === 'active';
      offerUndo({
        done: wasActive ? t('repeats.paused', { name }) : t('repeats.resumed', { name }),
        undo: () => set(repeatId, wasActive),
        notUndone: notDone(!wasActive),
      });
    },
    onError: (error, { status }) => report(notDone(status === 'active'), error),
  });
}
