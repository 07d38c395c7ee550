import type { Knex } from 'knex';

/** How a roll-up sees a click: its quarter of an hour, and its UTC day. */
const QUARTER = `date_bin('15 minutes', k.clicked_at, timestamptz '2000-01-01 00:00Z')`;
const DAY = `(k.clicked_at at time zone 'UTC')::date`;

/** A contact's day counts once for its service number, and once ('') for all of them. */
const SCOPES = `cross join lateral (values (''), (c.service_number_id)) as s (service_number_id)`;

/**
 * What the overview would otherwise count click by click. A trigger maintains the roll-ups, so that they match the
 * rows no matter who writes those; rows are only ever added, and keep their time and campaign.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Hours and days of every zone are whole quarters of an hour.
    create table click_quarter (
      tenant_id text not null,
      at timestamptz not null,
      service_number_id text not null,
      clicks integer not null,
      primary key (tenant_id, at, service_number_id)
    );

    -- Contacts that clicked on a day, by the day of their last click before it. Whoever clicked within [a, b) has exactly
    -- one day in it whose former day lies before a, so the contacts of any period are a sum that counts nobody twice.
    create table clicked_day (
      tenant_id text not null,
      service_number_id text not null,
      day date not null,
      former_day date not null,
      contacts integer not null,
      primary key (tenant_id, service_number_id, day, former_day)
    );

    create function roll_up_clicks() returns trigger language plpgsql set search_path from current as $$
    begin
      -- A contact's former days must not change between reading and writing.
      perform pg_advisory_xact_lock(hashtextextended('roll_up_clicks ' || tenant_id, 0))
      from (select distinct tenant_id from added order by tenant_id) tenants;

      insert into click_quarter
      select k.tenant_id, ${QUARTER}, c.service_number_id, count(*)
      from added k join campaign c using (campaign_id) group by 1, 2, 3 order by 1, 2, 3
      on conflict (tenant_id, at, service_number_id) do update set clicks = click_quarter.clicks + excluded.clicks;

      -- The days of the contacts concerned, before and after: only differences are written.
      with contacts as (select distinct tenant_id, contact_id from added),
      clicks as (
        select tenant_id, contact_id, k.clicked_at, k.campaign_id, 1 as number
        from contacts join click_attribution k using (tenant_id, contact_id)
        union all
        select tenant_id, contact_id, clicked_at, campaign_id, -1 from added),
      days as (
        select k.tenant_id, s.service_number_id, k.contact_id, ${DAY} as day, sum(number) > 0 as known
        from clicks k join campaign c using (campaign_id) ${SCOPES}
        group by 1, 2, 3, 4),
      pairs as (
        select tenant_id, service_number_id, day, known,
          lag(day) over earlier as former_day,
          max(day) filter (where known) over (earlier rows between unbounded preceding and 1 preceding) as known_former_day
        from days window earlier as (partition by tenant_id, service_number_id, contact_id order by day)),
      changed as (select * from pairs where not known or former_day is distinct from known_former_day),
      changes as (
        select tenant_id, service_number_id, day, former_day, 1 as change from changed
        union all
        select tenant_id, service_number_id, day, known_former_day, -1 from changed where known)
      insert into clicked_day
      select tenant_id, service_number_id, day, coalesce(former_day, '-infinity'), sum(change)
      from changes group by 1, 2, 3, 4 having sum(change) <> 0 order by 1, 2, 3, 4
      on conflict (tenant_id, service_number_id, day, former_day)
        do update set contacts = clicked_day.contacts + excluded.contacts;
      return null;
    end $$;

    create trigger click_attribution_added after insert on click_attribution
      referencing new table as added for each statement execute function roll_up_clicks();
  `);
}
