import { useI18n } from 'vue-i18n';
import type { SavedAudience } from '#domain/api/audiences.ts';
import { useFormat } from '#web/composables/use-format.ts';

type Filter = Pick<SavedAudience, 'appTagIds' | 'excludeTagIds'> & { tagOperator: 'AND' | 'OR' | null };

/** A tag filter as a sentence: “Contacts tagged A and B, but not C”. */
export function useFilterLabels(): (filter: Filter, nameOf: (tagId: string) => string) => string {
  const { t } = useI18n();
  const { tag } = useFormat();
  return ({ appTagIds, tagOperator, excludeTagIds }, nameOf) => {
    const list = (ids: string[], type: 'conjunction' | 'disjunction') =>
      new Intl.ListFormat(tag.value, { type }).format(ids.map(nameOf));
    const tags = list(appTagIds, tagOperator === 'AND' ? 'conjunction' : 'disjunction');
    if (excludeTagIds.length === 0) return t('review.tagged', { tags });
    return t('review.taggedWithout', { tags, without: list(excludeTagIds, 'disjunction') });
  };
}
