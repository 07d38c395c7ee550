import { useI18n } from 'vue-i18n';
import type { RouteLocationRaw } from 'vue-router';
import type { Attention } from '#domain/api/overview.ts';
import { useMe } from '#web/api/queries/integration.ts';
import { usePeople } from '#web/api/queries/people.ts';
import { useFormat } from '#web/composables/use-format.ts';
import { useMoney } from '#web/composables/use-money.ts';
import { useInboxLabels } from '../inbox/use-inbox-labels.ts';

/** One item that needs a person, with the page where it can be dealt with. */
export interface AttentionItem {
  key: string;
  name: string;
  detail: string;
  since: string | null;
  to: RouteLocationRaw;
}

/** Items of one kind: their total, the first few, and the action that deals with one. */
export interface AttentionGroup {
  kind: keyof Attention | OrdersKind;
  icon: string;
  title: string;
  /** The label of an item's button. */
  action: string;
  items: AttentionItem[];
  /** How many more there are than items, and where. */
  more: number;
  all: RouteLocationRaw | null;
}

type OrdersKind = 'flaggedOrders' | 'stuckRefunds' | 'unmatchedPayments';

/** The first of what waits for staff of orders. */
export interface OrdersWaiting {
  kind: OrdersKind;
  items: AttentionItem[];
  /** There are more than these. */
  isMore: boolean;
  all: RouteLocationRaw;
}

const most = 3;

const icons: Record<AttentionGroup['kind'], string> = {
  unknownSubTasks: 'i-lucide-circle-question-mark',
  sentTwice: 'i-lucide-copy-x',
  pausedCampaigns: 'i-lucide-circle-pause',
  waitingSends: 'i-lucide-user-check',
  failedEvents: 'i-lucide-circle-x',
  stuckCampaigns: 'i-lucide-hourglass',
  refusedSources: 'i-lucide-octagon-x',
  revenueDiffers: 'i-lucide-scale',
  flaggedOrders: 'i-lucide-flag',
  stuckRefunds: 'i-lucide-hand',
  unmatchedPayments: 'i-lucide-circle-question-mark',
};

/** Words everything that needs attention, worst first; empty kinds are left out. */
export function useAttentionGroups() {
  const { t } = useI18n();
  const { number } = useFormat();
  const money = useMoney();
  const { canWrite } = useMe();
  const { nameOf } = usePeople();
  const { failureOf } = useInboxLabels();
  const progressOf = (id: string, query = {}): RouteLocationRaw => ({
    name: 'app.campaign-progress',
    params: { id },
    query,
  });

  function group(
    kind: AttentionGroup['kind'],
    count: number,
    items: AttentionItem[],
    all: RouteLocationRaw | null = null,
    { mayAct = canWrite.value, isMore = false } = {},
  ): AttentionGroup {
    return {
      kind,
      icon: icons[kind],
      title: t(`overview.attention.${kind}.title`, { count: `${number(count)}${isMore ? '+' : ''}` }, count),
      action: mayAct ? t(`overview.attention.${kind}.action`) : t('overview.attention.look'),
      items: items.slice(0, most),
      more: Math.max(0, count - most),
      all,
    };
  }

  const unknown = ({ unknownSubTasks: { count, items } }: Attention) =>
    group(
      'unknownSubTasks',
      count,
      items.map(({ key, name, campaignId, contactCount, reason, since }) => ({
        key,
        name,
        detail: t(`overview.attention.unknownSubTasks.detail.${reason}`, { count: number(contactCount) }, contactCount),
        since,
        to: progressOf(campaignId, { state: 'unknown' }),
      })),
    );
  const twice = ({ sentTwice: { count, items } }: Attention) =>
    group(
      'sentTwice',
      count,
      items.map(({ campaignId, name, contacts, since }) => ({
        key: campaignId,
        name,
        detail: t('overview.attention.sentTwice.detail', { count: number(contacts) }, contacts),
        since,
        to: { name: 'app.campaign-history', params: { id: campaignId } },
      })),
    );
  const paused = ({ pausedCampaigns: { count, items } }: Attention) =>
    group(
      'pausedCampaigns',
      count,
      items.map(({ campaignId, name, reason, since }) => ({
        key: campaignId,
        name,
        detail: t(`campaign.pauseReason.${reason}`),
        since,
        to: progressOf(campaignId),
      })),
      { name: 'app.campaigns', query: { status: 'paused' } },
    );
  const waiting = ({ waitingSends: { count, items } }: Attention) =>
    group(
      'waitingSends',
      count,
      items.map(({ campaignId, name, contacts, requestedBy, isPaused, since }) => ({
        key: campaignId,
        name,
        detail: t(
          'overview.attention.waitingSends.detail',
          { who: nameOf(requestedBy), count: number(contacts) },
          contacts,
        ),
        since,
        to: isPaused ? progressOf(campaignId) : { name: 'app.campaign-edit', params: { id: campaignId } },
      })),
      { name: 'app.campaigns', query: { approval: 'waiting' } },
    );
  const stuck = ({ stuckCampaigns: { count, items } }: Attention) =>
    group(
      'stuckCampaigns',
      count,
      items.map(({ campaignId, name, reason, since }) => ({
        key: campaignId,
        name,
        detail: t(`overview.attention.stuckCampaigns.reason.${reason}`),
        since,
        to: progressOf(campaignId),
      })),
      { name: 'app.campaigns', query: { status: 'sending' } },
    );
  const rejected = ({ refusedSources: { count, items } }: Attention) =>
    group(
      'refusedSources',
      count,
      items.map(({ campaignId, sourceId, name, call, message, since }) => ({
        key: `${sourceId}/${call}`,
        name,
        detail: t(`overview.attention.refusedSources.call.${call}`, { message }),
        since,
        to: { name: 'app.campaign-history', params: { id: campaignId } },
      })),
    );
  const differing = ({ revenueDiffers: { count, items } }: Attention) =>
    group(
      'revenueDiffers',
      count,
      items.map(({ campaignId, name, currency, shown, ledger, since }) => ({
        key: `${campaignId}/${currency}`,
        name,
        detail: t('overview.attention.revenueDiffers.detail', {
          shown: money(shown, currency),
          ledger: money(ledger, currency),
        }),
        since,
        to: { name: 'app.campaign-results', params: { id: campaignId } },
      })),
    );
  const failed = ({ failedEvents: { count, items } }: Attention) =>
    group(
      'failedEvents',
      count,
      items.map(({ eventId, eventType, error, receivedAt }) => ({
        key: eventId,
        name: eventType,
        detail: error ? failureOf(error).words : '',
        since: receivedAt,
        to: { name: 'app.inbox-event', params: { eventId } },
      })),
      { name: 'app.inbox', query: { status: 'failed' } },
    );
  // They are listed for those who decide about them.
  const ofOrders = ({ kind, items, isMore, all }: OrdersWaiting) =>
    group(kind, items.length, items, all, { mayAct: true, isMore });

  return (attention: Attention, orders: readonly OrdersWaiting[]): AttentionGroup[] =>
    [
      unknown(attention),
      twice(attention),
      waiting(attention),
      stuck(attention),
      paused(attention),
      failed(attention),
      rejected(attention),
      differing(attention),
      ...orders.map(ofOrders),
    ].filter(({ items }) => items.length > 0);
}
