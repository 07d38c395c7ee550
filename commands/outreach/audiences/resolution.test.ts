import { expect } from 'chai';
import * as fc from 'fast-check';
import type { AudiencePreview } from '#domain/api/audiences.ts';
import { encodeCursor } from '#domain/cursor.ts';
import { rowsRead } from '#test/support/servers/rows-read.ts';
import type { Database } from '#db/database.ts';
import { listAudienceContacts } from './list-audience-contacts.ts';
import { previewAudience } from './preview-audience.ts';
import { overClassifiedContacts } from '#db/outreach/audiences/resolution.ts';
import type { AudienceSource } from '#db/outreach/audiences/source.ts';
import { useDatabase, useTestDatabase } from '#test/support/fixtures/database.ts';
import { timesOf } from '#test/support/extent.ts';

const now = new Date('2026-06-01T12:00:00Z');
const scope = { tenantId: 't', serviceNumberId: 'sn' };

interface World {
  /** By contact: what the profile says; null without one. */
  contacts: ({ following: boolean; unsubscribed: boolean } | null)[];
  /** By tag: its state. */
  tags: ('active' | 'expired' | 'past' | 'future' | 'exactly')[];
  /** assigned[tag] contains the contacts of the tag. */
  assigned: number[][];
}

const CONTACTS = 8;
const TAGS = 4;

const world = fc.record<World>({
  contacts: fc.array(
    fc.option(fc.record({ following: fc.boolean(), unsubscribed: fc.boolean() }), { nil: null, freq: 4 }),
    { minLength: CONTACTS, maxLength: CONTACTS },
  ),
  tags: fc.array(fc.constantFrom('active', 'expired', 'past', 'future', 'exactly'), {
    minLength: TAGS,
    maxLength: TAGS,
  }),
  assigned: fc.array(fc.uniqueArray(fc.nat(CONTACTS - 1)), { minLength: TAGS, maxLength: TAGS }),
});

const tagIds = fc.array(fc.nat(TAGS - 1), { minLength: 1, maxLength: 4 }).map((list) => list.map((n) => `tag-${n}`));

const source = fc.oneof(
  fc.record({ kind: fc.constant('ids' as const), contactIds: fc.array(fc.nat(CONTACTS + 2).map((n) => `c${n}`)) }),
  fc.record({
    kind: fc.constant('tags' as const),
    appTagIds: tagIds,
    tagOperator: fc.constantFrom('AND' as const, 'OR' as const),
    excludeTagIds: fc.oneof(fc.constant<string[]>([]), tagIds),
  }),
);

type Classified = Map<string, string>;

/** The rules again, by checking every contact individually. */
function bruteForce({ contacts, tags, assigned }: World, audience: AudienceSource): Classified {
  const has = (contact: string, tag: string) =>
    (assigned[Number(tag.slice(4))] ?? []).includes(Number(contact.slice(1)));
  const expired = (tag: string) => ['expired', 'past', 'exactly'].includes(tags[Number(tag.slice(4))] ?? '');
  const everyone = Array.from({ length: CONTACTS + 3 }, (_, n) => `c${n}`);
  const result: Classified = new Map();
  for (const contact of everyone) {
    let valid = true;
    if (audience.kind === 'ids') {
      if (!audience.contactIds.includes(contact)) continue;
    } else if (audience.kind === 'tags') {
      const matches = (of: (tag: string) => boolean) =>
        audience.tagOperator === 'AND' ? audience.appTagIds.every(of) : audience.appTagIds.some(of);
      if (!matches((tag) => has(contact, tag))) continue;
      if (audience.excludeTagIds.some((tag) => has(contact, tag) && !expired(tag))) continue;
      valid = matches((tag) => has(contact, tag) && !expired(tag));
    }
    const profile = contacts[Number(contact.slice(1))] ?? null;
    const reason = !valid
      ? 'expiredTags'
      : profile?.unsubscribed
        ? 'unsubscribed'
        : profile?.following
          ? 'reachable'
          : 'unreachable';
    result.set(contact, reason);
  }
  return result;
}

function countsOf(classified: Classified): AudiencePreview {
  const of = (name: string) => [...classified.values()].filter((value) => value === name).length;
  const excluded = {
    expiredTags: of('expiredTags'),
    unsubscribed: of('unsubscribed'),
    unreachable: of('unreachable'),
    controlGroup: 0,
  };
  return { hitCount: classified.size, reachableCount: of('reachable'), excluded };
}

