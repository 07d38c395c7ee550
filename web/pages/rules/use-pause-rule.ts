import { useMutation } from '@tanstack/vue-query';
import { useI18n } from 'vue-i18n';
import type { Rule, RuleStatus } from '#domain/api/rules.ts';
import { patchRule, useForgetRules } from '#web/api/queries/rules.ts';
import { useProblemToast } from '#web/composables/use-problem-toast.ts';
import { useUndoToast } from '#web/composables/use-undo-toast.ts';

/** Pauses an active rule or resumes a paused one immediately, with an undo. */
export function usePauseRule() {
  const { t } = useI18n();
  const report = useProblemToast();
  const offerUndo = useUndoToast();
  const forget = useForgetRules();

  async function set(rule: Pick<Rule, 'ruleId' | 'etag'>, status: RuleStatus): Promise<Rule> {
    const changed = await patchRule(rule, { status });
    await forget();
    return changed;
  }

  return useMutation({
    mutationFn: (rule: Rule) => set(rule, rule.status === 'active' ? 'paused' : 'active'),
    onSuccess: (changed, { name, status }) => {
      const wasActive = status === 'active';
      offerUndo({
        done: wasActive ? t('rules.paused', { name }) : t('rules.resumed', { name }),
        undo: () => set(changed, status),
        notUndone: wasActive ? t('rules.notResumed') : t('rules.notPaused'),
      });
    },
    onError: (error, { status }) => report(status === 'active' ? t('rules.notPaused') : t('rules.notResumed'), error),
  });
}
