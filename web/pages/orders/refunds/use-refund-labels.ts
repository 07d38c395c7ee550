import { useI18n } from 'vue-i18n';
import type { RefundData } from '#domain/orders/administration/refunds.ts';
import { useReportedMoney } from '../use-reported-money.ts';

/** Labels of refunds, on the page of their order and in the list of all. */
export function useRefundLabels() {
  const { t } = useI18n();
  const money = useReportedMoney();
  /** Null where only points went back, or the charge was not read yet. */
  const amountOf = ({ amount, currency }: RefundData): string | null =>
    amount === null || currency === null ? null : money({ amount, currency });
  return {
    amountOf,
    /** That the refund does not go on. */
    stuckTitleOf(refund: RefundData): string {
      const amount = amountOf(refund);
      return amount === null ? t('orders.refund.stuckUnknown') : t('orders.refund.stuck', { amount });
    },
  };
}
