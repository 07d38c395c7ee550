import { expect } from 'chai';
import fc from 'fast-check';
import type { DriftReason } from '#domain/api/dry-run.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { seedTenant } from '#test/support/outreach/rows.ts';
import { rows } from '#db/database.ts';
import { readDrift } from '#db/outreach/sends/dry-runs/drift.ts';
import { createCampaign } from '#commands/outreach/campaigns/create-campaign.ts';
import { sendCampaign } from '../send-campaign.ts';
import { storeDryRun } from './store-dry-run.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { timesOf } from '#test/support/extent.ts';

const CONTACTS = 12;
const TAGS = 4;
const runAt = new Date('2026-11-24T09:00:00Z');
const sentAt = new Date('2026-11-24T10:00:00Z');
/** Never expires; has expired at the dry run; expires before the send. */
const ends = [null, new Date('2026-11-24T08:00:00Z'), new Date('2026-11-24T09:30:00Z')];

interface State {
  contacts: { following: boolean; unsubscribed: boolean }[];
  /** Which of the expiries each tag has. */
  tags: number[];
  /** Contacts of each tag. */
  assigned: number[][];
}

const state = fc.record<State>({
  contacts: fc.array(fc.record({ following: fc.boolean(), unsubscribed: fc.boolean() }), {
    minLength: CONTACTS,
    maxLength: CONTACTS,
  }),
  tags: fc.array(fc.nat(2), { minLength: TAGS, maxLength: TAGS }),
  assigned: fc.array(fc.uniqueArray(fc.nat(CONTACTS - 1)), { minLength: TAGS, maxLength: TAGS }),
});

interface Filter {
  wanted: number[];
  operator: 'AND' | 'OR';
  excluded: number[];
}
const someTags = (minLength: number) => fc.uniqueArray(fc.nat(TAGS - 1), { minLength, maxLength: 2 });
const filter = fc.record<Filter>({
  wanted: someTags(1),
  operator: fc.constantFrom('AND', 'OR'),
  excluded: someTags(0),
});

const has = ({ assigned }: State, tag: number, contact: number) => assigned[tag]?.includes(contact) ?? false;
function valid({ tags }: State, tag: number, at: Date): boolean {
  const end = ends[tags[tag] ?? 0];
  return !end || end > at;
}

/** Nobody can set a tag's expiry in the past, nor does an expired tag come back only briefly. */
function laterEnd(before: number, after: number): number {
  if (after === 0) return after;
  return before === 1 ? 1 : 2;
}

function reached(world: State, { wanted, operator, excluded }: Filter, at: Date): number[] {
  const matches = (contact: number) => (tag: number) => has(world, tag, contact) && valid(world, tag, at);
  return world.contacts.flatMap(({ following, unsubscribed }, contact) => {
    const wants = operator === 'AND' ? wanted.every(matches(contact)) : wanted.some(matches(contact));
    return wants && !excluded.some(matches(contact)) && following && !unsubscribed ? [contact] : [];
  });
}

/** What each reason claims, looked up in the two states. */
function isFact(reason: DriftReason, contact: number, [before, after]: [State, State], used: number[]): boolean {
  const profile = (world: State) => world.contacts[contact];
  const some = (happened: (tag: number) => boolean) => used.some(happened);
  const kept = (tag: number) => has(before, tag, contact) && has(after, tag, contact);
  const facts: Partial<Record<DriftReason, boolean>> = {
    unsubscribed: profile(after)?.unsubscribed === true && profile(before)?.unsubscribed === false,
    resubscribed: profile(after)?.unsubscribed === false && profile(before)?.unsubscribed === true,
    unreachable: profile(after)?.following === false && profile(before)?.following === true,
    reachable: profile(after)?.following === true && profile(before)?.following === false,
    tag_added: some((tag) => !has(before, tag, contact) && has(after, tag, contact)),
    tag_removed: some((tag) => has(before, tag, contact) && !has(after, tag, contact)),
    tag_expired: some((tag) => has(after, tag, contact) && valid(before, tag, runAt) && !valid(after, tag, sentAt)),
    tag_revived: some((tag) => kept(tag) && !valid(before, tag, runAt) && valid(after, tag, sentAt)),
  };
  return facts[reason] ?? false;
}

