import { useQuery } from '@tanstack/vue-query';
import { useEventListener, useNow } from '@vueuse/core';
import { computed, ref, shallowRef, toValue, type MaybeRefOrGetter } from 'vue';
import type { OrderData } from '#domain/orders/responses.ts';
import { callOrders } from '../api/orders.ts';
import { pauseBeforeLook, stageOf } from './stage.ts';

/** What a payer can do, one at a time. */
export type Action = 'pay' | 'cancel' | 'choose' | 'again';

export interface CheckoutKey {
  tenantId: string;
  orderId: string;
}

/** How the payer returned from the payment page, which proves nothing about the payment. */
export const returnWays = ['paid', 'cancelled'] as const;
export type ReturnWay = (typeof returnWays)[number];

/** Where the payment page sends the payer: to this page again. */
export function returnAddress({ tenantId, orderId }: CheckoutKey, returned: ReturnWay): string {
  const query = new URLSearchParams({ tenantId, returned });
  return `${location.origin}/app/checkout/${encodeURIComponent(orderId)}?${query.toString()}`;
}

/** @throws Error for anything but a web address: it comes from another service. */
function goTo(address: string, tab: Window | null = null): void {
  if (!/^https?:$/.test(new URL(address).protocol)) throw new Error('the payment link is no web address');
  (tab ?? window).location.assign(address);
}

/**
 * A payment that was begun elsewhere may know no way back: its page opens beside this one. A browser opens a window only
 * at once after the click, and may refuse to.
 */
function besideIfNoWayBack(order: OrderData | undefined): Window | null {
  const isStranded = order !== undefined && order.paymentUrl !== null && order.resultURL === null;
  const tab = isStranded ? window.open('about:blank', '_blank') : null;
  if (tab) tab.opener = null;
  return tab;
}

/** The order, polled while something is pending: soon at first, then ever less often. */
function useOrder(key: MaybeRefOrGetter<CheckoutKey>) {
  let unchangedLooks = 0;
  let seen = '';
  const query = useQuery({
    queryKey: computed(() => ['checkout', toValue(key)]),
    queryFn: async ({ signal }) => {
      // A failed poll counts as well: a service in trouble is polled less often.
      unchangedLooks += 1;
      const response = await callOrders('getOrder', { body: toValue(key), signal });
      const now = JSON.stringify(response.data);
      if (now !== seen) unchangedLooks = 0;
      seen = now;
      return response;
    },
    refetchInterval: ({ state: { data } }) =>
      data ? pauseBeforeLook(stageOf(data.data, Date.now() + data.clockAheadMs), unchangedLooks) : false,
    refetchOnWindowFocus: 'always',
    structuralSharing: false,
  });
  const now = useNow({ interval: 1000 });
  const clock = computed(() => now.value.getTime() + (query.data.value?.clockAheadMs ?? 0));
  const order = computed(() => query.data.value?.data);
  return {
    order,
    /** The service's clock, every second. */
    clock,
    stage: computed(() => order.value && stageOf(order.value, clock.value)),
    error: query.error,
    isPending: query.isPending,
    async lookAgain() {
      unchangedLooks = 0;
      await query.refetch();
    },
  };
}

/** One order and its payer's actions, one at a time: a second click does nothing. */
export function useCheckout(key: MaybeRefOrGetter<CheckoutKey>) {
  const view = useOrder(key);
  const busy = ref<Action | null>(null);
  const problem = shallowRef<unknown>(null);

  async function act(what: Action, work: () => Promise<'leaving' | 'here'>): Promise<void> {
    if (busy.value) return;
    busy.value = what;
    problem.value = null;
    try {
      // On the way to the payment page the button stays as it is.
      if ((await work()) === 'leaving') return;
    } catch (error) {
      problem.value = error;
    }
    await view.lookAgain();
    busy.value = null;
  }

  async function callPay(): Promise<string | null> {
    const { tenantId, orderId } = toValue(key);
    const body = {
      tenantId,
      resultURL: returnAddress({ tenantId, orderId }, 'paid'),
      cancelURL: returnAddress({ tenantId, orderId }, 'cancelled'),
    };
    return (await callOrders('payOrder', { params: { id: orderId }, body })).data.paymentUrl;
  }

  /** `before` is finished first; if it fails, nothing is paid. */
  const pay = (before: () => Promise<void>) =>
    act('pay', async () => {
      const tab = besideIfNoWayBack(view.order.value);
      try {
        await before();
        const paymentUrl = await callPay();
        if (paymentUrl === null) tab?.close();
        else goTo(paymentUrl, tab);
        return paymentUrl === null || tab ? 'here' : 'leaving';
      } catch (error) {
        tab?.close();
        throw error;
      }
    });

  /**
   * Back from the payment page: the callback may be late or lost, and a repeated pay makes the service read the charge at
   * once. Where it fails, the polls go on as they would without it.
   */
  async function readCharge(): Promise<void> {
    await callPay().catch(() => null);
    await view.lookAgain();
  }

  const cancel = (before: () => Promise<void>) =>
    act('cancel', async () => {
      await before();
      const { tenantId, orderId } = toValue(key);
      await callOrders('cancelOrder', { params: { id: orderId }, body: { tenantId } });
      return 'here';
    });

  // The browser's back button brings the page as it was left.
  useEventListener(window, 'pageshow', (event) => {
    if (!event.persisted) return;
    busy.value = null;
    void view.lookAgain();
  });

  return { ...view, busy, problem, act, pay, cancel, readCharge };
}
