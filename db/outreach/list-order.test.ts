import { expect } from 'chai';
import type { Page } from '#domain/api/primitives.ts';
import { campaignSorts, contactSorts, ruleSorts, tagSorts } from '#domain/lists/sorts.ts';
import { useDatabase, useTestDatabase } from '#test/support/fixtures/database.ts';
import { listCampaigns } from './campaigns/campaigns.ts';
import { listContacts } from './contacts/contacts.ts';
import { listRules } from './rules/lists.ts';
import { listTags } from './tags/tags.ts';

/** Of each kind; names and times repeat, so that the ids have to break ties. */
const ROWS = 5000;
const LIMIT = 199;

interface Listed {
  id: string;
  name: string | null;
  at: Date | null;
}

describe('lists in other orders', () => {
  const test = useTestDatabase();
  const db = useDatabase('outreach', { on: test });

  before(async () => {
    const id = (kind: string) => `'${kind}-' || lpad(((n * 7919) % ${ROWS})::text, 5, '0')`;
    const name = `(array['b', 'A', 'ä', 'Z', '茶'])[n % 5 + 1] || n % 40`;
    const at = `timestamptz '2026-01-01' + n % 300 * interval '1 hour 0.000001 second'`;
    await db.raw(`insert into tenant values ('a', 'x', 'A', 'shop', 'active'), ('b', 'y', 'B', 'shop', 'active')`);
    for (const statement of [
      `insert into campaign (campaign_id, tenant_id, service_number_id, name, channels, messages, audience, schedule,
         status, created_by, created_at)
       select ${id('c')}, 'a', 'sn-1', ${name}, '{}', '[]', '{}', '{}', 'draft', 'u', ${at}`,
      `insert into tag (tag_id, tenant_id, service_number_id, name, source, kind, status, created_at)
       select ${id('t')}, 'a', 'sn-1', ${name} || '-' || n, 'app_manual', 'permanent', 'active', ${at}`,
      `insert into smart_tag_rule (rule_id, tenant_id, version, name, trigger_event, match_condition, target_tag_id,
         status, created_at, updated_at)
       select ${id('r')}, 'a', 1, ${name}, 'notice.clicked', '{"all": []}', ${id('t')}, 'active', now(), now()`,
      `insert into contact_profile (tenant_id, service_number_id, contact_id, follow_state, last_event_at, entered_at)
       select 'a', 'sn-1', ${id('p')}, 'following', now(), case when n % 10 > 0 then ${at} end`,
    ])
      await db.raw(`${statement} from generate_series(1, ${ROWS}) n`);
    const owner = test.connect('outreach', 'owner');
    for (const table of ['campaign', 'tag', 'smart_tag_rule', 'contact_profile']) {
      await owner.raw(`alter table ${table} set (autovacuum_enabled = false)`);
      await owner.raw(`analyze ${table}`);
    }
  });

  /** A list by its order, with what its order is about. */
  type List = (page: { limit: number; cursor?: string; sort?: never }) => Promise<Page<Listed>>;
  const mapped = <Row>({ items, nextCursor }: Page<Row>, toListed: (row: Row) => Listed): Page<Listed> => ({
    items: items.map(toListed),
    nextCursor,
  });
  const filter = { serviceNumberId: 'sn-1' };
  const lists: Record<string, { sorts: readonly string[]; index: RegExp; list: List }> = {
    campaigns: {
      sorts: campaignSorts,
      index: /campaign_by_(name|tenant)/,
      list: async (page) =>
        mapped(await listCampaigns(db, 'a', { ...filter, ...page }), ({ id, name, createdAt }) => ({
          id,
          name,
          at: createdAt,
        })),
    },
    tags: {
      sorts: tagSorts,
      index: /tag_by_(name|creation)/,
      list: async (page) =>
        mapped(await listTags(db, 'a', { ...filter, ...page }, new Date()), ({ tagId, name, createdAt }) => ({
          id: tagId,
          name,
          at: createdAt,
        })),
    },
    rules: {
      sorts: ruleSorts,
      index: /smart_tag_rule_by_name/,
      list: async (page) =>
        mapped(await listRules(db, 'a', { ...filter, ...page }), ({ ruleId, name, createdAt }) => ({
          id: ruleId,
          name,
          at: createdAt,
        })),
    },
    contacts: {
      sorts: contactSorts,
      index: /contact_profile_by_entry/,
      list: async (page) =>
        mapped(await listContacts(db, 'a', { ...filter, ...page }), ({ contactId, displayName, enteredAt }) => ({
          id: contactId,
          name: displayName,
          at: enteredAt,
        })),
    },
  };

  async function allOf(list: List, sort: string): Promise<Listed[]> {
    const found: Listed[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ limit: LIMIT, ...(cursor === undefined ? {} : { cursor }), sort: sort as never });
      found.push(...page.items);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    return found;
  }

  /** The plan of the statement by which a page is read. */
  async function planOf(read: () => Promise<unknown>): Promise<string> {
    const seen: { sql: string; bindings: unknown[] }[] = [];
    const note = (query: { sql: string; bindings: unknown[] }) => void seen.push(query);
    db.on('query', note);
    await read();
    db.off('query', note);
    const { sql, bindings } = seen.at(-1) ?? { sql: '', bindings: [] };
    const explained = await db.raw(`explain ${sql.replaceAll(/\$\d+/g, '?')}`, bindings as string[]);
    return (explained.rows as { 'QUERY PLAN': string }[]).map((line) => line['QUERY PLAN']).join('\n');
  }

  for (const [name, { sorts, index, list }] of Object.entries(lists)) {
    for (const sort of sorts) {
      it(`${name} by ${sort} have every row once, in order, from an index`, async () => {
        const found = await allOf(list, sort);
        expect(new Set(found.map(({ id }) => id)).size).to.equal(ROWS);
        expect(found).to.have.length(ROWS);
        const keyOf = (row: Listed) =>
          sort.endsWith('name')
            ? Buffer.from((row.name ?? '').toLowerCase()).toString('hex')
            : (row.at?.getTime() ?? 0);
        const way = sort.startsWith('-') ? -1 : 1;
        const wrong = found.filter((row, place) => {
          const previous = found[place - 1];
          if (!previous) return false;
          const [one, other] = [keyOf(previous), keyOf(row)];
          return one === other ? way * (previous.id < row.id ? 1 : -1) < 0 : way * (one < other ? 1 : -1) < 0;
        });
        expect(wrong).to.deep.equal([]);
        const { nextCursor } = await list({ limit: LIMIT, sort: sort as never });
        for (const more of [{}, { cursor: nextCursor ?? '' }]) {
          const plan = await planOf(() => list({ limit: 50, sort: sort as never, ...more }));
          expect(plan).to.match(index).and.not.to.include('Sort');
        }
      });
    }
  }

  it('refuse a cursor of another order', async () => {
    const { nextCursor } = await listTags(db, 'a', { limit: 1, sort: '-name' }, new Date());
    for (const sort of ['name', 'createdAt', '-createdAt'] as const) {
      const read = listTags(db, 'a', { limit: 1, sort, cursor: nextCursor ?? '' }, new Date());
      expect(
        await read.then(
          () => 'read',
          ({ code }: { code: string }) => code,
        ),
        sort,
      ).to.equal('invalid_request');
    }
  });
});
