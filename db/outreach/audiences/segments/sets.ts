import {
  type CountedCampaigns,
  type FieldTest,
  type ProfileTest,
  type Segment,
  type SegmentCampaigns,
  type SegmentClicks,
  type SegmentCondition,
  type SegmentEntry,
  segmentParts,
  type SegmentTimes,
} from '#domain/api/segments.ts';
import { clickConditions } from '#db/outreach/clicks/filter.ts';
import { folded } from '#db/outreach/sql-fragments.ts';
import { wasDelivered } from '#db/outreach/sends/ledger/conditions.ts';
import type { AudienceRelations } from '../relations.ts';
import { BITS_OF_A_BLOCK } from '../tag-blocks.ts';
import { isValidTag } from '../valid-tag.ts';

const DAY_MS = 24 * 60 * 60_000;

/** SQL, with the values it binds. Names of bindings begin with `name`, which is the condition's own. */
interface BoundSql {
  sql: string;
  bindings: Record<string, unknown>;
}

/** The contacts for which a condition holds, by test, blocks or list. */
export interface ContactSet {
  /** SQL: whether the profile `p` is one of them, never null. */
  test?: string;
  /** SQL: sets of bits, `block` and `contacts`, each block once. */
  blocks?: string;
  /**
   * SQL: `contact_id`, and `contact_ordinal` where that is stored beside it; the same contact may be there several times.
   */
  listed?: string;
  /** It holds for everybody else. */
  negated?: boolean;
  bindings: Record<string, unknown>;
}

interface Naming {
  name: string;
  now: Date;
  relations: AudienceRelations;
  /** SQL: the limits of a page, after an `and`, for the id in this column; nothing for all contacts. */
  within: (column: string) => string;
}

const ownCampaigns = `(select campaign_id from campaign
  where tenant_id = :tenantId and service_number_id = :serviceNumberId)`;

/** @param at the column with the time that `lastDays` looks back from. */
function ofCampaigns(of: SegmentCampaigns, { name, now }: Naming, at: string): BoundSql {
  if ('campaignIds' in of)
    return { sql: `campaign_id = any(:${name}Ids)`, bindings: { [`${name}Ids`]: of.campaignIds } };
  const since = new Date(now.getTime() - of.lastDays * DAY_MS);
  return {
    sql: `${at} >= :${name}Since and campaign_id in ${ownCampaigns}`,
    bindings: { [`${name}Since`]: since },
  };
}

/** SQL conditions on what a large send reached, `d`: whether all of it is asked for, and whether that or nothing is. */
function wholeSends(of: SegmentCampaigns, { name }: Naming): { asked: string; settled: string } {
  const built = 'd.tenant_id = :tenantId and d.service_number_id = :serviceNumberId and d.built_at is not null';
  if ('campaignIds' in of) {
    const asked = `${built} and d.campaign_id = any(:${name}Ids)`;
    return { asked, settled: asked };
  }
  const since = `:${name}Since`;
  return {
    asked: `${built} and d.first_finished_at >= ${since}`,
    settled: `${built} and (d.first_finished_at >= ${since} or d.last_finished_at < ${since} or d.last_finished_at is null)`,
  };
}

/** SQL: the contacts in the lists of sub-tasks `t`. */
const unfolded = (subTasks: string, { within }: Naming) => `
      with unfolded as materialized (
        select t.dispatch_id, t.chunk, t.campaign_id from ${subTasks})
      select r.contact_id, null::integer as contact_ordinal, campaign_id from unfolded join dispatch_chunk c using (dispatch_id, chunk)
        cross join lateral unnest(c.contact_ids) as r (contact_id)
      where c.dispatch_id = any(array(select distinct dispatch_id from unfolded)) ${within('r.contact_id')}`;

/** How often something has to occur; `negated`: it must not. */
interface Often {
  least: number;
  /** Null: without a limit. */
  most: number | null;
  negated: boolean;
}

