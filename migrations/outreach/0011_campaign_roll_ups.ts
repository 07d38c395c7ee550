import type { Knex } from 'knex';

/** A click `k` that does not name its card counts for the first card with buttons; what was sent never changes. */
const CARD = `coalesce(k.message_index, (select coalesce(min(position) - 1, 0)::int
  from campaign c cross join lateral jsonb_array_elements(c.messages) with ordinality as card (message, position)
  where c.campaign_id = k.campaign_id and message ->> 'type' = 'buttons'))`;

/** Clicks of a campaign by these columns, and how many contacts made them. */
interface ClickCount {
  table: string;
  by: string[];
}

const clickCounts: ClickCount[] = [
  { table: 'campaign_clicks', by: [] },
  { table: 'button_clicks', by: ['message_index', 'action_index'] },
  { table: 'event_code_clicks', by: ['biz_event_code'] },
];

const keyOf = (by: string[]) => ['tenant_id', 'campaign_id', ...by].join(', ');
const named = ({ table }: ClickCount) => (table === 'event_code_clicks' ? 'where biz_event_code is not null' : '');

/** Adds the new clicks, and the contacts who had not clicked before. */
const addToClickCount = (count: ClickCount) => `
  insert into ${count.table} as known (${keyOf(count.by)}, clicks, contacts)
  select ${keyOf(count.by)}, sum(made), count(*) filter (where made_before = 0)
  from (select ${keyOf(count.by)}, count(*) filter (where number < 0) as made, sum(number) as made_before
    from clicks ${named(count)} group by ${keyOf(count.by)}, contact_id) contacts
  where made > 0 group by ${keyOf(count.by)} order by ${keyOf(count.by)}
  on conflict (${keyOf(count.by)}) do update
    set clicks = known.clicks + excluded.clicks, contacts = known.contacts + excluded.contacts`;

// A new click is in the table, too: it counts 1 and -1, so that the sum is what was there before.
const rollUpClickCounts = `
  create function roll_up_campaign_clicks() returns trigger language plpgsql set search_path from current as $$
  begin
    -- The lock of roll_up_clicks: a contact's earlier clicks must not change between reading and writing.
    perform pg_advisory_xact_lock(hashtextextended('roll_up_clicks ' || tenant_id, 0))
    from (select distinct tenant_id from added order by tenant_id) tenants;

    with contacts as materialized (select distinct tenant_id, campaign_id, contact_id from added),
    clicks as materialized (
      -- By contact: the empty text keeps the planner off the campaign's index, which leads to all its clicks.
      select tenant_id, k.campaign_id, contact_id, ${CARD} as message_index, action_index, biz_event_code, 1 as number
      from contacts w join click_attribution k using (tenant_id, contact_id) where k.campaign_id || '' = w.campaign_id
      union all
      select tenant_id, campaign_id, contact_id, ${CARD}, action_index, biz_event_code, -1 from added k),
    ${clickCounts
      .slice(1)
      .map((count) => `of_${count.table} as (${addToClickCount(count)})`)
      .join(', ')}
    ${clickCounts.slice(0, 1).map(addToClickCount).join('')};
    return null;
  end $$;
  create trigger click_attribution_counted after insert on click_attribution
    referencing new table as added for each statement execute function roll_up_campaign_clicks();`;

/** Plain sums by the UTC hour in which something began. */
interface HourlySum {
  table: string;
  source: string;
  by: string[];
  time: string;
  where: string;
  sums: Record<string, string>;
  changes: ('insert' | 'update' | 'delete')[];
}

const hourlySums: HourlySum[] = [
  {
    table: 'click_hour',
    source: 'click_attribution',
    by: ['tenant_id', 'campaign_id'],
    time: 'clicked_at',
    where: 'true',
    sums: { clicks: 'count(*)', repeats: 'sum(repeats)' },
    changes: ['insert', 'update'],
  },
  {
    table: 'conversation_hour',
    source: 'conversation',
    by: ['tenant_id', 'campaign_id'],
    time: 'opened_at',
    where: 'campaign_id is not null',
    sums: { opened: 'count(*)', closed: 'count(closed_at)' },
    changes: ['insert', 'update', 'delete'],
  },
  {
    table: 'conversion_hour',
    source: 'tag_assignment',
    by: ['tenant_id', 'source_campaign_id', 'tag_id'],
    time: 'assigned_at',
    where: 'source_campaign_id is not null',
    sums: { contacts: 'count(*)' },
    changes: ['insert', 'update', 'delete'],
  },
];

