import pg from 'pg';
import { createLauncher } from '#api/orders/launch.ts';
import { startTestIdentity } from '#test/support/doubles/identity.ts';
import { launchMortalPostgres } from '#test/support/servers/servers.ts';
import { startStack } from '#test/support/services/stack.ts';
import { startFakeGateway } from './fake-gateway.ts';
import type { PayReply, OrdersService } from './orders-service.ts';
import { shopping } from './shop.ts';

/** Connections of the owner, opened anew after PostgreSQL was killed. */
function createOwner(connectionString: string) {
  const owner = new pg.Pool({ connectionString, max: 2 });
  // The pool has already dropped a connection that is cut while idle.
  owner.on('error', () => {});
  /**
   * Takes the lock on a separate connection and returns how to release it; the death of PostgreSQL releases it, too.
   */
  const hold = async (lock: number): Promise<() => Promise<void>> => {
    const holder = new pg.Client({ connectionString });
    holder.on('error', () => {});
    await holder.connect();
    await holder.query('select pg_advisory_lock($1)', [lock]);
    return () => holder.end();
  };
  return { owner, hold };
}

/**
 * API and worker as one process each, on a PostgreSQL of their own: each of the three can be struck and restored
 * separately.
 */
export async function openSite() {
  const [gateway, identity, postgres] = await Promise.all([
    startFakeGateway(),
    startTestIdentity(),
    launchMortalPostgres(),
  ]);
  const stack = await startStack({
    services: ['orders', 'orders-worker'],
    postgres: postgres.url,
    env: {
      IDENTITY_ISSUER: identity.issuer,
      PAYMENT_GATEWAY_BASE_URL: gateway.baseUrl,
      PAYMENT_GATEWAY_WEBHOOK_SECRET: gateway.webhookSecret,
    },
  });
  const launcher = createLauncher(stack.temporal.client);
  const owner = createOwner(stack.database.DATABASE_URL);
  const request: OrdersService['request'] = async (method, path, body, as = {}) => {
    const claims = { sub: as?.userId ?? 'u-1', tenantId: as?.tenantId ?? 'shop', roles: as?.roles ?? [] };
    const response = await fetch(`${stack.addresses.orders}/transaction/v1${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${await identity.token(claims)}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, ...((await response.json()) as Omit<PayReply, 'status'>) };
  };
  const database = stack.database.connect('orders');
  const shop = shopping({
    request,
    post: (path: string, body: unknown, as) => request('POST', path, body, as),
    database,
  } as OrdersService);
  await shop.putTenant('shop');
  await shop.grant('shop', 'wallet', 1000);
  let stopped: Promise<void> | undefined;
  const end = async () => {
    const rest = async () => void (await Promise.all([postgres.stop(), gateway.stop(), identity.close()]));
    await owner.owner.end();
    await stack.stop().finally(rest);
  };
  /** Ends every process; safe to call twice. */
  const stop = () => (stopped ??= end());
  return {
    stack,
    postgres,
    gateway,
    launcher,
    ...owner,
    shop,
    stop,
    /** Checks the books of a site that is still running, and stops it. */
    close: async () => {
      if (stopped) return;
      try {
        await shop.expectBalanced();
      } finally {
        await stop();
      }
    },
  };
}

export type Site = Awaited<ReturnType<typeof openSite>>;

export const strikes = {
  'the API': {
    strike: ({ stack }: Site) => stack.kill('orders'),
    mend: ({ stack }: Site) => stack.restart('orders'),
  },
  'the worker': {
    strike: ({ stack }: Site) => stack.kill('orders-worker'),
    mend: ({ stack }: Site) => stack.restart('orders-worker'),
  },
  PostgreSQL: {
    strike: ({ postgres }: Site) => postgres.kill(),
    mend: ({ postgres }: Site) => postgres.revive(),
  },
};