/** Nobody is listed for whom nothing occurred, so those of whom 0 is enough are all but those of whom too much did. */
function oftenOf({ gte = 0, lte }: SegmentTimes): Often | null {
  if (gte > 0) return { least: gte, most: lte ?? null, negated: false };
  return lte === undefined ? null : { least: lte + 1, most: null, negated: true };
}

const everybody: ContactSet = { test: 'true', bindings: {} };

/** The contacts that are listed so often. */
function listedOften(listed: string, times: SegmentTimes | undefined, bindings: ContactSet['bindings']): ContactSet {
  if (times === undefined) return { listed, bindings };
  const often = oftenOf(times);
  if (often === null) return everybody;
  const { least, most, negated } = often;
  const count = most === null ? `>= ${least}` : `between ${least} and ${most}`;
  return {
    listed: `select contact_id, max(contact_ordinal) as contact_ordinal from (${listed}) each
      group by contact_id having count(*) ${count}`,
    negated,
    bindings,
  };
}

interface Reach {
  /** SQL: the sub-tasks `t` whose lists are unfolded. */
  subTasks: string;
  bindings: Record<string, unknown>;
}

/** What the past has no blocks of. */
function pastReach(of: CountedCampaigns, { subTasks, bindings }: Reach, naming: Naming): ContactSet {
  const listed = unfolded(subTasks, naming);
  const byCampaign = `select distinct contact_id, contact_ordinal, campaign_id from (${listed}) reached`;
  return listedOften(of.times ? byCampaign : listed, of.times, bindings);
}

/** SQL: the blocks of contacts that so many campaigns reached: those of large sends, and of the others made from their lists. */
function blocksOften(asked: string, { least, most }: Often, { subTasks }: Reach, naming: Naming): string {
  const ordinal = `(select p.ordinal from contact_profile p where p.tenant_id = :tenantId
    and p.service_number_id = :serviceNumberId and p.contact_id = r.contact_id)`;
  return `select block, contacts_between(array_agg(contacts), ${least}, ${most ?? 'null'}) as contacts from (
      select campaign_id, block, bit_or(contacts) as contacts from (
        select d.campaign_id, b.block, b.contacts from reach_block b join dispatch_reach d using (dispatch_id)
        where b.dispatch_id = any(array(select d.dispatch_id from dispatch_reach d where ${asked}))
        union all
        select campaign_id, ordinal / ${BITS_OF_A_BLOCK}, set_bit(0::bit(${BITS_OF_A_BLOCK}), ordinal % ${BITS_OF_A_BLOCK}, 1)
        from (select campaign_id, ${ordinal} as ordinal from (${unfolded(subTasks, naming)}) r) known
        where ordinal is not null) sends
      group by campaign_id, block) campaigns
    group by block`;
}

/**
 * Contacts of sub-tasks that the platform delivered to. What a retry replaced does not count, as in a campaign's figures.
 * Large sends have blocks with a bit for each contact (`reach-blocks.ts`); the lists of other sends are unfolded, of those
 * whose blocks are not there, and of those that are asked for in part.
 */
function reachedSet(of: CountedCampaigns, naming: Naming): ContactSet {
  const { sql, bindings } = ofCampaigns(of, naming, 'finished_at');
  if (naming.relations.isPast) {
    const subTasks = `${naming.relations.delivery('t')} where t.tenant_id = :tenantId and ${sql}`;
    return pastReach(of, { subTasks, bindings }, naming);
  }
  const { asked, settled } = wholeSends(of, naming);
  const subTasks = `broadcast_task t where t.tenant_id = :tenantId and ${sql} and ${wasDelivered}
          and not exists (select from dispatch_reach d where d.dispatch_id = t.dispatch_id and ${settled})`;
  if (of.times) {
    const often = oftenOf(of.times);
    if (often === null) return everybody;
    return { blocks: blocksOften(asked, often, { subTasks, bindings }, naming), negated: often.negated, bindings };
  }
  return {
    blocks: `select block, bit_or(contacts) as contacts from reach_block
      where dispatch_id = any(array(select d.dispatch_id from dispatch_reach d where ${asked})) group by block`,
    listed: unfolded(subTasks, naming),
    bindings,
  };
}

