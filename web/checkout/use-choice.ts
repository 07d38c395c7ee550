import { useQuery } from '@tanstack/vue-query';
import { computed, ref, toValue, type MaybeRefOrGetter } from 'vue';
import { useRouter } from 'vue-router';
import { orderCodes } from '#domain/orders/codes.ts';
import type { OrderData } from '#domain/orders/responses.ts';
import { orderStatus } from '#domain/orders/states.ts';
import { OrderProblem } from '../api/http/order-problem.ts';
import { callOrders } from '../api/orders.ts';
import { randomKey } from '../api/random-key.ts';
import { type BegunChoice, begunChoices } from './begun-choice.ts';
import { type Choice, isSame, orderWith } from './choice.ts';

/** What the payer has at the shop of an order. */
export function useOwnMeans(tenantId: MaybeRefOrGetter<string>) {
  const body = () => ({ tenantId: toValue(tenantId) });
  const points = useQuery({
    queryKey: computed(() => ['checkout', 'points', toValue(tenantId)]),
    queryFn: async ({ signal }) => (await callOrders('getOwnPoints', { body: body(), signal })).data,
  });
  const coupons = useQuery({
    queryKey: computed(() => ['checkout', 'coupons', toValue(tenantId)]),
    queryFn: async ({ signal }) =>
      (await callOrders('listOwnCoupons', { body: { ...body(), limit: 200 }, signal })).data,
  });
  return { points: points.data, coupons: computed(() => coupons.data.value?.items) };
}

/** The service has certainly not made an order. */
const isRejected = (error: unknown): boolean => error instanceof OrderProblem && orderCodes[error.code].status < 500;

async function create(order: OrderData, { key, choice }: BegunChoice): Promise<string> {
  const headers = { 'idempotency-key': key };
  return (await callOrders('createOrder', { body: orderWith(order, choice), headers })).data.orderId;
}

/** Whether the order is over without having been paid. @throws OrderProblem if that is not certain */
async function cancelled(tenantId: string, orderId: string): Promise<boolean> {
  try {
    const { data } = await callOrders('cancelOrder', { params: { id: orderId }, body: { tenantId } });
    return data.orderStatus === orderStatus.CANCELLED;
  } catch (error) {
    if (!(error instanceof OrderProblem && error.code === 90202)) throw error;
    const { data } = await callOrders('getOrder', { body: { tenantId, orderId } });
    return data.orderStatus === orderStatus.TIMEOUT || data.orderStatus === orderStatus.FAILED;
  }
}

/**
 * Pays with other means by way of a new order with the same lines. The old order is cancelled only once the new one
 * exists; where it turns out to be paid, the new one is cancelled instead. At most one of them remains payable.
 */
export function useChoice(order: MaybeRefOrGetter<OrderData>) {
  const router = useRouter();
  const begun = ref<BegunChoice | null>(begunChoices.find(toValue(order).orderId));

  function keep(choice: BegunChoice | null): void {
    begun.value = choice;
    const { orderId } = toValue(order);
    if (choice) begunChoices.keep(orderId, choice);
    else begunChoices.forget(orderId);
  }

  async function begin(of: OrderData, choice: Choice): Promise<string> {
    const next = begun.value ?? { key: randomKey(), choice };
    keep(next);
    try {
      return await create(of, next);
    } catch (error) {
      if (isRejected(error)) keep(null);
      throw error;
    }
  }

  /** Takes back a choice that was begun and not finished: its order may exist. */
  async function undo(): Promise<void> {
    if (!begun.value) return;
    const of = toValue(order);
    let created: string | null = null;
    try {
      created = await create(of, begun.value);
    } catch (error) {
      if (!isRejected(error)) throw error;
    }
    if (created) await cancelled(of.tenantId, created);
    keep(null);
  }

  /** Whether the payer is now at the new order. @throws OrderProblem, ApiProblem; trying again continues */
  async function choose(choice: Choice): Promise<boolean> {
    const of = toValue(order);
    if (begun.value && !isSame(begun.value.choice, choice)) await undo();
    const created = await begin(of, choice);
    const isOver = await cancelled(of.tenantId, of.orderId);
    if (!isOver) await cancelled(of.tenantId, created);
    keep(null);
    if (!isOver) return false;
    const query = { tenantId: of.tenantId, chosen: 'yes' };
    await router.replace({ name: 'checkout', params: { orderId: created }, query });
    return true;
  }

  return { begun, choose, undo };
}
