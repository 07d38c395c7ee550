import type { Knex } from 'knex';

/**
 * What is known about a sub-task, and from whom. The columns are added without a rewrite, under an exclusive lock of
 * milliseconds; the counts are then corrected under row locks: about a minute for a million sub-tasks (a billion
 * contacts), while readers go on.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table broadcast_task
      alter column sent drop not null, alter column sent drop default,
      alter column delivered drop not null, alter column delivered drop default,
      alter column failed drop not null, alter column failed drop default,
      alter column read drop not null, alter column read drop default,
      add column status_assumed boolean not null default false,
      add column not_found_since timestamptz;
    comment on column broadcast_task.sent is 'null until the platform (A2) reported it, like the other counts';
    comment on column broadcast_task.status_assumed is 'concluded from a click or a response, not reported by A2: its next report may also move the status back';
    comment on column broadcast_task.not_found_since is 'since when A2 has returned nothing but 404';

    -- A zero could be the default or reported. It becomes null where that matters: A2 may report it again, but nobody
    -- may be sent to twice because of it.
    update broadcast_task set sent = null, delivered = nullif(delivered, 0), failed = nullif(failed, 0), read = nullif(read, 0)
    where sent = 0 and (status = 'failed' or (delivered = 0 and failed = 0 and read = 0));
  `);
}
