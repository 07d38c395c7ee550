import { expect } from 'chai';
import { orderStatus, type Statuses } from '#domain/orders/states.ts';
import type { Launcher } from '#api/orders/launch.ts';
import { rows } from '#db/database.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { type PayReply, type OrdersService, type OrdersServiceOptions, startOrdersService } from './orders-service.ts';

export const staff = (tenantId: string) => ({ userId: 's-1', tenantId, roles: ['order_admin'] });

/** Who also decides who approves refunds. */
export const tenantAdmin = (tenantId: string) => ({ ...staff(tenantId), roles: ['order_admin', 'tenant_admin'] });

/** The code is 1000; otherwise the test fails with the code. */
export function ok(response: PayReply): PayReply {
  expect(response.code, JSON.stringify(response)).to.equal(1000);
  return response;
}

export const triple = ({ orderStatus, pointsStatus, paymentStatus }: Record<keyof Statuses, number>): string =>
  `${orderStatus}/${pointsStatus}/${paymentStatus}`;

/** Pays until the outcome of a payment is known: 90304 asks the payer to retry. */
export const untilKnown = <ApiResponse extends { code: number }>(ask: () => Promise<ApiResponse>) =>
  eventually(
    'what became of the payment',
    async () => {
      const response = await ask();
      return response.code !== 90304 && response;
    },
    { timeoutMs: 90_000 },
  );

/**
 * Pays an order of `shop`, with a shorter hold than a payer may request; retries if a busy machine did not respond.
 */
export function payWithin(ttlMs: number, { orderId }: { orderId: string }, { pay }: Pick<Launcher, 'pay'>) {
  const input = { orderId, tenantId: 'shop', attempt: 1, ttlMs, resultURL: null, cancelURL: null };
  return eventually('there is a response to pay', () => pay(input), { timeoutMs: 40_000 });
}

/** Short; the later ones are for a machine that was too busy for the first. */
const BRIEF_HOLDS_MS = [4000, 12_000, 40_000];

/**
 * Creates and pays an order of `shop` whose hold ends soon: on return it has its link, and half of the hold is left.
 * If an order's time was up first, the next one gets longer.
 * @throws Error if that did not help.
 */
export async function payBriefly(
  shop: Pick<ReturnType<typeof shopping>, 'create' | 'item'>,
  launcher: Pick<Launcher, 'pay'>,
  body: object,
  holdsMs: readonly number[] = BRIEF_HOLDS_MS,
): Promise<PayReply['data']> {
  for (const holdMs of holdsMs) {
    const order = await shop.create('shop', body);
    const began = Date.now();
    const { code } = await payWithin(holdMs, order, launcher);
    if (code === 1000 && Date.now() - began < holdMs / 2) return order;
    const ended = async () => (await shop.item(order, 'shop')).orderStatus === orderStatus.TIMEOUT;
    await eventually('its hold ends', ended, { timeoutMs: 90_000 });
  }
  throw new Error(`no link within half of a hold of ${holdsMs.at(-1)} ms`);
}

let serial = 0;
const next = (): number => (serial += 1);

