import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ensureBuilt } from '#scripts/build/ensure.ts';
import { freePort } from '#scripts/start/ports.ts';
import { startService, waitUntilServing } from '#scripts/start/services.ts';
import { sharedTemporal, temporaryFolder } from '#test/support/servers/servers.ts';
import type { OpenShop } from '../support/shop.ts';

/** By how many milliseconds a worker's clock is wrong, each as likely. */
const SKEWS_MS = [0, 0, -45_000, 45_000];

/** For NODE_OPTIONS: a process whose clock is wrong. */
function skewed(): string {
  const ms = SKEWS_MS[Math.floor(Math.random() * SKEWS_MS.length)] ?? 0;
  const code = `const own = Date; globalThis.Date = class extends own {
    constructor(...of) { if (of.length > 0) super(...of); else super(own.now() + ${ms}); }
    static now() { return own.now() + ${ms}; } };`;
  return `--import=data:text/javascript,${encodeURIComponent(code)}`;
}

/** How long a worker lives, in milliseconds; by chance, so that it dies anywhere in its work. */
const LIFE = { least: 3000, most: 30_000 };

async function environmentOf(shop: OpenShop): Promise<Record<string, string>> {
  const { PATH = '', HOME = '' } = process.env;
  return {
    PATH,
    HOME,
    NODE_ENV: 'test',
    LOG_LEVEL: 'warn',
    DATABASE_URL_ORDERS: shop.databaseUrl,
    TEMPORAL_ADDRESS: await sharedTemporal(),
    TEMPORAL_NAMESPACE: shop.namespace,
    PAYMENT_GATEWAY_BASE_URL: shop.gateway.baseUrl,
    PAYMENT_GATEWAY_WEBHOOK_SECRET: shop.gateway.webhookSecret,
    PUBLIC_ORDERS_URL: new URL(shop.base).origin,
  };
}

/**
 * A second worker, in a process of its own that is killed again and again, whatever it is doing, and started anew; its clock is
 * sometimes wrong.
 * @returns how to end it; it says how often it was killed.
 */
export async function startMortalWorker(shop: OpenShop): Promise<{ stop(): Promise<number> }> {
  await ensureBuilt(['workflow-bundle', 'services'], { logFile: join(temporaryFolder(), 'build.log') });
  const environment = await environmentOf(shop);
  const logFile = join(temporaryFolder(), 'mortal-worker.log');
  const stopping = new AbortController();
  let deaths = 0;

  async function live(): Promise<void> {
    const port = String(await freePort());
    const own = {
      ...environment,
      ORDERS_PORT: port,
      METRICS_PORT_ORDERS: String(await freePort()),
      NODE_OPTIONS: skewed(),
    };
    const child = await startService('orders', {
      environment: own,
      flags: ['--worker-only'],
      logFile,
      background: true,
    });
    try {
      await waitUntilServing(child, 'orders', `http://127.0.0.1:${port}`);
      const life = LIFE.least + Math.random() * (LIFE.most - LIFE.least);
      await delay(life, undefined, { signal: stopping.signal }).catch(() => undefined);
    } finally {
      child.kill('SIGKILL');
      await child.exited;
    }
    deaths += 1;
  }

  const living = (async () => {
    while (!stopping.signal.aborted) await live();
  })();
  living.catch(() => undefined);
  return {
    stop: async () => {
      stopping.abort();
      await living;
      return deaths;
    },
  };
}
