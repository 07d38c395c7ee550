import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import { useI18n } from 'vue-i18n';
import { useCampaigns } from '#web/api/queries/campaigns.ts';
import { useInboxEvents } from '#web/api/queries/inbox.ts';
import { useMe } from '#web/api/queries/integration.ts';
import { inboxStatusStyle } from '#web/components/status/status.ts';
import type { FoundGroup } from './found-group.ts';

/** Received events and sub-tasks, whose ids come from the platform or a log: each by its whole id only. */
export function useThingsById(q: MaybeRefOrGetter<string>) {
  const { t } = useI18n();
  const { canRead } = useMe();
  const id = computed(() => toValue(q).trim());
  const isAsked = computed(() => canRead.value && id.value !== '' && !/\s/.test(id.value));
  const events = useInboxEvents(() => ({ eventId: id.value }), isAsked);
  const campaigns = useCampaigns(() => ({ task: id.value }), isAsked);

  /** Until the response is there, a query holds what the id before it found. */
  function itemsOf<Item>({
    data,
    isPlaceholderData,
  }: {
    data: { value: { items: Item[] } | undefined };
    isPlaceholderData: { value: boolean };
  }): Item[] {
    return isAsked.value && !isPlaceholderData.value ? (data.value?.items ?? []) : [];
  }

  const groups = computed<FoundGroup[]>(() => [
    {
      id: 'events',
      label: t('palette.events'),
      ignoreFilter: true,
      items: itemsOf(events)
        .slice(0, 1)
        .map(({ eventId, eventType, status }) => ({
          label: eventType,
          suffix: eventId,
          icon: inboxStatusStyle[status].icon,
          to: { name: 'app.inbox-event', params: { eventId } },
        })),
    },
    {
      id: 'sub-tasks',
      label: t('progress.subTasks'),
      ignoreFilter: true,
      items: itemsOf(campaigns).map((campaign) => ({
        label: campaign.name,
        suffix: id.value,
        icon: 'i-lucide-list-checks',
        to: {
          name: 'app.campaign-progress',
          params: { id: campaign.id },
          query: { task: id.value },
          hash: '#sub-tasks',
        },
      })),
    },
  ]);
  return { groups, isFetching: computed(() => events.isFetching.value || campaigns.isFetching.value) };
}
