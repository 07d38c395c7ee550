import { expect } from 'chai';
import { isWhole } from '../support/extent.ts';
import { eventually } from '../support/time/eventually.ts';
import { openSite, type Site, strikes } from './support/crash-site.ts';
import type { GatewayCall } from './support/fake-gateway.ts';
import type { PayReply } from './support/orders-service.ts';
import { payBriefly } from './support/shop.ts';

/** Where to kill something: around a call to the gateway, or around a commit of one of our transactions. */
type Place =
  | { call: GatewayCall['operation']; instant: 'before effect' | 'after effect' }
  | { row: keyof typeof rowEvents; instant: 'before commit' | 'after commit' };

/** Transactions, identified by the row change that only they make, with what is visible once they are committed. */
const rowEvents = {
  reserve: {
    on: 'insert on orders.payment_attempt',
    done: `exists (select 1 from orders.payment_attempt where order_id = $1)`,
  },
  'record charge': {
    on: 'update of charge_id on orders.payment_attempt',
    done: `exists (select 1 from orders.payment_attempt where order_id = $1 and charge_id is not null)`,
  },
  'record callback': {
    on: 'insert on orders.gateway_event',
    done: `exists (select 1 from orders.gateway_event where order_id = $1)`,
  },
  'end hold': {
    on: 'update of hold_status on orders.payment_attempt',
    done: `exists (select 1 from orders.payment_attempt where order_id = $1 and hold_status <> 'reserved')`,
  },
  'confirm refund': {
    on: 'update on orders.refund',
    done: `exists (select 1 from orders.refund where order_id = $1 and status = 'confirmed')`,
  },
};

type Path = 'paid' | 'expired' | 'late';
const ends: Record<Path, string> = { paid: '30/30/30', expired: '50/40/40', late: '50/40/60' };

const around = (call: GatewayCall['operation']): Place[] => [
  { call, instant: 'before effect' },
  { call, instant: 'after effect' },
];
const aroundCommit = (row: keyof typeof rowEvents): Place[] => [
  { row, instant: 'before commit' },
  { row, instant: 'after commit' },
];

const cases: [Path, Place[]][] = [
  [
    'paid',
    [
      ...aroundCommit('reserve'),
      ...around('create'),
      ...aroundCommit('record charge'),
      ...aroundCommit('record callback'),
      ...around('read'),
      ...aroundCommit('end hold'),
    ],
  ],
  ['expired', [...around('cancel'), ...aroundCommit('end hold')]],
  ['late', [...around('refund'), ...aroundCommit('confirm refund')]],
];

const PAUSE_LOCK = 770_001;
const WAITING = `select 1 from pg_locks where locktype = 'advisory' and not granted and objid = $1
  and database = (select oid from pg_database where datname = current_database())`;

/** An event to wait for while the order is in progress: it either occurs or is known not to. */
interface Watch {
  /** The order is at the end of its path, or did not get there. */
  over: boolean;
}

/**
 * Waits for the place for as long as the order can still reach it.
 * @returns false if it did not.
 */
async function reached(what: string, look: () => boolean | Promise<boolean>, watch: Watch): Promise<boolean> {
  const found = await eventually(
    what,
    async () => {
      const { over } = watch;
      if (await look()) return 'here';
      return over && 'never';
    },
    { timeoutMs: 200_000, intervalMs: 2 },
  );
  return found === 'here';
}

/** Strikes when a call of this kind arrives; the call then has its effect or not, but gets no response. */
async function reachCall(
  { gateway }: Site,
  place: Extract<Place, { call: string }>,
  strike: () => Promise<void>,
  watch: Watch,
): Promise<boolean> {
  let striking: Promise<void> | undefined;
  gateway.state.fault = ({ operation }) => {
    if (operation !== place.call || striking) return undefined;
    striking = strike();
    // A failure is reported where it is awaited below.
    striking.catch(() => undefined);
    return place.instant === 'before effect' ? 'reset' : 'lost';
  };
  try {
    const came = await reached(`a call to ${place.call}`, () => striking !== undefined, watch);
    await striking;
    return came;
  } finally {
    gateway.state.fault = () => undefined;
  }
}

const isPause = (place: Place): place is Extract<Place, { row: string }> =>
  'row' in place && place.instant === 'before commit';

/** Makes the transaction wait in a trigger before its commit, from before it can start; returns how to release it. */
async function arm({ owner, hold }: Site, place: Place): Promise<() => Promise<void>> {
  if (!isPause(place)) return () => Promise.resolve();
  const letGo = await hold(PAUSE_LOCK);
  const { on } = rowEvents[place.row];
  await owner.query(`create function orders.pause() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock_shared(${PAUSE_LOCK}); return new; end $$`);
  await owner.query(`create trigger pause before ${on} for each row execute function orders.pause()`);
  return letGo;
}

/**
 * A waiting transaction locks the table, so the trigger can be dropped only after the lock is gone and PostgreSQL is
 * back.
 */
async function tidy({ owner }: Site, place: Place): Promise<void> {
  if (!isPause(place)) return;
  const { on } = rowEvents[place.row];
  await owner.query(`drop trigger pause on ${on.slice(on.indexOf('orders.'))}; drop function orders.pause()`);
}

/** Strikes when the place is reached. @returns false if the order never got there. */
async function reach(
  site: Site,
  place: Place,
  orderId: string,
  strike: () => Promise<void>,
  watch: Watch,
): Promise<boolean> {
  if ('call' in place) return reachCall(site, place, strike, watch);
  const paused = async () => (await site.owner.query(WAITING, [PAUSE_LOCK])).rowCount !== 0;
  const committed = async () => {
    const { done } = rowEvents[place.row];
    const result = await site.owner.query<{ yes: boolean }>(`select ${done} as yes`, [orderId]);
    return result.rows[0]?.yes === true;
  };
  const here = await reached(`${place.instant} of ${place.row}`, isPause(place) ? paused : committed, watch);
  if (here) await strike();
  return here;
}

