import { type Segment, segmentParts } from '#domain/api/segments.ts';
import { firstRow, type Transaction } from '#db/database.ts';
import { withPlannerMethodsDisabled } from '#db/outreach/planner-methods.ts';
import { type ControlGroup, controlGroupOf, inControlGroup } from '#db/outreach/tenants/control-group.ts';
import type { AudienceOwner } from '../owner.ts';
import type { ReachCounts } from '../reach-counts.ts';
import { presentRelations } from '../relations.ts';
import { BITS_OF_A_BLOCK } from '../tag-blocks.ts';
import { composed, type ContactSet, setsOf } from './sets.ts';

/** A word is a `bigint` with a bit for each of 64 ordinals, the first of them the highest, as blocks have them. */
const WORD = 64;
const WORDS_OF_A_BLOCK = BITS_OF_A_BLOCK / WORD;

const wordOf = (ordinal: string) => `(${ordinal} >> 6)`;

const bitsOf = (ordinal: string, where?: string) =>
  `bit_or(1::bigint << (63 - (${ordinal} & 63)))${where ? ` filter (where ${where})` : ''}`;

/** SQL: blocks as words. The two series advance together. */
function blocksAsWords(blocks: string): string {
  const at = `generate_series(0, ${WORDS_OF_A_BLOCK - 1})`;
  return `select block * ${WORDS_OF_A_BLOCK} + ${at} as word, substring(contacts from ${at} * ${WORD} + 1 for ${WORD})::bigint as bits,
    null::text[] as ids from (${blocks}) blocks`;
}

/** SQL: a list as words; the ids of those without an ordinal are where `word` is null. */
const listAsWords = (listed: string) => `
  select ${wordOf('contact_ordinal')} as word, ${bitsOf('contact_ordinal')} as bits,
    array_agg(contact_id) filter (where contact_ordinal is null) as ids
  from (${listed}) list group by 1`;

interface NamedSet {
  name: string;
  set: ContactSet;
}

/** SQL: a set that is stored. A list beside blocks has no ordinals, so that no word is in both. */
function asWords({ name, set: { blocks, listed } }: NamedSet): string {
  const parts = [...(blocks ? [blocksAsWords(blocks)] : []), ...(listed ? [listAsWords(listed)] : [])];
  return `${name} as materialized (${parts.map((part) => `(${part})`).join(' union all ')})`;
}

const profiles = 'contact_profile p where p.tenant_id = :tenantId and p.service_number_id = :serviceNumberId';

/** From this many ids on, reading all profiles takes less time than looking each of them up. */
const LOOK_UP_AT_MOST = 50_000;

const isMany = `(select count(*) from ids) > ${LOOK_UP_AT_MOST}`;

const idsOf = ({ name }: NamedSet) =>
  `select distinct '${name}' as listed, unnest(ids) as contact_id from ${name} where word is null`;

/** SQL: words of the contacts that are listed without an ordinal, which are few unless lists of sends are unfolded. */
const lookedUp = (lists: NamedSet[]) => `
  ids as materialized (${lists.map(idsOf).join(' union all ')}),
  ordinals as (
    select listed, p.ordinal from ids
      cross join lateral (select p.ordinal from ${profiles} and p.contact_id = ids.contact_id offset 0) p where not ${isMany}
    union all
    select listed, p.ordinal from ids join (select p.contact_id, p.ordinal from ${profiles}) p using (contact_id) where ${isMany}),
  looked_up as materialized (
    select listed, ${wordOf('ordinal')} as word, ${bitsOf('ordinal')} as bits from ordinals group by 1, 2)`;

/**
 * SQL: words of everybody who is known. Without an order, the planner would read the profiles instead of an index that has
 * all of it, where it has memory for a hash. The condition is that of the index.
 */
const knownWords = `
  known_words as (
    select word, ${bitsOf('ordinal')} as known
    from (select ${wordOf('p.ordinal')} as word, p.ordinal from ${profiles} and p.ordinal >= 0 order by 1 offset 0) p
    group by word)`;

/** SQL: words of everybody who is known, and of those who pass a test of the profile. */
const testedWords = (tests: NamedSet[]) => `
  known_words as (
    select ${[
      `${wordOf('p.ordinal')} as word, ${bitsOf('p.ordinal')} as known`,
      ...tests.map(({ name, set }) => `coalesce(${bitsOf('p.ordinal', set.test)}, 0) as ${name}`),
    ].join(', ')} from ${profiles} and p.ordinal >= 0 group by 1)`;

const unreached = `
  unreached as (
    select ${wordOf('p.ordinal')} as word, ${bitsOf('p.ordinal', 'p.unsubscribed')} as unsubscribed,
      ${bitsOf('p.ordinal', 'not p.unsubscribed')} as unreachable
    from ${profiles} and (p.unsubscribed or p.follow_state <> 'following') group by 1)`;

