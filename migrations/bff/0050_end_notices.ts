import type { Knex } from 'knex';

/**
 * Triggers, so that no statement that ends a session can forget to say so. Whoever expires is found without being told.
 * Creating them locks both tables, of a few rows, for milliseconds.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function tell_session_end() returns trigger language plpgsql as $$
    begin
      perform pg_notify('session_end', encode(old.token_hash, 'hex'));
      return null;
    end $$;
    create trigger session_ended after update of ended_at on session
      for each row when (old.ended_at is null and new.ended_at is not null) execute function tell_session_end();
    create trigger session_deleted after delete on session
      for each row when (old.ended_at is null and old.expires_at > now()) execute function tell_session_end();

    create function tell_uninstall() returns trigger language plpgsql as $$
    begin
      perform pg_notify('uninstall', new.platform_tenant_id);
      return null;
    end $$;
    create trigger uninstall_began after update of uninstall_number on tenant_integration
      for each row when (old.uninstall_number is null and new.uninstall_number is not null)
      execute function tell_uninstall();`);
}