/** Shorthands for what tests insert, create and read. */
export function shopping(service: OrdersService) {
  const { request, post } = service;
  return {
    putTenant: async (tenantId: string, more: object = {}) =>
      ok(
        await request(
          'PUT',
          `/admin/tenants/${tenantId}`,
          { name: tenantId, businessType: 0, PAYGW_shopId: `paygw-${tenantId}`, ...more },
          tenantAdmin(tenantId),
        ),
      ),
    putGoods: async (goodsId: string, tenantId: string, more: object = {}) =>
      ok(
        await request(
          'PUT',
          `/admin/goods/${goodsId}`,
          {
            tenantId,
            name: goodsId,
            pricingType: 'PAYMENT_OPTIONS',
            stock: null,
            paymentOptions: [{ paymentOptionId: 'o', name: 'DEFAULT', pointAmount: 0, cashAmount: 10 }],
            ...more,
          },
          staff(tenantId),
        ),
      ),
    putCoupon: async (couponId: string, tenantId: string, userId = 'u-1') =>
      ok(await request('PUT', `/admin/coupons/${couponId}`, { tenantId, userId, name: couponId }, staff(tenantId))),
    grant: async (tenantId: string, kind: string, amount: number, userId = 'u-1') =>
      ok(await post('/admin/points/grant', { tenantId, userId, kind, amount, key: `g-${next()}` }, staff(tenantId))),
    points: async (tenantId: string, userId = 'u-1') =>
      ok(await request('GET', `/admin/points?tenantId=${tenantId}&userId=${userId}`, undefined, staff(tenantId)))
        .data as unknown as Record<
        'tenant' | 'district' | 'wallet',
        { available: number; reserved: number; committed: number }
      >,
    create: async (tenantId: string, order: object, userId = 'u-1') =>
      ok(await post('/user/order/create', { tenantId, ...order }, { tenantId, userId })).data,
    pay: (order: { orderId: string }, tenantId: string, more: object = {}, userId = 'u-1') =>
      post(`/user/order/${order.orderId}/pay`, { tenantId, ...more }, { tenantId, userId }),
    payUntilKnown(order: { orderId: string }, tenantId: string, userId = 'u-1', more = {}): Promise<PayReply> {
      return untilKnown(() => this.pay(order, tenantId, more, userId));
    },
    cancel: (order: { orderId: string }, tenantId: string, userId = 'u-1') =>
      post(`/user/order/${order.orderId}/cancel`, { tenantId }, { tenantId, userId }),
    resolve: (order: { orderId: string }, tenantId: string, outcome: 'complete' | 'refund') =>
      post(`/admin/orders/${order.orderId}/resolve`, { outcome }, staff(tenantId)),
    item: async (order: { orderId: string }, tenantId: string, userId = 'u-1') =>
      ok(await post('/user/order/item', { tenantId, orderId: order.orderId }, { tenantId, userId })).data,
    staffOrder: async (order: { orderId: string }, tenantId: string) =>
      ok(await request('GET', `/admin/orders/${order.orderId}`, undefined, staff(tenantId))).data as unknown as {
        flags: string[];
        contact: object | null;
        ledger: { bucket: string; amount: number }[];
        refunds: { chargeId: string; status: string }[];
      } & Statuses,
    /** Waits until the order's statuses are these, e.g. `30/30/30`. */
    async until(order: { orderId: string }, tenantId: string, expected: string, userId = 'u-1', timeoutMs = 45_000) {
      let seen = '';
      await eventually(
        `order at ${expected}`,
        async () => {
          seen = triple(await this.item(order, tenantId, userId));
          if (seen !== expected) throw new Error(`it is at ${seen}`);
          return true;
        },
        { timeoutMs },
      );
    },
    /**
     * Checks that granted = available + reserved + committed for each account, and that ledger rows add up to the
     * balances.
     */
    async expectBalanced(): Promise<void> {
      const off = await rows(
        service.database,
        `select a.* from point_account a left join (
           select tenant_id, user_id, kind, coalesce(-sum(amount) filter (where bucket = 'granted'), 0) as granted,
             coalesce(sum(amount) filter (where bucket = 'available'), 0) as available,
             coalesce(sum(amount) filter (where bucket = 'reserved'), 0) as reserved,
             coalesce(sum(amount) filter (where bucket = 'committed'), 0) as committed
           from ledger_entry group by tenant_id, user_id, kind) l using (tenant_id, user_id, kind)
         where (a.granted, a.available, a.reserved, a.committed) is distinct from
               (l.granted, l.available, l.reserved, l.committed)
            or a.granted <> a.available + a.reserved + a.committed`,
        {},
      );
      expect(off).to.deep.equal([]);
      const lopsided = await rows(
        service.database,
        'select movement from ledger_entry group by movement having sum(amount) <> 0 or count(*) <> 2',
        {},
      );
      expect(lopsided).to.deep.equal([]);
    },
  };
}

interface OpenShopOptions extends OrdersServiceOptions {
  /** Overrides for each tenant; by default only `shop`, without any. */
  tenants?: Record<string, object>;
  /** The points of `u-1` at `shop`. */
  points?: Partial<Record<'tenant' | 'district' | 'wallet', number>>;
}

/**
 * The order service with tenants and points, and shorthands for working with it. Its books are checked when it
 * closes.
 */
export async function openShop({ tenants = { shop: {} }, points = {}, ...options }: OpenShopOptions = {}) {
  const service = await startOrdersService(options);
  const shop = shopping(service);
  for (const [tenantId, more] of Object.entries(tenants)) await shop.putTenant(tenantId, more);
  for (const [kind, amount] of Object.entries(points)) await shop.grant('shop', kind, amount);
  return {
    ...service,
    ...shop,
    close: async () => {
      try {
        await shop.expectBalanced();
      } finally {
        await service.stop();
      }
    },
  };
}

export type OpenShop = Awaited<ReturnType<typeof openShop>>;
