import type { Knex } from 'knex';

/** Contacts a block has bits for. */
const BLOCK = 4096;

/** SQL: blocks of the contacts of `changed`, rows of tag_assignment. */
const blocksOf = (changed: string) => `
  select x.tag_id, p.ordinal / ${BLOCK} as block, bit_or(set_bit(0::bit(${BLOCK}), p.ordinal % ${BLOCK}, 1)) as contacts
  from ${changed} x join tag t on t.tag_id = x.tag_id
  join contact_profile p on p.tenant_id = x.tenant_id and p.service_number_id = t.service_number_id and p.contact_id = x.contact_id
  group by 1, 2`;

/** SQL: assignments of the contacts of `changed`, rows of contact_profile. */
const assignmentsOf = (changed: string) => `
  select x.tag_id, p.ordinal / ${BLOCK} as block, bit_or(set_bit(0::bit(${BLOCK}), p.ordinal % ${BLOCK}, 1)) as contacts
  from ${changed} p join tag_assignment x on x.tenant_id = p.tenant_id and x.contact_id = p.contact_id
  join tag t on t.tag_id = x.tag_id and t.service_number_id = p.service_number_id
  group by 1, 2`;

const add = (blocks: string) => `
  insert into tag_block as known ${blocks} order by 1, 2
  on conflict (tag_id, block) do update set contacts = known.contacts | excluded.contacts`;

const remove = (blocks: string) => `
  perform 1 from tag_block join (${blocks}) gone using (tag_id, block) order by tag_id, block for update of tag_block;
  update tag_block b set contacts = b.contacts & ~gone.contacts
  from (${blocks}) gone where b.tag_id = gone.tag_id and b.block = gone.block`;

const trigger = (name: string, event: string, table: string, rows: string, body: string) => `
  create function ${name}() returns trigger language plpgsql set search_path from current as $$
  begin
    ${body};
    return null;
  end $$;
  create trigger ${name} after ${event} on ${table} referencing ${rows} for each statement execute function ${name}();`;

const lock = (kind: string, tenants: string) => `
  perform pg_advisory_xact_lock${kind}(hashtextextended('tag_block ' || tenant_id, 0))
  from (select distinct tenant_id from ${tenants} order by tenant_id) tenants`;

/**
 * Numbers the contacts and adds the sets of those of each tag. contact_profile is written anew and its indexes with it:
 * it is locked for about 40 s with a million contacts and three million assignments.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create sequence contact_ordinal as integer;
    alter table contact_profile add column ordinal integer not null default nextval('contact_ordinal');
    comment on column contact_profile.ordinal is 'the contact''s bit in the blocks of tags';
    -- Those whom a preview counts apart from everybody else with its tags.
    create index contact_profile_unreached on contact_profile (tenant_id, service_number_id, ordinal) include (unsubscribed)
      where unsubscribed or follow_state <> 'following';

    create table tag_block (
      tag_id text not null references tag on delete cascade,
      block integer not null,
      contacts bit(${BLOCK}) not null,
      primary key (tag_id, block)
    ) with (fillfactor = 50);
    comment on table tag_block is 'the contacts that have a tag, as bits at their ordinals; of contacts without a profile there are none';
    ${add(blocksOf('tag_assignment'))};

    ${trigger(
      'add_to_tag_blocks',
      'insert',
      'tag_assignment',
      'new table as added',
      `-- A profile is deleted before or after this, never meanwhile: its bits go with it.
      ${lock('_shared', 'added')};
      ${add(blocksOf('added'))}`,
    )}
    ${trigger('remove_from_tag_blocks', 'delete', 'tag_assignment', 'old table as gone', remove(blocksOf('gone')))}
    ${trigger('add_profiles_to_tag_blocks', 'insert', 'contact_profile', 'new table as added', add(assignmentsOf('added')))}
    ${trigger(
      'remove_profiles_from_tag_blocks',
      'delete',
      'contact_profile',
      'old table as gone',
      `${lock('', 'gone')};
      ${remove(assignmentsOf('gone'))}`,
    )}`);
}
