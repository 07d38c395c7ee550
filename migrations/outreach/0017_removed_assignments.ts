import type { Knex } from 'knex';

/** Adds a nullable column and an empty table: no row is read or rewritten, however many assignments there are. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- What made a rule assign the tag, as domain/rules/cause.ts names it; null where a person did.
    alter table tag_assignment add column source_cause text;

    -- Assignments by a rule that an operator took back: the same cause does not make that rule assign the tag again.
    -- Kept until the tag is archived, since an old message can be clicked at any time.
    create table removed_assignment (
      tag_id text not null references tag,
      contact_id text not null,
      rule_id text not null,
      cause text not null,
      removed_at timestamptz not null,
      primary key (tag_id, contact_id, rule_id, cause)
    );
  `);
}
