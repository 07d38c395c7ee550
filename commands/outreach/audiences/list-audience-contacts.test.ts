import { expect } from 'chai';
import { rows } from '#db/database.ts';
import type { AudienceSource } from '#db/outreach/audiences/source.ts';
import type { AudienceContact } from '#domain/api/audiences.ts';
import type { Segment } from '#domain/api/segments.ts';
import { allPages } from '#domain/cursor.ts';
import { useDatabase, useTestDatabase } from '#test/support/fixtures/database.ts';
import { seedTenant } from '#test/support/outreach/rows.ts';
import { rowsRead } from '#test/support/servers/rows-read.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { listAudienceContacts } from './list-audience-contacts.ts';

const CONTACTS = 20_000;
const now = new Date();

describe('the contacts of a segment, page by page', () => {
  const test = useTestDatabase();
  const database = useDatabase('outreach', { on: test });
  let scope: { tenantId: string; serviceNumberId: string };
  before(async () => {
    const { tenantId } = await seedTenant(database, testEncryption);
    scope = { tenantId, serviceNumberId: 'sn-1' };
    await rows(
      database,
      `insert into contact_profile (tenant_id, service_number_id, contact_id, follow_state, language, region, last_event_at)
       select :tenantId, 'sn-1', 'c-' || lpad(n::text, 6, '0'), case when n % 5 = 0 then 'unfollowed' else 'following' end,
         case when n % 4 = 0 then 'zh' else 'en' end, case when n % 4000 = 0 then 'island' end, :now
       from generate_series(1, :contacts::int) as n`,
      { tenantId, now, contacts: CONTACTS },
    );
    await test.connect('outreach', 'owner').raw('analyze contact_profile');
  });

  const having = (field: 'language' | 'region', value: string): AudienceSource => {
    const segment: Segment = { profile: { field, test: { op: 'eq', value } } };
    return { kind: 'segment', segment };
  };
  async function all(source: AudienceSource, limit: number, reach?: 'reachable') {
    const items: AudienceContact[] = [];
    const { scanned, fetched } = await rowsRead(database, ['contact_profile'], async (transaction) => {
      const pages = allPages((cursor) =>
        listAudienceContacts(transaction, scope, source, { now, limit, cursor, reach }),
      );
      for await (const page of pages) items.push(...page);
    });
    return { ids: items.map(({ contactId }) => contactId), read: scanned + fetched };
  }
  const every = (step: number, but = Infinity) =>
    Array.from({ length: CONTACTS / step }, (_, index) => (index + 1) * step)
      .filter((number) => number % but !== 0)
      .map((number) => `c-${String(number).padStart(6, '0')}`);

  it('are each once, in order, and read few times in all, however many pages there are', async () => {
    const found = await all(having('language', 'zh'), 100);
    expect(found.ids).to.deep.equal(every(4));
    expect(found.read).to.be.at.most(6 * CONTACTS);
    expect((await all(having('language', 'zh'), 100, 'reachable')).ids).to.deep.equal(every(4, 5));
  });

  it('are found where few of all contacts are in it, by reading all a few times', async () => {
    const found = await all(having('region', 'island'), 2);
    expect(found.ids).to.deep.equal(every(4000));
    expect(found.read).to.be.at.most(6 * CONTACTS);
    expect((await all(having('region', 'nowhere'), 2)).ids).to.deep.equal([]);
  });
});