const sumsOf = ({ by, time, where, sums }: HourlySum, source: string, sign: '' | '-') => `
  select ${by.join(', ')}, date_trunc('hour', ${time}, 'UTC'), ${Object.values(sums)
    .map((sum) => sign + sum)
    .join(', ')}
  from ${source} where ${where} group by ${by.map((_, index) => index + 1).join(', ')}, ${by.length + 1}`;

function addSums(hourly: HourlySum, source: string, sign: '' | '-'): string {
  const order = [...hourly.by, 'at'].map((_, index) => index + 1).join(', ');
  const changes = Object.keys(hourly.sums).map((name) => `${name} = known.${name} + excluded.${name}`);
  return `insert into ${hourly.table} as known ${sumsOf(hourly, source, sign)} order by ${order}
    on conflict on constraint ${hourly.table}_pkey do update set ${changes.join(', ')};`;
}

const transitionTables = {
  insert: 'new table as added',
  update: 'old table as gone new table as added',
  delete: 'old table as gone',
};

const rollUpHourly = (hourly: HourlySum) => `
  create function roll_up_${hourly.table}() returns trigger language plpgsql set search_path from current as $$
  begin
    if tg_op <> 'DELETE' then ${addSums(hourly, 'added', '')} end if;
    if tg_op <> 'INSERT' then ${addSums(hourly, 'gone', '-')} end if;
    return null;
  end $$;
  ${hourly.changes
    .map(
      (change) => `create trigger ${hourly.source}_${change}_by_hour after ${change} on ${hourly.source}
        referencing ${transitionTables[change]} for each statement execute function roll_up_${hourly.table}();`,
    )
    .join('\n')}`;

const tables = `
  create table campaign_clicks (
    tenant_id text not null, campaign_id text not null, clicks integer not null, contacts integer not null,
    primary key (tenant_id, campaign_id)
  );
  create table button_clicks (
    tenant_id text not null, campaign_id text not null, message_index integer not null, action_index integer not null,
    clicks integer not null, contacts integer not null,
    primary key (tenant_id, campaign_id, message_index, action_index)
  );
  create table event_code_clicks (
    tenant_id text not null, campaign_id text not null, biz_event_code text not null,
    clicks integer not null, contacts integer not null,
    primary key (tenant_id, campaign_id, biz_event_code)
  );
  create table click_hour (
    tenant_id text not null, campaign_id text not null, at timestamptz not null,
    clicks integer not null, repeats integer not null,
    primary key (tenant_id, campaign_id, at)
  );
  -- By the hour of opening; \`closed\` counts those of them that have been closed since.
  create table conversation_hour (
    tenant_id text not null, campaign_id text not null, at timestamptz not null,
    opened integer not null, closed integer not null,
    primary key (tenant_id, campaign_id, at)
  );
  create index conversation_hour_by_time on conversation_hour (tenant_id, at);
  -- By tag: whoever changes a tag's assignments has locked its row already, so writers do not wait for each other here.
  create table conversion_hour (
    tenant_id text not null, campaign_id text not null, tag_id text not null, at timestamptz not null,
    contacts integer not null,
    primary key (tenant_id, campaign_id, tag_id, at)
  );
  create index conversion_hour_by_time on conversion_hour (tenant_id, at);`;

/**
 * What a campaign's results, the lists of campaigns and the overview would otherwise count row by row. Triggers
 * maintain it, so that it matches the rows no matter who writes those.
 */
export async function up(knex: Knex): Promise<void> {
  for (const part of [tables, rollUpClickCounts, ...hourlySums.map(rollUpHourly)]) await knex.raw(part);
}
