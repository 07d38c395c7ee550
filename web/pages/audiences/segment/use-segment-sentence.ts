import { computed, toValue, type ComputedRef, type MaybeRefOrGetter } from 'vue';
import { useI18n } from 'vue-i18n';
import type { Segment } from '#domain/api/segments.ts';
import { useAudienceNames } from '#web/api/queries/audiences.ts';
import { useCampaignsById } from '#web/api/queries/campaigns.ts';
import { useFormat } from '#web/composables/use-format.ts';
import { namedCampaigns, namedLists, segmentSentence } from './segment-sentence.ts';

/** Says any of these segments in the chosen language, with the names of their campaigns, tags and lists. */
export function useSegmentSentence(
  segments: MaybeRefOrGetter<readonly Segment[]>,
  tagName: (tagId: string) => string,
): ComputedRef<(segment: Segment) => string> {
  const { t } = useI18n();
  const { number, tag } = useFormat();
  const campaigns = useCampaignsById(computed(() => [...new Set(toValue(segments).flatMap(namedCampaigns))]));
  const lists = useAudienceNames(computed(() => [...new Set(toValue(segments).flatMap(namedLists))]));
  return computed(() => {
    const list = new Intl.ListFormat(tag.value, { type: 'disjunction' });
    const words = {
      t: (key: string, named: Record<string, unknown>, plural = 1) => t(key, named, plural),
      number,
      oneOf: (names: string[]) => list.format(names),
      tagName,
      listName: (id: string) => lists.value.get(id) ?? id,
      campaigns: campaigns.value,
    };
    return (segment) => segmentSentence(segment, words);
  });
}
