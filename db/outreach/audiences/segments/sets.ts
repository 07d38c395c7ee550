import type { FieldTest, ProfileTest, SegmentCampaigns, SegmentCondition } from '../../../../domain/api/segments.ts';

const DAY_MS = 24 * 60 * 60_000;

/** SQL of one condition, with the values it binds. Names of bindings begin with `name`, which is the condition's own. */
export interface ConditionSql {
  sql: string;
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
function ofCampaigns(of: SegmentCampaigns, { name, now }: Naming, at: string): ConditionSql {
  if ('campaignIds' in of)
    return { sql: `campaign_id = any(:${name}Ids)`, bindings: { [`${name}Ids`]: of.campaignIds } };
  const since = new Date(now.getTime() - of.lastDays * DAY_MS);
  return {
    sql: `${at} >= :${name}Since and campaign_id in ${ownCampaigns}`,
    bindings: { [`${name}Since`]: since },
  };
}

/** Contacts of sub-tasks that the platform delivered to. What a retry replaced does not count, as in a campaign's figures. */
function reachedSet(of: SegmentCampaigns, naming: Naming): ConditionSql {
  const { sql, bindings } = ofCampaigns(of, naming, 'finished_at');
  return {
    sql: `select distinct r.contact_id from (
        select dispatch_id, chunk from broadcast_task where tenant_id = :tenantId and ${sql}
          and status = 'completed' and superseded_by is null and delivered is distinct from 0) t
      join dispatch_recipient r on r.dispatch_id = t.dispatch_id and r.chunk = t.chunk
      where true ${naming.within('r.contact_id')}`,
    bindings,
  };
}

/** The condition's contacts, each once; null if a profile alone says whether it holds. */
export function setOf(condition: SegmentCondition, naming: Naming): ConditionSql | null {
  const { name, within } = naming;
  if ('profile' in condition) return null;
  if ('reached' in condition) return reachedSet(condition.reached, naming);
  if ('tag' in condition)
    return {
      sql: `select contact_id from tag_assignment where tag_id = :${name}Tag ${within('contact_id')}
        and (select status <> 'expired' and coalesce(expires_at > :now, true) from tag
          where tenant_id = :tenantId and tag_id = :${name}Tag)`,
      bindings: { [`${name}Tag`]: condition.tag },
    };
  if ('conversed' in condition) {
    const { sql, bindings } = ofCampaigns(condition.conversed, naming, 'opened_at');
    return {
      sql: `select distinct contact_id from conversation where tenant_id = :tenantId and ${sql} ${within('contact_id')}`,
      bindings,
    };
  }
  const { campaigns, messageIndex, actionIndex, bizEventCode } = condition.clicked;
  const { sql, bindings } = ofCampaigns(campaigns, naming, 'clicked_at');
  const wanted = Object.entries({
    message_index: messageIndex,
    action_index: actionIndex,
    biz_event_code: bizEventCode,
  });
  const given = wanted.filter(([, value]) => value !== undefined);
  return {
    sql: `select distinct contact_id from click_attribution where tenant_id = :tenantId and ${sql} ${within('contact_id')}
      ${given.map(([column]) => `and ${column} = :${name}_${column}`).join(' ')}`,
    bindings: { ...bindings, ...Object.fromEntries(given.map(([column, value]) => [`${name}_${column}`, value])) },
  };
}

const dayOf = (now: Date, daysAgo: number) => new Date(now.getTime() - daysAgo * DAY_MS).toISOString().slice(0, 10);

/** SQL: compares the day that a value begins with; false for what is no date. */
const dated = (value: string, comparison: string) =>
  `coalesce(${value} ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}' and left(${value}, 10) collate "C" ${comparison}, false)`;

function testOf(test: FieldTest, value: string, { name, now }: Naming): ConditionSql {
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
export function profileTestOf({ field, name: attribute, test }: ProfileTest, naming: Naming): ConditionSql {
  if (field !== 'attribute') return testOf(test, `p.${field}`, naming);
  const key = `${naming.name}Attribute`;
  const { sql, bindings } = testOf(test, `(p.attributes ->> :${key})`, naming);
  return { sql, bindings: { ...bindings, [key]: attribute } };
}
