import type { Knex } from 'knex';

/**
 * Every status an order was in, and what its goods were called. A trigger writes the history, so that no statement that
 * moves an order can forget it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table order_transition (
      transition_id bigint generated always as identity primary key,
      order_id text not null references customer_order,
      attempt integer not null,
      order_status smallint not null,
      points_status smallint not null,
      payment_status smallint not null,
      at timestamptz not null default clock_timestamp()
    );
    create index order_transition_by_order on order_transition (order_id, transition_id);

    create function note_order_transition() returns trigger language plpgsql as $$
    begin
      insert into orders.order_transition (order_id, attempt, order_status, points_status, payment_status)
        values (new.order_id, new.attempt, new.order_status, new.points_status, new.payment_status);
      return null;
    end $$;

    insert into order_transition (order_id, attempt, order_status, points_status, payment_status, at)
      select order_id, 1, 0, 0, 0, created_at from customer_order order by created_at, order_id;
    -- What lay between is not known of orders that are older than their history.
    insert into order_transition (order_id, attempt, order_status, points_status, payment_status, at)
      select order_id, attempt, order_status, points_status, payment_status, updated_at from customer_order
      where (order_status, points_status, payment_status) <> (0, 0, 0) order by updated_at, order_id;

    create trigger order_created after insert on customer_order
      for each row execute function note_order_transition();
    create trigger order_moved after update of order_status, points_status, payment_status on customer_order
      for each row when ((old.order_status, old.points_status, old.payment_status)
        is distinct from (new.order_status, new.points_status, new.payment_status))
      execute function note_order_transition();

    update customer_order set lines = (
      select jsonb_agg(line || jsonb_build_object('name', coalesce(g.name, line ->> 'goodsId')) order by position)
      from jsonb_array_elements(lines) with ordinality as of_order (line, position)
        left join goods g on g.goods_id = line ->> 'goodsId')
      where lines <> '[]';

    create index order_flag_open on order_flag (order_id) where resolved_at is null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index order_flag_open;
    update customer_order set lines = (
      select jsonb_agg(line - 'name' order by position)
      from jsonb_array_elements(lines) with ordinality as of_order (line, position))
      where lines <> '[]';
    drop trigger order_moved on customer_order;
    drop trigger order_created on customer_order;
    drop function note_order_transition;
    drop table order_transition;
  `);
}