const expiry: Record<World['tags'][number], { status: string; at: string | null }> = {
  active: { status: 'active', at: null },
  expired: { status: 'expired', at: '2030-01-01T00:00:00Z' },
  past: { status: 'active', at: '2026-06-01T11:59:59Z' },
  exactly: { status: 'active', at: '2026-06-01T12:00:00Z' },
  future: { status: 'active', at: '2026-06-01T12:00:01Z' },
};

async function store(db: Database, { contacts, tags, assigned }: World): Promise<void> {
  await db.raw('delete from tag_assignment; delete from tag; delete from contact_profile');
  for (const [n, tag] of tags.entries()) {
    const { status, at } = expiry[tag];
    await db('tag').insert({
      tag_id: `tag-${n}`,
      tenant_id: 't',
      service_number_id: 'sn',
      name: `Tag ${n}`,
      source: 'app_manual',
      kind: 'permanent',
      status,
      expires_at: at,
    });
  }
  const assignments = assigned.flatMap((list, tag) =>
    list.map((n) => ({ tenant_id: 't', tag_id: `tag-${tag}`, contact_id: `c${n}` })),
  );
  if (assignments.length > 0) await db('tag_assignment').insert(assignments);
  for (const [n, list] of assigned.entries())
    await db('tag')
      .where({ tag_id: `tag-${n}` })
      .update({ contact_count: list.length });
  // Large sets use a different plan: every other world pretends to be large.
  if (assigned.flat().length % 2 === 0) await db('tag').update({ contact_count: 1_000_000 });
  const profiles = contacts.flatMap((contact, n) =>
    contact
      ? [
          {
            tenant_id: 't',
            service_number_id: 'sn',
            contact_id: `c${n}`,
            follow_state: contact.following ? 'following' : 'unfollowed',
            unsubscribed: contact.unsubscribed,
            last_event_at: now,
          },
        ]
      : [],
  );
  // The same ids elsewhere must not matter.
  const elsewhere = Array.from({ length: CONTACTS }, (_, n) => ({
    tenant_id: 't',
    service_number_id: 'other',
    contact_id: `c${n}`,
    follow_state: 'following',
    unsubscribed: false,
    last_event_at: now,
  }));
  await db('contact_profile').insert([...profiles, ...elsewhere]);
}

describe('audience resolution', () => {
  const database = useTestDatabase();
  const db = useDatabase('outreach', { on: database });
  before(async () => {
    await db('tenant').insert({ tenant_id: 't', external_tenant_id: 'x', name: 'T', type: 'shop', status: 'active' });
  });

  it('classifies every contact as an individual check does', async () => {
    await fc.assert(
      fc.asyncProperty(world, fc.array(source, { minLength: 1, maxLength: 4 }), async (given, audiences) => {
        await store(db, given);
        for (const audience of audiences) {
          const expected = bruteForce(given, audience);
          const found = await db.transaction((transaction) =>
            overClassifiedContacts<{ contactId: string; class: string }>(
              transaction,
              scope,
              { source: audience, now },
              (classified) => classified,
            ),
          );
          expect(found).to.have.length(expected.size);
          expect(new Map(found.map((row) => [row.contactId, row.class]))).to.deep.equal(
            new Map(
              [...expected].toSorted(
                (a, b) => found.findIndex((r) => r.contactId === a[0]) - found.findIndex((r) => r.contactId === b[0]),
              ),
            ),
          );
          expect(await previewAudience(db, scope, audience, now)).to.deep.equal(countsOf(expected));
        }
      }),
      { numRuns: timesOf(40, 120) },
    );
  });

  it('reads only as much of a large tag filter as a page needs', async () => {
    const tags = ['active', 'active', 'active', 'active'] as const;
    await store(db, { contacts: [], tags: [...tags], assigned: tags.map(() => []) });
    await db.raw(`insert into tag_assignment (tenant_id, tag_id, contact_id)
      select 't', 'tag-' || n % 3, 'c-' || lpad((n / 2)::text, 6, '0') from generate_series(1, 30000) n`);
    await db('tag').update({ contact_count: 10_000 });
    await database.connect('outreach', 'owner').raw('analyze tag_assignment');
    const filter = { kind: 'tags' as const, appTagIds: ['tag-0', 'tag-1'], excludeTagIds: ['tag-2'] };
    for (const tagOperator of ['AND', 'OR'] as const) {
      for (const cursor of [undefined, encodeCursor(['c-012000'])]) {
        const read = await rowsRead(db, ['tag_assignment'], async (transaction) => {
          const page = { now, limit: 50, cursor };
          const { items } = await listAudienceContacts(transaction, scope, { ...filter, tagOperator }, page);
          expect(items).to.have.length(50);
        });
        expect(read.scanned).to.equal(0);
        expect(read.fetched).to.be.at.most(1000);
      }
    }
  });
});
