import type { Knex } from 'knex';

/**
 * As for recipients: a list of a million contacts would check a million times that its one audience exists. Members are
 * written and deleted only with their audience's row locked.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table audience_member drop constraint audience_member_audience_id_fkey');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    `alter table audience_member add constraint audience_member_audience_id_fkey
       foreign key (audience_id) references audience on delete cascade`,
  );
}
