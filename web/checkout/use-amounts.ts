import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import { useI18n } from 'vue-i18n';
import type { OrderData } from '../../domain/orders/responses.ts';
import { useFormat } from '../composables/use-format.ts';
import { useMoney } from '../composables/use-money.ts';

const pointKeys = ['tenantPoints', 'districtPoints', 'walletPoints'] as const;

/** Amounts of an order in the chosen language: "TWD 1,234.50", "500 points and 1 coupon". */
export function useAmounts(order: MaybeRefOrGetter<OrderData>) {
  const { t } = useI18n();
  const { tag, number } = useFormat();
  const inCurrency = useMoney();
  const list = computed(() => new Intl.ListFormat(tag.value, { type: 'conjunction' }));

  /** The kinds of points that the order takes, and its coupons. */
  const means = computed(() => {
    const { pointsPlan } = toValue(order);
    const points = pointKeys
      .filter((key) => pointsPlan[key] > 0)
      .map((key) => ({ key, count: pointsPlan[key], text: countText(key, pointsPlan[key]) }));
    const coupons = pointsPlan.couponIds.length;
    return coupons > 0
      ? [...points, { key: 'coupons' as const, count: coupons, text: countText('coupons', coupons) }]
      : points;
  });
  const pieces = computed(() => toValue(order).items.reduce((sum, { qty }) => sum + qty, 0));

  function countText(key: (typeof pointKeys)[number] | 'coupons' | 'pieces', count: number): string {
    return t(`checkout.count.${key}`, { count: number(count) }, count);
  }

  return {
    number,
    money: (amount: number) => inCurrency(amount, toValue(order).currency),
    means,
    meansText: computed(() => list.value.format(means.value.map(({ text }) => text))),
    /** Everything that is held while the payment is awaited. */
    heldText: computed(() => {
      const goods = pieces.value > 0 ? [countText('pieces', pieces.value)] : [];
      return list.value.format([...means.value.map(({ text }) => text), ...goods]);
    }),
  };
}
