import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import { useI18n } from 'vue-i18n';
import type { OrderData } from '#domain/orders/responses.ts';
import { orderStatus, paymentStatus } from '#domain/orders/states.ts';
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

const awaited = new Set<number>([orderStatus.CREATED, orderStatus.POINTS_UNKNOWN, orderStatus.PAYMENT_PENDING]);

/** What the amount of an order is to its payer: asked for, paid, or neither. */
export function totalOf(
  order: Pick<OrderData, 'orderStatus' | 'paymentStatus' | 'underReview' | 'totalMoney' | 'currency' | 'received'>,
): 'toPay' | 'paid' | 'total' {
  if (awaited.has(order.orderStatus)) return order.underReview ? 'total' : 'toPay';
  if (order.orderStatus !== orderStatus.DONE || order.paymentStatus === paymentStatus.NONE) return 'total';
  return isReceived(order) ? 'paid' : 'total';
}

/** Nothing else came than was agreed. */
function isReceived({
  received,
  totalMoney,
  currency,
}: Pick<OrderData, 'received' | 'totalMoney' | 'currency'>): boolean {
  return received === null || (received.amount === totalMoney && received.currency === currency);
}

/** 1 unit of the currency is worth 4 wallet points. */
const WALLET_PER_UNIT = 4;

/** What one kind of points takes off an order's amount, in units; 0 where they are a price of their own. */
function worthOf(
  { grossMoneyAmount, totalMoney, pointsPlan }: Pick<OrderData, 'grossMoneyAmount' | 'totalMoney' | 'pointsPlan'>,
  { key }: { key: (typeof pointKeys)[number] | 'coupons' },
): number {
  const wallet = pointsPlan.walletPoints / WALLET_PER_UNIT;
  if (key === 'walletPoints') return wallet;
  return key === 'tenantPoints' ? Math.max(0, grossMoneyAmount - totalMoney - wallet) : 0;
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
    total: computed(() => totalOf(toValue(order))),
    /** Amount paid; the agreed amount if the gateway does not show it. */
    receivedText: computed(() => {
      const { received, totalMoney, currency } = toValue(order);
      return inCurrency(received?.amount ?? totalMoney, received?.currency ?? currency);
    }),
    /** Something else came than was agreed. */
    isOtherReceived: computed(() => !isReceived(toValue(order))),
    /** The kinds of points that the order takes, and its coupons; `worth` is what they take off the amount. */
    means: computed(() => means.value.map((one) => ({ ...one, worth: worthOf(toValue(order), one) }))),
    meansText: computed(() => textOf(toValue(order).pointsPlan)),
    /** Everything that is held while the payment is awaited. */
    heldText: computed(() => {
      const goods = pieces.value > 0 ? [countText('pieces', pieces.value)] : [];
      return joined([...means.value.map(({ text }) => text), ...goods]);
    }),
  };
}