/** Like real gateways, sends the callback until it gets 200. */
async function tell({ gateway }: Site, orderNo: string): Promise<void> {
  const charge = gateway.chargeOf(orderNo);
  charge.status = 'paid';
  await eventually('told', async () => (await gateway.callback(charge)).status === 200, { timeoutMs: 90_000 });
}

/** What the payer and the gateway do to make an order end as its path says. */
async function drive(site: Site, path: Path, order: PayReply['data']): Promise<void> {
  const { shop } = site;
  if (path === 'paid') {
    const linked = async () => (await shop.pay(order, 'shop')).code === 1000;
    await eventually('the link is there', linked, { timeoutMs: 90_000 });
    return tell(site, order.orderNo);
  }
  if (path === 'expired') return;
  await shop.until(order, 'shop', '50/40/40', 'u-1', 90_000);
  await tell(site, order.orderNo);
}

const terms = { grossMoneyAmount: 10, moneyAmount: 9, pointsPlan: { walletPoints: 4 } };

/** Short deadlines, with longer ones for orders that ended before the place was watched. */
const HOLDS_MS = [4000, 16_000];

/**
 * One order, struck once at the place: it ends as its path says.
 * @returns the order, or null if it never reached the place.
 */
async function strikeOne(
  site: Site,
  struck: keyof typeof strikes,
  path: Path,
  place: Place,
  holdsMs: readonly number[],
): Promise<PayReply['data'] | null> {
  const { shop, launcher } = site;
  const order = path === 'paid' ? await shop.create('shop', terms) : await payBriefly(shop, launcher, terms, holdsMs);
  const isAtEnd = () => shop.until(order, 'shop', ends[path], 'u-1', 90_000);
  const { strike, mend } = strikes[struck];
  const watch: Watch = { over: false };
  const letGo = await arm(site, place);
  const driving = drive(site, path, order)
    .then(isAtEnd)
    .finally(() => (watch.over = true));
  const striking = reach(site, place, order.orderId, () => strike(site), watch)
    .finally(letGo)
    .finally(() => mend(site))
    .finally(() => tidy(site, place));
  // Wait for both, whatever becomes of either: the next order has this site to itself.
  const [driven, here] = await Promise.allSettled([driving, striking]);
  if (driven.status === 'rejected') throw driven.reason;
  if (here.status === 'rejected') throw here.reason;
  await isAtEnd();
  return here.value ? order : null;
}

/** One order, struck once at the place: it ends as its path says, with one charge and its points taken once. */
async function crash(site: Site, struck: keyof typeof strikes, path: Path, place: Place): Promise<void> {
  const { shop, gateway } = site;
  const before = (await shop.points('shop')).wallet;
  let order = await strikeOne(site, struck, path, place, HOLDS_MS);
  if (path !== 'paid') order ??= await strikeOne(site, struck, path, place, HOLDS_MS.slice(1));
  if (!order) throw new Error('it never reached the place');
  const charges = [...gateway.charges.values()].filter((charge) => charge.orderNo === order.orderNo);
  expect(charges, 'one charge').to.have.length(1);
  const taken = path === 'paid' ? 4 : 0;
  expect((await shop.points('shop')).wallet).to.deep.equal({
    available: before.available - taken,
    reserved: before.reserved,
    committed: before.committed + taken,
  });
}

interface Crash {
  title: string;
  run: (site: Site) => Promise<void>;
}

const nameOf = (place: Place): string => ('call' in place ? `the gateway's ${place.call}` : place.row);

const strikeCount = Object.keys(strikes).length;

/** Each of the three once in brief; at each place the next of them; or, as `npm run test:all` asks for, all of them. */
function isStruck(which: number, at: number): boolean {
  if (process.env['EVERY_STRIKE'] === 'on') return true;
  return isWhole(import.meta.url) ? at % strikeCount === which : at === which;
}

const crashes: Crash[] = (Object.keys(strikes) as (keyof typeof strikes)[]).flatMap((struck, which) =>
  cases.flatMap(([path, places]) =>
    places
      .filter((_, at) => isStruck(which, at))
      .map((place) => ({
        title: `${struck}, ${place.instant} of ${nameOf(place)}: ${path} ends ${ends[path]}, once`,
        run: (site: Site) => crash(site, struck, path, place),
      })),
  ),
);

/** A crash is mostly waiting for timeouts, so several sites run in parallel, each taking the next item. */
const SITES = 4;

describe('Crashes at every step of pay', function () {
  this.timeout(1_500_000);
  const outcomes = new Map<string, unknown>();
  const sites: Site[] = [];

  async function openNext(): Promise<Site> {
    const site = await openSite();
    sites.push(site);
    return site;
  }

  /** Runs one after the other; a failure discards its site, so that the next run starts clean. */
  async function runInTurn(waiting: Crash[]): Promise<void> {
    let site = await openNext();
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      try {
        await next.run(site);
        outcomes.set(next.title, 'as it should be');
      } catch (error) {
        outcomes.set(next.title, error);
        // A broken site may fail to stop, too, and the original error has been kept.
        await site.stop().catch(() => undefined);
        site = await openNext();
      }
    }
  }

  before(async () => {
    const waiting = [...crashes];
    await Promise.all(Array.from({ length: SITES }, () => runInTurn(waiting)));
  });
  after(() => Promise.all(sites.map((site) => site.close())));

  for (const { title } of crashes) {
    it(title, () => {
      const outcome = outcomes.get(title);
      if (outcome instanceof Error) throw outcome;
      expect(outcome).to.equal('as it should be');
    });
  }
});
