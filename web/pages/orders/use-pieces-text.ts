import { toValue, type MaybeRefOrGetter } from 'vue';
import { useI18n } from 'vue-i18n';
import type { RefundData } from '#domain/orders/administration/refunds.ts';
import type { OrderData } from '#domain/orders/responses.ts';
import { useMeans } from '#web/checkout/use-amounts.ts';
import { useFormat } from '#web/composables/use-format.ts';

/** The pieces that a refund is for: "Mug × 2 and Tea × 1"; empty where it is of an amount, or the order is not at hand. */
export function usePiecesText(items: MaybeRefOrGetter<OrderData['items'] | undefined>) {
  const { t } = useI18n();
  const { number } = useFormat();
  const { joined } = useMeans();
  return (lines: RefundData['lines']): string =>
    joined(
      (lines ?? []).flatMap(({ lineId, qty }) => {
        const item = toValue(items)?.find((one) => one.lineId === lineId);
        return item ? [t('checkout.line', { goods: item.name, qty: number(qty) })] : [];
      }),
    );
}
