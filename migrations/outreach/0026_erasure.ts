import type { Knex } from 'knex';

/** Adds empty tables. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table erasure_key (
      tenant_id text primary key references tenant,
      secret_encrypted text not null
    );
    comment on table erasure_key is 'the key of the hashes in erased_contact, made when the first contact of a tenant is erased';

    create table erased_contact (
      erasure_id text primary key,
      tenant_id text not null references tenant,
      id_hash text not null,
      requested_at timestamptz not null,
      erased_at timestamptz,
      finished_at timestamptz,
      contact_encrypted text,
      pseudonym text,
      check ((finished_at is null) = (contact_encrypted is not null) and (finished_at is null) = (pseudonym is not null))
    );
    comment on table erased_contact is 'so that events from before the erasure bring nothing back';
    comment on column erased_contact.id_hash is 'HMAC-SHA256 of the contact''s id, hexadecimal';
    comment on column erased_contact.erased_at is 'what occurred up to then is not taken any more; null while the contact is being erased, when nothing is';
    comment on column erased_contact.contact_encrypted is 'the id, until the erasure is finished: another process may have to continue';
    comment on column erased_contact.pseudonym is 'what stands for the contact, until the erasure is finished: after that nothing leads from one to the other';
    create index erased_contact_by_hash on erased_contact (tenant_id, id_hash);
    create index erased_contact_unfinished on erased_contact (requested_at) where finished_at is null;`);
}
