import { useI18n } from 'vue-i18n';
import type { GoodsData } from '#domain/orders/administration/catalogue.ts';
import { useFormat } from '#web/composables/use-format.ts';
import { usePlainMoney } from '../use-plain-money.ts';

type Option = GoodsData['paymentOptions'][number];

/** Labels of goods: what is free, and what an option costs. */
export function useGoodsLabels() {
  const { t } = useI18n();
  const { number } = useFormat();
  const money = usePlainMoney();
  const countOf = (count: number | null): string => (count === null ? t('goods.unlimited') : number(count));
  function priceOf({ pointAmount, cashAmount }: Option): string {
    if (pointAmount === 0) return money(cashAmount);
    const points = t('checkout.count.tenantPoints', { count: number(pointAmount) }, pointAmount);
    return cashAmount === 0 ? points : t('goods.pointsAndMoney', { points, money: money(cashAmount) });
  }
  return {
    countOf,
    priceOf,
    freeOf: ({ stock, held }: GoodsData): string => countOf(stock === null ? null : stock - held),
  };
}