function conversedSet(of: CountedCampaigns, naming: Naming): ContactSet {
  const { sql, bindings } = ofCampaigns(of, naming, 'opened_at');
  const listed = `select contact_id, contact_ordinal from ${naming.relations.conversation()}
      where tenant_id = :tenantId and ${sql} ${naming.within('contact_id')}`;
  return listedOften(listed, of.times, bindings);
}

function clickedSet({ campaigns, times, ...filter }: SegmentClicks, naming: Naming): ContactSet {
  const { name, within, relations } = naming;
  const { sql, bindings } = ofCampaigns(campaigns, naming, 'clicked_at');
  const named = Object.entries(filter).map(([field, value]) => [`${name}_${field}`, value]);
  const listed = `select contact_id, contact_ordinal from ${relations.click()}
      where tenant_id = :tenantId and ${sql} ${within('contact_id')} ${clickConditions(filter, `${name}_`)}`;
  return listedOften(listed, times, { ...bindings, ...Object.fromEntries(named) });
}

function listSet(audienceId: string, { name, within }: Naming): ContactSet {
  return {
    listed: `select contact_id, null::integer as contact_ordinal from audience_member
      where audience_id = :${name}List ${within('contact_id')}`,
    bindings: { [`${name}List`]: audienceId },
  };
}

/** SQL: the first moment of a day of UTC. */
const beginOf = (day: string) => `(${day})::timestamp at time zone 'UTC'`;

function entryTest(entry: SegmentEntry, { name, now }: Naming): BoundSql {
  const one = `${name}Entry`;
  const passes = (comparison: string) => `coalesce(p.entered_at ${comparison}, false)`;
  if ('lastDays' in entry)
    return { sql: passes(`>= :${one}`), bindings: { [one]: new Date(now.getTime() - entry.lastDays * DAY_MS) } };
  if ('before' in entry) return { sql: passes(`< ${beginOf(`:${one}::date`)}`), bindings: { [one]: entry.before } };
  return { sql: passes(`>= ${beginOf(`:${one}::date + 1`)}`), bindings: { [one]: entry.after } };
}

/**
 * The blocks of a tag have a bit for each contact with a profile: a few hundred rows instead of an assignment each. What they
 * were is not kept.
 */
function taggedSet(tagId: string, { name, relations, within }: Naming): ContactSet {
  const ofTag = `tag_id = :${name}Tag and ${isValidTag(`${name}Tag`, relations)}`;
  const bindings = { [`${name}Tag`]: tagId };
  if (!relations.isPast) return { blocks: `select block, contacts from tag_block where ${ofTag}`, bindings };
  const listed = `select contact_id, null::integer as contact_ordinal from ${relations.assignment()}
      where ${ofTag} ${within('contact_id')}`;
  return { listed, bindings };
}

function setOf(condition: SegmentCondition, naming: Naming): ContactSet {
  if ('tag' in condition) return taggedSet(condition.tag, naming);
  if ('reached' in condition) return reachedSet(condition.reached, naming);
  if ('conversed' in condition) return conversedSet(condition.conversed, naming);
  if ('clicked' in condition) return clickedSet(condition.clicked, naming);
  if ('inList' in condition) return listSet(condition.inList.audienceId, naming);
  const { sql: test, bindings } =
    'entered' in condition ? entryTest(condition.entered, naming) : profileTestOf(condition.profile, naming);
  return { test, bindings };
}

/** How conditions are put together in SQL. */
interface Operators {
  all: string;
  any: string;
  not: (sql: string) => string;
}

