import { type Balancer, openBalancer } from '../support/http/balancer.ts';
import { fixture } from '../support/fixtures/fixture.ts';
import { fillContacts, installTenant, type TestTenant } from '../support/services/tenant.ts';
import { type ProcessName, type ServedPlatform, type Stack, startStack } from '../support/services/stack.ts';

/** Two of each service, the backend's API and worker apart, behind a load balancer for each API. */
export const machines = [
  'bff',
  'second-bff',
  'backend',
  'second-backend',
  'backend-worker',
  'second-backend-worker',
  'orders',
  'second-orders',
] as const satisfies ProcessName[];
export type Machine = (typeof machines)[number];

const inFront: Partial<Record<Machine, 'bff' | 'backend' | 'orders'>> = {
  bff: 'bff',
  'second-bff': 'bff',
  backend: 'backend',
  'second-backend': 'backend',
  orders: 'orders',
  'second-orders': 'orders',
};

export interface Fleet extends Stack {
  /** As callers reach it. */
  platform: ServedPlatform;
  /** Takes a process out of its balancer, ends it as a rolling release does, and puts the next one in its place. */
  roll(name: Machine): Promise<void>;
}

async function openBalancers() {
  const [bff, backend, orders] = await Promise.all([openBalancer(), openBalancer(), openBalancer()]);
  return { bff, backend, orders } satisfies Record<string, Balancer>;
}

async function startFleet(env: Record<string, string>): Promise<Fleet> {
  const balancers = await openBalancers();
  const { bff, backend, orders } = balancers;
  const close = () => Promise.all([bff.close(), backend.close(), orders.close()]);
  const addresses = {
    PUBLIC_BFF_URL: bff.address,
    PUBLIC_ORDERS_URL: orders.address,
    BACKEND_URL: backend.address,
    ORDERS_URL: orders.address,
  };
  const starting = startStack({ services: ['sandbox', ...machines], env: { ...addresses, ...env } });
  const stack = await starting.catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const balancerOf = (name: Machine): Balancer | undefined => inFront[name] && balancers[inFront[name]];
  for (const name of machines) balancerOf(name)?.add(stack.addressOf(name));
  return {
    ...stack,
    platform: {
      settings: stack.settings,
      addresses: {
        sandbox: stack.addresses.sandbox,
        bff: bff.address,
        backend: backend.address,
        orders: orders.address,
      },
    },
    roll: async (name) => {
      balancerOf(name)?.remove(stack.addressOf(name));
      await stack.kill(name, 'SIGTERM');
      await stack.restart(name);
      balancerOf(name)?.add(stack.addressOf(name));
    },
    stop: async () => {
      await stack.stop();
      await close();
    },
  };
}

/** `npm run test:all` sends to 200,000. */
export const contacts = Number(process.env.MACHINES_CONTACTS ?? '40000');
export const subTasks = contacts / 1000;

/** A fleet for the suite, with a tenant of that many contacts. Its logs are printed where a test fails. */
export function useFleet({ platformCallsPerSecond }: { platformCallsPerSecond: number }): {
  fleet: Fleet;
  tenant: TestTenant;
} {
  const fleet = fixture(async () => {
    const value = await startFleet({
      PLATFORM_CALLS_PER_SECOND: String(platformCallsPerSecond),
      POLL_INTERVAL_MS: '5000',
    });
    return { value, close: () => value.stop() };
  });
  const tenant = fixture(async () => {
    const value = await installTenant(fleet.platform, { tenantId: 'fleet', serviceNumberId: 'sn-fleet', contacts: 1 });
    await fillContacts(fleet, value, contacts);
    return { value };
  });
  afterEach(function () {
    if (this.currentTest?.isFailed()) process.stdout.write(`${fleet.logs()}\n`);
  });
  return { fleet, tenant };
}
