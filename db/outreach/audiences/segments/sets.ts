import type {
  FieldTest,
  ProfileTest,
  SegmentCampaigns,
  SegmentClicks,
  SegmentCondition,
} from '../../../../domain/api/segments.ts';
import { clickConditions } from '../../clicks/pages.ts';
import { wasDelivered } from '../../sends/ledger/conditions.ts';
import { BITS_OF_A_BLOCK } from '../tag-blocks.ts';
import { isValidTag } from '../valid-tag.ts';

const DAY_MS = 24 * 60 * 60_000;

/** SQL, with the values it binds. Names of bindings begin with `name`, which is the condition's own. */
interface BoundSql {
  sql: string;
  bindings: Record<string, unknown>;
}

/** A set of contacts that is joined to the profiles `p`, and the SQL of whether a profile is in it, which is never null. */
export interface JoinedSet {
  join: string;
  holds: string;
  bindings: Record<string, unknown>;
}

interface Naming {
  name: string;
  now: Date;
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

/** Contacts of sub-tasks that the platform delivered to. What a retry replaced does not count, as in a campaign's figures. */
function reachedSet(of: SegmentCampaigns, naming: Naming): BoundSql {
  const { sql, bindings } = ofCampaigns(of, naming, 'finished_at');
  return {
    sql: `select distinct r.contact_id from (
        select dispatch_id, chunk from broadcast_task t
        where tenant_id = :tenantId and ${sql} and ${wasDelivered}) t
      join dispatch_recipient r on r.dispatch_id = t.dispatch_id and r.chunk = t.chunk
      where true ${naming.within('r.contact_id')}`,
    bindings,
  };
}

function conversedSet(of: SegmentCampaigns, naming: Naming): BoundSql {
  const { sql, bindings } = ofCampaigns(of, naming, 'opened_at');
  return {
    sql: `select distinct contact_id from conversation
      where tenant_id = :tenantId and ${sql} ${naming.within('contact_id')}`,
    bindings,
  };
}

function clickedSet({ campaigns, ...filter }: SegmentClicks, naming: Naming): BoundSql {
  const { name, within } = naming;
  const { sql, bindings } = ofCampaigns(campaigns, naming, 'clicked_at');
  const named = Object.entries(filter).map(([field, value]) => [`${name}_${field}`, value]);
  return {
    sql: `select distinct contact_id from click_attribution where tenant_id = :tenantId and ${sql} ${within('contact_id')}
      ${clickConditions(filter, `${name}_`)}`,
    bindings: { ...bindings, ...Object.fromEntries(named) },
  };
}

/** The blocks of a tag have a bit for each contact with a profile: a few hundred rows instead of an assignment each. */
function taggedSet(tagId: string, { name }: Naming): JoinedSet {
  return {
    join: `left join (select block, contacts from tag_block where tag_id = :${name}Tag
        and ${isValidTag(`${name}Tag`)}) ${name}
      on ${name}.block = p.ordinal / ${BITS_OF_A_BLOCK}`,
    holds: `coalesce(get_bit(${name}.contacts, p.ordinal % ${BITS_OF_A_BLOCK}) = 1, false)`,
    bindings: { [`${name}Tag`]: tagId },
  };
}

function byContact({ sql, bindings }: BoundSql, { name }: Naming): JoinedSet {
  return {
    join: `left join (${sql}) ${name} on ${name}.contact_id = p.contact_id`,
    holds: `(${name}.contact_id is not null)`,
    bindings,
  };
}

/** The set of a condition; a test of the profile joins none. */
export function setOf(condition: SegmentCondition, naming: Naming): JoinedSet {
  if ('tag' in condition) return taggedSet(condition.tag, naming);
  if ('reached' in condition) return byContact(reachedSet(condition.reached, naming), naming);
  if ('conversed' in condition) return byContact(conversedSet(condition.conversed, naming), naming);
  if ('clicked' in condition) return byContact(clickedSet(condition.clicked, naming), naming);
  const { sql, bindings } = profileTestOf(condition.profile, naming);
  return { join: '', holds: sql, bindings };
}

const dayOf = (now: Date, daysAgo: number) => new Date(now.getTime() - daysAgo * DAY_MS).toISOString().slice(0, 10);

/** SQL: compares the day that a value begins with; false for what is no date. */
const dated = (value: string, comparison: string) =>
  `coalesce(${value} ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}' and left(${value}, 10) collate "C" ${comparison}, false)`;

function testOf(test: FieldTest, value: string, { name, now }: Naming): BoundSql {
  const [one, other] = [`${name}One`, `${name}Other`];
  switch (test.op) {
    case 'exists':
      return { sql: `${value} is not null`, bindings: {} };
    case 'eq':
      return { sql: `coalesce(${value} = :${one}, false)`, bindings: { [one]: test.value } };
    case 'ne':
      return { sql: `${value} is distinct from :${one}`, bindings: { [one]: test.value } };
    case 'in':
      return { sql: `coalesce(${value} = any(:${one}::text[]), false)`, bindings: { [one]: test.values } };
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
