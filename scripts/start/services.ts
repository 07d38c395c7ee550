import { fileURLToPath } from 'node:url';
import { setTimeout } from 'node:timers/promises';
import { localAddress, type Settings } from '../../domain/settings/settings.ts';
import { drainMs } from '../../temporal.config.ts';
import { type Child, startChild } from './child.ts';

export const serviceNames = ['sandbox', 'backend', 'orders', 'bff'] as const;
export type ServiceName = (typeof serviceNames)[number];

export const projectFolder = fileURLToPath(new URL('../../', import.meta.url));

/** The module that each service starts with. */
export const serviceEntries = {
  sandbox: 'sandbox/main.ts',
  backend: 'api/backend/main.ts',
  orders: 'api/orders/main.ts',
  bff: 'api/bff/main.ts',
} satisfies Record<ServiceName, string>;

/** Where `npm run build -- services` puts each service as one file; only tests start them from there. */
export const builtServices = 'dist/services';

/**
 * The old generation of a service's heap. Left to itself, V8 takes the machine's memory as the measure, and keeps
 * hundreds of MiB of garbage on a large one.
 */
const HEAP_MIB = 256;

const READY_TIMEOUT_MS = 90_000;
/** A service finishes what it has begun, and then closes what it used. */
const STOP_TIMEOUT_MS = drainMs + 5000;

/** The address of a service from this machine. */
export function serviceAddress(name: ServiceName, settings: Settings): string {
  const ports = {
    sandbox: settings.SANDBOX_PORT,
    backend: settings.BACKEND_PORT,
    orders: settings.ORDERS_PORT,
    bff: settings.BFF_PORT,
  };
  return localAddress(settings.HOST, ports[name]);
}

/** Starts one service as a process; wait for it with `waitUntilServing`. */
export function startService(
  name: ServiceName,
  options: {
    environment: NodeJS.ProcessEnv;
    logFile: string;
    background?: boolean;
    flags?: readonly string[];
    /** From the one file that `npm run build -- services` made of its modules. */
    built?: boolean;
  },
): Promise<Child> {
  const program = options.built ? [`${builtServices}/${name}.mjs`] : ['--import', 'tsx', serviceEntries[name]];
  const heap = name === 'sandbox' ? [] : [`--max-old-space-size=${HEAP_MIB}`];
  return startChild({
    name,
    command: process.execPath,
    args: [...heap, '--enable-source-maps', ...program, ...(options.flags ?? [])],
    cwd: projectFolder,
    env: options.environment,
    logFile: options.logFile,
    stopTimeoutMs: STOP_TIMEOUT_MS,
    ...(options.background ? { background: true } : {}),
  });
}

/**
 * Waits until the service reports that it is ready.
 * @throws Error with the service's reason or its last lines.
 */
export async function waitUntilServing(child: Child, name: ServiceName, address: string): Promise<void> {
  const url = `${address}${name === 'sandbox' ? '/healthz' : '/readyz'}`;
  const end = Date.now() + READY_TIMEOUT_MS;
  let reason = 'no response';
  while (child.running() && Date.now() < end) {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(5000) });
      const text = await response.text();
      if (response.ok) return;
      reason = `${response.status} ${text.slice(0, 300)}`;
    } catch {
      // It is not listening yet.
    }
    await setTimeout(50);
  }
  if (!child.running()) throw new Error(`${name} exited at startup: see ${child.logFile}\n${child.tail(8)}`);
  throw new Error(`${name} is not ready after ${READY_TIMEOUT_MS / 1000} s: ${reason}`);
}
