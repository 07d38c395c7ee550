import type { Knex } from 'knex';

/** Columns that are null or 0 everywhere, and empty tables: nothing is rewritten or scanned. */
const columns = `
  alter table campaign add column holdout_percent integer;
  alter table campaign add constraint campaign_holdout_percent_check
    check (holdout_percent between 1 and 50) not valid;
  comment on column campaign.holdout_percent is 'how much of the audience is held back as a control group; null: nobody is';
  alter table dispatch add column control_count integer not null default 0;
  comment on column dispatch.control_count is
    'contacts of the frozen audience that are held back as a control group; audience_count does not have them';`;

const key = `
  create table holdout_key (
    campaign_id text primary key references campaign on delete cascade,
    inner_block bytea not null,
    outer_block bytea not null
  );
  comment on table holdout_key is 'the random key by which a campaign chooses its control group, made when it first does';
  comment on column holdout_key.inner_block is 'the key of HMAC-SHA-256 xor ipad (RFC 2104), so that SQL can compute it';
  comment on column holdout_key.outer_block is 'the same key xor opad';`;

/** As `dispatch_chunk`; the months that it has are added. */
const control = `
  create table dispatch_control (
    dispatch_id text not null,
    part integer not null,
    contact_ids text[] not null check (cardinality(contact_ids) > 0),
    contact_count integer generated always as (cardinality(contact_ids)) stored,
    first_id text generated always as (contact_ids[1]) stored,
    last_id text generated always as (contact_ids[cardinality(contact_ids)]) stored,
    primary key (dispatch_id, part)
  ) partition by range (dispatch_id);
  create table dispatch_control_rest partition of dispatch_control default;
  create index dispatch_control_by_contact on dispatch_control (dispatch_id, last_id, first_id);
  comment on table dispatch_control is 'partitioned by month';
  comment on column dispatch_control.contact_ids is
    'frozen contacts that a send holds back, at most 1,000 to a list, in order of id; whoever was erased since by pseudonym';
  select add_month('dispatch_control', to_date(right(c.relname, 7), 'YYYY_MM'))
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'dispatch_chunk'::regclass and c.relname ~ '_[0-9]{4}_[0-9]{2}$';`;

export async function up(knex: Knex): Promise<void> {
  for (const part of [columns, key, control]) await knex.raw(part);
}
