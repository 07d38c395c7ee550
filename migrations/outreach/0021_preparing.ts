import type { Knex } from 'knex';

/**
 * A send's audience is frozen after `:send` has responded, a page of contacts at a time. A million old sends are marked
 * as frozen in about 10 s, in which none can be sent.
 */
const preparing = `
  alter table dispatch add column source jsonb, add column frozen_count integer not null default 0,
    add column frozen_excluded jsonb not null default '{"expiredTags": 0, "unsubscribed": 0, "unreachable": 0}',
    add column frozen_through text, add column frozen_at timestamptz, add column freeze_at timestamptz;
  update dispatch set frozen_count = audience_count, frozen_at = created_at, freeze_at = created_at;
  alter table dispatch alter column freeze_at set not null, alter column freeze_at set default now();
  comment on column dispatch.source is 'what defines the audience; null for a retry, which takes over what sub-tasks had';
  comment on column dispatch.frozen_count is 'contacts in the snapshot so far';
  comment on column dispatch.frozen_excluded is 'whom the audience did not reach so far; in the end that is excluded';
  comment on column dispatch.frozen_through is
    'the last contact that was read, in order of id; for a retry the last sub-task that was taken over, in order of key';
  comment on column dispatch.frozen_at is 'the snapshot is complete; until then audience_count is what was counted';
  comment on column dispatch.freeze_at is 'when freezing begins';
  create index dispatch_preparing on dispatch (freeze_at) where frozen_at is null;

  create index broadcast_task_superseded on broadcast_task (superseded_by, key) where superseded_by is not null;`;

/**
 * Reading the contacts of one sub-task must not depend on statistics: a snapshot that was just written has none. Takes
 * about 1 s for a million recipients, in which none can be written.
 */
const chunks = `
  drop index dispatch_recipient_by_chunk;
  create index dispatch_recipient_by_chunk on dispatch_recipient (dispatch_id, chunk, contact_id);`;

/** A large audience is counted by the preview; the send that follows compares with that. */
const counts = `
  create table audience_count (
    tenant_id text not null references tenant,
    service_number_id text not null,
    definition text not null,
    counts jsonb not null,
    counted_at timestamptz not null,
    primary key (tenant_id, service_number_id, definition)
  );
  comment on table audience_count is 'the last count of each audience that is too large to be counted by :send';
  comment on column audience_count.definition is 'SHA-256 of what defines the audience, hexadecimal';`;

/** Which contacts a part spans, so that a page of the send is compared with the parts it overlaps alone. */
const parts = `
  alter table dry_run_part add column first_id text, add column last_id text;
  update dry_run_part set first_id = contact_ids[1], last_id = contact_ids[cardinality(contact_ids)];
  alter table dry_run_part alter column first_id set not null, alter column last_id set not null;`;

export async function up(knex: Knex): Promise<void> {
  for (const part of [preparing, chunks, counts, parts]) await knex.raw(part);
}
