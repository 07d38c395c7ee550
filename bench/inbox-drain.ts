import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { createIntake } from '../api/backend/routes/inbox/intake.ts';
import { type Database, firstRow } from '../db/database.ts';
import type { IntakeCommand } from '../domain/api/events.ts';
import { seedTenant } from '../test/support/outreach/rows.ts';
import { createDatabase } from '../test/support/servers/database.ts';
import { testEncryption } from '../test/support/services/outreach-flows.ts';
import { startOutreachWorker } from '../test/support/services/outreach-worker.ts';
import { eventually } from '../test/support/time/eventually.ts';

const BATCH = 20;
const PAUSE_MS = 20;
const TENANTS = 4;

/** Milliseconds from an event's intake to its effect. */
const delays = `select percentile_cont(0.5) within group (order by ms) as "p50Ms",
    percentile_cont(0.99) within group (order by ms) as "p99Ms",
    count(*) / extract(epoch from max(processed_at) - min(received_at))::float as "perSecond"
  from (select processed_at, received_at, extract(epoch from processed_at - received_at) * 1000 as ms from event_inbox) d`;

const isDrained = async (database: Database): Promise<boolean> =>
  (await firstRow(database, "select 1 from event_inbox where status = 'stored' limit 1", {})) === null;

/** How long stored events wait for their drain while 20 of them arrive every 20 ms, spread over four tenants. */
export async function inboxDrain({ events = 10_000 }: Partial<Record<'events', number>>) {
  const test = await createDatabase();
  const database = test.connect('outreach');
  const worker = await startOutreachWorker(database, 'http://127.0.0.1:1');
  try {
    const tenants = await Promise.all(Array.from({ length: TENANTS }, () => seedTenant(database, testEncryption)));
    const logger = { warn: () => {} };
    const intake = createIntake({ database, launcher: worker.launcher, partitions: 2, logger });
    const event = (n: number): IntakeCommand => ({
      tenantIntegrationId: tenants[n % TENANTS]?.tenantIntegrationId ?? '',
      eventId: randomUUID(),
      eventType: 'contact.entered',
      occurredAt: new Date().toISOString(),
      serviceNumberId: 'sn-1',
      payload: JSON.stringify({ contactId: `c${n}`, serviceNumberId: 'sn-1' }),
    });
    for (let n = 0; n < events; n += BATCH) {
      await intake(Array.from({ length: Math.min(BATCH, events - n) }, (_, index) => event(n + index)));
      await setTimeout(PAUSE_MS);
    }
    await eventually('every event is handled', () => isDrained(database), { timeoutMs: 120_000 });
    const { p50Ms, p99Ms, perSecond } = (await firstRow<Record<string, number>>(database, delays, {})) ?? {};
    return { events, p50Ms, p99Ms, perSecond };
  } finally {
    await worker.stop();
    await test.drop();
  }
}
