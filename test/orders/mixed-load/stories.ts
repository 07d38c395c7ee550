import { setTimeout as pause } from 'node:timers/promises';
import type { CreatedData, OrderData, PayData, StaffOrderData } from '#domain/orders/responses.ts';
import { orderStatus } from '#domain/orders/states.ts';
import type { Callers, Reply } from './callers.ts';
import { createBody, type Payer, pick, type Random, type Shop } from './market.ts';
import type { Tally } from './tally.ts';

/** Everything about one order while its story is told. */
export interface Scene {
  callers: Callers;
  tally: Tally;
  shop: Shop;
  payer: Payer;
  random: Random;
  /** Of the order within the run. */
  number: number;
  created: (order: CreatedData & { tenantId: string }) => void;
}

const POLL_MS = 1000;
const POLLS = 100;
const TRIES = 20;
/** Holds end within the run, so that no order stays pending. */
const HOLD_SECONDS = 60;

const openStatuses = new Set<number>([orderStatus.POINTS_UNKNOWN, orderStatus.PAYMENT_PENDING]);

/** What the payer and the staff do with one order. */
export function steps({ callers, tally, shop, payer, random, number, created }: Scene) {
  const { tenantId, staff } = shop;

  async function create(free = false): Promise<CreatedData | null> {
    const body = await createBody(random, { shop, payer, number, free });
    const { code, data } = await payer.call<CreatedData>('create', 'POST', '/user/order/create', body);
    if (code !== 1000) return null;
    created({ ...data, tenantId });
    return data;
  }

  /** One request; `again` only names it in the tally. */
  const payOnce = ({ orderId }: CreatedData, again = false): Promise<Reply<PayData>> => {
    const body = { tenantId, reserveTimeoutSeconds: HOLD_SECONDS };
    return payer.call(again ? 'payAgain' : 'pay', 'POST', `/user/order/${orderId}/pay`, body);
  };

  /** Pays until the outcome is known. @returns the charge to pay; null if there is none. */
  async function pay(order: CreatedData): Promise<string | null> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const { code, data } = await payOnce(order, tries > 0);
      if (code === 1000) return data.paymentUrl?.split('/').at(-1) ?? null;
      if (code !== 90304 && code !== 90301) return null;
      await pause(POLL_MS / 4);
    }
    tally.note('a pay had no outcome');
    return null;
  }

  const money = (chargeId: string, how: object = {}) =>
    callers.sandbox('money', 'POST', `/sandbox/charges/${chargeId}:pay`, how);

  async function cancel({ orderId }: CreatedData): Promise<void> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const { code } = await payer.call('cancel', 'POST', `/user/order/${orderId}/cancel`, { tenantId });
      if (code !== 90304 && code !== 90301) return;
      await pause(POLL_MS / 4);
    }
    tally.note('a cancel had no outcome');
  }

  /** Waits until the payment has ended. @returns how; null if it has not for a long time. */
  async function ended({ orderId }: CreatedData): Promise<number | null> {
    for (let polls = 0; polls < POLLS; polls += 1) {
      const { code, data } = await payer.call<OrderData>('item', 'POST', '/user/order/item', { tenantId, orderId });
      if (code === 1000 && !openStatuses.has(data.orderStatus)) return data.orderStatus;
      await pause(POLL_MS);
    }
    tally.note('a payment did not end while its story was told');
    return null;
  }

  const refund = ({ orderId }: CreatedData, key: string, more: object) =>
    staff.call('refund', 'POST', `/admin/orders/${orderId}/refund`, { reason: 'of the load', key, ...more });

  /** The gateway's own staff give money back. */
  const refundAtDesk = (chargeId: string, how: object) =>
    callers.sandbox('refundAtDesk', 'POST', `/sandbox/charges/${chargeId}:refund`, how);

  /** Waits until staff see a dispute of the order at this status; the gateway tells again of what they do not see. */
  async function untilDisputeIs({ orderId }: CreatedData, chargeId: string, status: string): Promise<void> {
    for (let polls = 0; polls < POLLS; polls += 1) {
      const { code, data } = await staff.call<StaffOrderData>('staffOrder', 'GET', `/admin/orders/${orderId}`);
      if (code === 1000 && data.disputes.some((dispute) => dispute.status === status)) return;
      if (polls % 5 === 4)
        await callers.sandbox('tellDispute', 'POST', `/sandbox/charges/${chargeId}:dispute-callback`, {});
      await pause(POLL_MS);
    }
    tally.note('a dispute was not booked while its story was told');
  }

  /** The payer claims money back. @returns whether the gateway took the claim */
  async function dispute(order: CreatedData, chargeId: string, how: object): Promise<boolean> {
    const opened = await callers.sandbox('dispute', 'POST', `/sandbox/charges/${chargeId}:dispute`, how);
    if (opened) await untilDisputeIs(order, chargeId, 'open');
    return opened !== null;
  }

  async function decideDispute(order: CreatedData, chargeId: string, outcome: 'won' | 'lost'): Promise<void> {
    await callers.sandbox('decideDispute', 'POST', `/sandbox/charges/${chargeId}:close-dispute`, { outcome });
    await untilDisputeIs(order, chargeId, outcome);
  }

  return { create, payOnce, pay, money, cancel, ended, refund, refundAtDesk, dispute, decideDispute };
}

