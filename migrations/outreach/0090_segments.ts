import type { Knex } from 'knex';

/** Saved segments. Nothing is rewritten or scanned: the check of types holds for whatever is stored from now on. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table audience add column segment jsonb;
    alter table audience drop constraint audience_type_check;
    alter table audience add constraint audience_type_check
      check (type in ('contacts', 'app_tags', 'segment') and (type = 'segment') = (segment is not null)) not valid;
    comment on column audience.segment is 'conditions and groups of a segment; ids of tags and campaigns, none of contacts';
  `);
}
