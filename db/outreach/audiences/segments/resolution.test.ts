import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Segment, SegmentCampaigns, SegmentCondition } from '../../../../domain/api/segments.ts';
import { useDatabase, useTestDatabase } from '../../../../test/support/fixtures/database.ts';
import type { Database } from '../../../database.ts';
import { previewAudience } from '../counts.ts';
import { overClassifiedContacts } from '../resolution.ts';
import { resolvePage } from '../resolved-table.ts';

const now = new Date('2026-06-01T12:00:00Z');
const scope = { tenantId: 't', serviceNumberId: 'sn' };
const DAY_MS = 24 * 60 * 60_000;
const CONTACTS = 10;
const campaigns = ['one', 'two', 'elsewhere'] as const;
type CampaignName = (typeof campaigns)[number];

interface Done {
  campaign: CampaignName;
  contact: number;
  daysAgo: number;
}

interface World {
  /** By contact: what the profile says; null without one. */
  contacts: ({
    reach: 'reachable' | 'unsubscribed' | 'unreachable';
    language: string | null;
    born: string | null;
  } | null)[];
  tagged: number[];
  isExpired: boolean;
  /** Sub-tasks, each of some contacts. */
  tasks: {
    campaign: CampaignName;
    contacts: number[];
    daysAgo: number;
    state: 'delivered' | 'none' | 'rejected' | 'replaced';
  }[];
  clicks: (Done & { action: number; code: string | null })[];
  conversations: Done[];
}

const contact = fc.nat(CONTACTS - 1);
const daysAgo = fc.integer({ min: 0, max: 20 });
const campaign = fc.constantFrom(...campaigns);
const done = { campaign, contact, daysAgo };
const born = fc.constantFrom(null, '2026-05-28', '2026-05-30T09:00', '2026-06-01', '1999-12-31', 'soon');
const world = fc.record<World>({
  contacts: fc.array(
    fc.option(
      fc.record({
        reach: fc.constantFrom('reachable' as const, 'unsubscribed' as const, 'unreachable' as const),
        language: fc.constantFrom(null, 'en', 'zh'),
        born,
      }),
      { nil: null, freq: 5 },
    ),
    { minLength: CONTACTS, maxLength: CONTACTS },
  ),
  tagged: fc.uniqueArray(contact),
  isExpired: fc.boolean(),
  tasks: fc.array(
    fc.record({
      campaign,
      contacts: fc.uniqueArray(contact, { minLength: 1 }).map((list) => list.toSorted()),
      daysAgo,
      state: fc.constantFrom('delivered' as const, 'none' as const, 'rejected' as const, 'replaced' as const),
    }),
    { maxLength: 5 },
  ),
  clicks: fc.array(fc.record({ ...done, action: fc.nat(1), code: fc.constantFrom(null, 'SALE') }), { maxLength: 8 }),
  conversations: fc.array(fc.record(done), { maxLength: 5 }),
});

