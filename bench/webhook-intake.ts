import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { authorize, createNonce, NONCE_HEADER } from '../domain/signature.ts';
import { firstRow } from '../db/database.ts';
import { startChild } from '../scripts/start/child.ts';
import { freePort } from '../scripts/start/ports.ts';
import { projectFolder } from '../scripts/start/services.ts';
import { eventually } from '../test/support/time/eventually.ts';
import { launchMortalPostgres } from '../test/support/servers/servers.ts';
import { type Stack, startStack } from '../test/support/services/stack.ts';
import { installTenant } from '../test/support/services/tenant.ts';
import { type LoadFigures, post } from './load.ts';

const EVENTS = 5000;
const AT_ONCE = 64;
const ROUNDS = 3;
const serviceNumberId = 'sn-bench';

interface Integration {
  tenantIntegrationId: string;
  tenantIntegrationSecret: string;
}

/** Events with distinct ids, each signed with its own nonce. */
function signedEvents(path: string, { tenantIntegrationId, tenantIntegrationSecret }: Integration) {
  return Array.from({ length: EVENTS }, (_, index) => {
    const at = new Date().toISOString();
    const body = JSON.stringify({
      eventId: randomUUID(),
      eventType: 'contact.updated',
      occurredAt: at,
      scope: { serviceNumberId },
      data: { contactId: `c-${index % 500}`, serviceNumberId, displayName: `Contact ${index}`, language: 'en' },
    });
    const nonce = createNonce();
    const authorization = authorize(tenantIntegrationSecret, { tenantIntegrationId, nonce, body });
    return { path, body, headers: { 'content-type': 'application/json', authorization, [NONCE_HEADER]: nonce } };
  });
}

async function startFloor(stack: Stack, secret: string) {
  const port = await freePort();
  const child = await startChild({
    name: 'bare-koa',
    command: process.execPath,
    args: ['--import', 'tsx', join(projectFolder, 'bench/bare-koa.ts')],
    env: { PATH: process.env['PATH'], PORT: String(port), DATABASE_URL: stack.database.DATABASE_URL, SECRET: secret },
    logFile: join(stack.dataFolder, 'logs', 'bare-koa.log'),
    background: true,
  });
  const url = `http://127.0.0.1:${port}`;
  await eventually('the baseline server listens', async () => (await fetch(url)).status === 401);
  return { child, url };
}

const median = (values: number[]): number => values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;

const middle = (rounds: LoadFigures[]): LoadFigures => ({
  perSecond: median(rounds.map(({ perSecond }) => perSecond)),
  p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)),
  p95Ms: median(rounds.map(({ p95Ms }) => p95Ms)),
  p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
});

/**
 * Webhooks per second through BFF and backend, every event stored before the response, compared with what a bare
 * Koa with one HMAC and one insert per request achieves on the same machine at the same time. Rounds alternate;
 * each figure is a median.
 */
export async function webhookIntake() {
  // A server that syncs its writes to disk, as in production.
  const postgres = await launchMortalPostgres();
  const stack = await startStack({ services: ['sandbox', 'backend', 'bff'], postgres: postgres.url });
  try {
    const tenant = await installTenant(stack, { tenantId: 'bench', serviceNumberId, contacts: 1 });
    const integration = await tenant.sandbox.post<Integration>('/admin/tenants/bench/tenant-integrations', {
      reuse: true,
    });
    const floor = await startFloor(stack, integration.tenantIntegrationSecret);
    const rounds = { floor: [] as LoadFigures[], platform: [] as LoadFigures[], drainSeconds: [] as number[] };
    const outreach = stack.database.connect('outreach', 'owner');
    for (let round = 0; round <= ROUNDS; round += 1) {
      const bare = await post({ url: floor.url, requests: signedEvents('/', integration), atOnce: AT_ONCE });
      const requests = signedEvents('/webhook', integration);
      const began = Date.now();
      const ours = await post({ url: stack.addresses.bff, requests, atOnce: AT_ONCE });
      await eventually(
        'every event is processed',
        async () =>
          (
            await firstRow<{ open: boolean }>(
              outreach,
              "select exists (select from event_inbox where status = 'stored') as open",
              {},
            )
          )?.open === false,
        { timeoutMs: 60_000 },
      );
      // The first round warms up both.
      if (round === 0) continue;
      rounds.floor.push(bare);
      rounds.platform.push(ours);
      rounds.drainSeconds.push((Date.now() - began) / 1000);
    }
    await floor.child.stop();
    const [bare, ours] = [middle(rounds.floor), middle(rounds.platform)];
    return {
      events: EVENTS,
      atOnce: AT_ONCE,
      floor: bare,
      platform: ours,
      ofFloor: Math.round((ours.perSecond / bare.perSecond) * 100) / 100,
      storedAndProcessedPerSecond: Math.round(EVENTS / median(rounds.drainSeconds)),
    };
  } finally {
    await stack.stop();
    await postgres.stop();
  }
}
