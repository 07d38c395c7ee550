import { useQuery, useQueryClient } from '@tanstack/vue-query';
import { computed, toValue, type MaybeRefOrGetter } from 'vue';
import type { PutGoods } from '#domain/orders/administration.ts';
import type { GoodsData } from '#domain/orders/administration/catalogue.ts';
import { callOrders } from '#web/api/orders.ts';
import { listed } from '../listed.ts';

export interface GoodsFilter {
  tenantId?: string | undefined;
  q?: string | undefined;
  cursor?: string | undefined;
}

export function useGoodsList(filter: MaybeRefOrGetter<GoodsFilter>) {
  return useQuery({
    ...listed(() => ['goods', 'list', toValue(filter)]),
    queryFn: async ({ signal }) =>
      (await callOrders('listGoods', { query: { ...toValue(filter), limit: 50 }, signal })).data,
  });
}

export function useGoods(goodsId: MaybeRefOrGetter<string>) {
  return useQuery({
    queryKey: computed(() => ['goods', 'one', toValue(goodsId)]),
    queryFn: async ({ signal }) => (await callOrders('getGoods', { params: { id: toValue(goodsId) }, signal })).data,
  });
}

/** What staff did to the stock, newest first, page by page. */
export function useStockChanges(goodsId: MaybeRefOrGetter<string>, cursor: MaybeRefOrGetter<string | undefined>) {
  return useQuery({
    ...listed(() => ['goods', 'one', toValue(goodsId), 'stock', { cursor: toValue(cursor) }]),
    queryFn: async ({ signal }) => {
      const params = { id: toValue(goodsId) };
      return (await callOrders('listStockChanges', { params, query: { cursor: toValue(cursor), limit: 20 }, signal }))
        .data;
    },
  });
}

/**
 * @param etag of the goods that were read; null for new ones
 * @throws OrderProblem 90209 if they have changed since, or if the id of new ones is in use; 90003 if it is another tenant’s
 */
export async function putGoods(goodsId: string, body: PutGoods, etag: string | null): Promise<GoodsData> {
  const headers = etag === null ? { 'if-none-match': '*' } : { 'if-match': etag };
  return (await callOrders('putGoods', { params: { id: goodsId }, headers, body })).data;
}

export function useForgetGoods(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ['goods'] });
}