const ofCampaigns: fc.Arbitrary<SegmentCampaigns> = fc.oneof(
  fc.uniqueArray(campaign, { minLength: 1 }).map((campaignIds) => ({ campaignIds })),
  fc.integer({ min: 1, max: 15 }).map((lastDays) => ({ lastDays })),
);
const condition: fc.Arbitrary<SegmentCondition> = fc.oneof(
  fc.constant({ tag: 'tag' }),
  ofCampaigns.map((reached) => ({ reached })),
  ofCampaigns.map((conversed) => ({ conversed })),
  fc
    .record(
      {
        campaigns: ofCampaigns,
        messageIndex: fc.constant(0),
        actionIndex: fc.nat(1),
        bizEventCode: fc.constant('SALE'),
      },
      { requiredKeys: ['campaigns'] },
    )
    .map((clicked) => ({ clicked })),
  fc
    .constantFrom<Extract<SegmentCondition, { profile: unknown }>['profile']>(
      { field: 'language', test: { op: 'eq', value: 'en' } },
      { field: 'language', test: { op: 'ne', value: 'en' } },
      { field: 'language', test: { op: 'in', values: ['zh', 'fr'] } },
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

/** The rules again, for one contact. */
function holds(given: World, node: Segment, who: number): boolean {
  if ('all' in node) return node.all.every((part) => holds(given, part, who));
  if ('any' in node) return node.any.some((part) => holds(given, part, who));
  if ('not' in node) return !holds(given, node.not, who);
  if ('tag' in node) return !given.isExpired && given.tagged.includes(who);
  const counts = (of: SegmentCampaigns, fact: { campaign: CampaignName; daysAgo: number }) =>
    'campaignIds' in of
      ? of.campaignIds.includes(fact.campaign)
      : fact.campaign !== 'elsewhere' && fact.daysAgo <= of.lastDays;
  if ('reached' in node)
    return given.tasks.some(
      (task) => task.state === 'delivered' && task.contacts.includes(who) && counts(node.reached, task),
    );
  if ('conversed' in node) return given.conversations.some((one) => one.contact === who && counts(node.conversed, one));
  if ('clicked' in node) {
    const { campaigns: of, actionIndex, bizEventCode } = node.clicked;
    return given.clicks.some(
      (click) =>
        click.contact === who &&
        counts(of, click) &&
        (actionIndex === undefined || click.action === actionIndex) &&
        (bizEventCode === undefined || click.code === bizEventCode),
    );
  }
  const { field, test } = node.profile;
  const profile = given.contacts[who];
  const value = (field === 'language' ? profile?.language : field === 'attribute' ? profile?.born : null) ?? null;
  if (test.op === 'ne') return value !== test.value;
  if (value === null) return false;
  if (test.op === 'exists') return true;
  if (test.op === 'eq') return value === test.value;
  if (test.op === 'in') return test.values.includes(value);
  const day = /^\d{4}-\d{2}-\d{2}/.exec(value)?.[0];
  if (day === undefined) return false;
  if (test.op === 'before') return day < test.date;
  if (test.op === 'after') return day > test.date;
  return day >= '2026-05-30' && day <= '2026-06-01';
}

const at = (days: number) => new Date(now.getTime() - days * DAY_MS);

async function storeSends(db: Database, { tasks }: World): Promise<void> {
  for (const [n, task] of tasks.entries()) {
    const dispatchId = `${task.campaign}-${n}`;
    await db('dispatch').insert({
      dispatch_id: dispatchId,
      tenant_id: 't',
      campaign_id: task.campaign,
      number: n + 1,
      audience_count: task.contacts.length,
      audience_hash: '',
      excluded: '{}',
      created_by: 'u',
    });
    await db('dispatch_chunk').insert({
      dispatch_id: dispatchId,
      chunk: 0,
      contact_ids: task.contacts.map((who) => `c${who}`),
    });
    await db('broadcast_task').insert({
      key: dispatchId,
      tenant_id: 't',
      campaign_id: task.campaign,
      dispatch_id: dispatchId,
      chunk: 0,
      status: task.state === 'rejected' ? 'rejected' : 'completed',
      delivered: task.state === 'none' ? 0 : null,
      superseded_by: task.state === 'replaced' ? dispatchId : null,
      contact_count: task.contacts.length,
      finished_at: at(task.daysAgo),
    });
  }
}

async function store(db: Database, given: World): Promise<void> {
  await db.raw(`delete from conversation; delete from click_attribution; delete from broadcast_task; delete from dispatch_chunk;
    delete from dispatch; delete from tag_assignment; delete from contact_profile`);
  await db('tag').update({ status: given.isExpired ? 'expired' : 'active' });
  for (const who of given.tagged)
    await db('tag_assignment').insert({ tenant_id: 't', tag_id: 'tag', contact_id: `c${who}` });
  const profiles = given.contacts.flatMap((profile, who) => (profile ? [{ ...profile, who }] : []));
  for (const { who, reach, language, born: date } of profiles)
    await db('contact_profile').insert({
      tenant_id: 't',
      service_number_id: 'sn',
      contact_id: `c${who}`,
      language,
      attributes: JSON.stringify(date === null ? {} : { born: date }),
      follow_state: reach === 'unreachable' ? 'unfollowed' : 'following',
      unsubscribed: reach === 'unsubscribed',
      last_event_at: now,
    });
  await storeSends(db, given);
  for (const [n, click] of given.clicks.entries())
    await db('click_attribution').insert({
      tenant_id: 't',
      task_id: 'task',
      contact_id: `c${click.contact}`,
      notice_id: `n${n}`,
      message_index: 0,
      action_index: click.action,
      campaign_id: click.campaign,
      biz_event_code: click.code,
      event_id: `click-${n}`,
      clicked_at: at(click.daysAgo),
    });
  for (const [n, one] of given.conversations.entries())
    await db('conversation').insert({
      tenant_id: 't',
      session_id: `session-${n}`,
      campaign_id: one.campaign,
      contact_id: `c${one.contact}`,
      opened_at: at(one.daysAgo),
    });
}

describe('segments', () => {
  const database = useTestDatabase();
  const db = useDatabase('outreach', { on: database });
  before(async () => {
    await db('tenant').insert({ tenant_id: 't', external_tenant_id: 'x', name: 'T', type: 'shop', status: 'active' });
    const tag = { tag_id: 'tag', tenant_id: 't', service_number_id: 'sn', name: 'Tag', source: 'app_manual' };
    await db('tag').insert({ ...tag, kind: 'permanent', status: 'active' });
    for (const name of campaigns)
      await db('campaign').insert({
        campaign_id: name,
        tenant_id: 't',
        service_number_id: name === 'elsewhere' ? 'other' : 'sn',
        name,
        channels: ['line'],
        messages: '[]',
        audience: '{}',
        schedule: '{}',
        status: 'completed',
        created_by: 'u',
      });
  });

  it('match whom an individual check of each contact matches, count each part, and are the same page by page', async () => {
    await fc.assert(
      fc.asyncProperty(world, fc.array(segment, { minLength: 1, maxLength: 4 }), async (given, segments) => {
        await store(db, given);
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
            excluded: { expiredTags: 0, unsubscribed: of('unsubscribed'), unreachable: of('unreachable') },
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
              paged.push(...(await transaction('resolved').orderBy('contact_id')));
              return page.through;
            });
          }
          expect(paged).to.deep.equal(classes);
        }
      }),
      { numRuns: 60 },
    );
  });
});
