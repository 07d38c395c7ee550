import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The last dry run of a campaign, kept to tell later how the audience that was sent differs from it.
    create table dry_run (
      dry_run_id text primary key,
      tenant_id text not null references tenant,
      campaign_id text not null unique references campaign on delete cascade,
      source jsonb not null,
      audience_count integer not null,
      audience_hash text not null,
      created_by text not null,
      created_at timestamptz not null
    );

    -- Its contacts by class, in the order of a send. They are read only as a whole: as lists they are written, and
    -- deleted, in a third of the time that a row for each would take.
    create table dry_run_part (
      dry_run_id text not null references dry_run on delete cascade,
      class text not null,
      part integer not null,
      contact_ids text[] not null,
      primary key (dry_run_id, class, part)
    );

    -- How the frozen audience of a send differs from the dry run before it, told at the moment of sending. No reference,
    -- as for recipients: a million rows would check a million times that their one dispatch exists.
    create table audience_drift (
      dispatch_id text not null,
      change text not null check (change in ('added', 'removed')),
      contact_id text not null,
      reason text not null,
      primary key (dispatch_id, change, contact_id)
    );

    create index dispatch_by_audience on dispatch (tenant_id, audience_hash, created_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index dispatch_by_audience; drop table audience_drift, dry_run_part, dry_run');
}