describe('the drift of an audience', () => {
  const db = useDatabase('outreach');

  const id = (contact: number) => `c${String(contact).padStart(2, '0')}`;

  /** Changes the stored profiles, tags and assignments to those of the state; what stays the same is not touched. */
  async function bring(tenantId: string, world: State, at: Date): Promise<void> {
    for (const [contact, { following, unsubscribed }] of world.contacts.entries())
      await db('contact_profile')
        .insert({
          tenant_id: tenantId,
          service_number_id: 'sn-1',
          contact_id: id(contact),
          follow_state: following ? 'following' : 'unfollowed',
          unsubscribed,
          last_event_at: at,
        })
        .onConflict(['tenant_id', 'service_number_id', 'contact_id'])
        .merge();
    for (const [tag, end] of world.tags.entries()) {
      const tagId = `${tenantId}-${tag}`;
      const assigned = (world.assigned[tag] ?? []).map(id);
      const expires = { expires_at: ends[end] ?? null, kind: ends[end] ? 'temporary' : 'permanent', status: 'active' };
      await db('tag')
        .insert({
          tag_id: tagId,
          tenant_id: tenantId,
          service_number_id: 'sn-1',
          name: tagId,
          source: 'app_manual',
          ...expires,
        })
        .onConflict('tag_id')
        .merge();
      await db('tag_assignment').where({ tag_id: tagId }).whereNotIn('contact_id', assigned).delete();
      await rows(
        db,
        `insert into tag_assignment (tenant_id, tag_id, contact_id, assigned_at)
         select :tenantId, :tagId, given, :at from unnest(:assigned::text[]) as given on conflict do nothing`,
        { tenantId, tagId, assigned, at },
      );
    }
  }

  it('is reported for exactly the contacts that differ, each with one reason that is true', async () => {
    const world = fc.tuple(state, state, filter);
    await fc.assert(
      fc.asyncProperty(world, async ([before, moved, given]) => {
        const after = { ...moved, tags: moved.tags.map((end, tag) => laterEnd(before.tags[tag] ?? 0, end)) };
        const expected = [reached(before, given, runAt), reached(after, given, sentAt)] as const;
        // If nobody is reached there is no send.
        fc.pre(expected[1].length > 0);
        const { tenantId } = await seedTenant(db, testEncryption);
        const author = { tenantId, userId: 'u', requestId: null };
        const tagIds = (tags: number[]) => tags.map((tag) => `${tenantId}-${tag}`);
        await bring(tenantId, before, new Date(runAt.getTime() - 1000));
        const content = {
          name: 'n',
          note: null,
          serviceNumberId: 'sn-1',
          channels: ['default'],
          messages: [{ type: 'text' as const, text: 't' }],
          audience: {
            type: 'app_tags' as const,
            appTagIds: tagIds(given.wanted),
            tagOperator: given.operator,
            excludeTagIds: tagIds(given.excluded),
          },
          schedule: { type: 'immediate' as const },
          endsAt: null,
          variants: null,
          messagesBy: null,
          holdoutPercent: null,
          revenueWindowDays: null,
          pace: null,
          steps: null,
          utm: null,
          labels: [],
        };
        const campaign = await createCampaign(db, author, content, { now: runAt, check: async () => {} });
        await storeDryRun(db, author, campaign.id, {
          now: runAt,
          requests: 1,
          sentAfter: runAt,
          checkRevision: () => undefined,
        });
        await bring(tenantId, after, new Date(runAt.getTime() + 1000));
        await sendCampaign(db, author, campaign.id, {
          idempotencyKey: null,
          expectedReachableCount: null,
          now: sentAt,
        });
        const drift = await readDrift(db, tenantId, campaign.id);
        const without = (list: number[], other: number[]) => list.filter((one) => !other.includes(one)).map(id);
        expect(drift.added.map(({ contactId }) => contactId)).to.deep.equal(without(expected[1], expected[0]));
        expect(drift.removed.map(({ contactId }) => contactId)).to.deep.equal(without(expected[0], expected[1]));
        const used = [...given.wanted, ...given.excluded];
        for (const { contactId, reason } of [...drift.added, ...drift.removed])
          expect(isFact(reason, Number(contactId.slice(1)), [before, after], used), `${contactId} ${reason}`).to.equal(
            true,
          );
      }),
      { numRuns: timesOf(12, 30) },
    );
  });
});
