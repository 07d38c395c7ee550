import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import { useI18n } from 'vue-i18n';
import { useSavedAudiences } from '#web/api/queries/audiences.ts';
import { useAutomations } from '#web/api/queries/automations.ts';
import { useCampaigns } from '#web/api/queries/campaigns.ts';
import { useContacts } from '#web/api/queries/contacts.ts';
import { useMe } from '#web/api/queries/integration.ts';
import { useOrders } from '#web/api/queries/orders.ts';
import { useRepeats } from '#web/api/queries/repeats.ts';
import { useRules } from '#web/api/queries/rules.ts';
import { useTags } from '#web/api/queries/tags.ts';
import { campaignStatusStyle } from '#web/components/status/status.ts';
import { useServiceNumber } from '#web/composables/use-service-number.ts';
import type { FoundGroup } from './found-group.ts';
import { useThingsById } from './use-things-by-id.ts';

/** How many of each kind are offered before anything is typed, and among the server's results. */
const few = 5;

/** Repeats, tags, rules and audiences are few, so the palette itself searches their names. */
function useNamedThings(isSearching: MaybeRefOrGetter<boolean>, mayRead: MaybeRefOrGetter<boolean>) {
  const { t } = useI18n();
  const { current } = useServiceNumber();
  const { data: repeats } = useRepeats(() => ({ serviceNumberId: current.value }), mayRead);
  const { data: tags } = useTags(() => ({ serviceNumberId: current.value }), mayRead);
  const { data: rules } = useRules(() => ({ serviceNumberId: current.value }), mayRead);
  const { data: audiences } = useSavedAudiences(() => ({
    serviceNumberId: toValue(mayRead) ? current.value : undefined,
  }));
  const shown = <Thing>(found: { items: Thing[] } | undefined): Thing[] =>
    toValue(isSearching) ? (found?.items ?? []) : (found?.items.slice(0, few) ?? []);
  return computed<FoundGroup[]>(() => [
    {
      id: 'repeats',
      label: t('repeats.title'),
      items: shown(repeats.value).map(({ repeatId, name }) => ({
        label: name,
        icon: 'i-lucide-repeat',
        to: { name: 'app.repeat', params: { repeatId } },
      })),
    },
    {
      id: 'tags',
      label: t('tags.title'),
      items: shown(tags.value).map(({ tagId, name }) => ({
        label: name,
        icon: 'i-lucide-tag',
        to: { name: 'app.tag', params: { tagId } },
      })),
    },
    {
      id: 'rules',
      label: t('rules.title'),
      items: shown(rules.value).map(({ ruleId, name }) => ({
        label: name,
        icon: 'i-lucide-wand-sparkles',
        to: { name: 'app.rule', params: { ruleId } },
      })),
    },
    {
      id: 'audiences',
      label: t('audiences.title'),
      items: shown(audiences.value).map(({ audienceId, name }) => ({
        label: name,
        icon: 'i-lucide-book-user',
        to: { name: 'app.audience', params: { audienceId } },
      })),
    },
  ]);
}

/** Everything with a page of its own that matches the input, as far as this person may see it; nothing is read while it is closed. */
export function usePaletteGroups(q: MaybeRefOrGetter<string>, isOpen: MaybeRefOrGetter<boolean>) {
  const { t } = useI18n();
  const { canRead, isOrderAdministrator } = useMe();
  const { current } = useServiceNumber();
  const mayRead = () => toValue(isOpen) && canRead.value;
  const campaigns = useCampaigns(() => ({ q: toValue(q) }), mayRead);
  const automations = useAutomations(() => ({ q: toValue(q) }), mayRead);
  const contacts = useContacts(() => ({ serviceNumberId: current.value, q: toValue(q) }), mayRead);
  const orders = useOrders(
    () => (toValue(isOpen) && isOrderAdministrator.value ? 'all' : null),
    () => ({ q: toValue(q) }),
  );
  const byId = useThingsById(q);
  const named = useNamedThings(() => toValue(q) !== '', mayRead);

  const searched = computed<FoundGroup[]>(() => [
    {
      id: 'campaigns',
      label: t('campaigns.title'),
      ignoreFilter: true,
      items: (campaigns.data.value?.items ?? []).slice(0, few).map(({ id, name, status }) => ({
        label: name,
        suffix: t(`status.campaign.${status}`),
        icon: campaignStatusStyle[status].icon,
        to: { name: status === 'draft' ? 'app.campaign-edit' : 'app.campaign', params: { id } },
      })),
    },
    {
      id: 'automations',
      label: t('automations.title'),
      ignoreFilter: true,
      items: (automations.data.value?.items ?? []).slice(0, few).map(({ automationId, name }) => ({
        label: name,
        icon: 'i-lucide-workflow',
        to: { name: 'app.automation', params: { automationId } },
      })),
    },
    {
      id: 'contacts',
      label: t('contacts.title'),
      ignoreFilter: true,
      items: (contacts.data.value?.items ?? []).slice(0, few).map(({ serviceNumberId, contactId, displayName }) => ({
        label: displayName ?? contactId,
        ...(displayName && { suffix: contactId }),
        icon: 'i-lucide-user',
        to: { name: 'app.contact', params: { snId: serviceNumberId, contactId } },
      })),
    },
    {
      id: 'orders',
      label: t('orders.title'),
      ignoreFilter: true,
      items: (orders.data.value?.items ?? []).slice(0, few).map(({ orderId, orderNo, title }) => ({
        label: title || t('orders.untitled'),
        suffix: orderNo,
        icon: 'i-lucide-shopping-bag',
        to: { name: 'app.order', params: { orderId } },
      })),
    },
  ]);
  return {
    groups: computed(() => [...byId.groups.value, ...searched.value, ...named.value]),
    isFetching: computed(() =>
      [campaigns, automations, contacts, orders, byId].some(({ isFetching }) => isFetching.value),
    ),
  };
}
