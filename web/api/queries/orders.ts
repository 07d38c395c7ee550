import { useMutation, useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import type { OrderSort } from '#domain/lists/sorts.ts';
import type { ListedStaffOrder, OrderData, StaffOrderData } from '#domain/orders/responses.ts';
import type { Resolution } from '#domain/orders/administration.ts';
import { orderStatus, paymentStatus } from '#domain/orders/states.ts';
import { callOrders } from '../orders.ts';
import { listed } from './listed.ts';

/** An order in a list: its payer sees less than staff. */
export type ListedOrder = OrderData &
  Partial<Pick<ListedStaffOrder, 'userId' | 'payerName' | 'flags' | 'needsStaff' | 'standing'>>;

export interface OrderFilter {
  status?: string | undefined;
  q?: string | undefined;
  flagged?: 'true' | undefined;
  needsStaff?: 'true' | undefined;
  sort?: OrderSort | undefined;
  cursor?: string | undefined;
}

const open = new Set<number>([orderStatus.POINTS_UNKNOWN, orderStatus.PAYMENT_PENDING]);
const LIST_PAUSE_MS = 15_000;
const ORDER_PAUSE_MS = 5000;
const ATTENTION_PAUSE_MS = 60_000;

/** One page of orders: all that staff can reach, or the user's own at a tenant; null disables the query. */
export function useOrders(
  whose: MaybeRefOrGetter<'all' | { tenantId: string } | null>,
  filter: MaybeRefOrGetter<OrderFilter>,
) {
  return useQuery({
    ...listed(() => ['orders', 'list', toValue(whose), toValue(filter)]),
    queryFn: async ({ signal }): Promise<{ items: ListedOrder[]; nextCursor: string | null }> => {
      const of = toValue(whose);
      const query = { ...toValue(filter), limit: 50 };
      if (of === 'all') return (await callOrders('searchOrders', { query, signal })).data;
      const body = { ...of, status: query.status, cursor: query.cursor, limit: query.limit };
      if (!of) throw new Error('asked for nobody’s orders');
      return (await callOrders('listOrders', { body: { ...body, tenantId: of.tenantId }, signal })).data;
    },
    enabled: () => toValue(whose) !== null,
    refetchInterval: LIST_PAUSE_MS,
  });
}

/** The first of the orders that need a decision by staff. */
export function useFlaggedOrders(enabled: MaybeRefOrGetter<boolean>) {
  return useQuery({
    queryKey: ['orders', 'flagged'],
    queryFn: async ({ signal }) =>
      (await callOrders('searchOrders', { query: { flagged: 'true', limit: 20 }, signal })).data,
    enabled: () => toValue(enabled),
    refetchInterval: LIST_PAUSE_MS,
  });
}

/** How much waits for a decision by staff. */
export function useOrderAttention(enabled: MaybeRefOrGetter<boolean>) {
  return useQuery({
    queryKey: ['orders', 'attention'],
    queryFn: async ({ signal }) => (await callOrders('getAttention', { signal })).data,
    enabled: () => toValue(enabled),
    refetchInterval: ATTENTION_PAUSE_MS,
  });
}

const isMoving = ({ orderStatus: order, paymentStatus: payment }: OrderData): boolean =>
  open.has(order) || payment === paymentStatus.REFUND_PENDING;
/** Somebody else may approve a refund at any moment. */
const isAwaited = ({ approvals }: StaffOrderData): boolean => approvals.some(({ status }) => status === 'waiting');
/** Whether anything is expected to happen to it. */
export const isOpen = (order: StaffOrderData): boolean =>
  isMoving(order) ||
  isAwaited(order) ||
  order.flags.length > 0 ||
  order.refunds.some(({ status }) => status !== 'confirmed');
const pause = (order: OrderData | undefined) => (order && isMoving(order) ? ORDER_PAUSE_MS : false);

/** One order as staff see it, with how far the service's clock is ahead of the browser's. */
export function useStaffOrder(id: MaybeRefOrGetter<string>, enabled: MaybeRefOrGetter<boolean>) {
  return useQuery({
    queryKey: computed(() => ['orders', 'staff', toValue(id)]),
    queryFn: ({ signal }) => callOrders('getStaffOrder', { params: { id: toValue(id) }, signal }),
    enabled: () => toValue(enabled),
    refetchInterval: ({ state }) => {
      const order = state.data?.data;
      return order && isAwaited(order) ? ORDER_PAUSE_MS : pause(order);
    },
  });
}

/** One order as its payer sees it; null disables the query. */
export function useOwnOrder(key: MaybeRefOrGetter<{ tenantId: string; orderId: string } | null>) {
  return useQuery({
    queryKey: computed(() => ['orders', 'own', toValue(key)]),
    queryFn: ({ signal }) => {
      const body = toValue(key);
      if (!body) throw new Error('asked for nobody’s order');
      return callOrders('getOrder', { body, signal });
    },
    enabled: () => toValue(key) !== null,
    refetchInterval: ({ state }) => pause(state.data?.data),
  });
}

/** Decides on a flagged order; every list is read again afterwards, even if that failed. */
export function useResolveOrder(id: MaybeRefOrGetter<string>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (outcome: Resolution) => callOrders('resolveOrder', { params: { id: toValue(id) }, body: { outcome } }),
    onSuccess: (response) => client.setQueryData(['orders', 'staff', toValue(id)], response),
    onSettled: () => client.invalidateQueries({ queryKey: ['orders'] }),
  });
}

/** Adds a note of staff to an order. */
export function useNoteOrder(id: MaybeRefOrGetter<string>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (text: string) => callOrders('noteOrder', { params: { id: toValue(id) }, body: { text } }),
    onSuccess: (response) => client.setQueryData(['orders', 'staff', toValue(id)], response),
  });
}
