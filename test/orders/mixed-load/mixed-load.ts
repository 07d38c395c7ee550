import { setTimeout as pause } from 'node:timers/promises';
import type { CreatedData, StaffOrderData } from '#domain/orders/responses.ts';
import type { Charge } from '#sandbox/payment-gateway/charges.ts';
import type { Stack } from '#test/support/services/stack.ts';
import { couponDifferences, moneyDifferences, pointsDifferences, stockDifferences } from './accounts.ts';
import { cashDifferences, checkLedger } from './cash-book.ts';
import { type Callers, createCallers, succeeded } from './callers.ts';
import { failGateway, mendGateway } from './gateway-faults.ts';
import { openMarket, pick, randomOf, type Shop } from './market.ts';
import { reconcile } from './reconciling.ts';
import { untilRest } from './rest.ts';
import { createStaffDesk } from './staff-desk.ts';
import { chooseStory, type Scene, stories } from './stories.ts';
import { countBy, createTally, type Tally } from './tally.ts';

export interface MixedLoadOptions {
  durationMs: number;
  /** How many orders begin each second, as far as the machine lets them. */
  perSecond: number;
  seed: number;
  /** The share of the gateway's calls and callbacks that fail. */
  failing: number;
  /** Stories that are not told. */
  without?: readonly string[];
  /** Called now and then with how far it is. */
  progress?: (line: string) => void;
}

/** More are not under way at once. */
const AT_ONCE = 100;
const DESK_PAUSE_MS = 2000;
const READERS = 8;

interface Run {
  callers: Callers;
  tally: Tally;
  shops: Shop[];
  orders: (CreatedData & { tenantId: string })[];
  /** What the load itself did not expect. */
  errors: string[];
}

/** Begins stories until the time is up. @returns how often each was told, once all have ended */
async function tellStories(run: Run, options: MixedLoadOptions): Promise<Record<string, number>> {
  const names = Object.keys(stories).filter((name) => !options.without?.includes(name));
  const told: string[] = [];
  const telling = new Set<Promise<void>>();
  const end = Date.now() + options.durationMs;
  let nextReport = Date.now() + 60_000;
  while (Date.now() < end) {
    if (Date.now() > nextReport) {
      options.progress?.(`${told.length} stories begun, ${telling.size} under way`);
      nextReport += 60_000;
    }
    const began = Date.now();
    if (telling.size < AT_ONCE) {
      const number = told.length;
      const random = randomOf(options.seed, number);
      const shop = pick(random, run.shops);
      const story = chooseStory(random, names);
      const created: Scene['created'] = (order) => void run.orders.push(order);
      const { callers, tally } = run;
      const one: Promise<void> = story
        .tell({ callers, tally, shop, payer: pick(random, shop.payers), random, number, created })
        .catch((error: unknown) => void run.errors.push(`${story.name}: ${String(error)}`))
        .finally(() => telling.delete(one));
      told.push(story.name);
      telling.add(one);
    }
    await pause(Math.max(1, 1000 / options.perSecond - (Date.now() - began)));
  }
  await Promise.all(telling);
  return countBy(told, (name) => name);
}

/** The desks of all shops, until `stop`. */
function openDesks({ shops, errors }: Run) {
  const abort = new AbortController();
  const { signal } = abort;
  const desks = shops.map(async (shop) => {
    const work = createStaffDesk(shop);
    while (!signal.aborted) {
      await work().catch((error: unknown) => errors.push(`staff: ${String(error)}`));
      await pause(DESK_PAUSE_MS, undefined, { signal }).catch(() => {});
    }
  });
  return async () => {
    abort.abort();
    await Promise.all(desks);
  };
}

/** Every order as its staff see it. */
async function readOrders({ shops, orders }: Run): Promise<StaffOrderData[]> {
  const waiting = orders.values();
  const read: StaffOrderData[] = [];
  const reader = async () => {
    for (const { orderId, tenantId } of waiting) {
      const staff = shops.find((shop) => shop.tenantId === tenantId)?.staff;
      if (!staff) throw new Error(`there is no shop ${tenantId}`);
      read.push(succeeded(orderId, await staff.call<StaffOrderData>('staffOrder', 'GET', `/admin/orders/${orderId}`)));
    }
  };
  await Promise.all(Array.from({ length: READERS }, reader));
  return read;
}

