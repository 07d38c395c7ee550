import { computed, type ComputedRef } from 'vue';
import { useI18n } from 'vue-i18n';
import type { RefundData } from '#domain/orders/administration/refunds.ts';
import { useUnmatchedCallbacks } from '#web/api/queries/administration/callbacks.ts';
import { useRefunds } from '#web/api/queries/administration/refunds.ts';
import { useMe } from '#web/api/queries/integration.ts';
import { useFlaggedOrders } from '#web/api/queries/orders.ts';
import { useMoney } from '#web/composables/use-money.ts';
import { useRefundLabels } from '../orders/refunds/use-refund-labels.ts';
import { useFlagLabels } from '../orders/use-flag-labels.ts';
import { useReportedMoney } from '../orders/use-reported-money.ts';
import type { OrdersWaiting } from './use-attention-groups.ts';

const MOST = 20;

/** What of orders and money waits for staff; nothing for those who are none. */
export function useOrdersWaiting(): ComputedRef<OrdersWaiting[]> {
  const { t } = useI18n();
  const money = useMoney();
  const reported = useReportedMoney();
  const { isOrderAdministrator } = useMe();
  const { titleOf } = useFlagLabels();
  const { stuckTitleOf } = useRefundLabels();
  const { data: flagged } = useFlaggedOrders(isOrderAdministrator);
  const { data: refunds } = useRefunds({ status: 'needs_staff', limit: MOST }, isOrderAdministrator);
  const { data: payments } = useUnmatchedCallbacks({ limit: MOST }, isOrderAdministrator);

  const placeOf = ({ orderId }: RefundData) =>
    orderId ? { name: 'app.order', params: { orderId } } : { name: 'app.unmatched-refunds' };

  return computed(() => [
    {
      kind: 'flaggedOrders',
      isMore: Boolean(flagged.value?.nextCursor),
      items: (flagged.value?.items ?? []).map(({ orderId, title, orderNo, totalMoney, currency, flags }) => ({
        key: orderId,
        name: title || orderNo,
        detail: t('overview.attention.flaggedOrders.detail', {
          amount: money(totalMoney, currency),
          flags: flags.map(titleOf).join(' · '),
        }),
        since: null,
        to: { name: 'app.order', params: { orderId } },
      })),
      all: { name: 'app.orders', query: { flagged: 'true' } },
    },
    {
      kind: 'stuckRefunds',
      isMore: Boolean(refunds.value?.nextCursor),
      items: (refunds.value?.items ?? []).map((refund) => ({
        key: refund.refundId,
        name: stuckTitleOf(refund),
        detail: [refund.orderTitle, refund.lastError].filter(Boolean).join(' · '),
        since: refund.decidedAt,
        to: placeOf(refund),
      })),
      all: { name: 'app.unmatched-refunds' },
    },
    {
      kind: 'unmatchedPayments',
      isMore: Boolean(payments.value?.nextCursor),
      items: (payments.value?.items ?? []).map((callback) => ({
        key: callback.eventId,
        name: reported(callback),
        detail: t('overview.attention.unmatchedPayments.detail', { charge: callback.chargeId }),
        since: callback.receivedAt,
        to: { name: 'app.unmatched' },
      })),
      all: { name: 'app.unmatched' },
    },
  ]);
}
