import { fileURLToPath } from 'node:url';
import { setTimeout } from 'node:timers/promises';
import { localAddress, type Settings } from '#domain/settings/settings.ts';
import { drainMs } from '#temporal.config.ts';
import { type Child, startChild } from './child.ts';

export const serviceNames = ['sandbox', 'backend', 'orders', 'bff'] as const;
export type ServiceName = (typeof serviceNames)[number];

export const projectFolder = fileURLToPath(new URL('../../', import.meta.url));

/** Where `npm run build` puts the services, and where the sandbox is put for development. */
export const builtServices = 'dist/services';
export const builtSandbox = 'dist/sandbox';

const programs = {
  sandbox: `${builtSandbox}/main.mjs`,
  backend: `${builtServices}/backend.mjs`,
  orders: `${builtServices}/orders.mjs`,
  bff: `${builtServices}/bff.mjs`,
} satisfies Record<ServiceName, string>;

/** What a compiled service needs. */
export const serviceTargets = ['workflow-bundle', 'services'] as const;

/**
 * Left to itself, V8 takes the machine's memory as the measure, and keeps hundreds of MiB of garbage on a large one.
 * In MiB: the old generation of a heap, and each half of the young one, of which a process has two.
 */
export const heapFlags = ['--max-old-space-size=256', '--max-semi-space-size=4'];

/** glibc gives each thread of a process an arena of its own and keeps what was freed; threads here are few and idle. */
export const memorySettings = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' };

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

/** Starts one service, as it was built, as a process; wait for it with `waitUntilServing`. */
export function startService(
  name: ServiceName,
  options: {
    environment: NodeJS.ProcessEnv;
    logFile: string;
    background?: boolean;
    flags?: readonly string[];
  },
): Promise<Child> {
  const heap = name === 'sandbox' ? [] : heapFlags;
  return startChild({
    name,
    command: process.execPath,
    args: [...heap, '--enable-source-maps', programs[name], ...(options.flags ?? [])],
    cwd: projectFolder,
    env: { ...memorySettings, ...options.environment },
    logFile: options.logFile,
    stopTimeoutMs: STOP_TIMEOUT_MS,
    ...(options.background ? { background: true } : {}),
  });
}

/** An API serves before its worker does; whoever starts both waits for both. */
function isWorking(text: string): boolean {
  const { checks } = JSON.parse(text) as { checks: Record<string, string> };
  return ['temporal', 'pollers'].every((name) => (checks[name] ?? 'ok') === 'ok');
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
      if (response.ok && (name === 'sandbox' || isWorking(text))) return;
      reason = `${response.status} ${text.slice(0, 300)}`;
    } catch {
      // It is not listening yet.
    }
    await setTimeout(50);
  }
  if (!child.running()) throw new Error(`${name} exited at startup: see ${child.logFile}\n${child.tail(8)}`);
  throw new Error(`${name} is not ready after ${READY_TIMEOUT_MS / 1000} s: ${reason}`);
}
