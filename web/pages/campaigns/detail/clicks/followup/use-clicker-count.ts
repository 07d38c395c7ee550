import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import { useResults } from '#web/api/queries/campaigns.ts';
import type { ClickFilter } from '../click-filter.ts';

/** How many contacts the filtered clicks are of; undefined until known, or where no figure says it. */
export function useClickerCount(id: MaybeRefOrGetter<string>, filter: MaybeRefOrGetter<ClickFilter>) {
  const { data: results } = useResults(id, false);
  return computed(() => {
    const clicks = results.value?.clicks;
    const { messageIndex, actionIndex, bizEventCode } = toValue(filter);
    if (!clicks || (messageIndex !== undefined && bizEventCode !== undefined)) return undefined;
    if (messageIndex !== undefined)
      return (
        clicks.byAction.find((one) => one.messageIndex === messageIndex && one.actionIndex === actionIndex)
          ?.uniqueContacts ?? 0
      );
    if (bizEventCode !== undefined)
      return clicks.byBizEventCode.find((one) => one.bizEventCode === bizEventCode)?.uniqueContacts ?? 0;
    return clicks.uniqueContacts;
  });
}
