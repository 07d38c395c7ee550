import { expect } from 'chai';
import pg from 'pg';
import { createLauncher } from '../../api/orders/launch.ts';
import { eventually } from '../support/eventually.ts';
import { startTestIdentity } from '../support/identity.ts';
import { startStack } from '../support/stack.ts';
import { type GatewayCall, startFakeGateway } from './support/fake-gateway.ts';
import type { Answered, OrdersService } from './support/orders-service.ts';
import { shopping, triple } from './support/shop.ts';

/** Where something is killed: around a call to the gateway, or around a commit of one of our transactions. */
type Place =
  | { call: GatewayCall['operation']; moment: 'before effect' | 'after effect' }
  | { row: keyof typeof rowEvents; moment: 'before commit' | 'after commit' };

/** Transactions, by the row change that only they make, and what is seen once they are committed. */
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
  { call, moment: 'before effect' },
  { call, moment: 'after effect' },
];
const aroundCommit = (row: keyof typeof rowEvents): Place[] => [
  { row, moment: 'before commit' },
  { row, moment: 'after commit' },
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

/** The service as its own process, with everything it needs, to be struck and mended. */
async function openSite() {
  const [gateway, identity] = await Promise.all([startFakeGateway(), startTestIdentity()]);
  const stack = await startStack({
    services: ['orders'],
    env: {
      IDENTITY_ISSUER: identity.issuer,
      PAYMENT_GATEWAY_BASE_URL: gateway.baseUrl,
      PAYMENT_GATEWAY_WEBHOOK_SECRET: gateway.webhookSecret,
    },
  });
  const launcher = createLauncher(stack.temporal.client);
  const owner = new pg.Client({ connectionString: stack.database.DATABASE_URL });
  await owner.connect();
  const request: OrdersService['request'] = async (method, path, body, as = {}) => {
    const claims = { sub: as?.userId ?? 'u-1', tenantId: as?.tenantId ?? 'shop', roles: as?.roles ?? [] };
    const response = await fetch(`${stack.addresses.orders}/transaction/v1${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${await identity.token(claims)}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, ...((await response.json()) as Omit<Answered, 'status'>) };
  };
  const database = stack.database.connect('orders');
  const shop = shopping({
    request,
    post: (path: string, body: unknown, as) => request('POST', path, body, as),
    database,
  } as OrdersService);
  await shop.putTenant('shop');
  await shop.grant('shop', 'wallet', 1000);
  return {
    stack,
    gateway,
    launcher,
    owner,
    shop,
    close: async () => {
      await shop.expectBalanced();
      await owner.end();
      await stack.stop();
      await gateway.stop();
      await identity.close();
    },
  };
}

type Site = Awaited<ReturnType<typeof openSite>>;

/** Strikes when a call of this kind arrives; it then has its effect or not, and no answer. */
function reachCall({ gateway }: Site, place: Extract<Place, { call: string }>, strike: () => Promise<void>) {
  return new Promise<void>((resolve, reject) => {
    gateway.state.fault = ({ operation }) => {
      if (operation !== place.call) return undefined;
      gateway.state.fault = () => undefined;
      strike().then(resolve, reject);
      return place.moment === 'before effect' ? 'reset' : 'lost';
    };
  });
}

/** Has the transaction wait in a trigger before its commit, and strikes while it waits. */
async function reachBeforeCommit({ owner }: Site, on: string, strike: () => Promise<void>): Promise<void> {
  await owner.query('select pg_advisory_lock($1)', [PAUSE_LOCK]);
  await owner.query(`create function orders.pause() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock_shared(${PAUSE_LOCK}); return new; end $$`);
  await owner.query(`create trigger pause before ${on} for each row execute function orders.pause()`);
  const waiting = `select 1 from pg_locks where locktype = 'advisory' and not granted and objid = $1
    and database = (select oid from pg_database where datname = current_database())`;
  try {
    await eventually('the commit waits', async () => (await owner.query(waiting, [PAUSE_LOCK])).rowCount !== 0, {
      timeoutMs: 30_000,
      intervalMs: 5,
    });
    await strike();
  } finally {
    // Whoever waits holds the table, so that the trigger goes only after the lock.
    await owner.query('select pg_advisory_unlock($1)', [PAUSE_LOCK]);
    await owner.query(`drop trigger pause on ${on.slice(on.indexOf('orders.'))}; drop function orders.pause()`);
  }
}

/** Resolves once the place was reached and struck. */
async function reach(site: Site, place: Place, orderId: string, strike: () => Promise<void>): Promise<void> {
  if ('call' in place) return reachCall(site, place, strike);
  const { on, done } = rowEvents[place.row];
  if (place.moment === 'before commit') return reachBeforeCommit(site, on, strike);
  const committed = async () => {
    const result = await site.owner.query<{ yes: boolean }>(`select ${done} as yes`, [orderId]);
    return result.rows[0]?.yes;
  };
  await eventually(`${place.row} is committed`, committed, { timeoutMs: 30_000, intervalMs: 2 });
  return strike();
}

/** The gateway tells until it hears 200, as gateways do. */
async function tell({ gateway }: Site, orderNo: string): Promise<void> {
  const charge = gateway.chargeOf(orderNo);
  charge.status = 'paid';
  await eventually('told', async () => (await gateway.callback(charge)).status === 200, { timeoutMs: 40_000 });
}

async function drive(site: Site, path: Path, order: Answered['data']): Promise<void> {
  const { shop, launcher } = site;
  if (path === 'paid') {
    const linked = async () => (await shop.pay(order, 'shop')).code === 1000 || undefined;
    await eventually('the link is there', linked, { timeoutMs: 40_000 });
    return tell(site, order.orderNo);
  }
  const terms = { orderId: order.orderId, tenantId: 'shop', attempt: 1, resultURL: null, cancelURL: null };
  await launcher.pay({ ...terms, ttlMs: 1000 });
  if (path === 'expired') return;
  await shop.until(order, 'shop', '50/40/40');
  await tell(site, order.orderNo);
}

const strikes = {
  'the service': {
    strike: ({ stack }: Site) => stack.kill('orders'),
    mend: ({ stack }: Site) => stack.restart('orders'),
  },
  "PostgreSQL's connections": {
    strike: async ({ owner }: Site) => {
      await owner.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name in ('orders-api', 'orders-worker')`,
      );
    },
    mend: () => Promise.resolve(),
  },
};

