import { expect } from 'chai';
import * as fc from 'fast-check';
import type {
  CountedCampaigns,
  Segment,
  SegmentCampaigns,
  SegmentCondition,
  SegmentEntry,
  SegmentTimes,
} from '#domain/api/segments.ts';
import { useDatabase, useTestDatabase } from '#test/support/fixtures/database.ts';
import { changed, holds } from '#test/support/outreach/segments/model.ts';
import { store, storeChange, storeFrame } from '#test/support/outreach/segments/rows.ts';
import { campaign, changes, now, world } from '#test/support/outreach/segments/world.ts';
import { firstRow } from '#db/database.ts';
import { previewAudience } from '#commands/outreach/audiences/preview-audience.ts';
import { overClassifiedContacts } from '../resolution.ts';
import { resolvePage } from '../resolved-table.ts';

const scope = { tenantId: 't', serviceNumberId: 'sn' };

const ofCampaigns: fc.Arbitrary<SegmentCampaigns> = fc.oneof(
  fc.uniqueArray(campaign, { minLength: 1 }).map((campaignIds) => ({ campaignIds })),
  fc.integer({ min: 1, max: 15 }).map((lastDays) => ({ lastDays })),
);
const times: fc.Arbitrary<SegmentTimes | undefined> = fc.constantFrom(
  undefined,
  { gte: 0 },
  { gte: 1 },
  { gte: 2 },
  { gte: 3 },
  { lte: 0 },
  { lte: 1 },
  { lte: 2 },
  { gte: 0, lte: 1 },
  { gte: 1, lte: 1 },
  { gte: 2, lte: 3 },
);
const counted: fc.Arbitrary<CountedCampaigns> = fc
  .tuple(ofCampaigns, times)
  .map(([campaigns, often]) => ({ ...campaigns, ...(often && { times: often }) }));
const entered: fc.Arbitrary<SegmentEntry> = fc.constantFrom<SegmentEntry>(
  { lastDays: 1 },
  { lastDays: 2 },
  { before: '2026-05-31' },
  { before: '2026-06-01' },
  { after: '2026-05-30' },
  { after: '2026-05-31' },
);
const condition: fc.Arbitrary<SegmentCondition> = fc.oneof(
  fc.constant({ tag: 'tag' }),
  fc.constant({ inList: { audienceId: 'list' } }),
  entered.map((entry) => ({ entered: entry })),
  counted.map((reached) => ({ reached })),
  counted.map((conversed) => ({ conversed })),
  fc
    .record(
      {
        campaigns: ofCampaigns,
        messageIndex: fc.constant(0),
        actionIndex: fc.nat(1),
        bizEventCode: fc.constant('SALE'),
        times: times.filter((often) => often !== undefined),
      },
      { requiredKeys: ['campaigns'] },
    )
    .map((clicked) => ({ clicked })),
  fc
    .constantFrom<Extract<SegmentCondition, { profile: unknown }>['profile']>(
      { field: 'language', test: { op: 'eq', value: 'en' } },
      { field: 'language', test: { op: 'ne', value: 'en' } },
      { field: 'language', test: { op: 'in', values: ['zh', 'fr'] } },
      { field: 'language', test: { op: 'eq', value: 'eN', fold: true } },
      { field: 'language', test: { op: 'ne', value: 'ünÏ', fold: true } },
      { field: 'language', test: { op: 'in', values: ['ÜnÏ', 'ZH'], fold: true } },
      { field: 'language', test: { op: 'eq', value: 'EN', fold: false } },
      { field: 'region', test: { op: 'exists' } },
      { field: 'attribute', name: 'born', test: { op: 'exists' } },
      { field: 'attribute', name: 'born', test: { op: 'before', date: '2026-05-30' } },
      { field: 'attribute', name: 'born', test: { op: 'after', date: '2026-05-29' } },
      { field: 'attribute', name: 'born', test: { op: 'days_ago', from: 0, to: 2 } },
    )
    .map((profile) => ({ profile })),
);
const segment = fc.letrec<{ node: Segment }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    condition,
    fc.record({ all: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('node') }),
  ),
})).node;

const reach = counted.map((reached): Segment => ({ reached }));

/** Blocks of sets that are up to date. */
const blocksRead = `
  select count(*) as read from dispatch_reach join reach_block using (dispatch_id) where built_at is not null`;

describe('segments', () => {
  const database = useTestDatabase();
  const db = useDatabase('outreach', { on: database });
  before(() => storeFrame(db));

  it('match whom an individual check of each contact matches, count each part, and are the same page by page', async function () {
    this.timeout(600_000);
    let read = 0;
    await fc.assert(
      fc.asyncProperty(world, changes, fc.tuple(reach, reach, segment, segment), async (first, later, segments) => {
        await store(db, first);
        let given = first;
        for (const change of later) {
          await storeChange(db, given, change);
          given = changed(given, change);
        }
        const blocks = await firstRow<{ read: number }>(db, blocksRead, {});
        read += blocks?.read ?? 0;
        const known = given.contacts.flatMap((profile, who) => (profile ? [{ who, reach: profile.reach }] : []));
        for (const one of segments) {
          const source = { kind: 'segment' as const, segment: one };
          const expected = known.filter(({ who }) => holds(given, one, who));
          const classes = expected.map(({ who, reach }) => ({ contactId: `c${who}`, class: reach }));
          const found = await db.transaction((transaction) =>
            overClassifiedContacts(transaction, scope, { source, now }, (sql) => `select * from (${sql}) s order by 1`),
          );
          expect(found).to.deep.equal(classes);

          const { parts = [], ...counts } = await previewAudience(db, scope, source, now);
          const of = (reach: string) => classes.filter((row) => row.class === reach).length;
          expect(counts).to.deep.equal({
            hitCount: expected.length,
            reachableCount: of('reachable'),
            excluded: {
              expiredTags: 0,
              unsubscribed: of('unsubscribed'),
              unreachable: of('unreachable'),
              controlGroup: 0,
            },
          });
          const partAt = (path: string) =>
            path
              .split('/')
              .slice(1)
              .reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], one) as Segment;
          for (const { path, hitCount } of parts)
            expect(hitCount, path).to.equal(known.filter(({ who }) => holds(given, partAt(path), who)).length);

          const paged: unknown[] = [];
          for (let after: string | null = ''; after !== null;) {
            const from: string = after;
            after = await db.transaction(async (transaction) => {
              const page = await resolvePage(transaction, scope, { source, now, after: from, limit: 3 });
              paged.push(...(await transaction('resolved').select('contact_id', 'class').orderBy('contact_id')));
              return page.through;
            });
          }
          expect(paged).to.deep.equal(classes);
        }
      }),
      { numRuns: 60 },
    );
    expect(read).to.be.greaterThan(20);
  });
});
