import { useMutation } from '@tanstack/vue-query';
import { useI18n } from 'vue-i18n';
import type { Automation } from '#domain/api/automations.ts';
import { call } from '#web/api/index.ts';
import { useForgetAutomations } from '#web/api/queries/automations.ts';
import { useProblemToast } from '#web/composables/use-problem-toast.ts';
import { useUndoToast } from '#web/composables/use-undo-toast.ts';

/** Pauses what is active or resumes what is paused immediately, with an undo. */
export function usePauseAutomation() {
  const { t } = useI18n();
  const report = useProblemToast();
  const offerUndo = useUndoToast();
  const forget = useForgetAutomations();

  async function set(automationId: string, active: boolean): Promise<void> {
    await call(active ? 'resumeAutomation' : 'pauseAutomation', { params: { automationId } });
    await forget();
  }
  const notDone = (wasActive: boolean) => (wasActive ? t('automations.notPaused') : t('automations.notResumed'));

  return useMutation({
    mutationFn: ({ automationId, status }: Automation) => set(automationId, status !== 'active'),
    onSuccess: (_, { automationId, name, status }) => {
      const wasActive = status === 'active';
      offerUndo({
        done: wasActive ? t('automations.paused', { name }) : t('automations.resumed', { name }),
        undo: () => set(automationId, wasActive),
        notUndone: notDone(!wasActive),
      });
    },
    onError: (error, { status }) => report(notDone(status === 'active'), error),
  });
}
