import { expect } from 'chai';
import * as fc from 'fast-check';
import { rowsRead } from '#test/support/servers/rows-read.ts';
import { rows } from '#db/database.ts';
import { containing } from '#db/text-search.ts';
import { listContacts } from './contacts.ts';
import { useDatabase, useTestDatabase } from '#test/support/fixtures/database.ts';

const COUNT = 100_000;

describe('searching contacts', () => {
  const test = useTestDatabase();
  const db = useDatabase('outreach', { on: test });

  before(async () => {
    await db.raw(`insert into tenant select t, 'x-' || t, t, 'shop', 'active' from unnest(array['a', 'b']) as t`);
    await db.raw(
      `insert into contact_profile (tenant_id, service_number_id, contact_id, display_name, follow_state, last_event_at)
       select case when n % 50 = 0 then 'b' else 'a' end, 'sn-1', 'c-' || lpad(n::text, 7, '0'),
         (array['Ada', 'Ben', 'Cleo', 'Mei-Ling', '王小明'])[n % 5 + 1] || ' ' || (array['Chen', 'Okafor', 'Stone'])[n % 3 + 1]
           || case when n % 9999 = 1 then ' Lovelace' else '' end || case when n = 77777 then ' 陳龘' else '' end, 'following', now()
       from generate_series(1, ?::int) as n`,
      [COUNT],
    );
    const owner = test.connect('outreach', 'owner');
    // With a sample, one time in a hundred, a rare name is among the histogram bounds and taken for a common one. So
    // all rows are analysed here, and with this many bounds none of the rare names is one of them.
    await owner.raw('alter table contact_profile set (autovacuum_enabled = false)');
    await owner.transaction((transaction) =>
      transaction.raw('set local default_statistics_target = 353; analyze contact_profile'),
    );
  });

  const search = (q: string) => listContacts(db, 'a', { limit: 50, q });

  /** How many are found, and by which plan, as the role of the service. */
  async function found(q: string): Promise<{ count: number; plan: string }> {
    const seen: { sql: string; bindings: unknown[] }[] = [];
    const note = (query: { sql: string; bindings: unknown[] }) => void seen.push(query);
    db.on('query', note);
    const { items } = await search(q);
    db.off('query', note);
    const { sql, bindings } = seen.at(-1) ?? { sql: '', bindings: [] };
    const numbered = sql.replaceAll(/\$\d+/g, '?');
    const plan = (await db.raw(`explain ${numbered}`, bindings as string[])).rows as { 'QUERY PLAN': string }[];
    return { count: items.length, plan: plan.map((line) => line['QUERY PLAN']).join('\n') };
  }

  it('finds rare substrings by their trigrams', async () => {
    const { count, plan } = await found('LOVELACE');
    expect(count).to.equal(10);
    expect(plan).to.include('contact_profile_search');
  });

  it('finds Chinese names by one or two characters, through an index in any locale', async () => {
    for (const [q, expected] of [
      ['龘', 1],
      ['陳龘', 1],
      ['龘陳', 0],
      ['É龘', 0],
    ] as const) {
      const { count, plan } = await found(q);
      expect(count, q).to.equal(expected);
      expect(plan, q).to.include('contact_profile_letters');
    }
    expect((await found('小明')).count).to.equal(50);
    expect((await found('王小明 C')).count).to.equal(50);
  });

  it('searches a substring in 100,000 contacts through an index, whatever the input', async () => {
    const typed = [
      'lovelace',
      'c-0012345',
      '王小明',
      'okafor',
      'nobody at all',
      'mei-ling chen',
      '0099999',
      'cleo',
      '王',
      '小明',
      '龘',
      '明王',
    ];
    for (const q of typed) {
      const read = await rowsRead(db, ['contact_profile'], (transaction) =>
        listContacts(transaction, 'a', { limit: 50, q }),
      );
      expect(read.scanned, q).to.equal(0);
      expect(read.fetched, q).to.be.at.most(COUNT / 2);
    }
  });

  it('finds two letters through an index, however rare, and reads few contacts for those that many have', async () => {
    await db.raw(`update contact_profile set display_name = 'Zq--Ünal' where contact_id = any(?)`, [
      ['c-0000050', 'c-0060001', 'c-0099999'],
    ]);
    for (const [q, expected] of [
      ['zq', ['c-0060001', 'c-0099999']],
      ['Q-', ['c-0060001', 'c-0099999']],
      ['--', ['c-0060001', 'c-0099999']],
      ['Ün', ['c-0060001', 'c-0099999']],
      ['n-Z', []],
      ['zz', []],
      ['%_', []],
    ] as const) {
      const read = await rowsRead(db, ['contact_profile'], async (transaction) => {
        const { items } = await listContacts(transaction, 'a', { limit: 50, q });
        expect(
          items.map(({ contactId }) => contactId),
          q,
        ).to.deep.equal(expected);
      });
      expect(read.scanned, q).to.equal(0);
      expect(read.fetched, q).to.be.at.most(COUNT / 4);
    }
    for (const q of ['Ad', 'c-', '-L', ' C']) {
      const read = await rowsRead(db, ['contact_profile'], async (transaction) => {
        expect((await listContacts(transaction, 'a', { limit: 50, q })).items, q).to.have.length(50);
      });
      expect(read.scanned + read.fetched, q).to.be.at.most(1000);
    }
  });

  it('finds by two characters what a plain search finds, page by page, whatever a name contains', async () => {
    const sign = fc.constantFrom('a', 'B', 'é', 'É', 'Σ', 'İ', '王', '-', '%', '_', '\\', '\n', '\u0001', ' ', '😀');
    const names = fc
      .sample(fc.array(sign, { maxLength: 6 }), { numRuns: 300, seed: 16 })
      .map((signs) => signs.join(''));
    await db.raw(
      `insert into contact_profile (tenant_id, service_number_id, contact_id, display_name, follow_state, last_event_at)
       select 'b', 'sn-2', 'x' || n, name, 'following', now() from unnest(?::text[]) with ordinality as g(name, n)`,
      [names],
    );
    const typed = fc.array(sign, { minLength: 2, maxLength: 3 }).map((signs) => signs.join('').trim());
    await fc.assert(
      fc.asyncProperty(typed, async (q) => {
        const plain = await rows<{ contactId: string }>(
          db,
          `select contact_id from contact_profile where tenant_id = 'b' and service_number_id = 'sn-2'
             and contact_id || chr(10) || coalesce(display_name, '') ilike :pattern order by contact_id`,
          { pattern: containing(q) },
        );
        const found: string[] = [];
        let cursor: string | undefined;
        do {
          const page = await listContacts(db, 'b', { limit: 7, serviceNumberId: 'sn-2', q, cursor });
          found.push(...page.items.map(({ contactId }) => contactId));
          cursor = page.nextCursor ?? undefined;
        } while (cursor !== undefined);
        expect(found).to.deep.equal(plain.map(({ contactId }) => contactId));
      }),
      { numRuns: 150, seed: 16 },
    );
  });
});
