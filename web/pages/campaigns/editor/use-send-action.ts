import { computed, type ComputedRef, type Ref } from 'vue';
import { useI18n } from 'vue-i18n';
import type { AudiencePreview } from '../../../../domain/api/audiences.ts';
import { useMe } from '../../../api/queries/integration.ts';
import { useFormat } from '../../../composables/use-format.ts';
import { usePageActions } from '../../../composables/use-page-actions.ts';
import type { Draft } from './draft/draft.ts';

interface Edited {
  draft: Ref<Draft>;
  preview: ComputedRef<AudiencePreview | undefined>;
  /** The draft is stored and checked, its audience counted, and nothing is left to fix. */
  isReady: ComputedRef<boolean>;
  /** Somebody has to approve it as it is. */
  isLocked: ComputedRef<boolean>;
  /** Shows the last step. */
  review: () => void;
  /** Asks for confirmation. */
  ask: () => Promise<void>;
}

/** Sending, in the palette: always by way of the review, which says what to fix and warns. */
export function useSendAction({ draft, preview, isReady, isLocked, review, ask }: Edited): void {
  const { t } = useI18n();
  const { number } = useFormat();
  const { canWrite } = useMe();
  const reachable = computed(() => (isReady.value ? (preview.value?.reachableCount ?? 0) : 0));
  const label = computed(() => {
    if (reachable.value === 0) return t('palette.review');
    const key = draft.value.start ? 'review.schedule' : 'review.send';
    return t(key, { count: number(reachable.value) }, reachable.value);
  });

  usePageActions(() => {
    if (!canWrite.value || isLocked.value) return [];
    const icon = draft.value.start ? 'i-lucide-calendar-clock' : 'i-lucide-send';
    const run = () => {
      review();
      if (reachable.value > 0) void ask();
    };
    return [{ id: 'send', label: label.value, icon, run }];
  });
}
