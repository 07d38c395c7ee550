-- POSTs with an Idempotency-Key: which are under way, and the answers of those that came to an end, for a day.
create table idempotent_call (
  call_id text primary key,
  tenant_id text not null references tenant,
  caller text not null,
  key_hash text not null,
  request_hash text not null,
  begun_at timestamptz not null,
  alive_at timestamptz not null,
  expires_at timestamptz not null,
  answer_encrypted text,
  unique (tenant_id, caller, key_hash)
);
comment on column idempotent_call.call_id is 'another one after a call that died: only who holds it keeps an answer';
comment on column idempotent_call.caller is 'a platformUserId, or key:<id>';
comment on column idempotent_call.key_hash is 'SHA-256 of the key: callers may write anybody into it';
comment on column idempotent_call.request_hash is 'SHA-256 of method, path with query, and body';
comment on column idempotent_call.alive_at is 'when the process that answers was last known to be at it';
comment on column idempotent_call.answer_encrypted is
  'status, headers and body, which may hold a secret and contacts; null while the call is under way';
create index idempotent_call_by_end on idempotent_call (expires_at);
