import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import { useI18n } from 'vue-i18n';
import type { OrderData } from '../../domain/orders/responses.ts';
import { useFormat } from '../composables/use-format.ts';
import { useMoney } from '../composables/use-money.ts';

const pointKeys = ['tenantPoints', 'districtPoints', 'walletPoints'] as const;

type Means = Pick<OrderData['pointsPlan'], (typeof pointKeys)[number] | 'couponIds'>;

/** Points and coupons in the chosen language: "500 points and 1 coupon". */
export function useMeans() {
  const { t } = useI18n();
  const { tag, number } = useFormat();
  const list = computed(() => new Intl.ListFormat(tag.value, { type: 'conjunction' }));

  function countText(key: (typeof pointKeys)[number] | 'coupons' | 'pieces', count: number): string {
    return t(`checkout.count.${key}`, { count: number(count) }, count);
  }
  /** The kinds of points that are taken, and the coupons. */
  function meansOf(plan: Means) {
    const points = pointKeys
      .filter((key) => plan[key] > 0)
      .map((key) => ({ key, count: plan[key], text: countText(key, plan[key]) }));
    const coupons = plan.couponIds.length;
    return coupons > 0
      ? [...points, { key: 'coupons' as const, count: coupons, text: countText('coupons', coupons) }]
      : points;
  }
  const joined = (texts: string[]): string => list.value.format(texts);
  return { countText, meansOf, joined, textOf: (plan: Means) => joined(meansOf(plan).map(({ text }) => text)) };
}

/** Amounts of an order in the chosen language: "TWD 1,234.50", "500 points and 1 coupon". */
export function useAmounts(order: MaybeRefOrGetter<OrderData>) {
  const { number } = useFormat();
  const inCurrency = useMoney();
  const { countText, meansOf, joined, textOf } = useMeans();
  const means = computed(() => meansOf(toValue(order).pointsPlan));
  const pieces = computed(() => toValue(order).items.reduce((sum, { qty }) => sum + qty, 0));

  return {
    number,
    money: (amount: number) => inCurrency(amount, toValue(order).currency),
    /** The kinds of points that the order takes, and its coupons. */
    means,
    meansText: computed(() => textOf(toValue(order).pointsPlan)),
    /** Everything that is held while the payment is awaited. */
    heldText: computed(() => {
      const goods = pieces.value > 0 ? [countText('pieces', pieces.value)] : [];
      return joined([...means.value.map(({ text }) => text), ...goods]);
    }),
  };
}
