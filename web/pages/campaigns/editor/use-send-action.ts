import { computed, type ComputedRef, type Ref } from 'vue';
import { useI18n } from 'vue-i18n';
import type { AudiencePreview } from '#domain/api/audiences.ts';
import { useMe } from '#web/api/queries/integration.ts';
import { usePageActions } from '#web/composables/use-page-actions.ts';
import type { Draft } from './draft/draft.ts';
import { useSendLabel } from './review/use-send-label.ts';

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
  const { canWrite } = useMe();
  const reachable = computed(() => (isReady.value ? (preview.value?.reachableCount ?? 0) : 0));
  const sendLabel = useSendLabel(
    () => draft.value,
    () => reachable.value,
  );
  const label = computed(() => (reachable.value === 0 ? t('palette.review') : sendLabel.value));

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
