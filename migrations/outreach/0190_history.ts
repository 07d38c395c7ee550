import type { Knex } from 'knex';

/** As in `0096_reach_blocks`: whether a sub-task counts as delivered. */
const delivered = (row: string) =>
  `(${row}.status = 'completed' and ${row}.superseded_by is null and ${row}.delivered is distinct from 0)`;

/** Partitioned as the other tables of contacts are; the months that clicks have are added. */
const partitions = (table: string) => `
  create table ${table}_rest partition of ${table} default;
  select add_month('${table}', to_date(right(c.relname, 7), 'YYYY_MM'))
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'click_attribution'::regclass and c.relname ~ '_[0-9]{4}_[0-9]{2}$';`;

const tenants = `
  -- Of those that exist: a default that is evaluated once is written to no row.
  alter table tenant add column history_since timestamptz default now();
  alter table tenant alter column history_since drop default;
  comment on column tenant.history_since is 'from when on it is known what was at any time; null: from the beginning of the tenant';`;

/** An assignment says itself since when it is there, so giving a tag writes nothing more than before. */
const tags = `
  create table tag_assignment_past (
    tenant_id text not null,
    tag_id text not null,
    contact_id text not null,
    since timestamptz not null,
    until timestamptz not null,
    primary key (tag_id, contact_id, until)
  ) partition by range (until);
  comment on table tag_assignment_past is 'partitioned by month; assignments that were taken back, and when there were';
  create index tag_assignment_past_by_contact on tag_assignment_past (tenant_id, contact_id);
  ${partitions('tag_assignment_past')}

  create table tag_past (
    tag_id text not null references tag on delete cascade,
    tenant_id text not null,
    expires_at timestamptz,
    until timestamptz not null,
    primary key (tag_id, until)
  );
  comment on table tag_past is 'when tags were to expire before that was changed';
  create index tag_past_until on tag_past (until);
  alter table tag add column archived_at timestamptz;
  comment on column tag.archived_at is 'null if it is not archived, or was before there was this column';`;

/**
 * Whoever stores a profile says in changed_at when what segments ask for has changed. The trigger keeps what was there
 * before, for all profiles of a statement at once. The rows of a trigger have no statistics: without a hash each would be
 * compared with each.
 */
const profiles = `
  alter table contact_profile add column changed_at timestamptz;
  comment on column contact_profile.changed_at is
    'since when channel, language, region, attributes and whether the contact can be reached are what they are; null: for as long as history is kept';
  create table contact_profile_past (
    tenant_id text not null,
    service_number_id text not null,
    contact_id text not null,
    channel text,
    language text,
    region text,
    attributes jsonb not null,
    follow_state text not null,
    unsubscribed boolean not null,
    since timestamptz,
    until timestamptz not null,
    primary key (tenant_id, service_number_id, contact_id, until)
  ) partition by range (until);
  comment on table contact_profile_past is 'partitioned by month; what profiles were before they changed';
  ${partitions('contact_profile_past')}

  create function keep_past_profiles() returns trigger language plpgsql set search_path from current set enable_nestloop = off as $$
  begin
    insert into contact_profile_past (tenant_id, service_number_id, contact_id, channel, language, region, attributes,
      follow_state, unsubscribed, since, until)
    select b.tenant_id, b.service_number_id, b.contact_id, b.channel, b.language, b.region, b.attributes,
      b.follow_state, b.unsubscribed, b.changed_at, a.changed_at
    from before_it b join after_it a using (tenant_id, service_number_id, contact_id)
    where a.changed_at is distinct from b.changed_at
    on conflict do nothing;
    return null;
  end $$;
  create trigger contact_profile_changed after update on contact_profile
    referencing old table as before_it new table as after_it for each statement execute function keep_past_profiles();`;

/** Facts have the time at which they occurred; what counts is when they were known. */
const facts = `
  alter table click_attribution add column stored_at timestamptz;
  alter table conversation add column stored_at timestamptz;
  comment on column click_attribution.stored_at is 'null: before there was this column';
  comment on column conversation.stored_at is 'null: before there was this column';`;

/** By row, as the trigger that outdates sets of reach, and as seldom: when a sub-task begins or ceases to count as delivered. */
const deliveries = `
  alter table broadcast_task add column delivered_since timestamptz;
  comment on column broadcast_task.delivered_since is 'since when it counts as delivered, with the end that it has; null if it does not, or did before there was this column';
  create table broadcast_task_past (
    tenant_id text not null,
    dispatch_id text not null references dispatch on delete cascade,
    chunk integer not null,
    campaign_id text not null,
    finished_at timestamptz,
    since timestamptz,
    until timestamptz not null,
    primary key (dispatch_id, chunk, until)
  );
  comment on table broadcast_task_past is 'when sub-tasks counted as delivered that do no longer, or have another end since';
  create index broadcast_task_past_tenant on broadcast_task_past (tenant_id, until);

  create function keep_past_delivery() returns trigger language plpgsql set search_path from current as $$
  declare
    -- What the platform reports has the time of who asked for it.
    at timestamptz := case when new.reported_at is distinct from old.reported_at then new.reported_at else clock_timestamp() end;
  begin
    if ${delivered('old')} then
      insert into broadcast_task_past (tenant_id, dispatch_id, chunk, campaign_id, finished_at, since, until)
      values (old.tenant_id, old.dispatch_id, old.chunk, old.campaign_id, old.finished_at, old.delivered_since, at)
      on conflict do nothing;
    end if;
    new.delivered_since := case when ${delivered('new')} then at end;
    return new;
  end $$;
  create trigger broadcast_task_delivered before update of status, superseded_by, delivered, finished_at on broadcast_task
    for each row when (${delivered('old')} is distinct from ${delivered('new')}
      or (${delivered('new')} and old.finished_at is distinct from new.finished_at)) execute function keep_past_delivery();`;

/**
 * What is needed to say who was in an audience at an earlier time. Adds columns without a value or with
 * a constant one, and empty tables: nothing is read or rewritten.
 */
export async function up(knex: Knex): Promise<void> {
  for (const part of [tenants, tags, profiles, facts, deliveries]) await knex.raw(part);
}
