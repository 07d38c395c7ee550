import type { Knex } from 'knex';

/** How a roll-up sees a click: its quarter of an hour, and its day of UTC. */
const QUARTER = `date_bin('15 minutes', k.clicked_at, timestamptz '2000-01-01 00:00Z')`;
const DAY = `(k.clicked_at at time zone 'UTC')::date`;

/** A contact's day counts once for its service number, and once ('') for all of them. */
const SCOPES = `cross join lateral (values (''), (c.service_number_id)) as s (service_number_id)`;

/**
 * What the overview would otherwise count click by click. A trigger writes the roll-ups, so that they say what the rows
 * say whoever writes those; rows are only ever added, and keep their moment and campaign.
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

    -- Contacts that clicked on a day, by the day on which they had clicked last before it. Whoever clicked within [a, b)
    -- has one day in it whose former day lies before a: so contacts of any days are a sum, and nobody counts twice.
    create table clicked_day (
      tenant_id text not null,
      service_number_id text not null,
      day date not null,
      former_day date not null,
      contacts integer not null,
      primary key (tenant_id, service_number_id, day, former_day)
    );

    create index click_attribution_by_time on click_attribution (tenant_id, clicked_at);
    create index click_attribution_of_contact on click_attribution (tenant_id, contact_id, clicked_at) include (campaign_id);
    drop index click_attribution_by_contact;

    insert into click_quarter
    select k.tenant_id, ${QUARTER}, c.service_number_id, count(*)
    from click_attribution k join campaign c using (campaign_id) group by 1, 2, 3;

    insert into clicked_day
    select tenant_id, service_number_id, day, former_day, count(*)
    from (
      select tenant_id, service_number_id, day,
        coalesce(lag(day) over (partition by tenant_id, service_number_id, contact_id order by day), '-infinity') as former_day
      from (select distinct k.tenant_id, s.service_number_id, k.contact_id, ${DAY} as day
        from click_attribution k join campaign c using (campaign_id) ${SCOPES}) days) pairs
    group by 1, 2, 3, 4;

    create function roll_up_clicks() returns trigger language plpgsql set search_path from current as $$
    begin
      -- What a contact's former days are must not change between the look and the write.
      perform pg_advisory_xact_lock(hashtextextended('roll_up_clicks ' || tenant_id, 0))
      from (select distinct tenant_id from added order by tenant_id) tenants;

      insert into click_quarter
      select k.tenant_id, ${QUARTER}, c.service_number_id, count(*)
      from added k join campaign c using (campaign_id) group by 1, 2, 3 order by 1, 2, 3
      on conflict (tenant_id, at, service_number_id) do update set clicks = click_quarter.clicks + excluded.clicks;

      -- The days of the contacts concerned, once as they were and once as they are: what differs is written.
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

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger click_attribution_added on click_attribution;
    drop function roll_up_clicks;
    create index click_attribution_by_contact on click_attribution (tenant_id, contact_id);
    drop index click_attribution_of_contact, click_attribution_by_time;
    drop table clicked_day, click_quarter;
  `);
}
