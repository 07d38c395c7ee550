import { expect } from 'chai';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { seedTenant, type TestTenant } from '#test/support/outreach/rows.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { rows } from '#db/database.ts';
import { type NamingEvent, eventsNaming, forgetEvents } from './events.ts';

const PSEUDONYM = 'erased:0f0f0f0f-0000-4000-8000-000000000000';

describe('events that name a contact', () => {
  const database = useDatabase('outreach');
  let tenant: TestTenant;
  beforeEach(async () => {
    tenant = await seedTenant(database, testEncryption);
  });

  const store = (payloads: string[], eventType = 'contact.updated') =>
    rows(
      database,
      `insert into event_inbox (tenant_integration_id, event_id, tenant_id, event_type, partition, payload, occurred_at,
         received_at, status)
       select :tenantIntegrationId, 'e-' || n, :tenantId, :eventType, 0, payload, timestamptz '2026-03-01Z',
         timestamptz '2026-03-01Z' + n * interval '1 second', 'processed'
       from unnest(:payloads::text[]) with ordinality as g(payload, n)`,
      { ...tenant, payloads, eventType },
    );
  async function found(contactId: string): Promise<NamingEvent[]> {
    const pages: NamingEvent[][] = [];
    for await (const page of eventsNaming(database, { tenantId: tenant.tenantId, contactId })) pages.push(page);
    return pages.flat();
  }
  const forget = (contactId: string) =>
    forgetEvents(
      database,
      { erasureId: 'x', tenantId: tenant.tenantId, contactId, pseudonym: PSEUDONYM },
      new Date('2026-04-01T00:00:00Z'),
    );
  const payloads = async () => {
    const { tenantId } = tenant;
    const stored = await rows<{ payload: string }>(
      database,
      'select payload from event_inbox where tenant_id = :tenantId order by received_at',
      { tenantId },
    );
    return stored.map(({ payload }) => payload);
  };

  it('A14: are found however the platform spells the id', async () => {
    const id = 'kunde/ä"7f';
    const escaped = String.raw`{"contactId": "kunde\/\u00e4\"7f"}`;
    await store([JSON.stringify({ contactId: id }), escaped, '{"contactId": "kunde"}']);
    expect((await found(id)).map((event) => event.id)).to.deep.equal(['e-1', 'e-2']);
    await forget(id);
    expect(await payloads()).to.deep.equal(['', '', '{"contactId": "kunde"}']);
  });

  it('A14: short ids name nobody in other texts, and numbers are no ids', async () => {
    const other = '{"contactId":"c-2","note":"call 7 now","level":7,"text":"17"}';
    await store([other, '{"contactId":"7"}', '{"contactId":"c-3","friends":["7","8"]}']);
    await forget('7');
    expect(await payloads()).to.deep.equal([other, '', `{"contactId":"c-3","friends":["${PSEUDONYM}","8"]}`]);
  });

  it('A14: are all found among thousands, a page at a time', async () => {
    const count = 5000;
    const isNamed = (n: number) => n % 9 === 0 || (n >= 1500 && n < 1800);
    await store(
      Array.from({ length: count }, (_, n) => JSON.stringify({ contactId: isNamed(n) ? 'person-1' : `c-${n}` })),
    );
    let most = 0;
    const see = (response: { rows?: unknown[] }) => void (most = Math.max(most, response.rows?.length ?? 0));
    database.on('query-response', see);
    await forget('person-1');
    database.removeListener('query-response', see);
    expect(most).to.be.at.most(100);
    const left = await payloads();
    expect(left.filter((payload, n) => (payload === '') !== isNamed(n))).to.deep.equal([]);
  });

  it('A14: other tenants’ events of the same id stay', async () => {
    await store(['{"contactId":"person-1"}']);
    const mine = tenant;
    tenant = await seedTenant(database, testEncryption);
    await store(['{"contactId":"person-1"}']);
    await forget('person-1');
    expect(await payloads()).to.deep.equal(['']);
    tenant = mine;
    expect(await payloads()).to.deep.equal(['{"contactId":"person-1"}']);
  });
});
