import type { MaybeRefOrGetter } from 'vue';
import { toValue } from 'vue';
import { useI18n } from 'vue-i18n';
import type { SavedAudience } from '#domain/api/audiences.ts';
import { useSegmentSentence } from './segment/use-segment-sentence.ts';
import { useFilterLabels } from './use-filter-labels.ts';

/** Who is in each of these saved audiences, in words. */
export function useWhoLabels(
  audiences: MaybeRefOrGetter<readonly SavedAudience[]>,
  tagName: (tagId: string) => string,
) {
  const { t } = useI18n();
  const filterLabels = useFilterLabels();
  const segments = () => toValue(audiences).flatMap(({ segment }) => (segment ? [segment] : []));
  const sentence = useSegmentSentence(segments, tagName);
  return {
    labelOf(audience: SavedAudience): string {
      if (audience.segment) return sentence.value(audience.segment);
      return audience.type === 'contacts' ? t('audiences.type.contacts') : filterLabels(audience, tagName);
    },
  };
}
