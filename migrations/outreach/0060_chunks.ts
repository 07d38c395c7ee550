import type { Knex } from 'knex';

/**
 * The frozen audience as one list of contacts for each sub-task: a million rows with two indexes took most of a send's
 * preparation. `month_bound` and its kin work on it as on any table that is partitioned by month.
 */
const chunks = `
  create table dispatch_chunk (
    dispatch_id text not null,
    chunk integer not null,
    contact_ids text[] not null check (cardinality(contact_ids) > 0),
    contact_count integer generated always as (cardinality(contact_ids)) stored,
    first_id text generated always as (contact_ids[1]) stored,
    last_id text generated always as (contact_ids[cardinality(contact_ids)]) stored,
    primary key (dispatch_id, chunk)
  ) partition by range (dispatch_id);
  create table dispatch_chunk_rest partition of dispatch_chunk default;
  -- A contact is looked for in the lists that may have it: those that a freeze has made do not overlap.
  create index dispatch_chunk_by_contact on dispatch_chunk (dispatch_id, last_id, first_id);
  comment on table dispatch_chunk is 'partitioned by month';
  comment on column dispatch_chunk.contact_ids is 'the frozen contacts of one sub-task, in order of id; whoever was erased since by pseudonym';
  select add_month('dispatch_chunk', to_date(right(c.relname, 7), 'YYYY_MM'))
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'dispatch_recipient'::regclass and c.relname ~ '_[0-9]{4}_[0-9]{2}$';`;

/** Each contact of a frozen audience as a row, for whoever reads whole sub-tasks. */
const recipients = `
  insert into dispatch_chunk (dispatch_id, chunk, contact_ids)
  select dispatch_id, chunk, array_agg(contact_id order by contact_id) from dispatch_recipient group by dispatch_id, chunk;
  drop table dispatch_recipient;
  create view dispatch_recipient as
    select c.dispatch_id, r.contact_id, c.chunk
    from dispatch_chunk c cross join lateral unnest(c.contact_ids) as r (contact_id);`;

/** Locks the recipients of all sends for about 3 s for each million of them, in which none can be sent or submitted. */
export async function up(knex: Knex): Promise<void> {
  for (const part of [chunks, recipients]) await knex.raw(part);
}