/** SQL: a part of a segment, of what its conditions are. */
export function composed(part: Segment, operators: Operators, condition: (of: SegmentCondition) => string): string {
  const each = (parts: Segment[], operator: string) =>
    `(${parts.map((one) => composed(one, operators, condition)).join(` ${operator} `)})`;
  if ('all' in part) return each(part.all, operators.all);
  if ('any' in part) return each(part.any, operators.any);
  return 'not' in part ? `(${operators.not(composed(part.not, operators, condition))})` : condition(part);
}

/** The sets of a segment's conditions by name, each once, and the values that their SQL binds. */
export function setsOf(
  segment: Segment,
  given: Omit<Naming, 'name'>,
): {
  sets: Map<string, ContactSet>;
  nameOf: (condition: SegmentCondition) => string;
  bindings: Record<string, unknown>;
} {
  const names = new Map<string, string>();
  const sets = new Map<string, ContactSet>();
  const keyOf = (condition: SegmentCondition) => JSON.stringify(condition);
  for (const { part } of segmentParts(segment)) {
    if ('all' in part || 'any' in part || 'not' in part || names.has(keyOf(part))) continue;
    const name = `s${names.size}`;
    names.set(keyOf(part), name);
    sets.set(name, setOf(part, { ...given, name }));
  }
  const nameOf = (condition: SegmentCondition) => names.get(keyOf(condition)) ?? '';
  return { sets, nameOf, bindings: Object.assign({}, ...[...sets.values()].map((set) => set.bindings)) };
}

const dayOf = (now: Date, daysAgo: number) => new Date(now.getTime() - daysAgo * DAY_MS).toISOString().slice(0, 10);

/** SQL: compares the date at the start of a value; false if there is none. */
const dated = (value: string, comparison: string) =>
  `coalesce(${value} ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}' and left(${value}, 10) collate "C" ${comparison}, false)`;

/** SQL: a value and what it is compared with, in lower case where that is asked for. */
function foldedFor({ fold }: { fold?: boolean | undefined }, value: string, one: string) {
  if (!fold) return { given: value, text: `:${one}`, texts: `:${one}::text[]` };
  const texts = `array(select ${folded('x.one')} from unnest(:${one}::text[]) as x (one))`;
  return { given: folded(value), text: folded(`:${one}::text`), texts };
}

function testOf(test: FieldTest, value: string, { name, now }: Naming): BoundSql {
  const [one, other] = [`${name}One`, `${name}Other`];
  const { given, text, texts } = foldedFor('fold' in test ? test : {}, value, one);
  switch (test.op) {
    case 'exists':
      return { sql: `${value} is not null`, bindings: {} };
    case 'eq':
      return { sql: `coalesce(${given} = ${text}, false)`, bindings: { [one]: test.value } };
    case 'ne':
      return { sql: `${given} is distinct from ${text}`, bindings: { [one]: test.value } };
    case 'in':
      return { sql: `coalesce(${given} = any(${texts}), false)`, bindings: { [one]: test.values } };
    case 'before':
      return { sql: dated(value, `< :${one}`), bindings: { [one]: test.date } };
    case 'after':
      return { sql: dated(value, `> :${one}`), bindings: { [one]: test.date } };
    case 'days_ago':
      return {
        sql: dated(value, `between :${one} and :${other}`),
        bindings: { [one]: dayOf(now, test.to), [other]: dayOf(now, test.from) },
      };
  }
}

/** SQL: whether the profile `p` passes the test; never null. */
function profileTestOf({ field, name: attribute, test }: ProfileTest, naming: Naming): BoundSql {
  if (field !== 'attribute') return testOf(test, `p.${field}`, naming);
  const key = `${naming.name}Attribute`;
  const { sql, bindings } = testOf(test, `(p.attributes ->> :${key})`, naming);
  return { sql, bindings: { ...bindings, [key]: attribute } };
}
