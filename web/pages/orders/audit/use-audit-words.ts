import { useI18n } from 'vue-i18n';
import type { AuditEntryData } from '#domain/orders/administration/audit.ts';
import { orderStatusName, paymentStatusName, pointsStatusName } from '#domain/orders/states.ts';
import { useFormat } from '#web/composables/use-format.ts';
import { useReportedMoney } from '../use-reported-money.ts';
import { useSigned } from '../use-signed.ts';

const textIn = (state: AuditEntryData['after'], name: string): string => {
  const value = state?.[name];
  return typeof value === 'string' ? value.trim() : '';
};
const numberIn = (state: AuditEntryData['after'], name: string): number | null => {
  const value = state?.[name];
  return typeof value === 'number' ? value : null;
};

/** What staff did with money, points and goods, in a sentence, and states of orders by their names. */
export function useAuditWords() {
  const { t, te } = useI18n();
  const { number } = useFormat();
  const money = useReportedMoney();
  const signed = useSigned();

  const withReason = (what: string, reason: string) =>
    reason === '' ? what : t('salesAudit.withReason', { what, reason });

  function refunded({ after }: AuditEntryData): string {
    const [amount, currency] = [numberIn(after, 'amount'), textIn(after, 'currency')];
    const what =
      amount === null || amount === 0 || currency === ''
        ? t('salesAudit.pointsReturned')
        : t('salesAudit.refunded', { amount: money({ amount, currency }) });
    return withReason(what, textIn(after, 'reason'));
  }
  function changed({ before, after }: AuditEntryData, of: 'available' | 'stock'): string | null {
    const change = numberIn(after, 'delta') ?? numberIn(after, 'amount');
    const [was, is] = [numberIn(before, of), numberIn(after, of)];
    if (change === null || is === null) return null;
    const what = t(`salesAudit.changed.${of}`, { change: signed(change), before: number(was ?? 0), after: number(is) });
    return withReason(what, textIn(after, 'reason'));
  }

  const axes: Record<string, { axis: string; nameOf: (status: number) => string }> = {
    orderStatus: { axis: 'order', nameOf: orderStatusName },
    pointsStatus: { axis: 'points', nameOf: pointsStatusName },
    paymentStatus: { axis: 'payment', nameOf: paymentStatusName },
  };

  return {
    /** Null where the fields say it. */
    sentenceOf(entry: AuditEntryData): string | null {
      switch (entry.action) {
        case 'order.refund':
          return refunded(entry);
        case 'points.grant':
        case 'points.adjust':
          return changed(entry, 'available');
        case 'goods.stock':
          return changed(entry, 'stock');
        case 'order.note':
        case 'dispute.note':
          return textIn(entry.after, 'note') || null;
        default:
          return null;
      }
    },
    /** A value of a field, as people say it. */
    valueOf(path: string, value: string): string {
      const found = axes[path];
      const key = found && `orders.state.${found.axis}.${found.nameOf(Number(value))}`;
      return key && te(key) ? t(key) : value;
    },
  };
}
