import { refDebounced } from '@vueuse/core';
import { computed, ref } from 'vue';
import { useCampaigns } from '#web/api/queries/campaigns.ts';
import { useCampaignNames } from '#web/api/queries/rules.ts';

/**
 * The campaigns of a service number to choose from, drafts only if they are wanted, as a search term finds them. What is chosen comes
 * first, even where the search does not find it.
 */
export function useCampaignItems(
  serviceNumberId: () => string | undefined,
  chosen: () => string[],
  { drafts = false }: { drafts?: boolean } = {},
) {
  const term = ref('');
  const q = refDebounced(term, 200);
  const { data, isFetching } = useCampaigns(() => ({ serviceNumberId: serviceNumberId(), q: q.value.trim() }));
  const names = useCampaignNames(chosen);
  const nameOf = (id: string) => names.value.get(id) ?? id;
  const items = computed(() => {
    const found = (data.value?.items ?? [])
      .filter(({ status }) => drafts || status !== 'draft')
      .map(({ id, name }) => ({ value: id, label: name }));
    const others = chosen().filter((id) => !found.some(({ value }) => value === id));
    return [...others.map((id) => ({ value: id, label: nameOf(id) })), ...found];
  });
  return { term, items, isFetching, nameOf };
}
