import type { Knex } from 'knex';

/** Cash by double entry, in minor units. What was paid before this migration has no entries. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table cash_entry (
      entry_id bigint generated always as identity primary key,
      movement text not null,
      account text not null check (account in ('receivable', 'sales', 'gateway', 'refunds', 'elsewhere')),
      amount_minor bigint not null check (amount_minor <> 0),
      currency text not null,
      tenant_id text not null references tenant,
      order_id text,
      at timestamptz not null default now(),
      unique (movement, account)
    );
    comment on table cash_entry is 'two rows a movement that add up to 0';
    comment on column cash_entry.account is
      'receivable: payers owe it; gateway: it holds it; refunds: to be given back; elsewhere: given back without the gateway';
    create index cash_entry_by_order on cash_entry (order_id, entry_id);

    create function require_balanced_cash() returns trigger language plpgsql as $$
    begin
      if exists (select from added group by movement, tenant_id, currency having sum(amount_minor) <> 0) then
        raise exception 'the entries of a movement do not sum to zero'
          using errcode = 'check_violation', table = tg_table_name, constraint = tg_name;
      end if;
      return null;
    end $$;
    create trigger cash_entry_balanced after insert on cash_entry
      referencing new table as added for each statement execute function require_balanced_cash();
  `);
}
