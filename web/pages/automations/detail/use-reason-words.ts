import { useI18n } from 'vue-i18n';
import { useFormat } from '#web/composables/use-format.ts';

/** Why entries and steps are skipped, in words. */
export function useReasonWords() {
  const { t, te } = useI18n();
  const { number, tag } = useFormat();

  /** A reason that is not worded here stays as it is. */
  function reasonOf(reason: string | null): string {
    if (reason === null) return '';
    return te(`automations.reason.${reason}`) ? t(`automations.reason.${reason}`) : reason;
  }
  /** How many for which reason, most first. */
  function reasonsOf(skipped: Record<string, number>): string {
    const parts = Object.entries(skipped)
      .toSorted(([, a], [, b]) => b - a)
      .map(([reason, count]) => t('automations.reasonCount', { reason: reasonOf(reason), count: number(count) }));
    return new Intl.ListFormat(tag.value, { type: 'unit' }).format(parts);
  }
  return { reasonOf, reasonsOf };
}
