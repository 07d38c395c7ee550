-- Money at the payment gateway: attempts to pay, what the gateway calls back, refunds, and the comparison with it.

create table payment_attempt (
  order_id text not null references customer_order,
  attempt integer not null,
  hold_status text not null check (hold_status in ('reserved', 'committed', 'released')),
  expires_at timestamptz not null,
  result_url text,
  cancel_url text,
  shop_id text,
  charge_sends integer not null default 0,
  charge_id text unique,
  payment_url text,
  cancel_requested boolean not null default false,
  created_at timestamptz not null default now(),
  -- What the gateway shows for the charge: when it was read, and the money it received.
  read_at timestamptz,
  next_read_at timestamptz,
  ended_at timestamptz,
  received_minor bigint check (received_minor >= 0),
  received_currency text,
  received_at timestamptz,
  read_due_at timestamptz,
  -- Where the send of the charge belongs in a trace, if there are traces.
  trace_parent text,
  unanswered_since timestamptz,
  primary key (order_id, attempt),
  check ((received_minor is null) = (received_at is null) and (received_minor is null) = (received_currency is null))
);
comment on column payment_attempt.next_read_at is
  'when the charge of an ended payment is read once more, for money that comes late; null if never again';
comment on column payment_attempt.read_due_at is
  'when the first of the reads that have failed since the last success was due; null if none has';
comment on column payment_attempt.unanswered_since is
  'since when every call about it to the payment gateway has failed; null after one that did not';
create unique index payment_attempt_one_hold on payment_attempt (order_id) where hold_status <> 'released';
create index payment_attempt_to_read on payment_attempt (next_read_at) where next_read_at is not null;
create index payment_attempt_accepted on payment_attempt (shop_id, received_at, charge_id)
  where hold_status = 'committed' and received_at is not null;
-- The sweep reads what is overdue, not everything that is open.
create index payment_attempt_unsettled on payment_attempt (order_id)
  where hold_status = 'reserved' and (charge_id is null or cancel_requested);
create index payment_attempt_to_expire on payment_attempt (expires_at) where hold_status = 'reserved';
-- Which pending charge has been unread for longest.
create index payment_attempt_unread on payment_attempt ((coalesce(read_at, created_at)))
  where hold_status = 'reserved' and charge_id is not null;
create index payment_attempt_read_due on payment_attempt ((coalesce(read_due_at, next_read_at)))
  where next_read_at is not null;

create table gateway_event (
  event_id text primary key,
  type text not null,
  charge_id text not null,
  order_no text not null,
  shop_id text not null,
  amount double precision not null,
  currency text not null,
  body text not null,
  order_id text,
  status text not null check (status in ('stored', 'settled', 'refunded', 'unmatched', 'ignored')),
  received_at timestamptz not null default now(),
  resolution text check (resolution in ('refund', 'ignore')),
  resolved_by text,
  note text,
  resolved_at timestamptz,
  dispute_id text
);
comment on column gateway_event.status is 'stored: its order still waits for it; unmatched: for staff to look at';
comment on column gateway_event.dispute_id is 'the gateway''s id of the dispute that it opens or closes';
create index gateway_event_stored on gateway_event (received_at) where status = 'stored';
create index gateway_event_by_order on gateway_event (order_id);
create index gateway_event_unmatched on gateway_event (shop_id, received_at desc, event_id desc)
  where status in ('unmatched', 'ignored') and resolution is null;
create index gateway_event_by_charge on gateway_event (charge_id);
create index gateway_event_by_dispute on gateway_event (dispute_id) where dispute_id is not null;

create table refund (
  charge_id text,
  order_id text references customer_order,
  status text not null check (status in ('pending', 'confirmed', 'needs_staff')),
  created_at timestamptz not null default now(),
  confirmed_at timestamptz,
  refund_id text not null,
  tenant_id text not null references tenant,
  kind text not null check (kind in ('unaccepted', 'staff')),
  amount_minor bigint check (amount_minor >= 0),
  currency text,
  reason text,
  requested_by text,
  request_key text,
  request jsonb,
  restore_points boolean not null default false,
  restock boolean not null default false,
  key_number integer not null default 1,
  asked_since timestamptz not null default now(),
  last_error text,
  resolution text check (resolution in ('retry', 'done_elsewhere')),
  resolved_by text,
  note text,
  drive_at timestamptz not null default now() + interval '5 seconds',
  approved_by text,
  unanswered_since timestamptz,
  unpaid_since timestamptz,
  origin text not null default 'service' check (origin in ('service', 'gateway', 'dispute')),
  gateway_refund_id text,
  lines jsonb,
  given_back jsonb,
  check ((given_back is null) = (not restore_points and not restock))
);
comment on column refund.lines is 'the pieces that it is for; null where it is of an amount';
comment on column refund.given_back is 'points, coupons and goods that go back once it is confirmed, as decided with it';
comment on column refund.origin is
  'gateway: made at its desk, nobody here asked for it; dispute: lost to the payer in a dispute';
comment on column refund.gateway_refund_id is 'the gateway''s id of it; null until it is known';
comment on column refund.amount_minor is 'null until the charge of unaccepted money was read';
comment on column refund.key_number is
  'raised when the gateway rejected a request for good: it may repeat its first response to a key for ever';
comment on column refund.drive_at is
  'when the sweep next sees to it that a workflow carries out the refund, while it is pending';
comment on column refund.unanswered_since is
  'since when every call about it to the payment gateway has failed; null after one that did not';