/** One order, struck once at the place: it ends as its path says, with one charge and its points taken once. */
async function crash(site: Site, struck: keyof typeof strikes, path: Path, place: Place): Promise<void> {
  const { shop, gateway } = site;
  const order = await shop.create('shop', {
    grossMoneyAmount: 10,
    moneyAmount: 9,
    pointsPlan: { walletPoints: 4 },
  });
  const before = (await shop.points('shop')).wallet;
  const { strike, mend } = strikes[struck];
  const reached = reach(site, place, order.orderId, () => strike(site)).then(() => mend(site));
  await Promise.all([reached, drive(site, path, order)]);
  const atEnd = async () => {
    const at = triple(await shop.item(order, 'shop'));
    if (at !== ends[path]) throw new Error(`it is at ${at}`);
    return true;
  };
  await eventually(`the order at ${ends[path]}`, atEnd, { timeoutMs: 40_000, intervalMs: 100 });
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

const crashes: Crash[] = (Object.keys(strikes) as (keyof typeof strikes)[]).flatMap((struck) =>
  cases.flatMap(([path, places]) =>
    places.map((place) => ({
      title: `${struck}, ${place.moment} of ${nameOf(place)}: ${path} ends ${ends[path]}, once`,
      run: (site: Site) => crash(site, struck, path, place),
    })),
  ),
);

/** A crash is mostly waiting for time-outs, so several sites wait at once, each for its own share. */
const SITES = 4;

describe('Crashes at every step of pay', function () {
  this.timeout(300_000);
  const outcomes = new Map<string, unknown>();
  const sites: Site[] = [];

  before(async () => {
    sites.push(...(await Promise.all(Array.from({ length: SITES }, openSite))));
    await Promise.all(
      sites.map(async (site, index) => {
        for (const { title, run } of crashes.filter((_, number) => number % SITES === index)) {
          outcomes.set(
            title,
            await run(site)
              .then(() => 'as it should be')
              .catch((error: unknown) => error),
          );
        }
      }),
    );
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
