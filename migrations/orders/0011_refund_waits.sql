-- Since when a refund needs staff, for those who are told of it.
alter table refund add column needs_staff_since timestamptz;
comment on column refund.needs_staff_since is 'when its status last became needs_staff; null for refunds that were left to staff by 0.1.0';

create function note_refund_wait() returns trigger
language plpgsql set search_path = orders as $$
begin
  new.needs_staff_since := now();
  return new;
end
$$;

create trigger refund_left_to_staff before insert on refund
  for each row when (new.status = 'needs_staff') execute function note_refund_wait();
create trigger refund_became_left_to_staff before update of status on refund
  for each row when (new.status = 'needs_staff' and old.status <> 'needs_staff') execute function note_refund_wait();