comment on column refund.unpaid_since is 'since when the gateway has shown no money to give back';
create index refund_by_order on refund (order_id);
create index refund_pending on refund (created_at) where status = 'pending';
-- After those that share a column: of indexes that seem to cost the same, the planner takes the newest.
alter table refund add primary key (refund_id), add unique (order_id, request_key);
create unique index refund_unaccepted on refund (charge_id) where kind = 'unaccepted';
create index refund_needs_staff on refund (order_id) where status = 'needs_staff';
create index refund_by_charge on refund (charge_id);
create unique index refund_by_gateway on refund (charge_id, gateway_refund_id) where gateway_refund_id is not null;
create index refund_by_status on refund (tenant_id, status, created_at desc, refund_id desc);
-- The sweep reads the refunds that are due, not all that are open.
create index refund_to_drive on refund (drive_at) where status = 'pending';

-- Charges whose payers claim their money back through their banks; the gateway reports and decides them.
create table dispute (
  dispute_id text primary key,
  tenant_id text not null references tenant,
  order_id text not null references customer_order,
  charge_id text not null,
  amount_minor bigint not null check (amount_minor > 0),
  booked_minor bigint not null default 0 check (booked_minor between 0 and amount_minor),
  currency text not null,
  reason text not null,
  due_at timestamptz not null,
  status text not null default 'open' check (status in ('open', 'won', 'lost')),
  needs_staff boolean not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  created_at timestamptz not null default now(),
  check ((status = 'open') = (closed_at is null)),
  check (status <> 'won' or booked_minor = 0)
);
comment on column dispute.booked_minor is
  'what of the amount was left of the charge: held while it is open, given back once it is lost';
comment on column dispute.needs_staff is 'more is claimed than was left, and staff have noted nothing since';
create index dispute_by_order on dispute (order_id);
create index dispute_by_charge on dispute (charge_id);
create index dispute_by_status on dispute (tenant_id, status, opened_at desc, dispute_id desc);
create index dispute_open on dispute (order_id) where status = 'open';
create index dispute_needs_staff on dispute (order_id) where needs_staff;

-- What staff note about a dispute for each other. Never changed: who reads it later relies on it.
create table dispute_note (
  note_id uuid primary key,
  dispute_id text not null references dispute,
  author text not null,
  author_name text not null,
  body text not null,
  created_at timestamptz not null default now()
);
create index dispute_note_by_dispute on dispute_note (dispute_id, note_id desc);

-- Refunds that staff asked for and somebody else approves, or not.
create table refund_approval (
  approval_id text primary key,
  tenant_id text not null references tenant,
  kind text not null check (kind in ('order_refund', 'flag_refund', 'callback_refund')),
  order_id text references customer_order,
  event_id text references gateway_event,
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  reason text,
  restore_points boolean not null default false,
  restock boolean not null default false,
  request jsonb,
  request_key text,
  status text not null default 'waiting'
    check (status in ('waiting', 'approved', 'rejected', 'withdrawn', 'lapsed')),
  requested_by text not null,
  requested_by_name text not null,
  requested_at timestamptz not null default clock_timestamp(),
  decided_by text,
  decided_by_name text,
  decided_at timestamptz,
  decision_reason text,
  check ((kind = 'callback_refund') = (order_id is null)),
  check ((kind = 'callback_refund') = (event_id is not null)),
  check ((kind = 'order_refund') = (request_key is not null)),
  check (decided_by is distinct from requested_by or status = 'withdrawn')
);
comment on column refund_approval.request is 'what was asked for with the key';
create index refund_approval_by_order on refund_approval (order_id, requested_at);
create unique index refund_approval_by_key on refund_approval (order_id, request_key);
create index refund_approval_waiting on refund_approval (order_id) where status = 'waiting';
create unique index refund_approval_of_flags on refund_approval (order_id)
  where status = 'waiting' and kind = 'flag_refund';
create unique index refund_approval_of_callback on refund_approval (event_id) where status = 'waiting';

-- Our charges compared with the payment gateway's, by tenant and day (UTC).
create table reconciliation_day (
  tenant_id text not null references tenant,
  date date not null,
  status text not null check (status in ('running', 'done', 'failed')),
  charges integer not null default 0,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  compared_at timestamptz,
  failure text,
  primary key (tenant_id, date),
  check ((status = 'running') = (finished_at is null))
);
comment on column reconciliation_day.charges is 'how many paid charges of the gateway were compared';
comment on column reconciliation_day.compared_at is 'when it was last compared completely, whatever came after';
create index reconciliation_day_compared on reconciliation_day (tenant_id, compared_at);
-- Days that were over when they were compared: whoever lacks some has fewer than days have passed.
create index reconciliation_day_complete on reconciliation_day (tenant_id, date)
  where status = 'done' and started_at >= (date + 1)::timestamp at time zone 'UTC';

create table reconciliation_item (
  tenant_id text not null,
  date date not null,
  charge_id text not null,
  refund_id text not null default '',
  kind text not null
    check (kind in ('paid_there_only', 'paid_here_only', 'amount_differs', 'unknown_order', 'refunded_there_only')),
  order_id text,
  ours_minor bigint,
  theirs_minor bigint,
  compared_at timestamptz not null,
  primary key (tenant_id, date, charge_id, refund_id),
  foreign key (tenant_id, date) references reconciliation_day,
  check ((refund_id <> '') = (kind = 'refunded_there_only'))
);
comment on column reconciliation_item.refund_id is 'the gateway''s id of a refund; empty where the charge itself differs';
comment on column reconciliation_item.order_id is 'null if the order is unknown or another tenant''s';
create index reconciliation_item_by_date on reconciliation_item (date);

create table reconciliation_charge (
  tenant_id text not null,
  date date not null,
  charge_id text not null,
  primary key (tenant_id, date, charge_id),
  foreign key (tenant_id, date) references reconciliation_day
);
comment on table reconciliation_charge is
  'the paid charges that the gateway has listed so far; empty once a day is compared';
