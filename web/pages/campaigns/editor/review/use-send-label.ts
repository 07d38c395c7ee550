import { computed, type ComputedRef } from 'vue';
import { useI18n } from 'vue-i18n';
import { useFormat } from '#web/composables/use-format.ts';
import type { Draft } from '../draft/draft.ts';
import { splitOf } from '../draft/holdout.ts';

/** "Send to 1,000 contacts", with the size of the control group; scheduled ones are not sent now. */
export function useSendLabel(
  draft: () => Pick<Draft, 'start' | 'holdout'>,
  reachable: () => number,
): ComputedRef<string> {
  const { t } = useI18n();
  const { number } = useFormat();
  return computed(() => {
    const { start, holdout } = draft();
    const split = splitOf(reachable(), holdout);
    if (!split) return t(start ? 'review.schedule' : 'review.send', { count: number(reachable()) }, reachable());
    const words = { count: number(split.sent), held: number(split.held) };
    return t(start ? 'review.scheduleHolding' : 'review.sendHolding', words, split.sent);
  });
}
