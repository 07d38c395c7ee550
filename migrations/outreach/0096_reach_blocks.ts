import type { Knex } from 'knex';

/** Contacts a block has bits for, as in `tag_block`. */
const BLOCK = 4096;

/** Recipients from which on a send has a set; the lists of a smaller one are unfolded in no more time. */
const LARGE = 2000;

const delivered = (row: string) =>
  `(${row}.status = 'completed' and ${row}.superseded_by is null and ${row}.delivered is distinct from 0)`;

const tables = `
  create table dispatch_reach (
    dispatch_id text primary key references dispatch on delete cascade,
    tenant_id text not null references tenant,
    campaign_id text not null,
    service_number_id text not null,
    due_at timestamptz not null,
    built_at timestamptz,
    first_finished_at timestamptz,
    last_finished_at timestamptz
  );
  comment on table dispatch_reach is 'large sends, and whether the set of the contacts that they reached is there';
  comment on column dispatch_reach.due_at is 'a set that is not there is not built before';
  comment on column dispatch_reach.built_at is 'since when its blocks are those of the sub-tasks that were delivered; null: whatever blocks it has say nothing';
  comment on column dispatch_reach.first_finished_at is 'of the sub-tasks in the set; null if it has none, or one without a time';
  create index dispatch_reach_due on dispatch_reach (due_at) where built_at is null;
  create index dispatch_reach_built on dispatch_reach (tenant_id, service_number_id, last_finished_at) where built_at is not null;

  create table reach_block (
    dispatch_id text not null references dispatch_reach on delete cascade,
    block integer not null,
    contacts bit(${BLOCK}) not null,
    primary key (dispatch_id, block)
  );
  comment on table reach_block is 'the contacts that a send reached, as bits at their ordinals; who was erased since may still have one, of no profile';`;

const noting = `
  create function note_large_send() returns trigger language plpgsql set search_path from current as $$
  begin
    insert into dispatch_reach (dispatch_id, tenant_id, campaign_id, service_number_id, due_at)
    select new.dispatch_id, new.tenant_id, new.campaign_id, c.service_number_id, new.frozen_at
    from campaign c where c.campaign_id = new.campaign_id
    on conflict do nothing;
    return null;
  end $$;
  create trigger dispatch_frozen after insert or update of frozen_at on dispatch for each row
    when (new.frozen_at is not null and new.frozen_count >= ${LARGE}) execute function note_large_send();`;

/** By row: what else changes about a sub-task, as it does several times while it is sent, costs a comparison. */
const invalidating = `
  create function outdate_reach() returns trigger language plpgsql set search_path from current as $$
  begin
    update dispatch_reach set built_at = null where dispatch_id = new.dispatch_id and built_at is not null;
    return null;
  end $$;
  create trigger broadcast_task_reached after update of status, superseded_by, delivered, finished_at on broadcast_task
    for each row when (${delivered('old')} is distinct from ${delivered('new')}
      or (${delivered('new')} and old.finished_at is distinct from new.finished_at)) execute function outdate_reach();`;

/**
 * Sets of the contacts that large sends reached. Nothing is rewritten or scanned; the sends that there are follow in a
 * migration of their own.
 */
export async function up(knex: Knex): Promise<void> {
  for (const part of [tables, noting, invalidating]) await knex.raw(part);
}