type Story = (scene: Scene) => Promise<void>;
type Steps = ReturnType<typeof steps>;

/** A story about an order that has its charge. */
const charged =
  (tell: (one: Steps, order: CreatedData, chargeId: string, scene: Scene) => Promise<unknown>): Story =>
  async (scene) => {
    const one = steps(scene);
    const order = await one.create();
    const chargeId = order && (await one.pay(order));
    if (order && chargeId) await tell(one, order, chargeId, scene);
  };

const paid = (tell: (one: Steps, order: CreatedData, scene: Scene & { chargeId: string }) => Promise<unknown>): Story =>
  charged(async (one, order, chargeId, scene) => {
    await one.money(chargeId);
    if ((await one.ended(order)) === orderStatus.DONE) await tell(one, order, { ...scene, chargeId });
  });

/** Whether this callback is sent; half of those that matter are not. */
const sometimesQuiet = (random: Random): object => (random() < 0.5 ? { callback: false } : {});

/** Between 1 and 4 units, to the cent. */
const little = (random: Random): number => (100 + Math.floor(random() * 300)) / 100;

const outcomeOf = (random: Random): 'won' | 'lost' => (random() < 0.5 ? 'won' : 'lost');

/** What happens to orders, and how often beside the others. */
export const stories: Record<string, { weight: number; tell: Story }> = {
  paid: { weight: 20, tell: paid(async () => {}) },
  'callback lost, paid again': {
    weight: 6,
    tell: charged(async (one, order, chargeId) => {
      await one.money(chargeId, { callback: false });
      await one.payOnce(order, true);
      await one.ended(order);
    }),
  },
  'callback lost': {
    weight: 7,
    tell: charged(async (one, order, chargeId) => {
      await one.money(chargeId, { callback: false });
      await one.ended(order);
    }),
  },
  'callback repeated': {
    weight: 4,
    tell: charged(async (one, order, chargeId, { callers }) => {
      // A charge whose time was over first is not paid, and has nothing to report.
      if (await one.money(chargeId))
        await callers.sandbox('callback', 'POST', `/sandbox/charges/${chargeId}:callback`, {});
      await one.ended(order);
    }),
  },
  'paid many times at once': {
    weight: 4,
    tell: async (scene) => {
      const one = steps(scene);
      const order = await one.create();
      if (!order) return;
      await Promise.all([one.payOnce(order), one.payOnce(order, true), one.payOnce(order, true)]);
      const chargeId = await one.pay(order);
      if (chargeId) await one.money(chargeId);
      await one.ended(order);
    },
  },
  'paid while it is cancelled': {
    weight: 6,
    tell: charged(async (one, order, chargeId, { random }) => {
      await Promise.all([one.money(chargeId, sometimesQuiet(random)), one.cancel(order)]);
      await one.ended(order);
    }),
  },
  cancelled: { weight: 9, tell: charged((one, order) => one.cancel(order)) },
  'cancelled before it was paid': {
    weight: 2,
    tell: async (scene) => {
      const one = steps(scene);
      const order = await one.create();
      if (order) await one.cancel(order);
    },
  },
  'paid after it was cancelled': {
    weight: 6,
    tell: charged(async (one, order, chargeId, { random }) => {
      await one.cancel(order);
      if ((await one.ended(order)) === orderStatus.CANCELLED)
        await one.money(chargeId, { late: true, ...sometimesQuiet(random) });
    }),
  },
  expired: { weight: 5, tell: charged((one, order) => one.ended(order)) },
  'paid after it expired': {
    weight: 4,
    tell: charged(async (one, order, chargeId, { random }) => {
      if ((await one.ended(order)) === orderStatus.TIMEOUT)
        await one.money(chargeId, { late: true, ...sometimesQuiet(random) });
    }),
  },
  'another amount came': {
    weight: 4,
    tell: charged(async (one, _order, chargeId, { random }) =>
      one.money(chargeId, { charge: { amount: little(random) } }),
    ),
  },
  'another amount was reported': {
    weight: 2,
    tell: charged(async (one, _order, chargeId, { random }) =>
      one.money(chargeId, { callback: { amount: little(random) } }),
    ),
  },
  'refunded whole': {
    weight: 5,
    tell: paid((one, order, { random }) =>
      one.refund(order, 'whole', { restorePoints: random() < 0.5, restock: random() < 0.5 }),
    ),
  },
  'refunded in parts': {
    weight: 5,
    tell: paid(async (one, order, { random }) => {
      await one.refund(order, 'first', { amount: 1.25 });
      await one.refund(order, 'second', { amount: 2 });
      await one.refund(order, 'first', { amount: 1.25 });
      if (random() < 0.5) await one.refund(order, 'rest', { restorePoints: true });
    }),
  },
  'refunded at the desk': {
    weight: 5,
    tell: paid(async (one, _order, { chargeId, random }) => {
      const amount = random() < 0.7 ? { amount: little(random) } : {};
      await one.refundAtDesk(chargeId, { ...amount, ...sometimesQuiet(random) });
    }),
  },
  'refunded by staff and at the desk at once': {
    weight: 3,
    tell: paid((one, order, { chargeId, random }) =>
      Promise.all([
        one.refund(order, 'beside the desk', random() < 0.5 ? {} : { amount: 1.5 }),
        one.refundAtDesk(chargeId, { amount: little(random), ...sometimesQuiet(random) }),
      ]),
    ),
  },
  'paid and refunded at the desk before anybody knew': {
    weight: 2,
    tell: charged(async (one, order, chargeId, { random }) => {
      await one.money(chargeId, { callback: false });
      await one.refundAtDesk(chargeId, random() < 0.5 ? {} : { amount: 1 });
      await one.ended(order);
    }),
  },
  disputed: {
    weight: 4,
    tell: paid(async (one, order, { chargeId, random }) => {
      const claimed = await one.dispute(order, chargeId, random() < 0.5 ? {} : { amount: little(random) });
      if (claimed) await one.decideDispute(order, chargeId, outcomeOf(random));
    }),
  },
  'the rest refunded while a part is disputed': {
    weight: 3,
    tell: paid(async (one, order, { chargeId, random }) => {
      const claimed = await one.dispute(order, chargeId, { amount: little(random) });
      await one.refund(order, 'the rest', {});
      if (claimed) await one.decideDispute(order, chargeId, outcomeOf(random));
    }),
  },
  'disputed while it is refunded': {
    weight: 2,
    tell: paid(async (one, order, { chargeId, random }) => {
      const [claimed] = await Promise.all([
        one.dispute(order, chargeId, { amount: little(random) }),
        one.refund(order, 'beside the dispute', random() < 0.5 ? {} : { amount: 1 }),
      ]);
      if (claimed) await one.decideDispute(order, chargeId, outcomeOf(random));
    }),
  },
  'points only': {
    weight: 8,
    tell: async (scene) => {
      const one = steps(scene);
      const order = await one.create(true);
      if (!order) return;
      await one.pay(order);
      if (scene.random() < 0.3) await one.refund(order, 'points', { restorePoints: true });
    },
  },
  'created only': { weight: 2, tell: async (scene) => void (await steps(scene).create()) },
  'money of another system': {
    weight: 1,
    tell: async (scene) => {
      const { callers, shop, number } = scene;
      const chargeId = await callers.foreignCharge(shop.shopId, `foreign-${shop.tenantId}-${number}`);
      if (chargeId) await steps(scene).money(chargeId);
    },
  },
};

/** A story by weight, of those with these names. */
export function chooseStory(random: Random, names: readonly string[]): { name: string; tell: Story } {
  const drawn = names.flatMap((name) => Array.from({ length: stories[name]?.weight ?? 0 }, () => name));
  const name = pick(random, drawn);
  return { name, tell: stories[name]?.tell ?? (() => Promise.reject(new Error(`there is no story ${name}`))) };
}
