import { isUtf8 } from 'node:buffer';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { webhookCommand } from '#api/bff/inbound/webhook/command.ts';
import { rows } from '#db/database.ts';
import { contactEventTypes, type IntakeCommand } from '#domain/api/events.ts';
import { Problem } from '#domain/api/problem.ts';
import { canonical } from '#domain/json-text.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { inboxOf } from '#test/support/outreach/inbox-events.ts';
import { seedTenant, type TestTenant } from '#test/support/outreach/rows.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { changes, INPUTS, mutated } from './odd-bytes.ts';

const AT_ONCE = 100;

/** Text as people, forms and broken programs write it. */
const described = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('Ann \ud83d', '\u0000', '\u202Egnp.exe', '安', 'x'.repeat(3000), '\udc00\ud800', ''),
  fc.constantFrom(null, 7, true, {}, []),
);
const attributes = fc.oneof(
  fc.dictionary(fc.string({ unit: 'binary', maxLength: 5 }), described, { maxKeys: 4 }),
  described,
);
const time = fc.constantFrom(
  '2026-03-01T10:00:00Z',
  '2026-03-01T10:00:00.123456789+0800',
  '20260301T100000Z',
  '2026-W09-7T10:00Z',
  '2026-060T24:00Z',
  '2026-03-01t10:00:60,5z',
);
const drawn = fc.record({
  eventType: fc.constantFrom(...contactEventTypes),
  occurredAt: time,
  displayName: described,
  channel: described,
  language: described,
  region: described,
  attributes,
  /** Null sends the event as it is. */
  how: fc.option(changes, { freq: 2 }),
});

interface Event {
  eventId: string;
  eventType: string;
  occurredAt: string;
  data: Record<string, unknown> & { contactId: string };
}

const describing = new Set(['displayName', 'channel', 'language', 'region', 'attributes']);

/** What may not change for an event to be the one that was sent. */
function essentials(value: unknown): string {
  const { data, ...envelope } = value as Event;
  const rest = Object.entries(data ?? {}).filter(([name]) => !describing.has(name));
  return canonical({ ...envelope, data: Object.fromEntries(rest) });
}

function parsed(bytes: Buffer): Event | null {
  try {
    return isUtf8(bytes) ? (JSON.parse(bytes.toString()) as Event) : null;
  } catch {
    return null;
  }
}

/** Whether the bytes still are the event, whatever became of the text that only describes. */
function isStill(event: Event, bytes: Buffer): boolean {
  const read = parsed(bytes);
  try {
    return read !== null && essentials(read) === essentials(event);
  } catch {
    return false;
  }
}

describe('events as they may come', function () {
  this.timeout(60_000 + INPUTS * 20);
  const database = useDatabase('outreach');
  let tenant: TestTenant;
  before(async () => {
    tenant = await seedTenant(database, testEncryption);
  });

  /** What the BFF passes on; null for a refusal. Anything but a refusal would be a 500. */
  function command(bytes: Buffer): IntakeCommand | null {
    try {
      return webhookCommand(tenant.tenantIntegrationId, bytes) ?? null;
    } catch (error) {
      if (error instanceof Problem && error.code === 'invalid_request') return null;
      throw error;
    }
  }

  const inbox = () => inboxOf(database);

  async function handleAll(): Promise<void> {
    const open = `select 1 from event_inbox where status = 'stored' and waiting_for is null limit 1`;
    while ((await rows(database, open, {})).length > 0) await inbox().handle();
  }

  it(`make ${INPUTS.toLocaleString('en')} contacts, where they are valid, and nothing that was not sent`, async () => {
    const seed = Date.now();
    const told = `seed ${seed}`;
    let valid = 0;
    const named = new Set<unknown>();
    for (let from = 0; from < INPUTS; from += AT_ONCE) {
      const sample = fc.sample(drawn, { seed: seed + from, numRuns: Math.min(AT_ONCE, INPUTS - from) });
      const expected: string[] = [];
      const accepted: IntakeCommand[] = [];
      for (const [at, { eventType, occurredAt, how, ...data }] of sample.entries()) {
        const contactId = `contact-${from + at}`;
        const event = {
          eventId: `event-${from + at}`,
          eventType,
          occurredAt,
          data: { contactId, serviceNumberId: 'sn-1', ...data },
        };
        const sent = Buffer.from(JSON.stringify(event));
        const bytes = how === null ? sent : mutated(sent, how);
        const stored = command(bytes);
        if (isStill(event, bytes)) {
          expect(stored?.eventId, `${told}: refused ${bytes.toString()}`).to.equal(event.eventId);
          expected.push(contactId);
        }
        if (stored === null) continue;
        expect(bytes.includes(stored.payload), `${told}: ${stored.payload} was not sent`).to.equal(true);
        named.add((JSON.parse(stored.payload) as Event['data']).contactId);
        accepted.push(stored);
      }
      await inbox().store(...accepted);
      await handleAll();
      const found = await rows<{ contactId: string }>(
        database,
        'select contact_id from contact_profile where tenant_id = :tenantId and contact_id = any(:expected)',
        { ...tenant, expected },
      );
      expect(found.map(({ contactId }) => contactId).toSorted(), told).to.deep.equal(expected.toSorted());
      valid += expected.length;
    }
    const profiles = await rows<{ contactId: string }>(
      database,
      'select contact_id from contact_profile where tenant_id = :tenantId',
      { tenantId: tenant.tenantId },
    );
    expect(
      profiles.filter(({ contactId }) => !named.has(contactId)),
      told,
    ).to.deep.equal([]);
    expect(valid, 'some are valid, some are not').to.be.within(INPUTS * 0.4, INPUTS * 0.95);
    const failed = await rows(database, `select error from event_inbox where status = 'failed'`, {});
    expect(failed, told).to.deep.equal([]);
  });
});
