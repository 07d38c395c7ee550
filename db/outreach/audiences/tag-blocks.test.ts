import { expect } from 'chai';
import * as fc from 'fast-check';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { seedTenant } from '#test/support/outreach/rows.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { planRows } from '#test/support/servers/plan-rows.ts';
import { useDatabase, useTestDatabase } from '#test/support/fixtures/database.ts';
import { firstRow, rows } from '#db/database.ts';
import { countAudience } from './counts.ts';
import { previewOf, type ReachCounts, reachCounts } from './reach-counts.ts';
import { overClassifiedContacts } from './resolution.ts';
import { countTagBlocks } from './tag-blocks.ts';

const serviceNumberId = 'sn-1';
const now = new Date(Date.UTC(2026, 0, 2));
/** Contacts far enough apart to be in several blocks. */
const APART = 1500;

const contacts = fc.uniqueArray(fc.nat(9), { minLength: 1, maxLength: 6 });
const tag = fc.nat(3);
const step = fc.oneof(
  fc.record({ kind: fc.constant('tag' as const), tag, contacts }),
  fc.record({ kind: fc.constant('untag' as const), tag, contacts }),
  fc.record({ kind: fc.constant('store' as const), contacts, follows: fc.boolean(), unsubscribed: fc.boolean() }),
  fc.record({ kind: fc.constant('erase' as const), contacts }),
  fc.record({ kind: fc.constant('expire' as const), tag }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
const everybody = {
  kind: 'store' as const,
  contacts: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  follows: true,
  unsubscribed: false,
};
const filter = fc.record({
  appTagIds: fc.array(tag, { minLength: 1, maxLength: 3 }),
  excludeTagIds: fc.array(tag, { maxLength: 2 }),
  tagOperator: fc.constantFrom('AND' as const, 'OR' as const),
});

describe('the preview of a tag filter', () => {
  const test = useTestDatabase();
  const db = useDatabase('outreach', { on: test });

  async function seedTags(): Promise<{ tenantId: string; tagIds: string[] }> {
    const { tenantId } = await seedTenant(db, testEncryption);
    const tagIds = [0, 1, 2, 3].map((number) => `tag-${number}-${tenantId}`);
    for (const tag_id of tagIds)
      await db('tag').insert({
        tag_id,
        tenant_id: tenantId,
        service_number_id: serviceNumberId,
        name: tag_id,
        source: 'app_manual',
        kind: 'temporary',
        expires_at: new Date(now.getTime() + 1),
        status: 'active',
      });
    return { tenantId, tagIds };
  }

  const recount = (tagId: string) =>
    rows(
      db,
      'update tag set contact_count = (select count(*) from tag_assignment where tag_id = :tagId) where tag_id = :tagId',
      { tagId },
    );

  async function take(tenantId: string, tagIds: string[], taken: Step): Promise<void> {
    const ids = 'contacts' in taken ? taken.contacts.map((number) => `c-${number}`) : [];
    const tagId = 'tag' in taken ? (tagIds[taken.tag] ?? '') : '';
    const bound = { tenantId, serviceNumberId, tagId, ids, apart: APART };
    if (taken.kind === 'tag')
      await rows(
        db,
        `insert into tag_assignment (tenant_id, tag_id, contact_id)
         select :tenantId, :tagId, unnest(:ids::text[]) on conflict do nothing`,
        bound,
      );
    if (taken.kind === 'untag')
      await rows(db, 'delete from tag_assignment where tag_id = :tagId and contact_id = any(:ids)', bound);
    if (taken.kind === 'erase')
      await rows(db, 'delete from contact_profile where tenant_id = :tenantId and contact_id = any(:ids)', bound);
    if (taken.kind === 'expire') await db('tag').where({ tag_id: tagId }).update({ expires_at: now });
    if (taken.kind === 'store')
      await rows(
        db,
        `insert into contact_profile (tenant_id, service_number_id, contact_id, follow_state, unsubscribed, last_event_at, ordinal)
         select :tenantId, :serviceNumberId, id, :followState, :unsubscribed, now(), substr(id, 3)::int * :apart
         from unnest(:ids::text[]) id on conflict (tenant_id, service_number_id, contact_id)
           do update set follow_state = excluded.follow_state, unsubscribed = excluded.unsubscribed`,
        { ...bound, followState: taken.follows ? 'following' : 'unfollowed', unsubscribed: taken.unsubscribed },
      );
    if ('tag' in taken) await recount(tagId);
  }

  /** As it was counted row by row. */
  async function plain(
    owner: { tenantId: string; serviceNumberId: string },
    source: Parameters<typeof countTagBlocks>[2],
  ) {
    const [counts] = await db.transaction((transaction) =>
      overClassifiedContacts<ReachCounts>(
        transaction,
        owner,
        { source, now },
        (classified) => `select ${reachCounts} from (${classified}) classified`,
      ),
    );
    return previewOf(counts);
  }

  it('counts what the rows say, whoever was tagged, stored and erased in whatever order', async () => {
    let ofBlocks = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 14 }),
        fc.array(filter, { minLength: 2, maxLength: 5 }),
        async (steps, looks) => {
          const { tenantId, tagIds } = await seedTags();
          for (const taken of [everybody, ...steps]) await take(tenantId, tagIds, taken);
          const owner = { tenantId, serviceNumberId };
          const named = (numbers: number[]) => numbers.map((number) => tagIds[number] ?? '');
          for (const { appTagIds, excludeTagIds, tagOperator } of looks) {
            const source = {
              kind: 'tags' as const,
              appTagIds: named(appTagIds),
              excludeTagIds: named(excludeTagIds),
              tagOperator,
            };
            const counted = await db.transaction((transaction) => countAudience(transaction, owner, source, now));
            expect(counted).to.deep.equal(await plain(owner, source));
            const blocks = await db.transaction((transaction) => countTagBlocks(transaction, owner, source, now));
            const strangers = await firstRow<{ count: number }>(
              db,
              `select count(*) as count from tag_assignment a where tag_id = any(:tagIds) and not exists (
               select from contact_profile p where p.tenant_id = a.tenant_id and p.contact_id = a.contact_id)`,
              { tagIds: [...source.appTagIds, ...source.excludeTagIds] },
            );
            expect(blocks === null).to.equal(strangers !== null && strangers.count > 0);
            if (blocks && counted.hitCount > 0) ofBlocks += 1;
          }
        },
      ),
      { numRuns: 60 },
    );
    expect(ofBlocks).to.be.greaterThan(5);
  });

  it('counts no contact that was erased while it was being tagged as reachable', async () => {
    const { tenantId, tagIds } = await seedTags();
    const [tagId = ''] = tagIds;
    await take(tenantId, tagIds, everybody);
    let erased: Promise<void> | undefined;
    await db.transaction(async (transaction) => {
      await transaction('tag_assignment').insert({ tenant_id: tenantId, tag_id: tagId, contact_id: 'c-1' });
      erased = take(tenantId, tagIds, { kind: 'erase', contacts: [1] });
      const blocked = `select from pg_locks where not granted and locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())`;
      await eventually('erasing waits', async () => (await rows(db, blocked, {})).length === 1);
    });
    await erased;
    await recount(tagId);
    const source = { kind: 'tags' as const, appTagIds: [tagId], excludeTagIds: [], tagOperator: 'OR' as const };
    const counted = await db.transaction((transaction) =>
      countAudience(transaction, { tenantId, serviceNumberId }, source, now),
    );
    expect(counted).to.deep.include({ hitCount: 1, reachableCount: 0 });
  });

  it('reads no assignment, and of the contacts those that are not reachable', async () => {
    const { tenantId, tagIds } = await seedTags();
    const [one = '', two = ''] = tagIds;
    await db.raw(
      `insert into contact_profile (tenant_id, service_number_id, contact_id, follow_state, unsubscribed, last_event_at)
       select ?, ?, 'd-' || n, case when n % 100 = 0 then 'unfollowed' else 'following' end, n % 100 = 1, now()
       from generate_series(1, 20000) n`,
      [tenantId, serviceNumberId],
    );
    for (const tagId of [one, two]) {
      await db.raw(
        `insert into tag_assignment (tenant_id, tag_id, contact_id)
         select ?, ?, 'd-' || n from generate_series(1, 20000) n where ? or n % 2 = 0`,
        [tenantId, tagId, tagId === one],
      );
      await recount(tagId);
    }
    await test.connect('outreach', 'owner').raw('analyze contact_profile, tag_block, tag');
    const owner = { tenantId, serviceNumberId };
    const source = { kind: 'tags' as const, appTagIds: [one], excludeTagIds: [two], tagOperator: 'OR' as const };
    const count = (table: string) =>
      planRows(db, table, (transaction) => countAudience(transaction, owner, source, now));
    expect(await plain(owner, source)).to.deep.equal(
      await db.transaction((transaction) => countAudience(transaction, owner, source, now)),
    );
    expect(await count('tag_assignment')).to.equal(0);
    expect(await count('contact_profile')).to.be.at.most(400);
    expect(await count('tag_block')).to.be.at.most(4 * (20_000 / 4096 + 2));
  });
});