/** SQL: words of who is in the tenant's control group. */
const controlled = `
  controlled as (
    select ${wordOf('p.ordinal')} as word, ${bitsOf('p.ordinal')} as control_group
    from ${profiles} and p.ordinal >= 0 and ${inControlGroup('p.contact_id')} group by 1)`;

/** SQL: the sets side by side: `known`, `unsubscribed`, `unreachable`, `control_group`, and a column for each condition. */
function wordsOf(sets: Map<string, ContactSet>, control: ControlGroup | null): { tables: string; sideBySide: string } {
  const all = [...sets].map(([name, set]) => ({ name, set }));
  const tests = all.filter(({ set }) => set.test);
  const stored = all.filter(({ set }) => !set.test);
  const lists = stored.filter(({ set }) => set.listed);
  const tables = [
    ...stored.map(asWords),
    ...(lists.length > 0 ? [lookedUp(lists)] : []),
    tests.length > 0 ? testedWords(tests) : knownWords,
    unreached,
    ...(control ? [controlled] : []),
  ];
  const columns = [
    'known',
    'coalesce(unsubscribed, 0) as unsubscribed',
    'coalesce(unreachable, 0) as unreachable',
    control ? 'coalesce(control_group, 0) as control_group' : '0::bigint as control_group',
    ...tests.map(({ name }) => name),
    ...stored.map(({ name, set }) => {
      const bits = `coalesce(${name}.bits, 0)`;
      const all = set.listed ? `(${bits} | coalesce(${name}_looked_up.bits, 0))` : bits;
      return `${set.negated ? `(~(${all}))` : all} & known as ${name}`;
    }),
  ];
  const joins = [
    ...stored.map(({ name }) => `left join ${name} on ${name}.word = k.word`),
    ...lists.map(({ name }) => {
      const as = `${name}_looked_up`;
      return `left join looked_up ${as} on ${as}.word = k.word and ${as}.listed = '${name}'`;
    }),
  ];
  return {
    tables: tables.join(', '),
    sideBySide: `select ${columns.join(', ')} from known_words k left join unreached using (word)
      ${control ? 'left join controlled using (word)' : ''} ${joins.join(' ')}`,
  };
}

/** Of bits, of which `known` has one for each contact. */
const operators = { all: '&', any: '|', not: (sql: string) => `known & ~${sql}` };

/** SQL: how many bits of the words are set. */
const count = (bits: string) => `coalesce(sum(bit_count((${bits})::bit(${WORD}))), 0)::int`;

/**
 * Counts the contacts of a segment by class, and those of each of its parts, in one pass over the sets of
 * its conditions, 64 contacts at a time. The planner knows nothing of their sizes: compared row by row, a million contacts
 * would take hours, and sorting them takes longer than hashing.
 */
export async function countSegment(
  transaction: Transaction,
  { tenantId, serviceNumberId }: AudienceOwner,
  segment: Segment,
  now: Date,
): Promise<{ counts: ReachCounts; parts: { path: string; hitCount: number }[] }> {
  const { sets, nameOf, bindings } = setsOf(segment, { now, relations: presentRelations, within: () => '' });
  const control = await controlGroupOf(transaction, tenantId);
  const { tables, sideBySide } = wordsOf(sets, control);
  const parts = segmentParts(segment).map(({ path, part }) => ({ path, bits: composed(part, operators, nameOf) }));
  const sql = `
    with ${tables},
      found as (select known, unsubscribed, unreachable, control_group, ${parts.map(({ bits }, at) => `${bits} as part${at}`).join(', ')}
        from (${sideBySide}) words)
    select ${count('part0 & unsubscribed')} as unsubscribed, ${count('part0 & unreachable')} as unreachable,
      ${count('part0 & control_group & ~(unsubscribed | unreachable)')} as "controlGroup",
      ${count('part0 & ~(unsubscribed | unreachable | control_group)')} as reachable,
      to_json(array[${parts.map((_, at) => count(`part${at}`)).join(', ')}]) as hits
    from found`;
  const given = { ...control, tenantId, serviceNumberId, now, ...bindings };
  // Compiling all of these expressions would take longer than they do. For each contact the planner expects a word of its own,
  // and would divide what fits in memory into hundreds of files.
  await transaction.raw(`set local jit = off; set local work_mem = '64MB'`);
  const row = await withPlannerMethodsDisabled(transaction, ['nestloop', 'sort'], () =>
    firstRow<Omit<ReachCounts, 'expiredTags'> & { hits: number[] }>(transaction, sql, given),
  );
  if (!row) throw new Error('An aggregate returned no row');
  const { hits, ...counts } = row;
  return {
    counts: { ...counts, expiredTags: 0 },
    parts: parts.map(({ path }, at) => ({ path, hitCount: hits[at] ?? 0 })),
  };
}
