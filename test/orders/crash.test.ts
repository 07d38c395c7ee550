import { expect } from 'chai';
import pg from 'pg';
import { createLauncher, type Launcher } from '../../api/orders/launch.ts';
import { connect, type Schema } from '../../db/connection.ts';
import { eventually } from '../support/eventually.ts';
import { startTestIdentity, type TestIdentity } from '../support/identity.ts';
import { startStack, type Stack } from '../support/stack.ts';
import { type FakeGateway, type GatewayCall, startFakeGateway } from './support/fake-gateway.ts';
import type { Answered, OrdersService } from './support/orders-service.ts';
import { type Shop, shopping, triple } from './support/shop.ts';

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

describe('Crashes at every step of pay', function () {
  this.timeout(90_000);
  let stack: Stack;
  let gateway: FakeGateway;
  let identity: TestIdentity;
  let launcher: Launcher;
  let owner: pg.Client;
  let shop: Shop;

  before(async function () {
    this.timeout(120_000);
    [gateway, identity] = await Promise.all([startFakeGateway(), startTestIdentity()]);
    stack = await startStack({
      services: ['orders'],
      env: {
        IDENTITY_ISSUER: identity.issuer,
        PAYMENT_GATEWAY_BASE_URL: gateway.baseUrl,
        PAYMENT_GATEWAY_WEBHOOK_SECRET: gateway.webhookSecret,
      },
    });
    launcher = createLauncher(stack.temporal.client);
    owner = new pg.Client({ connectionString: stack.database.DATABASE_URL });
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
    const database = connect({
      url: stack.database.DATABASE_URL_ORDERS,
      schema: 'orders' satisfies Schema,
      applicationName: 'test-crash',
    });
    shop = shopping({
      request,
      post: (path: string, body: unknown, as) => request('POST', path, body, as),
      database,
    } as OrdersService);
    await shop.putTenant('shop');
    await shop.grant('shop', 'wallet', 10_000);
    after(() => database.destroy());
  });
  after(async () => {
    await shop.expectBalanced();
    await owner.end();
    await stack.stop();
    await gateway.stop();
    await identity.close();
  });

  /** Resolves at the place; the call or transaction goes no further until then. */
  async function reach(place: Place, orderId: string, strike: () => Promise<void>): Promise<void> {
    if ('call' in place) {
      await new Promise<void>((resolve, reject) => {
        gateway.state.fault = ({ operation }) => {
          if (operation !== place.call) return undefined;
          gateway.state.fault = () => undefined;
          strike().then(resolve, reject);
          return place.moment === 'before effect' ? 'reset' : 'lost';
        };
      });
      return;
    }
    const { on, done } = rowEvents[place.row];
    if (place.moment === 'after commit') {
      await eventually(
        `${place.row} is committed`,
        async () => (await owner.query<{ yes: boolean }>(`select ${done} as yes`, [orderId])).rows[0]?.yes,
        { timeoutMs: 30_000, intervalMs: 2 },
      );
      return strike();
    }
    await owner.query('select pg_advisory_lock($1)', [PAUSE_LOCK]);
    await owner.query(`create function orders.pause() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(${PAUSE_LOCK}); return new; end $$`);
    await owner.query(`create trigger pause before ${on} for each row execute function orders.pause()`);
    const table = on.slice(on.indexOf('orders.'));
    try {
      await eventually(
        `${place.row} waits`,
        async () =>
          (
            await owner.query(`select 1 from pg_locks where locktype = 'advisory' and not granted and objid = $1`, [
              PAUSE_LOCK,
            ])
          ).rowCount !== 0,
        { timeoutMs: 30_000, intervalMs: 5 },
      );
      await strike();
    } finally {
      // Whoever waits holds the table, so that the trigger goes only after the lock.
      await owner.query('select pg_advisory_unlock($1)', [PAUSE_LOCK]);
      await owner.query(`drop trigger pause on ${table}; drop function orders.pause()`);
    }
  }

  async function killBackends(): Promise<void> {
    await owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name in ('orders-api', 'orders-worker')`,
    );
  }

  const strikes = {
    'the service': { strike: () => stack.kill('orders'), mend: () => stack.restart('orders') },
    "PostgreSQL's connections": { strike: killBackends, mend: () => Promise.resolve() },
  };

  /** Pays, again and again, until the payment link is there. */
  const payUntilLinked = (order: { orderId: string }): Promise<unknown> =>
    eventually(
      'paid',
      async () => {
        const answer = await shop.pay(order, 'shop');
        return answer.code === 1000 || undefined;
      },
      { timeoutMs: 40_000 },
    );

  /** The gateway tells until it hears 200, as gateways do. */
  const tell = (orderNo: string): Promise<unknown> =>
    eventually('told', async () => (await gateway.callback(gateway.chargeOf(orderNo))).status === 200, {
      timeoutMs: 40_000,
    });

  async function drive(path: Path, order: Answered['data']): Promise<void> {
    if (path === 'paid') {
      await payUntilLinked(order);
      gateway.chargeOf(order.orderNo).status = 'paid';
      await tell(order.orderNo);
      return;
    }
    const terms = { orderId: order.orderId, tenantId: 'shop', attempt: 1, resultURL: null, cancelURL: null };
    await launcher.pay({ ...terms, ttlMs: 1000 });
    if (path === 'expired') return;
    await shop.until(order, 'shop', '50/40/40');
    gateway.chargeOf(order.orderNo).status = 'paid';
    await tell(order.orderNo);
  }

  for (const [what, { strike, mend }] of Object.entries(strikes)) {
    for (const [path, places] of cases) {
      for (const place of places) {
        const name = 'call' in place ? `the gateway's ${place.call}` : place.row;
        it(`${what}, ${place.moment} of ${name}: ${path} ends ${ends[path]}, once`, async () => {
          const wallet = { grossMoneyAmount: 10, moneyAmount: 9, pointsPlan: { walletPoints: 4 } };
          const order = await shop.create('shop', wallet);
          const before = (await shop.points('shop')).wallet;
          const reached = reach(place, order.orderId, async () => strike()).then(mend);
          await Promise.all([reached, drive(path, order)]);
          await eventually(
            `the order at ${ends[path]}`,
            async () => {
              const at = triple(await shop.item(order, 'shop'));
              if (at !== ends[path]) throw new Error(`it is at ${at}`);
              return true;
            },
            { timeoutMs: 40_000, intervalMs: 100 },
          );
          const charges = [...gateway.charges.values()].filter((charge) => charge.orderNo === order.orderNo);
          expect(charges, 'one charge').to.have.length(1);
          const taken = path === 'paid' ? 4 : 0;
          expect((await shop.points('shop')).wallet).to.deep.equal({
            available: before.available - taken,
            reserved: before.reserved,
            committed: before.committed + taken,
          });
        });
      }
    }
  }
});
