import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Transaction } from '#db/database.ts';
import type { StoredEvent } from '#db/outreach/inbox/batch.ts';
import type { HandledEventType } from '#domain/api/events.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { seedTenant, type TestTenant } from '#test/support/outreach/rows.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { updateProfiles } from './contacts.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 10, minute));

/** The same transaction, in which `meanwhile` is done once before profiles are stored. */
function stalledBeforeStoring(transaction: Transaction, meanwhile: () => Promise<unknown>): Transaction {
  let stalled = false;
  return new Proxy(transaction, {
    get(target, key) {
      const own = Reflect.get(target, key) as unknown;
      if (key !== 'raw') return own;
      return async (...given: [string]) => {
        if (!stalled && given[0].startsWith('insert into contact_profile ')) {
          stalled = true;
          await meanwhile();
        }
        return Reflect.apply(own as (...given: [string]) => unknown, target, given);
      };
    },
  });
}

describe('events of a contact that two drains handle at once', () => {
  const database = useDatabase('outreach');
  let tenant: TestTenant;
  before(async () => {
    tenant = await seedTenant(database, testEncryption);
  });

  const event = (contactId: string, eventType: HandledEventType, occurredAt: Date, data: object = {}): StoredEvent => ({
    tenantIntegrationId: tenant.tenantIntegrationId,
    eventId: randomUUID(),
    tenantId: tenant.tenantId,
    eventType,
    serviceNumberId: 'sn-1',
    payload: JSON.stringify({ contactId, serviceNumberId: 'sn-1', ...data }),
    occurredAt,
    microseconds: 0,
    receivedAt: occurredAt,
    traceParent: null,
  });
  const handle = (transaction: Transaction, events: StoredEvent[], now = at(30)) =>
    updateProfiles(transaction, events, {
      now,
      clicksKeptSince: new Date(0),
      polls: new Map(),
      given: [],
    });
  /** One drain has read the profiles, and stores its own after another has committed. */
  const overlap = (late: StoredEvent[], early: StoredEvent[]) =>
    database.transaction((transaction) =>
      handle(
        stalledBeforeStoring(transaction, () => database.transaction((other) => handle(other, early))),
        late,
        at(31),
      ),
    );
  const profileOf = (contactId: string) =>
    database('contact_profile')
      .first('display_name', 'language', 'follow_state', 'entered_at', 'last_event_at')
      .where({ tenant_id: tenant.tenantId, contact_id: contactId });

  for (const first of ['contact.entered', 'contact.unfollowed'] as const)
    it(`count in the order in which they happened for a new one, also if the other committed ${first} meanwhile`, async () => {
      const contactId = `new-${first}`;
      const entered = event(contactId, 'contact.entered', at(0), { displayName: 'Ada' });
      const left = event(contactId, 'contact.unfollowed', at(1), { language: 'en' });
      const known = event('known', 'contact.updated', at(first === 'contact.entered' ? 2 : 3), { displayName: first });
      const [early, late] = first === 'contact.entered' ? [entered, left] : [left, entered];
      await overlap([late, known], [early]);
      expect(await profileOf(contactId)).to.deep.equal({
        displayName: 'Ada',
        language: 'en',
        followState: 'unfollowed',
        enteredAt: at(0),
        lastEventAt: at(1),
      });
      expect(await profileOf('known')).to.include({ displayName: first });
      expect(await database('contact_profile_past').where({ contact_id: contactId })).to.have.length(1);
    });

  it('take no more statements than before where nobody else is at work', async () => {
    const statements: string[] = [];
    const note = ({ sql }: { sql: string }) => void statements.push(sql);
    await database.transaction(async (transaction) => {
      transaction.on('query', note);
      await handle(transaction, [event('alone', 'contact.entered', at(0)), event('known', 'contact.updated', at(4))]);
    });
    expect(statements.filter((sql) => sql.includes('contact_profile '))).to.have.length(2);
  });
});
