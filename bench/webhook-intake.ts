import { randomUUID } from 'node:crypto';
import { type Database, firstRow } from '../db/database.ts';
import { eventually } from '../test/support/time/eventually.ts';
import { launchMortalPostgres } from '../test/support/servers/servers.ts';
import { type Stack, startStack } from '../test/support/services/stack.ts';
import { installTenant } from '../test/support/services/tenant.ts';
import { startFloor } from './floors/start-floor.ts';
import { type LoadFigures, post } from './load.ts';
import { postgresPid, processorSeconds, treeSeconds } from './processor.ts';
import { median, middle, ratio } from './rounds.ts';
import { type Integration, signedWebhook } from './signed-webhook.ts';

const serviceNumberId = 'sn-bench';

/** Events with distinct ids, each signed with its own nonce. */
const signedEvents = (path: string, count: number, integration: Integration) =>
  Array.from({ length: count }, (_, index) => {
    const event = {
      eventId: randomUUID(),
      eventType: 'contact.updated',
      occurredAt: new Date().toISOString(),
      scope: { serviceNumberId },
      data: { contactId: `c-${index % 500}`, serviceNumberId, displayName: `Contact ${index}`, language: 'en' },
    };
    return { path, ...signedWebhook(event, integration) };
  });

const isDrained = async (outreach: Database): Promise<boolean> =>
  (await firstRow(outreach, "select 1 from event_inbox where status = 'stored' limit 1", {})) === null;

interface Site {
  stack: Stack;
  outreach: Database;
  integration: Integration;
  floorUrl: string;
  postgres: number;
}

/** Microseconds of processor time an event, from the first request to the last event processed. */
interface Processor {
  bff: number;
  backend: number;
  postgres: number;
}

function processorNow({ stack, postgres }: Site): Processor {
  return {
    bff: processorSeconds(stack.child('bff').pid),
    backend: processorSeconds(stack.child('backend').pid),
    postgres: treeSeconds(postgres),
  };
}

/** One round: the floor, then the platform until everything is processed. */
async function measure(site: Site, events: number, atOnce: number) {
  const { stack, outreach, integration, floorUrl } = site;
  const floor = await post({ url: floorUrl, requests: signedEvents('/', events, integration), atOnce });
  const requests = signedEvents('/webhook', events, integration);
  const before = processorNow(site);
  const began = Date.now();
  const platform = await post({ url: stack.addresses.bff, requests, atOnce });
  await eventually('every event is processed', () => isDrained(outreach), { timeoutMs: 60_000 });
  const drainSeconds = (Date.now() - began) / 1000;
  const after = processorNow(site);
  const perEvent = (name: keyof Processor) => Math.round(((after[name] - before[name]) * 1_000_000) / events);
  const processor = { bff: perEvent('bff'), backend: perEvent('backend'), postgres: perEvent('postgres') };
  return { floor, platform, drainSeconds, processor };
}

async function measureAt(site: Site, { events, rounds }: { events: number; rounds: number }, atOnce: number) {
  const measured: Awaited<ReturnType<typeof measure>>[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const figures = await measure(site, events, atOnce);
    // The first round warms up both.
    if (round > 0) measured.push(figures);
  }
  const of = (name: 'floor' | 'platform'): LoadFigures => middle(measured.map((round) => round[name]));
  const cost = (name: keyof Processor) => median(measured.map(({ processor }) => processor[name]));
  const [floor, platform] = [of('floor'), of('platform')];
  return {
    atOnce,
    floor,
    platform,
    ofFloor: ratio(platform.perSecond, floor.perSecond),
    storedAndProcessedPerSecond: Math.round(events / median(measured.map(({ drainSeconds }) => drainSeconds))),
    processorMicrosecondsPerEvent: { bff: cost('bff'), backend: cost('backend'), postgres: cost('postgres') },
  };
}

/**
 * Webhooks per second through BFF and backend at 32, 64 and 256 at once, every event stored before the response and
 * processed meanwhile, compared with what a bare Koa with one HMAC and one insert per request achieves on the same
 * machine at the same time. Rounds alternate; each figure is a median.
 */
export async function webhookIntake({ events = 5000, rounds = 5 }: Partial<Record<'events' | 'rounds', number>>) {
  // A server that syncs its writes to disk, as in production.
  const postgres = await launchMortalPostgres();
  const stack = await startStack({
    services: ['sandbox', 'backend', 'bff'],
    postgres: postgres.url,
    env: { LIMIT_WEBHOOKS_PER_SECOND: '1000000' },
  });
  try {
    const tenant = await installTenant(stack, { tenantId: 'bench', serviceNumberId, contacts: 1 });
    const path = '/admin/tenants/bench/tenant-integrations';
    const integration = await tenant.sandbox.post<Integration>(path, { reuse: true });
    const env = { DATABASE_URL: stack.database.DATABASE_URL, SECRET: integration.tenantIntegrationSecret };
    const floor = await startFloor(stack, 'bare-koa', env);
    const outreach = stack.database.connect('outreach', 'owner');
    const site = { stack, outreach, integration, floorUrl: floor.url, postgres: await postgresPid(outreach) };
    const levels = [];
    for (const atOnce of [32, 64, 256]) levels.push(await measureAt(site, { events, rounds }, atOnce));
    await floor.child.stop();
    return { events, rounds, levels };
  } finally {
    await stack.stop();
    await postgres.stop();
  }
}