async function differencesOf(stack: Stack, { shops, callers }: Run, orders: readonly StaffOrderData[]) {
  const charges = (await callers.sandbox<{ items: Charge[] }>('charges', 'GET', '/sandbox/charges'))?.items ?? [];
  const each = async (compare: (shop: Shop, orders: readonly StaffOrderData[]) => Promise<string[]>) =>
    (await Promise.all(shops.map((shop) => compare(shop, orders)))).flat();
  const differences = {
    money: moneyDifferences(charges, orders),
    cash: await cashDifferences(stack, shops, charges),
    points: [...(await each(pointsDifferences)), ...(await checkLedger(stack))],
    stock: await each(stockDifferences),
    coupons: await each(couponDifferences),
  };
  return { charges, differences };
}

const day = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Reconciles twice: what the first run finds and mends, the second one no longer finds. */
async function reconcileTwice({ callers, shops }: Run, dates: string[], metricsAddress: string) {
  const first = await reconcile(shops, dates);
  const open = await untilRest(callers, metricsAddress);
  const second = await reconcile(shops, dates);
  return { first, second, open };
}

const latencies = (tally: Tally, operation: string) => ({
  p50: tally.quantileMs(operation, 0.5),
  p95: tally.quantileMs(operation, 0.95),
});

/**
 * Orders of several tenants and payers, of every kind at once, while the gateway's calls and callbacks fail; then,
 * without faults, whether every unit of money, points, stock and every coupon is accounted for: by reconciliation of
 * the day, and by comparing the gateway's own charges with the orders.
 */
export async function runMixedLoad(stack: Stack, options: MixedLoadOptions) {
  const tally = createTally();
  const callers = createCallers(stack, tally);
  const run: Run = { callers, tally, shops: await openMarket(callers), orders: [], errors: [] };
  const began = Date.now();
  await failGateway(callers, { share: options.failing, seed: options.seed });
  const closeDesks = openDesks(run);
  const told = await tellStories(run, options);
  const faults = await mendGateway(callers);
  const toldMs = Date.now() - began;
  options.progress?.('all stories told; waiting for rest');
  // A refund beside one at the desk that nobody told of waits for the comparison.
  const open = await untilRest(callers, stack.metrics.orders, ['orders_refunds_need_staff']);
  const restMs = Date.now() - began - toldMs;
  const dates = [...new Set([day(began), day(Date.now())])];
  options.progress?.('at rest; reconciling');
  // What it finds of other systems is for staff to decide.
  const reconciled = await reconcileTwice(run, dates, stack.metrics.orders);
  await closeDesks();
  const orders = await readOrders(run);
  const { charges, differences } = await differencesOf(stack, run, orders);
  const unexplained = [
    ...open,
    ...reconciled.open,
    ...reconciled.second.map((item) => JSON.stringify(item)),
    ...Object.values(differences).flat(),
  ];
  return {
    seed: options.seed,
    failingShare: options.failing,
    seconds: { load: Math.round(toldMs / 1000), untilRest: Math.round(restMs / 1000) },
    stories: told,
    gateway: faults,
    operations: tally.operations(),
    payMs: latencies(tally, 'pay'),
    payAgainMs: latencies(tally, 'payAgain'),
    orders: {
      total: orders.length,
      byStatus: countBy(orders, (order) => `${order.orderStatus}/${order.pointsStatus}/${order.paymentStatus}`),
    },
    charges: { total: charges.length, byStatus: countBy(charges, ({ status }) => status) },
    refunds: countBy(
      orders.flatMap(({ refunds }) => refunds),
      ({ kind, status }) => `${kind} ${status}`,
    ),
    reconciliation: {
      found: reconciled.first.length,
      foundByKind: countBy(reconciled.first, ({ kind, mended }) => `${kind}${mended ? ', mended' : ''}`),
      foundAgain: reconciled.second.length,
    },
    differences,
    notes: tally.notes(),
    errors: run.errors,
    unexplained,
  };
}
