create table bff.api_key (
  key_id uuid not null,
  tenant_integration_id text not null,
  platform_tenant_id text not null,
  name text not null,
  secret_hash bytea not null,
  scopes text[] not null,
  created_by text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  revoked_by text,
  service_number_ids text[],
  constraint api_key_pkey PRIMARY KEY (key_id),
  constraint api_key_check CHECK (((revoked_at IS NULL) = (revoked_by IS NULL))),
  constraint api_key_scopes_check CHECK ((cardinality(scopes) > 0)),
  constraint api_key_tenant_integration_id_fkey FOREIGN KEY (tenant_integration_id) REFERENCES bff.tenant_integration(tenant_integration_id)
);

create table bff.embed_slot (
  tenant_integration_id text not null,
  slot text not null,
  endpoint_url text not null,
  status text not null,
  registered_at timestamp with time zone,
  error text,
  changed_at timestamp with time zone not null default now(),
  constraint embed_slot_pkey PRIMARY KEY (tenant_integration_id, slot),
  constraint embed_slot_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'registered'::text, 'failed'::text]))),
  constraint embed_slot_tenant_integration_id_fkey FOREIGN KEY (tenant_integration_id) REFERENCES bff.tenant_integration(tenant_integration_id)
);

create table bff.logout_token (
  token_hash bytea not null,
  kept_until timestamp with time zone not null,
  constraint logout_token_pkey PRIMARY KEY (token_hash)
);

create table bff.nonce (
  tenant_integration_id text not null,
  nonce uuid not null,
  kept_until timestamp with time zone,
  constraint nonce_pkey PRIMARY KEY (tenant_integration_id, nonce)
);

create table bff.recurring_run (
  kind text not null,
  started_at timestamp with time zone not null,
  completed_at timestamp with time zone,
  constraint recurring_run_pkey PRIMARY KEY (kind)
);

create table bff.secret_rotation (
  tenant_integration_id text not null,
  number integer not null,
  new_secret_encrypted text not null,
  rotated_at timestamp with time zone not null,
  grace_seconds integer not null,
  expires_at timestamp with time zone not null,
  sent boolean not null default false,
  constraint secret_rotation_pkey PRIMARY KEY (tenant_integration_id),
  constraint secret_rotation_tenant_integration_id_fkey FOREIGN KEY (tenant_integration_id) REFERENCES bff.tenant_integration(tenant_integration_id)
);

create table bff.session (
  token_hash bytea not null,
  kind text not null,
  platform_tenant_id text not null,
  user_id text not null,
  name text not null,
  roles text[] not null,
  platform_token_encrypted text,
  platform_token_expires_at timestamp with time zone,
  refresh_token_encrypted text,
  renewing_until timestamp with time zone,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  session_id uuid not null default gen_random_uuid(),
  sid text,
  user_agent text,
  ended_at timestamp with time zone,
  constraint session_pkey PRIMARY KEY (token_hash),
  constraint session_kind_check CHECK ((kind = ANY (ARRAY['cookie'::text, 'bearer'::text])))
);

create table bff.tenant_integration (
  tenant_integration_id text not null,
  platform_tenant_id text not null,
  status text not null,
  secret_encrypted text,
  replaced_secret_encrypted text,
  replaced_accepted_until timestamp with time zone,
  rotated_at timestamp with time zone,
  rotation_number integer,
  webhook_url text not null,
  external_tenant_id text,
  handshake jsonb,
  revision integer not null default 1,
  lifecycle_count integer not null default 0,
  uninstall_number integer,
  uninstall_reason text,
  created_at timestamp with time zone not null default now(),
  installed_at timestamp with time zone,
  acknowledged_at timestamp with time zone,
  uninstalled_at timestamp with time zone,
  constraint tenant_integration_pkey PRIMARY KEY (tenant_integration_id),
  constraint tenant_integration_secret_check CHECK (((secret_encrypted IS NOT NULL) OR (status = 'UNINSTALLED'::text))),
  constraint tenant_integration_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'ACTIVE'::text, 'UNINSTALLED'::text])))
);

create table bff.tenant_mapping (
  platform_tenant_id text not null,
  external_tenant_id text not null,
  tenant_integration_id text not null,
  constraint tenant_mapping_pkey PRIMARY KEY (platform_tenant_id),
  constraint tenant_mapping_tenant_integration_id_fkey FOREIGN KEY (tenant_integration_id) REFERENCES bff.tenant_integration(tenant_integration_id)
);

create table bff.webhook_refusal (
  platform_tenant_id text not null,
  minute timestamp with time zone not null,
  tenant_integration_id text not null,
  reason text not null,
  code text not null,
  calls integer not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  last_bytes integer,
  last_event_id text,
  last_event_type text,
  last_detail text,
  constraint webhook_refusal_pkey PRIMARY KEY (platform_tenant_id, minute, tenant_integration_id, reason),
  constraint webhook_refusal_tenant_integration_id_fkey FOREIGN KEY (tenant_integration_id) REFERENCES bff.tenant_integration(tenant_integration_id)
);

comment on column bff.api_key.tenant_integration_id is 'the key works while this integration is active: an uninstall ends it, and another install does not bring it back';
comment on column bff.api_key.secret_hash is 'SHA-256 of 32 random bytes, which are stored nowhere';
comment on column bff.api_key.last_used_at is 'to the minute';
comment on column bff.api_key.service_number_ids is 'what the key sees; null: every service number';
comment on table bff.logout_token is 'logout tokens of the identity service that were used: each is good for once';
comment on column bff.nonce.kept_until is 'null: for ever (lifecycle calls)';
comment on table bff.recurring_run is 'when each sweep last began, and last came to its end';
comment on table bff.secret_rotation is 'a rotation under way: committed to tenant_integration, or taken back at the backend';
comment on column bff.secret_rotation.expires_at is 'after this moment it can only be taken back';
comment on column bff.session.token_hash is 'SHA-256 of the cookie, or of the platform token';
comment on column bff.session.renewing_until is 'one process asks the identity service at a time: a refresh token may be good for one use only';
comment on column bff.session.session_id is 'what people see; it gives no access';
comment on column bff.session.sid is 'the session of the identity service that the ID token named';
comment on column bff.session.ended_at is 'a platform token stays, so that nobody is signed in by it again; a browser is still sent to the identity service';
comment on column bff.tenant_integration.secret_encrypted is 'null: deleted, 7 days after the uninstall';
comment on column bff.tenant_integration.replaced_secret_encrypted is 'the directly replaced secret; accepted inbound until replaced_accepted_until, and after that for repeating the rotation';
comment on column bff.tenant_integration.handshake is 'tenant and serviceNumbers of the install call, until the backend has them';
comment on column bff.tenant_integration.revision is 'raised when an install is replaced by another call';
comment on column bff.tenant_integration.lifecycle_count is 'the last n of a workflow lifecycle:<id>:<n>';
comment on column bff.tenant_integration.acknowledged_at is 'when an install call was first answered 2xx; before that the platform takes the integration for PENDING';
comment on column bff.webhook_refusal.last_event_id is 'only if the signature held; nothing else of a body is kept';

CREATE INDEX api_key_by_integration ON bff.api_key USING btree (tenant_integration_id);
CREATE INDEX api_key_by_tenant ON bff.api_key USING btree (platform_tenant_id, key_id DESC);
CREATE INDEX logout_token_by_end ON bff.logout_token USING btree (kept_until);
CREATE INDEX nonce_by_end ON bff.nonce USING btree (kept_until) WHERE (kept_until IS NOT NULL);
CREATE INDEX session_by_end ON bff.session USING btree (expires_at);
CREATE UNIQUE INDEX session_by_id ON bff.session USING btree (session_id);
CREATE INDEX session_by_sid ON bff.session USING btree (sid) WHERE (sid IS NOT NULL);
CREATE INDEX session_by_tenant ON bff.session USING btree (platform_tenant_id, session_id);
CREATE INDEX session_by_user ON bff.session USING btree (user_id, platform_tenant_id, session_id);
CREATE INDEX tenant_integration_by_tenant ON bff.tenant_integration USING btree (platform_tenant_id, created_at DESC);
CREATE UNIQUE INDEX tenant_integration_one_active ON bff.tenant_integration USING btree (platform_tenant_id) WHERE (status = 'ACTIVE'::text);
CREATE INDEX webhook_refusal_by_minute ON bff.webhook_refusal USING btree (minute);

CREATE OR REPLACE FUNCTION bff.tell_key_end()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('session_end', encode(old.secret_hash, 'hex'));
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION bff.tell_session_end()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('session_end', encode(old.token_hash, 'hex'));
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION bff.tell_uninstall()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('uninstall', new.platform_tenant_id);
  return null;
end $function$
;

CREATE TRIGGER api_key_revoked AFTER UPDATE OF revoked_at ON bff.api_key FOR EACH ROW WHEN (((old.revoked_at IS NULL) AND (new.revoked_at IS NOT NULL))) EXECUTE FUNCTION bff.tell_key_end();
CREATE TRIGGER session_deleted AFTER DELETE ON bff.session FOR EACH ROW WHEN (((old.ended_at IS NULL) AND (old.expires_at > now()))) EXECUTE FUNCTION bff.tell_session_end();
CREATE TRIGGER session_ended AFTER UPDATE OF ended_at ON bff.session FOR EACH ROW WHEN (((old.ended_at IS NULL) AND (new.ended_at IS NOT NULL))) EXECUTE FUNCTION bff.tell_session_end();
CREATE TRIGGER uninstall_began AFTER UPDATE OF uninstall_number ON bff.tenant_integration FOR EACH ROW WHEN (((old.uninstall_number IS NULL) AND (new.uninstall_number IS NOT NULL))) EXECUTE FUNCTION bff.tell_uninstall();

grant delete, insert, select, update on table bff.api_key to bff;
grant delete, insert, select, update on table bff.embed_slot to bff;
grant delete, insert, select, update on table bff.logout_token to bff;
grant delete, insert, select, update on table bff.nonce to bff;
grant delete, insert, select, update on table bff.recurring_run to bff;
grant delete, insert, select, update on table bff.secret_rotation to bff;
grant delete, insert, select, update on table bff.session to bff;
grant delete, insert, select, update on table bff.tenant_integration to bff;
grant delete, insert, select, update on table bff.tenant_mapping to bff;
grant delete, insert, select, update on table bff.webhook_refusal to bff;

create table outreach.app_user (
  tenant_id text not null,
  platform_user_id text not null,
  name text not null,
  role text not null,
  last_sign_in_at timestamp with time zone not null,
  roles text[] not null default '{}'::text[],
  constraint app_user_pkey PRIMARY KEY (tenant_id, platform_user_id),
  constraint app_user_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES outreach.tenant(tenant_id)
);

create table outreach.audience (
  audience_id text not null,
  tenant_id text not null,
  service_number_id text not null,
  name text not null,
  type text not null,
  app_tag_ids text[] not null default '{}'::text[],
  tag_operator text,
  exclude_tag_ids text[] not null default '{}'::text[],
  member_count integer not null default 0,
  created_by text not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  collecting jsonb,
  segment jsonb,
  take jsonb,
  contents bigint not null default nextval('outreach.revision'::regclass),
  revision bigint not null default nextval('outreach.revision'::regclass),
  replaced_at timestamp with time zone,
  constraint audience_pkey PRIMARY KEY (audience_id),
  constraint audience_tag_operator_check CHECK ((tag_operator = ANY (ARRAY['AND'::text, 'OR'::text]))),
  constraint audience_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES outreach.tenant(tenant_id),
  constraint audience_type_check CHECK (((type = ANY (ARRAY['contacts'::text, 'app_tags'::text, 'segment'::text])) AND ((type = 'segment'::text) = (segment IS NOT NULL)) AND ((type <> 'contacts'::text) OR (take IS NULL))))
);

create table outreach.audience_count (
  tenant_id text not null,
  service_number_id text not null,
  definition text not null,
  counts jsonb not null,
  counted_at timestamp with time zone not null,
  constraint audience_count_pkey PRIMARY KEY (tenant_id, service_number_id, definition),
  constraint audience_count_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES outreach.tenant(tenant_id)
);

create table outreach.audience_drift (
  dispatch_id text not null,
  change text not null,
  contact_id text not null,
  reason text not null,
  constraint audience_drift_pkey PRIMARY KEY (dispatch_id, change, contact_id),
  constraint audience_drift_change_check CHECK ((change = ANY (ARRAY['added'::text, 'removed'::text])))
) partition by RANGE (dispatch_id);

create table outreach.audience_member (
  audience_id text not null,
  contact_id text not null,
  constraint audience_member_pkey PRIMARY KEY (audience_id, contact_id)
);

create table outreach.audience_replaced (
  audience_id text not null,
  contact_ids text[] not null,
  constraint audience_replaced_pkey PRIMARY KEY (audience_id),
  constraint audience_replaced_audience_id_fkey FOREIGN KEY (audience_id) REFERENCES outreach.audience(audience_id) ON DELETE CASCADE
);

create table outreach.audit_chain (
  tenant_id text not null,
  "position" bigint not null default 0,
  hash bytea not null default decode(repeat('00'::text, 32), 'hex'::text),
  removed_to bigint not null default 0,
  removed_hash bytea not null default decode(repeat('00'::text, 32), 'hex'::text),
  removed_before timestamp with time zone,
  removed_at timestamp with time zone,
  removed_as text,
  constraint audit_chain_pkey PRIMARY KEY (tenant_id),
  constraint audit_chain_removed_as_check CHECK ((removed_as = ANY (ARRAY['retention'::text, 'uninstalled'::text])))
);

create table outreach.audit_log (
  audit_id text not null,
  tenant_id text not null,
  at timestamp with time zone not null default now(),
  actor text not null,
  action text not null,
  object_type text not null,
  object_id text not null,
  before jsonb,
  after jsonb,
  request_id text,
  caller_request_id text,
  salt uuid default gen_random_uuid(),
  service_number_id text,
  constraint audit_log_pkey PRIMARY KEY (audit_id, at)
) partition by RANGE (at);

create table outreach.audit_seal (
  tenant_id text not null,
  "position" bigint not null,
  entry_id text not null,
  written_at timestamp with time zone not null,
  noted_at timestamp with time zone not null,
  erasure_id text,
  digest bytea not null,
  hash bytea not null,
  constraint audit_seal_pkey PRIMARY KEY (tenant_id, "position")
);

create table outreach.audit_unsealed (
  number bigint not null generated always as identity,
  tenant_id text not null,
  entry_id text not null,
  written_at timestamp with time zone not null,
  noted_at timestamp with time zone not null default clock_timestamp(),
  erasure_id text,
  digest bytea not null,
  constraint audit_unsealed_pkey PRIMARY KEY (number)
);

create table outreach.automation (
  automation_id text not null,
  tenant_id text not null,
  trigger jsonb not null,
  event text not null generated always as ((trigger ->> 'event'::text)) stored,
  filter jsonb,
  delay_minutes integer not null,
  steps jsonb not null,
  entry jsonb not null,
  quiet_hours jsonb,
  max_per_day integer,
  exit_on jsonb,
  restored boolean not null default false,
  end_reason text,
  activated_at timestamp with time zone,
  started_by text,
  updated_at timestamp with time zone not null,
  revision bigint not null default nextval('outreach.revision'::regclass),
  next_look_at timestamp with time zone,
  constraint automation_pkey PRIMARY KEY (automation_id),
  constraint automation_automation_id_fkey FOREIGN KEY (automation_id) REFERENCES outreach.campaign(campaign_id) ON DELETE CASCADE,
  constraint automation_end_reason_check CHECK ((end_reason = ANY (ARRAY['operator'::text, 'ends_at'::text]))),
  constraint automation_max_per_day_check CHECK ((max_per_day > 0)),
  constraint automation_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES outreach.tenant(tenant_id)
);

create table outreach.automation_entry (
  entry_id text not null default (gen_random_uuid())::text,
  tenant_id text not null,
  automation_id text not null,
  contact_id text not null,
  cause_key text not null,
  cause jsonb not null,
  caused_at timestamp with time zone not null,
  entered_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  status text not null default 'waiting'::text,
  reason text,
  constraint automation_entry_pkey PRIMARY KEY (entry_id),
  constraint automation_entry_automation_id_contact_id_cause_key_key UNIQUE (automation_id, contact_id, cause_key),
  constraint automation_entry_automation_id_fkey FOREIGN KEY (automation_id) REFERENCES outreach.automation(automation_id) ON DELETE CASCADE,
  constraint automation_entry_check CHECK (((reason IS NOT NULL) = (status = 'skipped'::text))),
  constraint automation_entry_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'sent'::text, 'skipped'::text, 'unknown'::text]))),
  constraint automation_entry_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES outreach.tenant(tenant_id)
);

create table outreach.automation_member (
  automation_id text not null,
  contact_id text not null,
  tenant_id text not null,
  constraint automation_member_pkey PRIMARY KEY (automation_id, contact_id),
  constraint automation_member_automation_id_fkey FOREIGN KEY (automation_id) REFERENCES outreach.automation(automation_id) ON DELETE CASCADE
);

create table outreach.automation_step (
  entry_id text not null,
  step smallint not null,
  tenant_id text not null,
  automation_id text not null,
  contact_id text not null,
  status text not null default 'waiting'::text,
  reason text,
  due_at timestamp with time zone not null,
  claimed_at timestamp with time zone,
  sent_at timestamp with time zone,
  sub_task_key text,
  constraint automation_step_pkey PRIMARY KEY (entry_id, step),
  constraint automation_step_check CHECK (((reason IS NOT NULL) = (status = 'skipped'::text))),
  constraint automation_step_check1 CHECK (((sub_task_key IS NULL) = (claimed_at IS NULL))),
  constraint automation_step_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES outreach.automation_entry(entry_id) ON DELETE CASCADE,
  constraint automation_step_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'sent'::text, 'skipped'::text, 'unknown'::text]))),
  constraint automation_step_step_check CHECK (((step >= 0) AND (step <= 4))),
  constraint automation_step_sub_task_key_fkey FOREIGN KEY (sub_task_key) REFERENCES outreach.broadcast_task(key)
);

create table outreach.automation_step_sum (
  automation_id text not null,
  step smallint not null,
  status text not null,
  tenant_id text not null,
  entries bigint not null,
  constraint automation_step_sum_pkey PRIMARY KEY (automation_id, step, status),
  constraint automation_step_sum_automation_id_fkey FOREIGN KEY (automation_id) REFERENCES outreach.automation(automation_id) ON DELETE CASCADE
);

create table outreach.automation_sum (
  automation_id text not null,
  day date not null,
  status text not null,
  reason text not null,
  tenant_id text not null,
  entries bigint not null,
  constraint automation_sum_pkey PRIMARY KEY (automation_id, day, status, reason),
  constraint automation_sum_automation_id_fkey FOREIGN KEY (automation_id) REFERENCES outreach.automation(automation_id) ON DELETE CASCADE
);

create table outreach.broadcast_task (
  key text not null,
  tenant_id text not null,
  campaign_id text not null,
  dispatch_id text not null,
  chunk integer not null,
  task_id text,
  status text not null,
  contact_count integer not null,
  recipient_count integer,
  estimated_recipient_count integer,
  sent integer,
  delivered integer,
  failed integer,
  read integer,
  attempts integer not null default 0,
  claimed_at timestamp with time zone,
  submitting_since timestamp with time zone,
  submitting_by text,
  next_attempt_at timestamp with time zone,
  submitted_at timestamp with time zone,
  next_poll_at timestamp with time zone,
  poll_interval_ms integer,
  poll_until timestamp with time zone,
  error_code text,
  error_message text,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  superseded_by text,
  created_at timestamp with time zone not null default now(),
  status_assumed boolean not null default false,
  not_found_since timestamp with time zone,
  withheld_from text,
  withdrawn_for text,
  reached boolean not null default false,
  failing_since timestamp with time zone,
  failing_with text,
  reported_at timestamp with time zone,
  arm smallint,
  variant smallint,
  polls integer not null default 0,
  delivered_since timestamp with time zone,
  message_case smallint,
  constraint broadcast_task_pkey PRIMARY KEY (key),
  constraint broadcast_task_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES outreach.campaign(campaign_id),
  constraint broadcast_task_contact_count_check CHECK (((contact_count >= 1) AND (contact_count <= 1000))),
  constraint broadcast_task_dispatch_id_chunk_key UNIQUE (dispatch_id, chunk),
  constraint broadcast_task_dispatch_id_fkey FOREIGN KEY (dispatch_id) REFERENCES outreach.dispatch(dispatch_id),
  constraint broadcast_task_failing_check CHECK ((((failing_since IS NULL) = (failing_with IS NULL)) AND (failing_with = ANY (ARRAY['no_response'::text, 'error'::text, 'unauthorized'::text])))),
  constraint broadcast_task_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'submitting'::text, 'unknown'::text, 'rejected'::text, 'scheduled'::text, 'sending'::text, 'completed'::text, 'cancelled'::text, 'failed'::text]))),
  constraint broadcast_task_superseded_by_fkey FOREIGN KEY (superseded_by) REFERENCES outreach.dispatch(dispatch_id),
  constraint broadcast_task_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES outreach.tenant(tenant_id),
  constraint broadcast_task_withdrawn_for_fkey FOREIGN KEY (withdrawn_for) REFERENCES outreach.campaign_edit(edit_id),
  constraint broadcast_task_withheld_from_fkey FOREIGN KEY (withheld_from) REFERENCES outreach.broadcast_task(key)
);

create table outreach.broadcast_task_past (
  tenant_id text not null,
  dispatch_id text not null,
  chunk integer not null,
  campaign_id text not null,
  finished_at timestamp with time zone,
  since timestamp with time zone,
  until timestamp with time zone not null,
  constraint broadcast_task_past_pkey PRIMARY KEY (dispatch_id, chunk, until),
  constraint broadcast_task_past_dispatch_id_fkey FOREIGN KEY (dispatch_id) REFERENCES outreach.dispatch(dispatch_id) ON DELETE CASCADE
);

create table outreach.button_clicks (
  tenant_id text not null,
  campaign_id text not null,
  message_index integer not null,
  action_index integer not null,
  clicks integer not null,
  contacts integer not null,
  constraint button_clicks_pkey PRIMARY KEY (tenant_id, campaign_id, message_index, action_index)
);

create table outreach.campaign (
  campaign_id text not null,
  tenant_id text not null,
  service_number_id text not null,
  name text not null,
  note text,
  channels text[] not null,
  messages jsonb,
  audience jsonb not null,
  schedule jsonb not null,
  ends_at timestamp with time zone,
  status text not null,
  pause_reason text,
  cancel_requested boolean not null default false,
  source_id text,
  revision bigint not null default nextval('outreach.revision'::regclass),
  dispatches integer not null default 0,
  created_by text not null,
  edited_by text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  sent_at timestamp with time zone,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  closed_at timestamp with time zone,
  cancelled_at timestamp with time zone,
  cancel_outcome text,
  sent_twice integer not null default 0,
  sent_twice_at timestamp with time zone,
  ended_by_uninstall boolean not null default false,
  holdout_percent integer,
  pace jsonb,
  next_claim_at timestamp with time zone,
  revenue_window_days integer,
  template_id text,
  template_version integer,
  variants jsonb,
  steps jsonb,
  utm jsonb,
  sent_name text,
  first_claimed_at timestamp with time zone,
  labels text[] not null default '{}'::text[],
  automation boolean not null default false,
  messages_by jsonb,
  constraint campaign_pkey PRIMARY KEY (campaign_id),
  constraint campaign_cancel_outcome_check CHECK ((cancel_outcome = ANY (ARRAY['cancelled'::text, 'partly'::text, 'too_late'::text]))),
  constraint campaign_check CHECK (((status = 'paused'::text) = (pause_reason IS NOT NULL))),
  constraint campaign_holdout_percent_check CHECK (((holdout_percent >= 1) AND (holdout_percent <= 50))),
  constraint campaign_messages_check CHECK (((messages IS NULL) <> (messages_by IS NULL))) NOT VALID,
  constraint campaign_pause_reason_check CHECK ((pause_reason = ANY (ARRAY['operator'::text, 'unauthorized'::text, 'late'::text, 'approval'::text, 'deadline'::text]))),
  constraint campaign_revenue_window_days_check CHECK (((revenue_window_days >= 1) AND (revenue_window_days <= 30))),
  constraint campaign_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'scheduled'::text, 'sending'::text, 'paused'::text, 'completed'::text, 'partially_failed'::text, 'failed'::text, 'cancelled'::text, 'closed'::text]))),
  constraint campaign_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES outreach.tenant(tenant_id)
);

create table outreach.campaign_clicks (
  tenant_id text not null,
  campaign_id text not null,
  clicks integer not null,
  contacts integer not null,
  constraint campaign_clicks_pkey PRIMARY KEY (tenant_id, campaign_id)
);

create table outreach.campaign_edit (
  edit_id text not null,
  tenant_id text not null,
  campaign_id text not null,
  patch jsonb not null,
  requested_by text not null,
  request_id text,
  requested_at timestamp with time zone not null,
  outcome text,
  settled_at timestamp with time zone,
  constraint campaign_edit_pkey PRIMARY KEY (edit_id),
  constraint campaign_edit_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES outreach.campaign(campaign_id),
  constraint campaign_edit_check CHECK (((outcome IS NULL) = (settled_at IS NULL))),
  constraint campaign_edit_outcome_check CHECK ((outcome = ANY (ARRAY['made'::text, 'too_late'::text, 'dropped'::text]))),
  constraint campaign_edit_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES outreach.tenant(tenant_id)
);

create table outreach.campaign_repeat (
  repeat_id text not null,
  tenant_id text not null,
  service_number_id text not null,
  campaign_id text,
  name text not null,
  calendar jsonb not null,
  zone text not null,
  until timestamp with time zone,
  max_runs integer,
  skip_reached boolean not null,
  status text not null,
  end_reason text,
  pause_reason text,
  next_at timestamp with time zone,
  next_local_time text,
  runs integer not null default 0,
  sends integer not null default 0,
  schedule_stale boolean not null default true,
  started_by text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  revision bigint not null default nextval('outreach.revision'::regclass),
  constraint campaign_repeat_pkey PRIMARY KEY (repeat_id),
  constraint campaign_repeat_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES outreach.campaign(campaign_id) ON DELETE SET NULL,
  constraint campaign_repeat_check CHECK (((end_reason IS NOT NULL) = (status = 'ended'::text))),
  constraint campaign_repeat_check1 CHECK (((next_at IS NOT NULL) = (status = 'active'::text))),
  constraint campaign_repeat_check2 CHECK (((next_local_time IS NULL) = (next_at IS NULL))),
  constraint campaign_repeat_check3 CHECK (((pause_reason IS NOT NULL) = (status = 'paused'::text))),
  constraint campaign_repeat_pause_reason_check CHECK ((pause_reason = ANY (ARRAY['operator'::text, 'restored'::text]))),
  constraint campaign_repeat_status_check CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'ended'::text])))
);

create table outreach.campaign_revenue (
  tenant_id text not null,
  campaign_id text not null,
  message_index smallint not null,
  action_index smallint not null,
  currency text not null,
  orders integer not null,
  paid_minor bigint not null,
  refunded_minor bigint not null,
  compared_at timestamp with time zone not null default now(),
  constraint campaign_revenue_pkey PRIMARY KEY (tenant_id, campaign_id, message_index, action_index, currency)
);

create table outreach.campaign_step (
  campaign_id text not null,
  "position" smallint not null,
  tenant_id text not null,
  state text not null,
  reason text,
  next_look_at timestamp with time zone,
  due_at timestamp with time zone,
  decided_at timestamp with time zone,
  step_campaign_id text,
  pause_reason text,
  constraint campaign_step_pkey PRIMARY KEY (campaign_id, "position"),
  constraint campaign_step_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES outreach.campaign(campaign_id) ON DELETE CASCADE,
  constraint campaign_step_check CHECK (((reason IS NOT NULL) = (state = ANY (ARRAY['skipped'::text, 'cancelled'::text])))),
  constraint campaign_step_check1 CHECK (((next_look_at IS NULL) OR (state = 'waiting'::text))),
  constraint campaign_step_check2 CHECK (((decided_at IS NULL) = (state = 'waiting'::text))),
  constraint campaign_step_pause_reason_check CHECK ((pause_reason = 'restored'::text)),
  constraint campaign_step_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'approval'::text, 'skipped'::text, 'cancelled'::text]))),
  constraint campaign_step_step_campaign_id_fkey FOREIGN KEY (step_campaign_id) REFERENCES outreach.campaign(campaign_id) ON DELETE SET NULL,
  constraint campaign_step_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES outreach.tenant(tenant_id)
);

create table outreach.campaign_transition (
  transition_id bigint not null generated always as identity,
  tenant_id text not null,
  campaign_id text not null,
  at timestamp with time zone not null default now(),
  from_status text not null,
  to_status text not null,
  pause_reason text,
  constraint campaign_transition_pkey PRIMARY KEY (transition_id),
  constraint campaign_transition_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES outreach.campaign(campaign_id) ON DELETE CASCADE
);

create table outreach.click_attribution (
  tenant_id text not null,
  task_id text not null,
  contact_id text not null,
  notice_id text not null,
  action_index integer not null,
  message_index integer,
  campaign_id text not null,
  biz_event_code text,
  event_id text not null,
  clicked_at timestamp with time zone not null,
  repeats integer not null default 0,
  arm smallint,
  contact_ordinal integer,
  stored_at timestamp with time zone,
  message_case smallint,
  constraint click_attribution_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES outreach.campaign(campaign_id),
  constraint click_attribution_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES outreach.tenant(tenant_id)
) partition by RANGE (clicked_at);

create table outreach.click_hour (
  tenant_id text not null,
  campaign_id text not null,
  at timestamp with time zone not null,
  clicks integer not null,
  repeats integer not null,
  constraint click_hour_pkey PRIMARY KEY (tenant_id, campaign_id, at)
);

create table outreach.click_quarter (
  tenant_id text not null,
  at timestamp with time zone not null,
  service_number_id text not null,
  clicks integer not null,
  constraint click_quarter_pkey PRIMARY KEY (tenant_id, at, service_number_id)
);

create table outreach.clicked_day (
  tenant_id text not null,
  service_number_id text not null,
  day date not null,
  former_day date not null,
  contacts integer not null,
  constraint clicked_day_pkey PRIMARY KEY (tenant_id, service_number_id, day, former_day)
);

create table outreach.clicked_hour (
  tenant_id text not null,
  service_number_id text not null,
  day date not null,
  is_first boolean not null,
  hour smallint not null,
  nearest_day date not null,
  contacts integer not null,
  constraint clicked_hour_pkey PRIMARY KEY (tenant_id, service_number_id, day, is_first, hour, nearest_day)
);

create table outreach.clicker_tagging (
  tagging_id text not null,
  tenant_id text not null,
  tag_id text not null,
  campaign_id text not null,
  service_number_id text not null,
  filter jsonb not null,
  after_click text,
  assigned_by text not null,
  updated_at timestamp with time zone not null,
  who text not null default 'clicked'::text,
  after_task jsonb,
  constraint clicker_tagging_pkey PRIMARY KEY (tagging_id),
  constraint clicker_tagging_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES outreach.tag(tag_id),
  constraint clicker_tagging_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES outreach.tenant(tenant_id)
);

create table outreach.contact_event (
  tenant_id text not null,
  service_number_id text not null,
  contact_id text not null,
  event_id text not null,
  event_type text not null,
  occurred_at timestamp with time zone not null,
  constraint contact_event_pkey PRIMARY KEY (tenant_id, service_number_id, contact_id, event_id, occurred_at)
) partition by RANGE (occurred_at);

create table outreach.contact_profile (
  tenant_id text not null,
  service_number_id text not null,
  contact_id text not null,
  display_name text,
  channel text,
  language text,
  region text,
  attributes jsonb not null default '{}'::jsonb,
  follow_state text not null,
  unsubscribed boolean not null default false,
  entered_at timestamp with time zone,
  last_event_at timestamp with time zone not null,
  updated_at timestamp with time zone not null default now(),
  field_times jsonb not null default '{}'::jsonb,
  ordinal integer not null default nextval('outreach.contact_ordinal'::regclass),
  changed_at timestamp with time zone,
  constraint contact_profile_pkey PRIMARY KEY (tenant_id, service_number_id, contact_id) INCLUDE (follow_state, unsubscribed),
  constraint contact_profile_follow_state_check CHECK ((follow_state = ANY (ARRAY['following'::text, 'unfollowed'::text]))),
  constraint contact_profile_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES outreach.tenant(tenant_id)
);

create table outreach.contact_profile_past (
  tenant_id text not null,
  service_number_id text not null,
  contact_id text not null,
  channel text,
  language text,
  region text,
  attributes jsonb not null,
  follow_state text not null,
  unsubscribed boolean not null,
  entered_at timestamp with time zone,
  since timestamp with time zone,
  until timestamp with time zone not null,
  constraint contact_profile_past_pkey PRIMARY KEY (tenant_id, service_number_id, contact_id, until)
) partition by RANGE (until);

create table outreach.contact_revenue_entry (
  tenant_id text not null,
  movement text not null,
  service_number_id text not null,
  contact_id text not null,
  order_id text not null,
  kind text not null,
  amount_minor bigint not null,
  currency text not null,
  at timestamp with time zone not null,
  constraint contact_revenue_entry_pkey PRIMARY KEY (tenant_id, movement),
  constraint contact_revenue_entry_check CHECK ((((amount_minor > 0) = (kind = 'payment'::text)) AND (amount_minor <> 0))),
  constraint contact_revenue_entry_kind_check CHECK ((kind = ANY (ARRAY['payment'::text, 'refund'::text])))
);

create table outreach.conversation (
  tenant_id text not null,
  session_id text not null,
  campaign_id text,
  source_id text,
  service_number_id text,
  contact_id text not null,
  channel text,
  opened_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  duration_seconds double precision,
  message_count integer,
  contact_ordinal integer,
  stored_at timestamp with time zone,
  constraint conversation_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES outreach.campaign(campaign_id),
  constraint conversation_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES outreach.tenant(tenant_id)
) partition by RANGE (opened_at);

create table outreach.conversation_hour (
  tenant_id text not null,
  campaign_id text not null,
  at timestamp with time zone not null,
  opened integer not null,
  closed integer not null,
  constraint conversation_hour_pkey PRIMARY KEY (tenant_id, campaign_id, at)
);

create table outreach.conversion_hour (
  tenant_id text not null,
  campaign_id text not null,
  tag_id text not null,
  at timestamp with time zone not null,
  contacts integer not null,
  constraint conversion_hour_pkey PRIMARY KEY (tenant_id, campaign_id, tag_id, at)
);

create table outreach.copywriting (
  copywriting_id text not null,
  tenant_id text not null,
  requested_by text not null,
  brief text not null,
  status text not null default 'pending'::text,
  drafts text,
  failure text,
  error text,
  created_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  constraint copywriting_pkey PRIMARY KEY (copywriting_id),
  constraint copywriting_check CHECK (((status = 'written'::text) = (drafts IS NOT NULL))),
  constraint copywriting_failure_check CHECK ((failure = ANY (ARRAY['refused'::text, 'misconfigured'::text, 'failed'::text]))),
  constraint copywriting_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'written'::text, 'failed'::text]))),
  constraint copywriting_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES outreach.tenant(tenant_id)
);

create table outreach.database_place (
  only_row boolean not null default true,
  system_identifier text not null,
  database_oid oid not null,
  taken_at timestamp with time zone not null default now(),
  taken_by text not null,
  constraint database_place_pkey PRIMARY KEY (only_row),
  constraint database_place_only_row_check CHECK (only_row)
);

create table outreach.delivery (
  delivery_id uuid not null,
  event_id uuid not null,
  tenant_id text not null,
  stream text not null,
  "position" bigint not null generated always as identity,
  status text not null default 'pending'::text,
  attempts integer not null default 0,
  last_status integer,
  last_error text,
  next_attempt_at timestamp with time zone,
  trying_since timestamp with time zone,
  leased_until timestamp with time zone,
  settled_at timestamp with time zone,
  created_at timestamp with time zone not null default clock_timestamp(),
  endpoint_id uuid not null,
  constraint delivery_pkey PRIMARY KEY (delivery_id),
  constraint delivery_check CHECK (((status = 'pending'::text) OR ((next_attempt_at IS NULL) AND (settled_at IS NOT NULL)))),
  constraint delivery_event_id_fkey FOREIGN KEY (event_id) REFERENCES outreach.outgoing_event(event_id),
  constraint delivery_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
);

create table outreach.dispatch (
  dispatch_id text not null,
  tenant_id text not null,
  campaign_id text not null,
  number integer not null,
  retry_of text,
  idempotency_key text,
  scheduled_at timestamp with time zone,
  late_at timestamp with time zone,
  audience_count integer not null,
  audience_hash text not null,
  excluded jsonb not null,
  created_by text not null,
  created_at timestamp with time zone not null default now(),
  source jsonb,
  frozen_count integer not null default 0,
  frozen_excluded jsonb not null default '{"expiredTags": 0, "unreachable": 0, "unsubscribed": 0}'::jsonb,
  frozen_through text,
  frozen_at timestamp with time zone,
  freeze_at timestamp with time zone not null default now(),
  recipients_deleted_at timestamp with time zone,
  control_count integer not null default 0,
  sub_task_size integer not null default 1000,
  deadline_over_at timestamp with time zone,
  arm_counts integer[],
  left_out_count integer not null default 0,
  take_bound bytea,
  skipped_by_case integer not null default 0,
  constraint dispatch_pkey PRIMARY KEY (dispatch_id),
  constraint dispatch_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES outreach.campaign(campaign_id),
  constraint dispatch_campaign_id_number_key UNIQUE (campaign_id, number),
  constraint dispatch_retry_of_fkey FOREIGN KEY (retry_of) REFERENCES outreach.dispatch(dispatch_id),
  constraint dispatch_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES outreach.tenant(tenant_id)
);

create table outreach.dispatch_chunk (
  dispatch_id text not null,
  chunk integer not null,
  contact_ids text[] not null,
  contact_count integer generated always as (cardinality(contact_ids)) stored,
  first_id text generated always as (contact_ids[1]) stored,
  last_id text generated always as (contact_ids[cardinality(contact_ids)]) stored,
  constraint dispatch_chunk_pkey PRIMARY KEY (dispatch_id, chunk),
  constraint dispatch_chunk_contact_ids_check CHECK ((cardinality(contact_ids) > 0))
) partition by RANGE (dispatch_id);

create table outreach.dispatch_control (
  dispatch_id text not null,
  part integer not null,
  contact_ids text[] not null,
  contact_count integer generated always as (cardinality(contact_ids)) stored,
  first_id text generated always as (contact_ids[1]) stored,
  last_id text generated always as (contact_ids[cardinality(contact_ids)]) stored,
  constraint dispatch_control_pkey PRIMARY KEY (dispatch_id, part),
  constraint dispatch_control_contact_ids_check CHECK ((cardinality(contact_ids) > 0))
) partition by RANGE (dispatch_id);

create table outreach.dispatch_reach (
  dispatch_id text not null,
  tenant_id text not null,
  campaign_id text not null,
  service_number_id text not null,
  due_at timestamp with time zone not null,
  built_at timestamp with time zone,
  first_finished_at timestamp with time zone,
  last_finished_at timestamp with time zone,
  constraint dispatch_reach_pkey PRIMARY KEY (dispatch_id),
  constraint dispatch_reach_dispatch_id_fkey FOREIGN KEY (dispatch_id) REFERENCES outreach.dispatch(dispatch_id) ON DELETE CASCADE,
  constraint dispatch_reach_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES outreach.tenant(tenant_id)
);

create table outreach.dry_run (
  dry_run_id text not null,
  tenant_id text not null,
  campaign_id text not null,
  source jsonb not null,
  audience_count integer not null,
  audience_hash text not null,
  created_by text not null,
  created_at timestamp with time zone not null,
  forecast jsonb,
  constraint dry_run_pkey PRIMARY KEY (dry_run_id),
  constraint dry_run_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES outreach.campaign(campaign_id) ON DELETE CASCADE,
  constraint dry_run_campaign_id_key UNIQUE (campaign_id),
  constraint dry_run_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES outreach.tenant(tenant_id)
);

create table outreach.dry_run_part (
  dry_run_id text not null,
  class text not null,
  part integer not null,
  contact_ids text[] not null,
  first_id text not null,
  last_id text not null,
  constraint dry_run_part_pkey PRIMARY KEY (dry_run_id, class, part),
  constraint dry_run_part_dry_run_id_fkey FOREIGN KEY (dry_run_id) REFERENCES outreach.dry_run(dry_run_id) ON DELETE CASCADE
);

create table outreach.ending_workflow (
  campaign_id text not null,
  kind text not null,
  number integer not null default 0,
  constraint ending_workflow_pkey PRIMARY KEY (campaign_id, kind, number),
  constraint ending_workflow_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES outreach.campaign(campaign_id),
  constraint ending_workflow_kind_check CHECK ((kind = ANY (ARRAY['dispatch'::text, 'poll'::text, 'close'::text, 'sources'::text, 'variants'::text, 'steps'::text])))
);

create table outreach.entry_source (
  tenant_id text not null,
  source_id text not null,
  campaign_id text not null,
  wanted integer not null default 0,
  told integer not null default 0,
  ended_at timestamp with time zone,
  error_code text,
  error_message text,
  error_call text,
  error_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint entry_source_pkey PRIMARY KEY (tenant_id, source_id),
  constraint entry_source_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES outreach.campaign(campaign_id),
  constraint entry_source_error_call_check CHECK ((error_call = ANY (ARRAY['update'::text, 'end'::text]))),
  constraint entry_source_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES outreach.tenant(tenant_id)
);

create table outreach.erased_contact (
  erasure_id text not null,
  tenant_id text not null,
  id_hash text not null,
  requested_at timestamp with time zone not null,
  erased_at timestamp with time zone,
  finished_at timestamp with time zone,
  contact_encrypted text,
  pseudonym text,
  constraint erased_contact_pkey PRIMARY KEY (erasure_id),
  constraint erased_contact_check CHECK ((((finished_at IS NULL) = (contact_encrypted IS NOT NULL)) AND ((finished_at IS NULL) = (pseudonym IS NOT NULL)))),
  constraint erased_contact_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES outreach.tenant(tenant_id)
);

create table outreach.erasure_key (
  tenant_id text not null,
  secret_encrypted text not null,
  constraint erasure_key_pkey PRIMARY KEY (tenant_id),
  constraint erasure_key_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES outreach.tenant(tenant_id)
);

create table outreach.event_code_clicks (
  tenant_id text not null,
  campaign_id text not null,
  biz_event_code text not null,
  clicks integer not null,
  contacts integer not null,
  constraint event_code_clicks_pkey PRIMARY KEY (tenant_id, campaign_id, biz_event_code)
);

create table outreach.event_inbox (
  tenant_integration_id text not null,
  event_id text not null,
  tenant_id text not null,
  event_type text not null,
  service_number_id text,
  partition integer not null,
  payload text not null,
  occurred_at timestamp with time zone not null,
  received_at timestamp with time zone not null default now(),
  status text not null default 'stored'::text,
  next_attempt_at timestamp with time zone not null default now(),
  waiting_for text,
  error text,
  processed_at timestamp with time zone,
  kind text generated always as (
CASE status
    WHEN 'stored'::text THEN split_part(waiting_for, ':'::text, 1)
    WHEN 'failed'::text THEN "left"(regexp_replace(error, '^(There was no \w+):.*( within [^:]*)$'::text, '\1\2'::text), 400)
    ELSE NULL::text
END) stored,
  attempts integer not null default 0,
  contact_id text,
  campaign_id text,
  trace_parent text,
  constraint event_inbox_status_check CHECK ((status = ANY (ARRAY['stored'::text, 'processed'::text, 'failed'::text, 'dismissed'::text]))),
  constraint event_inbox_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES outreach.tenant(tenant_id),
  constraint event_inbox_tenant_integration_id_fkey FOREIGN KEY (tenant_integration_id) REFERENCES outreach.tenant_integration(tenant_integration_id)
) partition by RANGE (received_at);

create table outreach.event_reader (
  tenant_id text not null,
  since timestamp with time zone not null default now(),
  constraint event_reader_pkey PRIMARY KEY (tenant_id),
  constraint event_reader_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES outreach.tenant(tenant_id)
);

create table outreach.holdout_key (
  campaign_id text not null,
  inner_block bytea not null,
  outer_block bytea not null,
  constraint holdout_key_pkey PRIMARY KEY (campaign_id),
  constraint holdout_key_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES outreach.campaign(campaign_id) ON DELETE CASCADE
);

create table outreach.idempotent_call (
  call_id text not null,
  tenant_id text not null,
  caller text not null,
  key_hash text not null,
  request_hash text not null,
  begun_at timestamp with time zone not null,
  alive_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  answer_encrypted text,
  constraint idempotent_call_pkey PRIMARY KEY (call_id),
  constraint idempotent_call_tenant_id_caller_key_hash_key UNIQUE (tenant_id, caller, key_hash),
  constraint idempotent_call_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES outreach.tenant(tenant_id)
);

create table outreach.inbox_lease (
  partition integer not null,
  holder text not null,
  state text not null,
  expires_at timestamp with time zone not null,
  constraint inbox_lease_pkey PRIMARY KEY (partition),
  constraint inbox_lease_state_check CHECK ((state = ANY (ARRAY['draining'::text, 'closing'::text, 'free'::text])))
);

create table outreach.no_response_scan (
  rule_id text not null,
  version integer not null,
  task_key text not null,
  scanned_at timestamp with time zone not null,
  constraint no_response_scan_pkey PRIMARY KEY (rule_id, version, task_key),
  constraint no_response_scan_rule_id_fkey FOREIGN KEY (rule_id) REFERENCES outreach.smart_tag_rule(rule_id),
  constraint no_response_scan_task_key_fkey FOREIGN KEY (task_key) REFERENCES outreach.broadcast_task(key)
);

create table outreach.notice_reader (
  tenant_id text not null,
  user_id text not null,
  muted text[] not null default '{}'::text[],
  read_until timestamp with time zone,
  read_at timestamp with time zone,
  constraint notice_reader_pkey PRIMARY KEY (tenant_id, user_id),
  constraint notice_reader_check CHECK (((read_until IS NULL) = (read_at IS NULL))),
  constraint notice_reader_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES outreach.tenant(tenant_id)
);

create table outreach.outbound_call (
  call_id uuid not null,
  tenant_integration_id text not null,
  started_at timestamp with time zone not null,
  constraint outbound_call_pkey PRIMARY KEY (call_id)
);

create table outreach.outgoing_event (
  event_id uuid not null,
  tenant_id text not null,
  type text not null,
  data jsonb not null,
  batch_key text,
  contacts integer,
  created_at timestamp with time zone not null default clock_timestamp(),
  "position" bigint,
  constraint outgoing_event_pkey PRIMARY KEY (event_id),
  constraint outgoing_event_check CHECK (((batch_key IS NULL) = (contacts IS NULL))),
  constraint outgoing_event_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES outreach.tenant(tenant_id)
);

create table outreach.outgoing_event_part (
  event_id uuid not null,
  part integer not null,
  tenant_id text not null,
  contact_ids text[] not null,
  items jsonb not null,
  constraint outgoing_event_part_pkey PRIMARY KEY (event_id, part),
  constraint outgoing_event_part_event_id_fkey FOREIGN KEY (event_id) REFERENCES outreach.outgoing_event(event_id) ON DELETE CASCADE
);

create table outreach.outgoing_sent (
  dispatch_id text not null,
  tenant_id text not null,
  constraint outgoing_sent_pkey PRIMARY KEY (dispatch_id),
  constraint outgoing_sent_dispatch_id_fkey FOREIGN KEY (dispatch_id) REFERENCES outreach.dispatch(dispatch_id) ON DELETE CASCADE
);

create table outreach.platform_pace (
  tenant_integration_id text not null,
  paused_until timestamp with time zone,
  next_call_at timestamp with time zone,
  constraint platform_pace_pkey PRIMARY KEY (tenant_integration_id),
  constraint platform_pace_tenant_integration_id_fkey FOREIGN KEY (tenant_integration_id) REFERENCES outreach.tenant_integration(tenant_integration_id) ON DELETE CASCADE
);

create table outreach.reach_block (
  dispatch_id text not null,
  block integer not null,
  contacts bit(4096) not null,
  constraint reach_block_pkey PRIMARY KEY (dispatch_id, block),
  constraint reach_block_dispatch_id_fkey FOREIGN KEY (dispatch_id) REFERENCES outreach.dispatch_reach(dispatch_id) ON DELETE CASCADE
);

create table outreach.recurring_run (
  kind text not null,
  started_at timestamp with time zone not null,
  completed_at timestamp with time zone,
  constraint recurring_run_pkey PRIMARY KEY (kind)
);

create table outreach.removed_assignment (
  tag_id text not null,
  contact_id text not null,
  rule_id text not null,
  cause text not null,
  removed_at timestamp with time zone not null,
  constraint removed_assignment_pkey PRIMARY KEY (tag_id, contact_id, rule_id, cause),
  constraint removed_assignment_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES outreach.tag(tag_id)
);

create table outreach.repeat_run (
  repeat_id text not null,
  local_time text not null,
  number integer not null,
  due_at timestamp with time zone not null,
  ran_at timestamp with time zone not null,
  outcome text not null,
  reason text,
  campaign_id text,
  left_out integer not null default 0,
  constraint repeat_run_pkey PRIMARY KEY (repeat_id, local_time),
  constraint repeat_run_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES outreach.campaign(campaign_id) ON DELETE SET NULL,
  constraint repeat_run_outcome_check CHECK ((outcome = ANY (ARRAY['sent'::text, 'approval'::text, 'missed'::text, 'overlap'::text, 'refused'::text]))),
  constraint repeat_run_repeat_id_fkey FOREIGN KEY (repeat_id) REFERENCES outreach.campaign_repeat(repeat_id) ON DELETE CASCADE,
  constraint repeat_run_repeat_id_number_key UNIQUE (repeat_id, number)
);

create table outreach.revenue_difference (
  tenant_id text not null,
  campaign_id text not null,
  currency text not null,
  ours_minor bigint not null,
  theirs_minor bigint not null,
  since timestamp with time zone not null,
  constraint revenue_difference_pkey PRIMARY KEY (tenant_id, campaign_id, currency)
);

create table outreach.revenue_entry (
  tenant_id text not null,
  movement text not null,
  campaign_id text not null,
  order_id text not null,
  kind text not null,
  amount_minor bigint not null,
  currency text not null,
  at timestamp with time zone not null,
  sub_task_key text not null,
  message_index smallint not null,
  action_index smallint not null,
  constraint revenue_entry_pkey PRIMARY KEY (tenant_id, movement),
  constraint revenue_entry_check CHECK ((((amount_minor > 0) = (kind = 'payment'::text)) AND (amount_minor <> 0))),
  constraint revenue_entry_kind_check CHECK ((kind = ANY (ARRAY['payment'::text, 'refund'::text])))
);

create table outreach.revenue_position (
  singleton boolean not null default true,
  "position" bigint not null default 0,
  compared_at timestamp with time zone not null default now(),
  compared_through bigint not null default 0,
  comparing jsonb,
  compared_all_at timestamp with time zone,
  constraint revenue_position_pkey PRIMARY KEY (singleton),
  constraint revenue_position_singleton_check CHECK (singleton)
);

create table outreach.send_approval (
  approval_id text not null,
  tenant_id text not null,
  campaign_id text not null,
  dispatch_id text,
  contacts integer not null,
  above integer not null,
  asked_for text not null,
  sum_contacts integer,
  sum_since timestamp with time zone,
  idempotency_key text,
  requested_by text not null,
  requested_at timestamp with time zone not null,
  outcome text,
  decided_by text,
  decided_at timestamp with time zone,
  reason text,
  constraint send_approval_pkey PRIMARY KEY (approval_id),
  constraint send_approval_asked_for_check CHECK ((asked_for = ANY (ARRAY['contacts'::text, 'sum'::text]))),
  constraint send_approval_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES outreach.campaign(campaign_id) ON DELETE CASCADE,
  constraint send_approval_check CHECK ((((outcome IS NULL) = (decided_at IS NULL)) AND ((outcome IS NULL) = (decided_by IS NULL)))),
  constraint send_approval_check1 CHECK (((outcome IS DISTINCT FROM 'approved'::text) OR (decided_by <> requested_by))),
  constraint send_approval_dispatch_id_fkey FOREIGN KEY (dispatch_id) REFERENCES outreach.dispatch(dispatch_id),
  constraint send_approval_outcome_check CHECK ((outcome = ANY (ARRAY['approved'::text, 'rejected'::text, 'withdrawn'::text]))),
  constraint send_approval_sum_check CHECK ((((asked_for = 'sum'::text) = (sum_contacts IS NOT NULL)) AND ((sum_contacts IS NULL) = (sum_since IS NULL)))),
  constraint send_approval_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES outreach.tenant(tenant_id)
);

create table outreach.service_number_catalog (
  tenant_id text not null,
  service_number_id text not null,
  name text not null,
  status text not null,
  constraint service_number_catalog_pkey PRIMARY KEY (tenant_id, service_number_id),
  constraint service_number_catalog_status_check CHECK ((status = ANY (ARRAY['active'::text, 'inactive'::text]))),
  constraint service_number_catalog_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES outreach.tenant(tenant_id)
);

create table outreach.service_number_right (
  tenant_id text not null,
  actor text not null,
  service_number_ids text[] not null,
  constraint service_number_right_pkey PRIMARY KEY (tenant_id, actor),
  constraint service_number_right_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES outreach.tenant(tenant_id)
);

create table outreach.smart_tag_rule (
  rule_id text not null,
  tenant_id text not null,
  version integer not null,
  name text not null,
  trigger_event text not null,
  match_condition jsonb not null,
  target_tag_id text not null,
  days integer,
  campaign_id text,
  status text not null,
  hit_count integer not null default 0,
  last_executed_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  removed_at timestamp with time zone,
  revision bigint not null default nextval('outreach.revision'::regclass),
  constraint smart_tag_rule_pkey PRIMARY KEY (rule_id),
  constraint smart_tag_rule_check CHECK (((trigger_event = 'no_response_for_N_days'::text) = (days IS NOT NULL))),
  constraint smart_tag_rule_status_check CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text]))),
  constraint smart_tag_rule_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES outreach.tenant(tenant_id),
  constraint smart_tag_rule_trigger_event_check CHECK ((trigger_event = ANY (ARRAY['notice.clicked'::text, 'session.created'::text, 'session.closed'::text, 'no_response_for_N_days'::text])))
);

create table outreach.smart_tag_rule_version (
  rule_id text not null,
  version integer not null,
  name text not null,
  trigger_event text not null,
  match_condition jsonb not null,
  target_tag_id text not null,
  days integer,
  campaign_id text,
  created_at timestamp with time zone not null,
  created_by text not null,
  constraint smart_tag_rule_version_pkey PRIMARY KEY (rule_id, version),
  constraint smart_tag_rule_version_rule_id_fkey FOREIGN KEY (rule_id) REFERENCES outreach.smart_tag_rule(rule_id)
);

create table outreach.tag (
  tag_id text not null,
  tenant_id text not null,
  service_number_id text not null,
  name text not null,
  source text not null,
  kind text not null,
  color text,
  status text not null,
  expires_at timestamp with time zone,
  contact_count integer not null default 0,
  created_at timestamp with time zone not null default now(),
  archived_at timestamp with time zone,
  revision bigint not null default nextval('outreach.revision'::regclass),
  constraint tag_pkey PRIMARY KEY (tag_id),
  constraint tag_check CHECK (((kind = 'permanent'::text) OR (expires_at IS NOT NULL))),
  constraint tag_contact_count_check CHECK ((contact_count >= 0)),
  constraint tag_kind_check CHECK ((kind = ANY (ARRAY['permanent'::text, 'temporary'::text]))),
  constraint tag_source_check CHECK ((source = ANY (ARRAY['app_manual'::text, 'app_smart'::text]))),
  constraint tag_status_check CHECK ((status = ANY (ARRAY['active'::text, 'expired'::text, 'archived'::text]))),
  constraint tag_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES outreach.tenant(tenant_id)
);

create table outreach.tag_assignment (
  tenant_id text not null,
  tag_id text not null,
  contact_id text not null,
  assigned_at timestamp with time zone not null default now(),
  assigned_by text,
  source_rule_id text,
  source_rule_version integer,
  source_campaign_id text,
  source_task_id text,
  source_action_index integer,
  source_biz_event_code text,
  source_event_id text,
  source_cause text,
  constraint tag_assignment_pkey PRIMARY KEY (tag_id, contact_id),
  constraint tag_assignment_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES outreach.tag(tag_id)
);

create table outreach.tag_assignment_past (
  tenant_id text not null,
  tag_id text not null,
  contact_id text not null,
  since timestamp with time zone not null,
  until timestamp with time zone not null,
  constraint tag_assignment_past_pkey PRIMARY KEY (tag_id, contact_id, until)
) partition by RANGE (until);

create table outreach.tag_block (
  tag_id text not null,
  block integer not null,
  contacts bit(4096) not null,
  constraint tag_block_pkey PRIMARY KEY (tag_id, block),
  constraint tag_block_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES outreach.tag(tag_id) ON DELETE CASCADE
);

create table outreach.tag_past (
  tag_id text not null,
  tenant_id text not null,
  expires_at timestamp with time zone,
  until timestamp with time zone not null,
  constraint tag_past_pkey PRIMARY KEY (tag_id, until),
  constraint tag_past_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES outreach.tag(tag_id) ON DELETE CASCADE
);

create table outreach.template (
  template_id text not null,
  tenant_id text not null,
  service_number_id text,
  name text not null,
  kind text not null,
  version integer not null,
  created_by text not null,
  created_at timestamp with time zone not null,
  updated_by text not null,
  updated_at timestamp with time zone not null,
  revision bigint not null default nextval('outreach.revision'::regclass),
  constraint template_pkey PRIMARY KEY (template_id),
  constraint template_kind_check CHECK ((kind = ANY (ARRAY['card'::text, 'campaign'::text, 'message'::text]))),
  constraint template_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES outreach.tenant(tenant_id),
  constraint template_tenant_id_name_key UNIQUE (tenant_id, name)
);

create table outreach.template_version (
  template_id text not null,
  version integer not null,
  tenant_id text not null,
  content jsonb not null,
  variables jsonb not null,
  restored_from integer,
  created_by text not null,
  created_at timestamp with time zone not null,
  constraint template_version_pkey PRIMARY KEY (template_id, version),
  constraint template_version_template_id_fkey FOREIGN KEY (template_id) REFERENCES outreach.template(template_id) ON DELETE CASCADE
);

create table outreach.tenant (
  tenant_id text not null,
  external_tenant_id text not null,
  name text not null,
  type text not null,
  status text not null,
  created_at timestamp with time zone not null default now(),
  viewers_see_contact_panel boolean not null default false,
  sends_need_approval integer,
  test_contacts jsonb not null default '[]'::jsonb,
  utm jsonb,
  revision bigint not null default nextval('outreach.revision'::regclass),
  quiet_hours jsonb,
  automations_per_contact_per_day integer default 3,
  control_percent smallint,
  control_since timestamp with time zone,
  control_key bigint,
  constraint tenant_pkey PRIMARY KEY (tenant_id),
  constraint tenant_automations_per_contact_check CHECK (((automations_per_contact_per_day >= 1) AND (automations_per_contact_per_day <= 100))) NOT VALID,
  constraint tenant_control_percent_check CHECK (((control_percent >= 0) AND (control_percent <= 20))) NOT VALID,
  constraint tenant_external_tenant_id_key UNIQUE (external_tenant_id),
  constraint tenant_sends_need_approval_check CHECK ((sends_need_approval > 0)),
  constraint tenant_status_check CHECK ((status = ANY (ARRAY['active'::text, 'inactive'::text])))
);

create table outreach.tenant_integration (
  tenant_integration_id text not null,
  tenant_id text not null,
  secret_encrypted text,
  previous_secret_encrypted text,
  webhook_url text not null,
  status text not null,
  rotated_at timestamp with time zone,
  installed_at timestamp with time zone not null default now(),
  uninstalled_at timestamp with time zone,
  constraint tenant_integration_pkey PRIMARY KEY (tenant_integration_id),
  constraint tenant_integration_secret_check CHECK (((status = 'UNINSTALLED'::text) OR (secret_encrypted IS NOT NULL))),
  constraint tenant_integration_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'ACTIVE'::text, 'UNINSTALLED'::text]))),
  constraint tenant_integration_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES outreach.tenant(tenant_id)
);

create table outreach.test_send (
  key text not null,
  tenant_id text not null,
  campaign_id text not null,
  task_id text,
  contact_count integer not null default 0,
  created_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  constraint test_send_pkey PRIMARY KEY (key),
  constraint test_send_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES outreach.tenant(tenant_id)
);

create table outreach.tool_token (
  tenant_id text not null,
  token_id text not null,
  actor text not null,
  tools text[] not null,
  issued_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  constraint tool_token_pkey PRIMARY KEY (tenant_id, token_id),
  constraint tool_token_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES outreach.tenant(tenant_id)
);

create table outreach.variant_test (
  campaign_id text not null,
  tenant_id text not null,
  dispatch_id text not null,
  next_look_at timestamp with time zone,
  asks_since timestamp with time zone,
  chosen smallint,
  chosen_at timestamp with time zone,
  chosen_by text,
  proven boolean,
  compared jsonb,
  constraint variant_test_pkey PRIMARY KEY (campaign_id),
  constraint variant_test_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES outreach.campaign(campaign_id) ON DELETE CASCADE,
  constraint variant_test_chosen_check CHECK ((((chosen IS NULL) = (chosen_at IS NULL)) AND ((chosen IS NULL) = (chosen_by IS NULL)) AND ((chosen IS NULL) = (proven IS NULL)))),
  constraint variant_test_dispatch_id_fkey FOREIGN KEY (dispatch_id) REFERENCES outreach.dispatch(dispatch_id),
  constraint variant_test_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES outreach.tenant(tenant_id)
);

create table outreach.webhook (
  tenant_id text not null,
  url text not null,
  event_types text[] not null,
  sealed_secret text not null,
  previous_sealed_secret text,
  previous_until timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  revision bigint not null default nextval('outreach.revision'::regclass),
  endpoint_id uuid not null default gen_random_uuid(),
  paused_for text,
  failing_since timestamp with time zone,
  failures integer not null default 0,
  constraint webhook_check CHECK (((previous_sealed_secret IS NULL) = (previous_until IS NULL))),
  constraint webhook_failing_check CHECK (((failing_since IS NULL) = (failures = 0))),
  constraint webhook_paused_for_check CHECK ((paused_for = ANY (ARRAY['operator'::text, 'failing'::text]))),
  constraint webhook_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES outreach.tenant(tenant_id)
);

create view outreach.dispatch_recipient as
 SELECT c.dispatch_id,
    r.contact_id,
    c.chunk
   FROM outreach.dispatch_chunk c
     CROSS JOIN LATERAL unnest(c.contact_ids) r(contact_id);

comment on column outreach.app_user.roles is 'all roles at the last sign-in';
comment on column outreach.audience.collecting is 'from which campaign the list is being filled and how far that is; null once it is complete';
comment on column outreach.audience.segment is 'conditions and groups of a segment; ids of tags and campaigns, none of contacts';
comment on column outreach.audience.take is 'the sample that campaigns which name the filter draw; null: all whom it reaches';
comment on column outreach.audience.contents is 'another value with each list of contacts that replaces the former';
comment on column outreach.audience.replaced_at is 'when the list in audience_replaced was replaced; null if none was';
comment on table outreach.audience_count is 'the last count of each audience that is too large to be counted by :send';
comment on column outreach.audience_count.definition is 'SHA-256 of what defines the audience, hexadecimal';
comment on table outreach.audience_drift is 'partitioned by month';
comment on column outreach.audit_chain.removed_to is 'position of the last seal that was deleted; the chain goes on from removed_hash';
comment on column outreach.audit_chain.removed_before is 'entries that were written earlier may be missing';
comment on table outreach.audit_log is 'partitioned by month';
comment on column outreach.audit_log.salt is 'renewed by an erasure: the digest of what was there before then says nothing about whom it named';
comment on column outreach.audit_log.service_number_id is 'what it is about; empty: no service number; null: several, one that is not known, or an entry from before this column';
comment on column outreach.audit_seal.erasure_id is 'the erasure that put a pseudonym into the entry, whose digest is another since';
comment on column outreach.audit_seal.hash is 'SHA-256 of the hash before, the digest and what the other columns say';
comment on table outreach.audit_unsealed is 'audit entries that have no place in the chain of their tenant yet';
comment on table outreach.automation is 'what begins an automation and when its steps are due; the rest is in its campaign';
comment on column outreach.automation.steps is 'of each step how long it waits for the one before, and what that must have led to';
comment on column outreach.automation.restored is 'it is paused because the database was restored, until somebody resumes it';
comment on column outreach.automation.activated_at is 'causes count that are later; null: it was never active';
comment on column outreach.automation.next_look_at is 'the next moment at which contacts enter by a date or a segment; null: it begins with events, or is not active';
comment on table outreach.automation_entry is 'a contact and one cause for which it may enter an automation';
comment on column outreach.automation_entry.decided_at is 'when it was decided whether it enters; null: not yet, and it has no steps';
comment on table outreach.automation_member is 'who was in the segment of an automation at its last look';
comment on table outreach.automation_step is 'a step that an entry has come to; those after it have no row yet';
comment on column outreach.automation_step.claimed_at is 'when it was put into a sub-task, from when on it counts for the limits of a day';
comment on column outreach.automation_step.sent_at is 'when the platform accepted the sub-task';
comment on table outreach.automation_step_sum is 'the same entries by what became of each step; one that was not come to was skipped';
comment on table outreach.automation_sum is 'entries that were deleted, by the day of UTC on which they entered and what became of them';
comment on column outreach.automation_sum.reason is 'empty unless they were skipped';
comment on column outreach.broadcast_task.sent is 'null until the platform (A2) reported it, like the other counts';
comment on column outreach.broadcast_task.claimed_at is 'when it was claimed last, for the pace: null if that claim was given back without a call';
comment on column outreach.broadcast_task.status_assumed is 'concluded from a click or a response, not reported by A2: its next report may also move the status back';
comment on column outreach.broadcast_task.not_found_since is 'since when A2 has returned nothing but 404';
comment on column outreach.broadcast_task.withheld_from is 'the sub-task that its contacts were taken out of because another had been sent to them; if that one was sent, too, they got it twice';
comment on column outreach.broadcast_task.withdrawn_for is 'the edit for which the task is cancelled at the platform: its contacts move to another sub-task once it is';
comment on column outreach.broadcast_task.reached is 'somebody clicked on it, so it was sent, whatever the platform reports';
comment on column outreach.broadcast_task.failing_since is 'since when every call about it to the platform has failed; null after one that did not';
comment on column outreach.broadcast_task.reported_at is 'when the platform last reported something new about it (A2)';
comment on column outreach.broadcast_task.arm is 'the variant that its contacts were drawn for, or 5: the rest; null without variants';
comment on column outreach.broadcast_task.variant is 'whose messages it has; null: the campaign''s own, or those of the variant that is going to be chosen for the rest';
comment on column outreach.broadcast_task.polls is 'how often the platform was asked for it (A2) until it ended';
comment on column outreach.broadcast_task.delivered_since is 'since when it counts as delivered, with the end that it has; null if it does not';
comment on column outreach.broadcast_task.message_case is 'the case that its contacts are of, by its number, or 20: otherwise; null without messages by case';
comment on table outreach.broadcast_task_past is 'when sub-tasks counted as delivered that do no longer, or have another end since';
comment on column outreach.campaign.messages is 'what is sent to everybody; null: messages_by';
comment on column outreach.campaign.cancelled_at is 'when :cancel was accepted; closing requests a cancellation without it';
comment on column outreach.campaign.sent_twice is 'contacts of sub-tasks that turned out to have been sent after a retry had sent to the same contacts';
comment on column outreach.campaign.ended_by_uninstall is 'it was open when the tenant was uninstalled: cancelled, whatever becomes of its sub-tasks';
comment on column outreach.campaign.holdout_percent is 'how much of the audience is held back as a control group; null: nobody is';
comment on column outreach.campaign.pace is 'how its submission is spread over time, and until when; null: all at once';
comment on column outreach.campaign.next_claim_at is 'when its pace lets the next sub-task of any of its sends be submitted; null: none was yet';
comment on column outreach.campaign.revenue_window_days is 'for how many days after its send orders from its links count; null: its links carry no token';
comment on column outreach.campaign.template_id is 'what it was made from; no reference, since templates can be deleted';
comment on column outreach.campaign.variants is 'other messages that its own are tested against, and how the winner is found; null: none';
comment on column outreach.campaign.steps is 'messages that follow it after a time, to those who did or did not do something; null: none';
comment on column outreach.campaign.utm is 'patterns of parameters that its links get when they are sent; null: none';
comment on column outreach.campaign.sent_name is 'its name when it was first sent, which those parameters keep; null until then';
comment on column outreach.campaign.first_claimed_at is 'when its first sub-task was claimed, with which it was decided that it may go out; null: no other is claimed before';
comment on column outreach.campaign.labels is 'by which operators find it again';
comment on column outreach.campaign.automation is 'it holds what an automation sends; sending: active, closed or cancelled: ended';
comment on column outreach.campaign.messages_by is 'what is sent by a field of the profile: the field, the cases with their values and messages, and what the others get';
comment on table outreach.campaign_edit is 'changes of scheduled campaigns whose sub-tasks the platform has: made once it has cancelled all of them';
comment on column outreach.campaign_edit.outcome is 'null while the tasks are being cancelled; dropped: the campaign was cancelled or closed in the meantime';
comment on table outreach.campaign_repeat is 'campaigns that are sent on a calendar; each run makes a campaign of its own';
comment on column outreach.campaign_repeat.campaign_id is 'whose content each run copies; null once it was deleted';
comment on column outreach.campaign_repeat.next_local_time is 'what clocks in the zone show at next_at, or would if they did not skip it';
comment on column outreach.campaign_repeat.schedule_stale is 'its Schedule does not say what next_at says';
comment on column outreach.campaign_repeat.started_by is 'in whose name it sends: who created or last resumed it';
comment on table outreach.campaign_revenue is 'the sums of revenue_entry, written in the same statement';
comment on column outreach.campaign_revenue.compared_at is 'when it was last compared, or added: a look at all campaigns compares what it was not told of, too';
comment on table outreach.campaign_step is 'what became of the messages that follow a campaign, from its send on; what they say is in campaign.steps';
comment on column outreach.campaign_step."position" is '1 for the first';
comment on column outreach.campaign_step.next_look_at is 'when it is looked at next; null unless it is the next one';
comment on column outreach.campaign_step.due_at is 'when it was due, once it was decided about';
comment on column outreach.campaign_step.step_campaign_id is 'the campaign that it was sent as';
comment on column outreach.campaign_step.pause_reason is 'why a waiting one is not looked at before somebody resumes it; null: it is';
comment on table outreach.click_attribution is 'partitioned by month; each partition has the primary key (tenant_id, task_id, contact_id, notice_id, action_index, campaign_id), and who inserts looks for it in the others';
comment on column outreach.click_attribution.arm is 'of the sub-task that was clicked: as broadcast_task.arm';
comment on column outreach.click_attribution.contact_ordinal is 'of the contact''s profile on the service number of the campaign; null if there was none';
comment on column outreach.click_attribution.stored_at is 'when it was known';
comment on column outreach.click_attribution.message_case is 'of the sub-task that was clicked: as broadcast_task.message_case';
comment on table outreach.clicked_hour is 'contacts by the hour of their first click on a day and the last day before it with a click of theirs, and by the hour of their last click and the first such day after it';
comment on table outreach.clicker_tagging is 'the contacts of a campaign with an outcome are being given a tag; a row goes with its last page';
comment on column outreach.clicker_tagging.after_click is 'the time of the last click, conversation or tag that was read, in microseconds';
comment on column outreach.clicker_tagging.after_task is 'the number of the send and the place of the last sub-task that was read';
comment on table outreach.contact_event is 'partitioned by month';
comment on column outreach.contact_profile.entered_at is 'when the contact first entered or followed; null: no event said so';
comment on column outreach.contact_profile.ordinal is 'the contact''s bit in the blocks of tags';
comment on column outreach.contact_profile.changed_at is 'since when channel, language, region, attributes, the time of entry and whether the contact can be reached are what they are; null: for as long as history is kept';
comment on table outreach.contact_profile_past is 'partitioned by month; what profiles were before they changed';
comment on table outreach.contact_revenue_entry is 'what orders that name their contact were paid and refunded, as the order service tells it';
comment on column outreach.contact_revenue_entry.movement is 'of the order service''s ledger, and of revenue_entry where the order counts for a campaign';
comment on table outreach.conversation is 'partitioned by month; each partition has the primary key (tenant_id, session_id), and who inserts looks for it in the others';
comment on column outreach.conversation.contact_ordinal is 'of the contact''s profile on the service number of the campaign; null if there was none';
comment on column outreach.conversation.stored_at is 'when it was known';
comment on table outreach.database_place is 'where the database was started, and may send: in another cluster, or as another database, nothing goes out until somebody takes it over';
comment on column outreach.database_place.system_identifier is 'of the cluster (pg_control_system)';
comment on column outreach.database_place.taken_by is 'who did that; the first start needs nobody';
comment on column outreach.delivery.stream is 'a campaign, or what else its event is about: at one endpoint, events of a stream are delivered in the order of their positions';
comment on column outreach.delivery.attempts is 'raised by every claim; an outcome counts only for the claim it belongs to';
comment on column outreach.delivery.trying_since is 'the first attempt, or the first since somebody asked for a redelivery';
comment on column outreach.delivery.settled_at is 'when it was first delivered or given up; a redelivery does not hold back the events after it';
comment on column outreach.dispatch.source is 'what defines the audience; null for a retry, which takes over what sub-tasks had';
comment on column outreach.dispatch.frozen_count is 'contacts in the snapshot so far';
comment on column outreach.dispatch.frozen_excluded is 'whom the audience did not reach so far; in the end that is excluded';
comment on column outreach.dispatch.frozen_through is 'the last contact that was read, in order of id; for a retry the last sub-task that was taken over, in order of key';
comment on column outreach.dispatch.frozen_at is 'the snapshot is complete; until then audience_count is what was counted';
comment on column outreach.dispatch.freeze_at is 'when freezing begins';
comment on column outreach.dispatch.recipients_deleted_at is 'when their retention had passed; nobody can be retried or looked up any more';
comment on column outreach.dispatch.control_count is 'contacts of the frozen audience that are held back as a control group; audience_count does not have them';
comment on column outreach.dispatch.sub_task_size is 'contacts of a sub-task at most';
comment on column outreach.dispatch.deadline_over_at is 'when the rest was kept back at the deadline, which then no longer counts';
comment on column outreach.dispatch.arm_counts is 'contacts frozen so far for each variant, and at last for the rest, or for each case; null without either, and for a retry';
comment on column outreach.dispatch.left_out_count is 'contacts that the audience reaches and the send does not so far: an earlier run reached them, or they are in no sample or case';
comment on column outreach.dispatch.take_bound is 'up to which hash contacts are in the sample of so many, where the audience is frozen in several pages';
comment on column outreach.dispatch.skipped_by_case is 'contacts that are left out so far because they are in no case';
comment on table outreach.dispatch_chunk is 'partitioned by month';
comment on column outreach.dispatch_chunk.contact_ids is 'the frozen contacts of one sub-task, in order of id; whoever was erased since by pseudonym';
comment on table outreach.dispatch_control is 'partitioned by month';
comment on column outreach.dispatch_control.contact_ids is 'frozen contacts that a send holds back, at most 1,000 to a list, in order of id; whoever was erased since by pseudonym';
comment on table outreach.dispatch_reach is 'large sends, and whether the set of the contacts that they reached is there';
comment on column outreach.dispatch_reach.due_at is 'a set that is not there is not built before';
comment on column outreach.dispatch_reach.built_at is 'since when its blocks are those of the sub-tasks that were delivered; null: whatever blocks it has say nothing';
comment on column outreach.dispatch_reach.first_finished_at is 'of the sub-tasks in the set; null if it has none, or one without a time';
comment on column outreach.dry_run.forecast is 'what its send is going to take';
comment on table outreach.erased_contact is 'so that events from before the erasure bring nothing back';
comment on column outreach.erased_contact.id_hash is 'HMAC-SHA256 of the contact''s id, hexadecimal';
comment on column outreach.erased_contact.erased_at is 'what occurred up to then is not taken any more; null while the contact is being erased, when nothing is';
comment on column outreach.erased_contact.contact_encrypted is 'the id, until the erasure is finished: another process may have to continue';
comment on column outreach.erased_contact.pseudonym is 'what stands for the contact, until the erasure is finished: after that nothing leads from one to the other';
comment on table outreach.erasure_key is 'the key of the hashes in erased_contact, made when the first contact of a tenant is erased';
comment on table outreach.event_inbox is 'partitioned by month; each partition has the primary key (tenant_integration_id, event_id), and who inserts looks for it in the others';
comment on column outreach.event_inbox.attempts is 'how often it was handled; a batch that was rolled back does not count';
comment on table outreach.event_reader is 'tenants that have read their events: they are written for them from then on';
comment on table outreach.holdout_key is 'the random key by which a campaign draws its sample, its control group and who gets which variant, made when it first does';
comment on column outreach.holdout_key.inner_block is 'the key of HMAC-SHA-256 xor ipad (RFC 2104), so that SQL can compute it';
comment on column outreach.holdout_key.outer_block is 'the same key xor opad';
comment on column outreach.idempotent_call.call_id is 'another one after a call that died: only who holds it keeps an answer';
comment on column outreach.idempotent_call.caller is 'a platformUserId, or key:<id>';
comment on column outreach.idempotent_call.key_hash is 'SHA-256 of the key: callers may write anybody into it';
comment on column outreach.idempotent_call.request_hash is 'SHA-256 of method, path with query, and body';
comment on column outreach.idempotent_call.alive_at is 'when the process that answers was last known to be at it';
comment on column outreach.idempotent_call.answer_encrypted is 'status, headers and body, which may hold a secret and contacts; null while the call is under way';
comment on column outreach.notice_reader.muted is 'kinds of notices that the person has switched off';
comment on column outreach.outgoing_event.batch_key is 'further contacts join the newest event with the same one, until it is sent for the first time';
comment on column outreach.outgoing_event."position" is 'its place in the list of events; given when the list is read, so that an event that is committed late never comes before one that was read. It grows no more';
comment on table outreach.outgoing_event_part is 'the contacts of an event, a few at a time: an event grows without being written anew';
comment on table outreach.outgoing_sent is 'sends whose event campaign.sent was written';
comment on column outreach.platform_pace.paused_until is 'the platform asked not to be called before';
comment on column outreach.platform_pace.next_call_at is 'when the first token that nobody has taken is there; one second ago at most, which is what the bucket holds';
comment on table outreach.reach_block is 'the contacts that a send reached, as bits at their ordinals; who was erased since may still have one, of no profile';
comment on table outreach.recurring_run is 'when each sweep and Schedule last began, and last came to its end';
comment on table outreach.repeat_run is 'one wall time of a repeat, which therefore runs once, and what became of it';
comment on column outreach.repeat_run.left_out is 'contacts that were left out because an earlier run reached them';
comment on table outreach.revenue_difference is 'campaigns whose revenue is not what the order service''s ledger says, as of the last comparison';
comment on table outreach.revenue_entry is 'what orders from links of campaigns were paid and refunded, as the order service tells it';
comment on column outreach.revenue_entry.movement is 'of the order service''s ledger: an entry that is told twice is stored once';
comment on table outreach.revenue_position is 'up to where the order service''s feed was read, and when the sums were last compared';
comment on column outreach.revenue_position.compared_through is 'the last entry of the order service''s ledger of cash up to which campaigns were compared';
comment on column outreach.revenue_position.comparing is 'where a comparison that is under way goes on; null if none is';
comment on column outreach.revenue_position.compared_all_at is 'when the last comparison of all campaigns came to its end; null before the first';
comment on table outreach.send_approval is 'sends to more contacts than a tenant lets one person send to';
comment on column outreach.send_approval.dispatch_id is 'the send that was stored, and is paused, because its audience was known only then; null: the campaign stays a draft until it is approved';
comment on column outreach.send_approval.above is 'the limit of the tenant when approval was asked for';
comment on column outreach.send_approval.asked_for is 'contacts: the send alone is above the limit; sum: with what the same person sent within a day without approval, which sum_contacts counts';
comment on table outreach.service_number_right is 'whoever has no row here sees every service number';
comment on column outreach.service_number_right.actor is 'a user, also one who never signed in, or key:<id>';
comment on column outreach.tag.archived_at is 'null if it is not archived';
comment on table outreach.tag_assignment_past is 'partitioned by month; assignments that were taken back, and when there were';
comment on table outreach.tag_block is 'the contacts that have a tag, as bits at their ordinals; of contacts without a profile there are none';
comment on table outreach.tag_past is 'when tags were to expire before that was changed';
comment on column outreach.template.service_number_id is 'of which it is; null: of all of the tenant';
comment on column outreach.template.version is 'the newest of its versions, which campaigns are made from';
comment on table outreach.template_version is 'never changed: a template gets another version';
comment on column outreach.tenant.tenant_id is 'platformTenantId';
comment on column outreach.tenant.viewers_see_contact_panel is 'whether people who may only look see the embedded panel of a contact';
comment on column outreach.tenant.sends_need_approval is 'a send to more contacts than this waits until another operator approves it; null: none does';
comment on column outreach.tenant.test_contacts is 'whom test sends may reach while sends need approval: [{serviceNumberId, contactId}]';
comment on column outreach.tenant.utm is 'parameters utm_… that the links of new campaigns get; null: none';
comment on column outreach.tenant.revision is 'of its settings';
comment on column outreach.tenant.quiet_hours is 'when nothing of new campaigns is submitted, unless they say otherwise: {from, to, zone}; null: they go out at any time';
comment on column outreach.tenant.automations_per_contact_per_day is 'messages that all automations together may send to one contact in 24 hours; null: any number';
comment on column outreach.tenant.control_percent is 'how many of a hundred contacts get no campaign; null: there is no such group';
comment on column outreach.tenant.control_since is 'since when at least its present members are in it; null: nobody is';
comment on column outreach.tenant.control_key is 'random; a hash of a contact''s id with it says who is in the group, and stays for good';
comment on column outreach.tenant_integration.secret_encrypted is 'null: deleted at the uninstall';
comment on column outreach.test_send.ended_at is 'the call came to an end; without a task_id nobody knows to which';
comment on column outreach.tool_token.actor is 'who does what is done with it: a platformUserId, or service:<name>';
comment on table outreach.variant_test is 'the test of a campaign''s variants, from its send on';
comment on column outreach.variant_test.next_look_at is 'when it is looked at next; null: it has ended';
comment on column outreach.variant_test.asks_since is 'since when an operator has to choose';
comment on column outreach.variant_test.chosen is 'the variant that the rest gets';
comment on column outreach.variant_test.compared is 'what was compared when it was chosen';
comment on table outreach.webhook is 'endpoints where a tenant receives its events; without one, and unless they are read, none are written';
comment on column outreach.webhook.sealed_secret is 'encrypted; the context names the tenant';
comment on column outreach.webhook.previous_sealed_secret is 'signs as well until previous_until, so that a receiver has time for the new one';
comment on column outreach.webhook.paused_for is 'null while events are sent to it; what waits is sent once it is active again';
comment on column outreach.webhook.failing_since is 'the first of the attempts since the last accepted one, all of which failed';

CREATE INDEX audience_by_tenant ON outreach.audience USING btree (tenant_id, created_at DESC, audience_id DESC);
CREATE INDEX audience_collecting ON outreach.audience USING btree (updated_at) WHERE (collecting IS NOT NULL);
CREATE INDEX audit_log_by_actor ON ONLY outreach.audit_log USING btree (tenant_id, actor, at DESC, audit_id DESC);
CREATE INDEX audit_log_by_object ON ONLY outreach.audit_log USING btree (tenant_id, object_type, object_id, at);
CREATE INDEX audit_log_by_time ON ONLY outreach.audit_log USING btree (tenant_id, at DESC, audit_id DESC);
CREATE INDEX audit_seal_by_entry ON outreach.audit_seal USING btree (tenant_id, entry_id);
CREATE INDEX automation_by_event ON outreach.automation USING btree (tenant_id, event) WHERE (activated_at IS NOT NULL);
CREATE INDEX automation_by_tenant ON outreach.automation USING btree (tenant_id, automation_id);
CREATE INDEX automation_entry_by_contact ON outreach.automation_entry USING btree (tenant_id, contact_id);
CREATE INDEX automation_entry_by_status ON outreach.automation_entry USING btree (automation_id, status, reason);
CREATE INDEX automation_entry_by_time ON outreach.automation_entry USING btree (automation_id, entered_at DESC, entry_id DESC);
CREATE INDEX automation_entry_undecided ON outreach.automation_entry USING btree (automation_id, caused_at) WHERE (decided_at IS NULL);
CREATE INDEX automation_member_by_contact ON outreach.automation_member USING btree (tenant_id, contact_id);
CREATE INDEX automation_step_by_claim ON outreach.automation_step USING btree (automation_id, claimed_at) WHERE (claimed_at IS NOT NULL);
CREATE INDEX automation_step_by_contact ON outreach.automation_step USING btree (tenant_id, contact_id, claimed_at);
CREATE INDEX automation_step_due ON outreach.automation_step USING btree (automation_id, due_at) WHERE ((status = 'waiting'::text) AND (sub_task_key IS NULL));
CREATE INDEX automation_step_of_sub_task ON outreach.automation_step USING btree (sub_task_key) WHERE (sub_task_key IS NOT NULL);
CREATE INDEX broadcast_task_by_campaign ON outreach.broadcast_task USING btree (campaign_id, status);
CREATE INDEX broadcast_task_due ON outreach.broadcast_task USING btree (campaign_id, next_poll_at) WHERE (next_poll_at IS NOT NULL);
CREATE INDEX broadcast_task_finished ON outreach.broadcast_task USING btree (campaign_id, finished_at) WHERE (status = 'completed'::text);
CREATE INDEX broadcast_task_platform_id ON outreach.broadcast_task USING btree (tenant_id, task_id) WHERE (task_id IS NOT NULL);
CREATE INDEX broadcast_task_polled ON outreach.broadcast_task USING btree (next_poll_at) WHERE (next_poll_at IS NOT NULL);
CREATE INDEX broadcast_task_scheduled ON outreach.broadcast_task USING btree (campaign_id) WHERE (status = 'scheduled'::text);
CREATE INDEX broadcast_task_submitting ON outreach.broadcast_task USING btree (tenant_id) WHERE (status = 'submitting'::text);
CREATE INDEX broadcast_task_superseded ON outreach.broadcast_task USING btree (superseded_by, key) WHERE (superseded_by IS NOT NULL);
CREATE INDEX broadcast_task_unknown ON outreach.broadcast_task USING btree (tenant_id) WHERE (status = 'unknown'::text);
CREATE INDEX broadcast_task_unsettled ON outreach.broadcast_task USING btree (dispatch_id, chunk) WHERE (status = ANY (ARRAY['pending'::text, 'submitting'::text]));
CREATE INDEX broadcast_task_withdrawn ON outreach.broadcast_task USING btree (campaign_id) WHERE (withdrawn_for IS NOT NULL);
CREATE INDEX broadcast_task_withdrawn_for ON outreach.broadcast_task USING btree (withdrawn_for) WHERE (withdrawn_for IS NOT NULL);
CREATE INDEX broadcast_task_withheld ON outreach.broadcast_task USING btree (withheld_from) WHERE (withheld_from IS NOT NULL);
CREATE INDEX broadcast_task_past_tenant ON outreach.broadcast_task_past USING btree (tenant_id, until);
CREATE INDEX campaign_begun ON outreach.campaign USING btree (tenant_id, service_number_id, first_claimed_at) WHERE (first_claimed_at IS NOT NULL);
CREATE INDEX campaign_by_name ON outreach.campaign USING btree (tenant_id, lower(name) COLLATE "C", campaign_id);
CREATE INDEX campaign_by_saved_audience ON outreach.campaign USING btree (((audience ->> 'audienceId'::text))) WHERE ((audience ->> 'audienceId'::text) IS NOT NULL);
CREATE INDEX campaign_by_tenant ON outreach.campaign USING btree (tenant_id, created_at DESC, campaign_id DESC);
CREATE INDEX campaign_ending ON outreach.campaign USING btree (ends_at) WHERE ((ends_at IS NOT NULL) AND (dispatches > 0) AND (status <> 'closed'::text));
CREATE INDEX campaign_open ON outreach.campaign USING btree (status) WHERE (status = ANY (ARRAY['scheduled'::text, 'sending'::text, 'paused'::text]));
CREATE INDEX campaign_sent_twice ON outreach.campaign USING btree (tenant_id, sent_twice_at) WHERE (sent_twice > 0);
CREATE INDEX campaign_edit_campaign ON outreach.campaign_edit USING btree (campaign_id);
CREATE UNIQUE INDEX campaign_edit_open ON outreach.campaign_edit USING btree (campaign_id) WHERE (outcome IS NULL);
CREATE INDEX campaign_repeat_by_campaign ON outreach.campaign_repeat USING btree (campaign_id);
CREATE INDEX campaign_repeat_by_tenant ON outreach.campaign_repeat USING btree (tenant_id, repeat_id);
CREATE INDEX campaign_repeat_due ON outreach.campaign_repeat USING btree (next_at) WHERE (status = 'active'::text);
CREATE INDEX campaign_repeat_stale ON outreach.campaign_repeat USING btree (repeat_id) WHERE schedule_stale;
CREATE UNIQUE INDEX campaign_step_by_campaign ON outreach.campaign_step USING btree (step_campaign_id);
CREATE INDEX campaign_step_by_tenant ON outreach.campaign_step USING btree (tenant_id, campaign_id);
CREATE INDEX campaign_step_due ON outreach.campaign_step USING btree (next_look_at) WHERE (next_look_at IS NOT NULL);
CREATE INDEX campaign_transition_by_campaign ON outreach.campaign_transition USING btree (campaign_id, at DESC);
CREATE INDEX campaign_transition_noticed ON outreach.campaign_transition USING btree (tenant_id, at) WHERE (to_status = ANY (ARRAY['paused'::text, 'failed'::text, 'partially_failed'::text]));
CREATE INDEX click_attribution_by_button ON ONLY outreach.click_attribution USING btree (campaign_id, message_index, action_index, clicked_at DESC);
CREATE INDEX click_attribution_by_campaign ON ONLY outreach.click_attribution USING btree (campaign_id, clicked_at DESC);
CREATE INDEX click_attribution_by_code ON ONLY outreach.click_attribution USING btree (campaign_id, biz_event_code, clicked_at DESC) WHERE (biz_event_code IS NOT NULL);
CREATE INDEX click_attribution_by_time ON ONLY outreach.click_attribution USING btree (tenant_id, clicked_at) INCLUDE (contact_id, campaign_id) WHERE (clicked_at IS NOT NULL);
CREATE INDEX click_attribution_of_contact ON ONLY outreach.click_attribution USING btree (tenant_id, contact_id, clicked_at) INCLUDE (campaign_id);
CREATE INDEX clicker_tagging_left ON outreach.clicker_tagging USING btree (updated_at);
CREATE INDEX clicker_tagging_tag ON outreach.clicker_tagging USING btree (tag_id);
CREATE INDEX clicker_tagging_tenant ON outreach.clicker_tagging USING btree (tenant_id);
CREATE INDEX contact_profile_by_entry ON outreach.contact_profile USING btree (tenant_id, service_number_id, COALESCE(entered_at, '0001-01-01 00:00:00+00'::timestamp with time zone), contact_id);
CREATE INDEX contact_profile_by_word ON outreach.contact_profile USING btree (tenant_id, service_number_id, ((ordinal >> 6))) INCLUDE (ordinal) WHERE (ordinal >= 0);
CREATE INDEX contact_profile_letters ON outreach.contact_profile USING gin (regexp_split_to_array(NULLIF(regexp_replace(((contact_id || chr(10)) || COALESCE(display_name, ''::text)), '[[:ascii:]]+'::text, ''::text, 'g'::text), ''::text), ''::text));
CREATE INDEX contact_profile_pairs ON outreach.contact_profile USING gin (((string_to_array(regexp_replace(lower(((contact_id || chr(10)) || COALESCE(display_name, ''::text))), '(..)'::text, ('\1'::text || chr(10)), 'g'::text), chr(10)) || string_to_array(regexp_replace(substr(lower(((contact_id || chr(10)) || COALESCE(display_name, ''::text))), 2), '(..)'::text, ('\1'::text || chr(10)), 'g'::text), chr(10)))));
CREATE INDEX contact_profile_search ON outreach.contact_profile USING gin ((((contact_id || chr(10)) || COALESCE(display_name, ''::text))) outreach.gin_trgm_ops);
CREATE INDEX contact_profile_unreached ON outreach.contact_profile USING btree (tenant_id, service_number_id, ordinal) INCLUDE (unsubscribed) WHERE (unsubscribed OR (follow_state <> 'following'::text));
CREATE INDEX contact_revenue_entry_by_contact ON outreach.contact_revenue_entry USING btree (tenant_id, contact_id, at);
CREATE INDEX contact_revenue_entry_by_order ON outreach.contact_revenue_entry USING btree (tenant_id, order_id);
CREATE INDEX contact_revenue_entry_by_time ON outreach.contact_revenue_entry USING btree (at);
CREATE INDEX conversation_by_campaign ON ONLY outreach.conversation USING btree (campaign_id) WHERE (campaign_id IS NOT NULL);
CREATE INDEX conversation_by_contact ON ONLY outreach.conversation USING btree (tenant_id, contact_id);
CREATE INDEX conversation_by_time ON ONLY outreach.conversation USING btree (tenant_id, opened_at) WHERE (campaign_id IS NOT NULL);
CREATE INDEX conversation_hour_by_time ON outreach.conversation_hour USING btree (tenant_id, at);
CREATE INDEX conversion_hour_by_time ON outreach.conversion_hour USING btree (tenant_id, at);
CREATE INDEX copywriting_by_tenant ON outreach.copywriting USING btree (tenant_id, created_at DESC);
CREATE INDEX delivery_by_endpoint ON outreach.delivery USING btree (endpoint_id, "position" DESC);
CREATE INDEX delivery_due_at ON outreach.delivery USING btree (endpoint_id, next_attempt_at) WHERE (status = 'pending'::text);
CREATE INDEX delivery_ended ON outreach.delivery USING btree (GREATEST(settled_at, trying_since)) WHERE (status <> 'pending'::text);
CREATE INDEX delivery_leased_at ON outreach.delivery USING btree (endpoint_id) WHERE (leased_until IS NOT NULL);
CREATE INDEX delivery_of_stream_at ON outreach.delivery USING btree (endpoint_id, stream, "position") WHERE (settled_at IS NULL);
CREATE UNIQUE INDEX delivery_once ON outreach.delivery USING btree (event_id, endpoint_id);
CREATE INDEX delivery_open ON outreach.delivery USING btree (status, created_at) WHERE (status <> 'delivered'::text);
CREATE INDEX dispatch_by_audience ON outreach.dispatch USING btree (tenant_id, audience_hash, created_at);
CREATE UNIQUE INDEX dispatch_idempotency ON outreach.dispatch USING btree (campaign_id, idempotency_key) WHERE (idempotency_key IS NOT NULL);
CREATE INDEX dispatch_preparing ON outreach.dispatch USING btree (freeze_at) WHERE (frozen_at IS NULL);
CREATE INDEX dispatch_chunk_by_contact ON ONLY outreach.dispatch_chunk USING btree (dispatch_id, last_id, first_id);
CREATE INDEX dispatch_control_by_contact ON ONLY outreach.dispatch_control USING btree (dispatch_id, last_id, first_id);
CREATE INDEX dispatch_reach_built ON outreach.dispatch_reach USING btree (tenant_id, service_number_id, last_finished_at) WHERE (built_at IS NOT NULL);
CREATE INDEX dispatch_reach_due ON outreach.dispatch_reach USING btree (due_at) WHERE (built_at IS NULL);
CREATE INDEX entry_source_active ON outreach.entry_source USING btree (campaign_id) WHERE (ended_at IS NULL);
CREATE INDEX entry_source_by_campaign ON outreach.entry_source USING btree (campaign_id);
CREATE INDEX entry_source_refused ON outreach.entry_source USING btree (tenant_id, error_at) WHERE (error_at IS NOT NULL);
CREATE INDEX erased_contact_by_hash ON outreach.erased_contact USING btree (tenant_id, id_hash);
CREATE INDEX erased_contact_unfinished ON outreach.erased_contact USING btree (requested_at) WHERE (finished_at IS NULL);
CREATE INDEX event_inbox_by_campaign ON ONLY outreach.event_inbox USING btree (tenant_id, campaign_id, status, received_at DESC, event_id DESC) WHERE (campaign_id IS NOT NULL);
CREATE INDEX event_inbox_by_contact ON ONLY outreach.event_inbox USING btree (tenant_id, contact_id, received_at DESC, event_id DESC) WHERE (contact_id IS NOT NULL);
CREATE INDEX event_inbox_by_event ON ONLY outreach.event_inbox USING btree (tenant_id, event_id);
CREATE INDEX event_inbox_by_tenant ON ONLY outreach.event_inbox USING btree (tenant_id, received_at DESC, event_id DESC);
CREATE INDEX event_inbox_by_type ON ONLY outreach.event_inbox USING btree (tenant_id, event_type, received_at DESC, event_id DESC) WHERE (status = 'processed'::text);
CREATE INDEX event_inbox_dismissed ON ONLY outreach.event_inbox USING btree (tenant_id, received_at DESC, event_id DESC) WHERE (status = 'dismissed'::text);
CREATE INDEX event_inbox_failed ON ONLY outreach.event_inbox USING btree (tenant_id, received_at DESC, event_id DESC) INCLUDE (service_number_id) WHERE (status = 'failed'::text);
CREATE INDEX event_inbox_fair ON ONLY outreach.event_inbox USING btree (partition, tenant_id, next_attempt_at) WHERE (status = 'stored'::text);
CREATE INDEX event_inbox_history ON ONLY outreach.event_inbox USING btree (tenant_id, event_type, occurred_at, tenant_integration_id, event_id) WHERE ((status = 'processed'::text) AND (event_type = ANY (ARRAY['notice.clicked'::text, 'session.created'::text, 'session.closed'::text])));
CREATE INDEX event_inbox_kept ON ONLY outreach.event_inbox USING btree (received_at) WHERE (payload <> ''::text);
CREATE INDEX event_inbox_stored ON ONLY outreach.event_inbox USING btree (tenant_id, ((waiting_for IS NULL)), received_at DESC, event_id DESC) WHERE (status = 'stored'::text);
CREATE INDEX event_inbox_unprocessed ON ONLY outreach.event_inbox USING btree (tenant_id, status, event_type, kind, received_at DESC, event_id DESC) WHERE (status = ANY (ARRAY['stored'::text, 'failed'::text]));
CREATE INDEX event_inbox_waiting ON ONLY outreach.event_inbox USING btree (tenant_id, waiting_for) WHERE (waiting_for IS NOT NULL);
CREATE INDEX idempotent_call_by_end ON outreach.idempotent_call USING btree (expires_at);
CREATE INDEX outbound_call_by_integration ON outreach.outbound_call USING btree (tenant_integration_id);
CREATE INDEX outgoing_event_batch ON outreach.outgoing_event USING btree (tenant_id, batch_key, created_at DESC) WHERE (batch_key IS NOT NULL);
CREATE INDEX outgoing_event_by_time ON outreach.outgoing_event USING btree (created_at);
CREATE INDEX outgoing_event_listed ON outreach.outgoing_event USING btree (tenant_id, "position") WHERE ("position" IS NOT NULL);
CREATE INDEX outgoing_event_unlisted ON outreach.outgoing_event USING btree (tenant_id, created_at) WHERE ("position" IS NULL);
CREATE INDEX outgoing_event_part_contacts ON outreach.outgoing_event_part USING gin (contact_ids);
CREATE UNIQUE INDEX repeat_run_by_campaign ON outreach.repeat_run USING btree (campaign_id);
CREATE INDEX revenue_entry_by_time ON outreach.revenue_entry USING btree (tenant_id, at) INCLUDE (campaign_id, kind, amount_minor, currency);
CREATE INDEX send_approval_asked ON outreach.send_approval USING btree (tenant_id) WHERE (outcome IS NULL);
CREATE INDEX send_approval_by_campaign ON outreach.send_approval USING btree (campaign_id, requested_at DESC);
CREATE INDEX send_approval_decided ON outreach.send_approval USING btree (tenant_id, requested_by, decided_at) WHERE (outcome IS NOT NULL);
CREATE UNIQUE INDEX send_approval_open ON outreach.send_approval USING btree (campaign_id) WHERE (outcome IS NULL);
CREATE INDEX send_approval_waiting ON outreach.send_approval USING btree (tenant_id, requested_at) WHERE (outcome IS NULL);
CREATE INDEX smart_tag_rule_by_name ON outreach.smart_tag_rule USING btree (tenant_id, lower(name) COLLATE "C", rule_id) WHERE (removed_at IS NULL);
CREATE INDEX smart_tag_rule_by_tenant ON outreach.smart_tag_rule USING btree (tenant_id, rule_id DESC) WHERE (removed_at IS NULL);
CREATE INDEX tag_by_creation ON outreach.tag USING btree (tenant_id, service_number_id, created_at, tag_id);
CREATE INDEX tag_by_name ON outreach.tag USING btree (tenant_id, service_number_id, lower(name) COLLATE "C", tag_id);
CREATE INDEX tag_expiry ON outreach.tag USING btree (expires_at) WHERE ((status = 'active'::text) AND (expires_at IS NOT NULL));
CREATE UNIQUE INDEX tag_name ON outreach.tag USING btree (tenant_id, service_number_id, lower(name)) WHERE (status <> 'archived'::text);
CREATE INDEX tag_assignment_by_contact ON outreach.tag_assignment USING btree (tenant_id, contact_id);
CREATE INDEX tag_assignment_by_time ON outreach.tag_assignment USING btree (tag_id, assigned_at DESC, contact_id DESC);
CREATE INDEX tag_assignment_converted ON outreach.tag_assignment USING btree (tenant_id, assigned_at) INCLUDE (source_campaign_id) WHERE (source_campaign_id IS NOT NULL);
CREATE INDEX tag_assignment_past_by_contact ON ONLY outreach.tag_assignment_past USING btree (tenant_id, contact_id);
CREATE INDEX tag_past_until ON outreach.tag_past USING btree (until);
CREATE INDEX template_by_tenant ON outreach.template USING btree (tenant_id, updated_at DESC, template_id DESC);
CREATE UNIQUE INDEX tenant_integration_one_active ON outreach.tenant_integration USING btree (tenant_id) WHERE (status = 'ACTIVE'::text);
CREATE INDEX test_send_by_task ON outreach.test_send USING btree (tenant_id, task_id) WHERE (task_id IS NOT NULL);
CREATE INDEX tool_token_by_end ON outreach.tool_token USING btree (tenant_id, expires_at);
CREATE INDEX variant_test_asks ON outreach.variant_test USING btree (tenant_id) WHERE ((asks_since IS NOT NULL) AND (chosen IS NULL));
CREATE INDEX variant_test_due ON outreach.variant_test USING btree (next_look_at) WHERE (next_look_at IS NOT NULL);
CREATE INDEX webhook_by_tenant ON outreach.webhook USING btree (tenant_id, created_at, endpoint_id);
CREATE UNIQUE INDEX webhook_endpoint ON outreach.webhook USING btree (endpoint_id);
CREATE INDEX webhook_failing ON outreach.webhook USING btree (tenant_id) WHERE (paused_for = 'failing'::text);

CREATE OR REPLACE FUNCTION outreach.add_month(parent text, month date)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'outreach', 'pg_temp'
 SET lock_timeout TO '2s'
AS $function$
declare
  leaf text := format('%s_%s', parent, to_char(month, 'YYYY_MM'));
  rest text := parent || '_rest';
  key record := partition_column(parent);
  first text := month_bound(key.type, month);
  next text := month_bound(key.type, (month + interval '1 month')::date);
  occupied boolean;
  role name;
begin
  if key.name is null or month <> date_trunc('month', month)::date then
    raise exception 'no partition of % for %', parent, month using errcode = 'invalid_parameter_value';
  end if;
  if to_regclass(format('%I', leaf)) is not null then return false; end if;
  execute format('select exists (select from %I where %I >= %L and %I < %L)', rest, key.name, first, key.name, next)
    into occupied;
  if occupied then return false; end if;
  execute format('create table %I (like %I including all)', leaf, rest);
  -- The rights that the whole table gives are enough; those of a partition would be rights to change it.
  if parent = 'audit_log' then
    for role in
      select r.rolname from pg_class c, aclexplode(c.relacl) a join pg_roles r on r.oid = a.grantee
      where c.oid = to_regclass(format('%I', leaf)) and a.grantee <> c.relowner
    loop
      execute format('revoke all on %I from %I', leaf, role);
    end loop;
  end if;
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, leaf, first, next);
  return true;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.add_profiles_to_tag_blocks()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
AS $function$
begin
  insert into tag_block as known
  select x.tag_id, p.ordinal / 4096 as block, bit_or(set_bit(0::bit(4096), p.ordinal % 4096, 1)) as contacts
  from added p
    join tag_assignment x on x.tenant_id = p.tenant_id and x.contact_id = p.contact_id
    join tag t on t.tag_id = x.tag_id and t.service_number_id = p.service_number_id
  group by 1, 2 order by 1, 2
  on conflict (tag_id, block) do update set contacts = known.contacts | excluded.contacts;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.add_to_tag_blocks()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
AS $function$
begin
  -- A profile is deleted before or after this, never meanwhile: its bits go with it.
  perform pg_advisory_xact_lock_shared(hashtextextended('tag_block ' || tenant_id, 0))
  from (select distinct tenant_id from added order by tenant_id) tenants;

  insert into tag_block as known
  select x.tag_id, p.ordinal / 4096 as block, bit_or(set_bit(0::bit(4096), p.ordinal % 4096, 1)) as contacts
  from added x
    join tag t on t.tag_id = x.tag_id
    join contact_profile p on p.tenant_id = x.tenant_id and p.service_number_id = t.service_number_id
      and p.contact_id = x.contact_id
  group by 1, 2 order by 1, 2
  on conflict (tag_id, block) do update set contacts = known.contacts | excluded.contacts;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.analyze_partitioned(parent text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'outreach', 'pg_temp'
AS $function$
begin
  if (partition_column(parent)).name is null then
    raise exception '% is not partitioned', parent using errcode = 'invalid_parameter_value';
  end if;
  execute format('analyze %I', parent);
end $function$
;

CREATE OR REPLACE FUNCTION outreach.collect_conversations(tenant text, of_type text, told jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
AS $function$
declare g record;
begin
  for g in
    select service_number, campaign, array_agg(item ->> 'contactId') as ids, jsonb_agg(item) as items
    from (select t ->> 'serviceNumberId' as service_number, t ->> 'campaignId' as campaign, t -> 'item' as item,
            (row_number() over (partition by t ->> 'serviceNumberId', t ->> 'campaignId') - 1) / 500 as batch
          from jsonb_array_elements(told) t) numbered
    group by service_number, campaign, batch order by service_number, campaign, batch
  loop
    perform collect_outgoing(tenant, coalesce(g.campaign, 'conversations ' || g.service_number), of_type,
      jsonb_build_object('tenantId', tenant, 'serviceNumberId', g.service_number, 'campaignId', g.campaign),
      of_type || ' ' || jsonb_build_array(g.service_number, g.campaign)::text, g.ids, g.items);
  end loop;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.collect_outgoing(tenant text, of_stream text, of_type text, of_data jsonb, key text, ids text[], of_items jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
AS $function$
declare
  open_event uuid;
  amount integer := cardinality(ids);
begin
  select e.event_id into open_event from (
      select event_id from outgoing_event where tenant_id = tenant and batch_key = key order by created_at desc limit 1) newest
    join outgoing_event e on e.event_id = newest.event_id
    where e.contacts + amount <= 500 and e.position is null
    for update of e skip locked;
  if open_event is not null and (select count(*) from delivery where event_id = open_event) > (
      select count(*) from (select 1 from delivery where event_id = open_event and attempts = 0 and status = 'pending'
        for update skip locked) unsent) then
    open_event := null;
  end if;
  if open_event is null then
    open_event := write_outgoing_event(tenant, of_stream, of_type, of_data, key, amount, interval '2 seconds');
  else
    update outgoing_event set contacts = contacts + amount where event_id = open_event;
  end if;
  insert into outgoing_event_part (event_id, part, tenant_id, contact_ids, items)
  select open_event, coalesce(max(part), 0) + 1, tenant, ids, of_items
  from outgoing_event_part where event_id = open_event;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.contact_of_order(r outreach.revenue_entry)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO 'outreach'
AS $function$
  select case
      when k.contact_id is not null then case when k.contact_id = any(l.contact_ids) then k.contact_id end
      when cardinality(l.contact_ids) = 1 then l.contact_ids[1] end
  from broadcast_task t join dispatch_chunk l on l.dispatch_id = t.dispatch_id and l.chunk = t.chunk
    left join contact_revenue_entry k on k.tenant_id = r.tenant_id and k.movement = r.movement
  where t.tenant_id = r.tenant_id and t.key = r.sub_task_key
$function$
;

CREATE OR REPLACE FUNCTION outreach.contacts_between(sets bit[], fewest integer, most integer)
 RETURNS bit varying
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO 'outreach'
AS $function$
declare
  nobody varbit := sets[1] # sets[1];
  digits varbit[] := '{}';
  carry varbit;
  rest varbit;
  place integer;
  bound integer;
  above varbit;
  equal varbit;
  found varbit;
begin
  foreach carry in array sets loop
    place := 1;
    while carry <> nobody loop
      rest := coalesce(digits[place], nobody) & carry;
      digits[place] := coalesce(digits[place], nobody) # carry;
      carry := rest;
      place := place + 1;
    end loop;
  end loop;
  foreach bound in array array[fewest, most + 1] loop
    exit when bound is null;
    above := nobody;
    equal := ~nobody;
    for place in reverse 30..1 loop
      if (bound >> (place - 1)) & 1 = 1 then
        equal := equal & coalesce(digits[place], nobody);
      else
        above := above | (equal & coalesce(digits[place], nobody));
        equal := equal & ~coalesce(digits[place], nobody);
      end if;
    end loop;
    found := case when found is null then above | equal else found & ~(above | equal) end;
  end loop;
  return found;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.counts_for_automation(a outreach.automation, c outreach.campaign, at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select c.status in ('sending', 'paused') and at > a.activated_at and (c.ends_at is null or at <= c.ends_at)
$function$
;

CREATE OR REPLACE FUNCTION outreach.drop_month(parent text, month date)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'outreach', 'pg_temp'
 SET lock_timeout TO '2s'
AS $function$
declare
  leaf text := format('%s_%s', parent, to_char(month, 'YYYY_MM'));
  ended timestamptz := month_bound('timestamp with time zone', (month + interval '1 month')::date)::timestamptz;
begin
  if (partition_column(parent)).name is null or month + interval '1 month' > (now() at time zone 'UTC') then
    raise exception 'no ended partition of % for %', parent, month using errcode = 'invalid_parameter_value';
  end if;
  if to_regclass(format('%I', leaf)) is null then return false; end if;
  if parent = 'audit_log' then
    insert into audit_chain (tenant_id) select distinct tenant_id from audit_unsealed on conflict do nothing;
    update audit_chain set removed_before = ended, removed_at = now(), removed_as = 'retention'
    where removed_before is null or removed_before < ended;
  end if;
  execute format('drop table %I', leaf);
  return true;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.end_automation_entries()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
AS $function$
declare
  why text := case when new.ended_by_uninstall then 'uninstalled' else 'ended' end;
begin
  update automation_entry set status = 'skipped', reason = why, decided_at = new.updated_at
  where automation_id = new.campaign_id and decided_at is null;
  update automation_step set status = 'skipped', reason = why
  where automation_id = new.campaign_id and status = 'waiting' and sub_task_key is null;
  perform settle_automation_entries(array(
    select entry_id from automation_entry where automation_id = new.campaign_id and status = 'waiting'));
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.end_automation_looks()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
AS $function$
begin
  update automation set next_look_at = null where automation_id = new.campaign_id and next_look_at is not null;
  delete from automation_member where automation_id = new.campaign_id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.enter_by_click()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
AS $function$
begin
  insert into automation_entry (tenant_id, automation_id, contact_id, cause_key, cause, caused_at, entered_at)
  select x.tenant_id, a.automation_id, x.contact_id,
    jsonb_build_array(x.task_id, x.notice_id, x.action_index)::text,
    jsonb_strip_nulls(jsonb_build_object('event', 'notice.clicked', 'eventId', x.event_id, 'campaignId', x.campaign_id,
      'taskId', x.task_id, 'actionIndex', x.action_index, 'bizEventCode', x.biz_event_code)),
    x.clicked_at, clock_timestamp()
  from added x join automation a on a.tenant_id = x.tenant_id and a.event = 'notice.clicked'
      and a.activated_at is not null and a.automation_id <> x.campaign_id
    join campaign c on c.campaign_id = a.automation_id
    join campaign o on o.campaign_id = x.campaign_id and o.service_number_id = c.service_number_id
  where counts_for_automation(a, c, x.clicked_at)
    and (a.trigger -> 'campaignIds' is null or a.trigger -> 'campaignIds' ? x.campaign_id)
    and (a.trigger -> 'actionIndex' is null or (a.trigger ->> 'actionIndex')::int = x.action_index)
    and (a.trigger -> 'bizEventCode' is null or a.trigger ->> 'bizEventCode' = x.biz_event_code)
  on conflict do nothing;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.enter_by_contact_event()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
AS $function$
begin
  insert into automation_entry (tenant_id, automation_id, contact_id, cause_key, cause, caused_at, entered_at)
  select x.tenant_id, a.automation_id, x.contact_id, x.event_id,
    jsonb_build_object('event', x.event_type, 'eventId', x.event_id), x.occurred_at, clock_timestamp()
  from added x join automation a on a.tenant_id = x.tenant_id and a.event = x.event_type and a.activated_at is not null
    join campaign c on c.campaign_id = a.automation_id and c.service_number_id = x.service_number_id
  where counts_for_automation(a, c, x.occurred_at)
  on conflict do nothing;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.enter_by_session()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
AS $function$
begin
  insert into automation_entry (tenant_id, automation_id, contact_id, cause_key, cause, caused_at, entered_at)
  select new.tenant_id, a.automation_id, new.contact_id, new.session_id,
    jsonb_strip_nulls(jsonb_build_object('event', 'session.closed', 'sessionId', new.session_id,
      'campaignId', new.campaign_id)), new.closed_at, clock_timestamp()
  from automation a join campaign c on c.campaign_id = a.automation_id
  where a.tenant_id = new.tenant_id and a.event = 'session.closed' and a.activated_at is not null
    and c.service_number_id = coalesce(new.service_number_id,
      (select o.service_number_id from campaign o where o.campaign_id = new.campaign_id))
    and counts_for_automation(a, c, new.closed_at)
    and coalesce(new.message_count, 0) >= coalesce((a.trigger ->> 'minMessages')::int, 0)
  on conflict do nothing;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.enter_by_tag()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
AS $function$
begin
  insert into automation_entry (tenant_id, automation_id, contact_id, cause_key, cause, caused_at, entered_at)
  select x.tenant_id, a.automation_id, x.contact_id, x.tag_id || ' ' || extract(epoch from x.assigned_at),
    jsonb_strip_nulls(jsonb_build_object('event', 'tag.assigned', 'tagId', x.tag_id, 'ruleId', x.source_rule_id,
      'eventId', x.source_event_id, 'campaignId', x.source_campaign_id, 'taskId', x.source_task_id,
      'actionIndex', x.source_action_index, 'bizEventCode', x.source_biz_event_code)), x.assigned_at, clock_timestamp()
  from added x join automation a on a.tenant_id = x.tenant_id and a.event = 'tag.assigned' and a.activated_at is not null
      and a.trigger ->> 'tagId' = x.tag_id
    join campaign c on c.campaign_id = a.automation_id
  where counts_for_automation(a, c, x.assigned_at)
  on conflict do nothing;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.enter_by_tag_removal(tenant text, tag text, contact_ids text[], at timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'outreach'
AS $function$
  insert into automation_entry (tenant_id, automation_id, contact_id, cause_key, cause, caused_at, entered_at)
  select a.tenant_id, a.automation_id, contact_id, tag || ' ' || extract(epoch from at),
    jsonb_build_object('event', 'tag.removed', 'tagId', tag), at, clock_timestamp()
  from automation a join campaign c on c.campaign_id = a.automation_id
    cross join unnest(contact_ids) as x (contact_id)
  where a.tenant_id = tenant and a.event = 'tag.removed' and a.activated_at is not null
    and a.trigger ->> 'tagId' = tag and counts_for_automation(a, c, at)
  on conflict do nothing
$function$
;

CREATE OR REPLACE FUNCTION outreach.forget_audit(earlier timestamp with time zone, maximum integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'outreach', 'pg_temp'
AS $function$
declare
  removed int;
  chain audit_chain;
  last bigint;
begin
  if earlier > now() - interval '1 day' then
    raise exception 'not older than a day' using errcode = 'insufficient_privilege';
  end if;
  with gone as (
    delete from audit_log_rest where ctid = any(array(
      select ctid from audit_log_rest where at < earlier limit maximum for update)) returning tenant_id
  ), noted as (
    insert into audit_chain as c (tenant_id, removed_before, removed_at, removed_as)
    select distinct tenant_id, earlier, now(), 'retention' from gone
    on conflict (tenant_id) do update
      set removed_before = excluded.removed_before, removed_at = excluded.removed_at, removed_as = excluded.removed_as
      where c.removed_before is null or c.removed_before < excluded.removed_before
  )
  select count(*) into removed from gone;
  if removed > 0 then return removed; end if;
  for chain in
    select c.* from audit_chain c join audit_seal s on s.tenant_id = c.tenant_id and s.position = c.removed_to + 1
    where s.written_at < c.removed_before order by c.tenant_id for update of c
  loop
    select s.position - 1 into last from audit_seal s
    where s.tenant_id = chain.tenant_id and s.written_at >= chain.removed_before order by s.position limit 1;
    last := least(coalesce(last, chain.position), chain.removed_to + maximum - removed);
    update audit_chain c set removed_to = last, removed_hash = s.hash from audit_seal s
    where c.tenant_id = chain.tenant_id and s.tenant_id = chain.tenant_id and s.position = last;
    delete from audit_seal s where s.tenant_id = chain.tenant_id and s.position <= last;
    removed := removed + (last - chain.removed_to);
    exit when removed >= maximum;
  end loop;
  return removed;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.forget_audit_of(tenant text, maximum integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'outreach', 'pg_temp'
AS $function$
declare
  removed int;
begin
  if (select coalesce(bool_or(status <> 'UNINSTALLED'), true) from tenant_integration where tenant_id = tenant) then
    raise exception 'it is not uninstalled' using errcode = 'insufficient_privilege';
  end if;
  delete from audit_log where (audit_id, at) in (
    select audit_id, at from audit_log where tenant_id = tenant limit maximum);
  get diagnostics removed = row_count;
  if removed > 0 then
    insert into audit_chain as c (tenant_id, removed_before, removed_at, removed_as)
    values (tenant, clock_timestamp(), now(), 'uninstalled')
    on conflict (tenant_id) do update
      set removed_before = excluded.removed_before, removed_at = excluded.removed_at, removed_as = excluded.removed_as;
    return removed;
  end if;
  delete from audit_unsealed where tenant_id = tenant;
  delete from audit_seal where tenant_id = tenant;
  get diagnostics removed = row_count;
  update audit_chain set removed_to = position, removed_hash = hash where tenant_id = tenant and removed > 0;
  return removed;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.has_event_readers(tenant text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'outreach'
AS $function$
  select exists (select from webhook where tenant_id = tenant) or exists (select from event_reader where tenant_id = tenant)
$function$
;

CREATE OR REPLACE FUNCTION outreach.keep_campaign_transition()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into campaign_transition (tenant_id, campaign_id, from_status, to_status, pause_reason)
  values (new.tenant_id, new.campaign_id, old.status, new.status, new.pause_reason);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.keep_past_delivery()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
AS $function$
declare
  -- What the platform reports has the time of who asked for it.
  at timestamptz := case
    when new.reported_at is distinct from old.reported_at then new.reported_at else clock_timestamp() end;
begin
  if (old.status = 'completed' and old.superseded_by is null and old.delivered is distinct from 0) then
    insert into broadcast_task_past (tenant_id, dispatch_id, chunk, campaign_id, finished_at, since, until)
    values (old.tenant_id, old.dispatch_id, old.chunk, old.campaign_id, old.finished_at, old.delivered_since, at)
    on conflict do nothing;
  end if;
  new.delivered_since := case
    when (new.status = 'completed' and new.superseded_by is null and new.delivered is distinct from 0) then at end;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.keep_past_profile()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
AS $function$
begin
  insert into contact_profile_past (tenant_id, service_number_id, contact_id, channel, language, region, attributes,
    follow_state, unsubscribed, entered_at, since, until)
  values (old.tenant_id, old.service_number_id, old.contact_id, old.channel, old.language, old.region, old.attributes,
    old.follow_state, old.unsubscribed, old.entered_at, old.changed_at, new.changed_at)
  on conflict do nothing;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.limit_by_number(target text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'outreach'
AS $function$
  select limit_rows(target, 'service_number_id = any ((select own_service_numbers())::text[])')
$function$
;

CREATE OR REPLACE FUNCTION outreach.limit_by_owner(target text, owner text, owner_key text, own_key text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'outreach'
AS $function$
  select limit_rows(target, format('exists (select from %I o where o.%I = %I.%I)', owner, owner_key, target,
    coalesce(own_key, owner_key)))
$function$
;

CREATE OR REPLACE FUNCTION outreach.limit_rows(target text, condition text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
AS $function$
begin
  execute format('alter table %I enable row level security', target);
  execute format('create policy everybody on %I using (true)', target);
  execute format('create policy own_service_numbers on %I as restrictive for select to current_user using (%s)',
    target, condition);
end $function$
;

CREATE OR REPLACE FUNCTION outreach.month_bound(column_type text, month date)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select case column_type
    when 'timestamp with time zone' then to_char(month, 'YYYY-MM-DD') || ' 00:00:00+00'
    else regexp_replace(
      lpad(to_hex((extract(epoch from month::timestamp at time zone 'UTC') * 1000)::bigint), 12, '0'),
      '^(.{8})(.{4})$', '\1-\2-0000-0000-000000000000') end
$function$
;

CREATE OR REPLACE FUNCTION outreach.note_audit_entry()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'outreach', 'pg_temp'
AS $function$
begin
  insert into audit_unsealed (tenant_id, entry_id, written_at, digest)
  values (new.tenant_id, new.audit_id::text, new.at, sha256(convert_to(jsonb_build_array(
    new.audit_id, new.tenant_id, to_char(new.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'),
    new.actor, new.action, new.object_type, new.object_id, new.before, new.after,
    new.request_id, new.caller_request_id, new.salt)::text, 'UTF8')));
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.note_large_send()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
AS $function$
begin
  insert into dispatch_reach (dispatch_id, tenant_id, campaign_id, service_number_id, due_at)
  select new.dispatch_id, new.tenant_id, new.campaign_id, c.service_number_id, new.frozen_at
  from campaign c where c.campaign_id = new.campaign_id
  on conflict do nothing;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.number_of_audited()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'outreach', 'pg_temp'
AS $function$
declare
  named text[];
begin
  new.service_number_id := case case new.object_type when 'automation' then 'campaign' else new.object_type end
    when 'campaign' then (select service_number_id from campaign
      where campaign_id = new.object_id and tenant_id = new.tenant_id)
    when 'sub_task' then (select c.service_number_id from broadcast_task t join campaign c using (campaign_id)
      where t.key = new.object_id and t.tenant_id = new.tenant_id)
    when 'audience' then (select service_number_id from audience
      where audience_id = new.object_id and tenant_id = new.tenant_id)
    when 'tag' then (select service_number_id from tag where tag_id = new.object_id and tenant_id = new.tenant_id)
    when 'smart_tag_rule' then (select t.service_number_id from smart_tag_rule r join tag t on t.tag_id = r.target_tag_id
      where r.rule_id = new.object_id and r.tenant_id = new.tenant_id)
    when 'repeat' then (select service_number_id from campaign_repeat
      where repeat_id = new.object_id and tenant_id = new.tenant_id)
    when 'template' then (select coalesce(service_number_id, '') from template
      where template_id = new.object_id and tenant_id = new.tenant_id)
    when 'event' then (select min(service_number_id) from event_inbox
      where event_id = new.object_id and tenant_id = new.tenant_id having count(*) = count(service_number_id)) end;
  if new.service_number_id is not null then return new; end if;
  -- It is gone, or is none that has a number: what is written about it says which.
  named := array(select distinct n #>> '{}'
    from jsonb_build_array(new.before, new.after) as written cross join unnest(array['$.**.serviceNumberId',
      '$.**.serviceNumberIds[*]']::jsonpath[]) as path cross join jsonb_path_query(written, path) as n
    where jsonb_typeof(n) = 'string');
  new.service_number_id := case
    when cardinality(named) = 1 then named[1]
    when cardinality(named) > 1 or new.object_type = 'event' then null
    when new.object_type in ('automation', 'campaign', 'sub_task', 'audience', 'tag', 'smart_tag_rule', 'repeat', 'template') then
      (select a.service_number_id from audit_log a where a.tenant_id = new.tenant_id
        and a.object_type = new.object_type and a.object_id = new.object_id order by a.at desc limit 1)
    else '' end;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.outdate_reach()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
AS $function$
begin
  update dispatch_reach set built_at = null where dispatch_id = new.dispatch_id and built_at is not null;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.own_service_numbers()
 RETURNS text[]
 LANGUAGE sql
 STABLE
AS $function$
  select current_setting('outreach.service_numbers')::text[]
$function$
;

CREATE OR REPLACE FUNCTION outreach.partition_column(parent text, OUT name text, OUT type text)
 RETURNS record
 LANGUAGE sql
 STABLE
 SET search_path TO 'outreach', 'pg_temp'
AS $function$
  select a.attname, format_type(a.atttypid, null)
  from pg_partitioned_table p join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
  where p.partrelid = to_regclass(format('outreach.%I', parent))
$function$
;

CREATE OR REPLACE FUNCTION outreach.remove_from_tag_blocks()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
AS $function$
begin
  perform 1 from tag_block join (
    select x.tag_id, p.ordinal / 4096 as block, bit_or(set_bit(0::bit(4096), p.ordinal % 4096, 1)) as contacts
    from gone x
      join tag t on t.tag_id = x.tag_id
      join contact_profile p on p.tenant_id = x.tenant_id and p.service_number_id = t.service_number_id
        and p.contact_id = x.contact_id
    group by 1, 2
  ) gone using (tag_id, block) order by tag_id, block for update of tag_block;
  update tag_block b set contacts = b.contacts & ~gone.contacts
  from (
    select x.tag_id, p.ordinal / 4096 as block, bit_or(set_bit(0::bit(4096), p.ordinal % 4096, 1)) as contacts
    from gone x
      join tag t on t.tag_id = x.tag_id
      join contact_profile p on p.tenant_id = x.tenant_id and p.service_number_id = t.service_number_id
        and p.contact_id = x.contact_id
    group by 1, 2
  ) gone where b.tag_id = gone.tag_id and b.block = gone.block;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.remove_profiles_from_tag_blocks()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
AS $function$
begin
  perform pg_advisory_xact_lock(hashtextextended('tag_block ' || tenant_id, 0))
  from (select distinct tenant_id from gone order by tenant_id) tenants;

  perform 1 from tag_block join (
    select x.tag_id, p.ordinal / 4096 as block, bit_or(set_bit(0::bit(4096), p.ordinal % 4096, 1)) as contacts
    from gone p
      join tag_assignment x on x.tenant_id = p.tenant_id and x.contact_id = p.contact_id
      join tag t on t.tag_id = x.tag_id and t.service_number_id = p.service_number_id
    group by 1, 2
  ) gone using (tag_id, block) order by tag_id, block for update of tag_block;
  update tag_block b set contacts = b.contacts & ~gone.contacts
  from (
    select x.tag_id, p.ordinal / 4096 as block, bit_or(set_bit(0::bit(4096), p.ordinal % 4096, 1)) as contacts
    from gone p
      join tag_assignment x on x.tenant_id = p.tenant_id and x.contact_id = p.contact_id
      join tag t on t.tag_id = x.tag_id and t.service_number_id = p.service_number_id
    group by 1, 2
  ) gone where b.tag_id = gone.tag_id and b.block = gone.block;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.rewrite_audit_entry(tenant text, entry text, erasure text, contact text, new_before jsonb, new_after jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'outreach', 'pg_temp'
AS $function$
declare
  named text := substr(to_jsonb(contact)::text, 2, length(to_jsonb(contact)::text) - 2);
  replacement text;
  found_entry audit_log;
begin
  select pseudonym into replacement from erased_contact
  where erasure_id = erasure and tenant_id = tenant and finished_at is null;
  if replacement is null then
    raise exception 'there is no such erasure' using errcode = 'insufficient_privilege';
  end if;
  select * into found_entry from audit_log where tenant_id = tenant and audit_id = entry for update;
  if not found then return false; end if;
  -- With the id back in its place, everything must be as it was.
  if replace(jsonb_build_array(new_before, new_after)::text, replacement, named)::jsonb
    <> replace(jsonb_build_array(found_entry.before, found_entry.after)::text, replacement, named)::jsonb then
    raise exception 'an erasure replaces the id and nothing else' using errcode = 'insufficient_privilege';
  end if;
  update audit_log set before = new_before, after = new_after, salt = gen_random_uuid()
  where tenant_id = tenant and audit_id = entry returning * into found_entry;
  insert into audit_unsealed (tenant_id, entry_id, written_at, erasure_id, digest)
  values (tenant, entry, found_entry.at, erasure, sha256(convert_to(jsonb_build_array(
    found_entry.audit_id, found_entry.tenant_id, to_char(found_entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'),
    found_entry.actor, found_entry.action, found_entry.object_type, found_entry.object_id, found_entry.before, found_entry.after,
    found_entry.request_id, found_entry.caller_request_id, found_entry.salt)::text, 'UTF8')));
  return true;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.roll_up_campaign_clicks()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
 SET enable_seqscan TO 'off'
AS $function$
begin
  -- The lock of roll_up_clicks: a contact's earlier clicks must not change between reading and writing.
  perform pg_advisory_xact_lock(hashtextextended('roll_up_clicks ' || tenant_id, 0))
  from (select distinct tenant_id from added order by tenant_id) tenants;

  with contacts as materialized (select distinct tenant_id, campaign_id, contact_id from added),
  clicks as materialized (
    -- By contact: the empty text keeps the planner off the campaign's index, which leads to all its clicks.
    select tenant_id, k.campaign_id, contact_id,
      coalesce(k.message_index, (
        select coalesce(min(position) - 1, 0)::int
        from campaign c cross join lateral jsonb_array_elements(c.messages) with ordinality as card (message, position)
        where c.campaign_id = k.campaign_id and message ->> 'type' = 'buttons')) as message_index,
      action_index, biz_event_code, 1 as number
    from contacts as w (of_tenant, of_campaign, of_contact) cross join lateral (
      select * from click_attribution k
      where k.tenant_id = w.of_tenant and k.contact_id = w.of_contact and k.campaign_id || '' = w.of_campaign
      offset 0) k
    union all
    select tenant_id, campaign_id, contact_id,
      coalesce(k.message_index, (
        select coalesce(min(position) - 1, 0)::int
        from campaign c cross join lateral jsonb_array_elements(c.messages) with ordinality as card (message, position)
        where c.campaign_id = k.campaign_id and message ->> 'type' = 'buttons')),
      action_index, biz_event_code, -1
    from added k),
  of_button_clicks as (
    insert into button_clicks as known (tenant_id, campaign_id, message_index, action_index, clicks, contacts)
    select tenant_id, campaign_id, message_index, action_index, sum(made), count(*) filter (where made_before = 0)
    from (
      select tenant_id, campaign_id, message_index, action_index,
        count(*) filter (where number < 0) as made, sum(number) as made_before
      from clicks
      group by tenant_id, campaign_id, message_index, action_index, contact_id) contacts
    where made > 0
    group by tenant_id, campaign_id, message_index, action_index
    order by tenant_id, campaign_id, message_index, action_index
    on conflict (tenant_id, campaign_id, message_index, action_index) do update
      set clicks = known.clicks + excluded.clicks, contacts = known.contacts + excluded.contacts),
  of_event_code_clicks as (
    insert into event_code_clicks as known (tenant_id, campaign_id, biz_event_code, clicks, contacts)
    select tenant_id, campaign_id, biz_event_code, sum(made), count(*) filter (where made_before = 0)
    from (
      select tenant_id, campaign_id, biz_event_code,
        count(*) filter (where number < 0) as made, sum(number) as made_before
      from clicks where biz_event_code is not null
      group by tenant_id, campaign_id, biz_event_code, contact_id) contacts
    where made > 0
    group by tenant_id, campaign_id, biz_event_code
    order by tenant_id, campaign_id, biz_event_code
    on conflict (tenant_id, campaign_id, biz_event_code) do update
      set clicks = known.clicks + excluded.clicks, contacts = known.contacts + excluded.contacts)
  insert into campaign_clicks as known (tenant_id, campaign_id, clicks, contacts)
  select tenant_id, campaign_id, sum(made), count(*) filter (where made_before = 0)
  from (
    select tenant_id, campaign_id,
      count(*) filter (where number < 0) as made, sum(number) as made_before
    from clicks
    group by tenant_id, campaign_id, contact_id) contacts
  where made > 0
  group by tenant_id, campaign_id
  order by tenant_id, campaign_id
  on conflict (tenant_id, campaign_id) do update
    set clicks = known.clicks + excluded.clicks, contacts = known.contacts + excluded.contacts;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.roll_up_click_hour()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
AS $function$
begin
  if tg_op <> 'DELETE' then
    insert into click_hour as known
    select tenant_id, campaign_id, date_trunc('hour', clicked_at, 'UTC'), count(*), sum(repeats)
    from added where true group by 1, 2, 3 order by 1, 2, 3
    on conflict on constraint click_hour_pkey do update
      set clicks = known.clicks + excluded.clicks, repeats = known.repeats + excluded.repeats;
  end if;
  if tg_op <> 'INSERT' then
    insert into click_hour as known
    select tenant_id, campaign_id, date_trunc('hour', clicked_at, 'UTC'), -count(*), -sum(repeats)
    from gone where true group by 1, 2, 3 order by 1, 2, 3
    on conflict on constraint click_hour_pkey do update
      set clicks = known.clicks + excluded.clicks, repeats = known.repeats + excluded.repeats;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.roll_up_clicks()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
 SET enable_seqscan TO 'off'
AS $function$
begin
  -- A contact's other days must not change between reading and writing.
  perform pg_advisory_xact_lock(hashtextextended('roll_up_clicks ' || tenant_id, 0))
  from (select distinct tenant_id from added order by tenant_id) tenants;

  insert into click_quarter
  select k.tenant_id, date_bin('15 minutes', k.clicked_at, timestamptz '2000-01-01 00:00Z'), c.service_number_id,
    count(*)
  from added k join campaign c using (campaign_id) group by 1, 2, 3 order by 1, 2, 3
  on conflict (tenant_id, at, service_number_id) do update set clicks = click_quarter.clicks + excluded.clicks;

  -- The days of the contacts concerned, before and after: only differences are written.
  with contacts as (select distinct tenant_id, contact_id from added),
  clicks as (
    select tenant_id, contact_id, k.clicked_at, k.campaign_id, 1 as number
    from contacts as w (of_tenant, of_contact) cross join lateral (
      select * from click_attribution k where k.tenant_id = w.of_tenant and k.contact_id = w.of_contact offset 0) k
    union all
    select tenant_id, contact_id, clicked_at, campaign_id, -1 from added),
  hours as (
    select k.tenant_id, s.service_number_id, k.contact_id, (k.clicked_at at time zone 'UTC')::date as day,
      extract(hour from k.clicked_at at time zone 'UTC')::smallint as hour, sum(number) > 0 as known
    from clicks k join campaign c using (campaign_id)
      cross join lateral (values (''), (c.service_number_id)) as s (service_number_id)
    group by 1, 2, 3, 4, 5),
  days as (
    select tenant_id, service_number_id, contact_id, day, bool_or(known) as known,
      min(hour) as first_hour, max(hour) as last_hour,
      min(hour) filter (where known) as known_first_hour, max(hour) filter (where known) as known_last_hour
    from hours group by 1, 2, 3, 4),
  pairs as (
    select *, lag(day) over earlier as former_day, lead(day) over earlier as next_day,
      max(day) filter (where known) over (earlier rows between unbounded preceding and 1 preceding) as known_former_day,
      min(day) filter (where known) over (earlier rows between 1 following and unbounded following) as known_next_day
    from days window earlier as (partition by tenant_id, service_number_id, contact_id order by day)),
  otherwise_begun as (
    select * from pairs
    where not known or first_hour <> known_first_hour or former_day is distinct from known_former_day),
  otherwise_ended as (
    select * from pairs
    where not known or last_hour <> known_last_hour or next_day is distinct from known_next_day),
  of_days as (
    insert into clicked_day
    select tenant_id, service_number_id, day, coalesce(nearest_day, '-infinity'), sum(change)
    from (
      select *, former_day as nearest_day, 1 as change from otherwise_begun
      union all
      select *, known_former_day, -1 from otherwise_begun where known) changes
    group by 1, 2, 3, 4 having sum(change) <> 0 order by 1, 2, 3, 4
    on conflict (tenant_id, service_number_id, day, former_day)
      do update set contacts = clicked_day.contacts + excluded.contacts)
  insert into clicked_hour
  select tenant_id, service_number_id, day, is_first, hour, nearest_day, sum(change)
  from (
    select *, true as is_first, first_hour as hour, coalesce(former_day, '-infinity') as nearest_day, 1 as change
    from otherwise_begun
    union all
    select *, true, known_first_hour, coalesce(known_former_day, '-infinity'), -1 from otherwise_begun where known
    union all
    select *, false, last_hour, coalesce(next_day, 'infinity'), 1 from otherwise_ended
    union all
    select *, false, known_last_hour, coalesce(known_next_day, 'infinity'), -1 from otherwise_ended where known) changes
  group by 1, 2, 3, 4, 5, 6 having sum(change) <> 0 order by 1, 2, 3, 4, 5, 6
  on conflict (tenant_id, service_number_id, day, is_first, hour, nearest_day)
    do update set contacts = clicked_hour.contacts + excluded.contacts;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.roll_up_conversation_hour()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
AS $function$
begin
  if tg_op <> 'DELETE' then
    insert into conversation_hour as known
    select tenant_id, campaign_id, date_trunc('hour', opened_at, 'UTC'), count(*), count(closed_at)
    from added where campaign_id is not null group by 1, 2, 3 order by 1, 2, 3
    on conflict on constraint conversation_hour_pkey do update
      set opened = known.opened + excluded.opened, closed = known.closed + excluded.closed;
  end if;
  if tg_op <> 'INSERT' then
    insert into conversation_hour as known
    select tenant_id, campaign_id, date_trunc('hour', opened_at, 'UTC'), -count(*), -count(closed_at)
    from gone where campaign_id is not null group by 1, 2, 3 order by 1, 2, 3
    on conflict on constraint conversation_hour_pkey do update
      set opened = known.opened + excluded.opened, closed = known.closed + excluded.closed;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.roll_up_conversion_hour()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
AS $function$
begin
  if tg_op <> 'DELETE' then
    insert into conversion_hour as known
    select tenant_id, source_campaign_id, tag_id, date_trunc('hour', assigned_at, 'UTC'), count(*)
    from added where source_campaign_id is not null group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict on constraint conversion_hour_pkey do update
      set contacts = known.contacts + excluded.contacts;
  end if;
  if tg_op <> 'INSERT' then
    insert into conversion_hour as known
    select tenant_id, source_campaign_id, tag_id, date_trunc('hour', assigned_at, 'UTC'), -count(*)
    from gone where source_campaign_id is not null group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict on constraint conversion_hour_pkey do update
      set contacts = known.contacts + excluded.contacts;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.seal_audit(maximum integer)
 RETURNS SETOF outreach.audit_chain
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'outreach', 'pg_temp'
AS $function$
declare
  waiting audit_unsealed;
  chain audit_chain;
begin
  if not pg_try_advisory_xact_lock('audit_chain'::regclass::oid::bigint) then return; end if;
  for waiting in
    select * from (select * from audit_unsealed order by number limit maximum) u order by u.tenant_id, u.number
  loop
    if chain.tenant_id is distinct from waiting.tenant_id then
      if chain.tenant_id is not null then return next chain; end if;
      insert into audit_chain (tenant_id) values (waiting.tenant_id) on conflict do nothing;
      select * into chain from audit_chain c where c.tenant_id = waiting.tenant_id for update;
    end if;
    chain.position := chain.position + 1;
    chain.hash := sha256(chain.hash || waiting.digest || convert_to(jsonb_build_array(
      waiting.tenant_id, chain.position, waiting.entry_id,
      to_char(waiting.written_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'),
      to_char(waiting.noted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'),
      waiting.erasure_id)::text, 'UTF8'));
    insert into audit_seal values (waiting.tenant_id, chain.position, waiting.entry_id, waiting.written_at,
      waiting.noted_at, waiting.erasure_id, waiting.digest, chain.hash);
    update audit_chain c set position = chain.position, hash = chain.hash where c.tenant_id = chain.tenant_id;
    delete from audit_unsealed where number = waiting.number;
  end loop;
  if chain.tenant_id is not null then return next chain; end if;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.settle_automation_entries(entry_ids text[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
AS $function$
begin
  insert into automation_step (entry_id, step, tenant_id, automation_id, contact_id, due_at)
  select s.entry_id, s.step + 1, s.tenant_id, s.automation_id, s.contact_id,
    s.sent_at + make_interval(mins => (a.steps -> (s.step + 1) -> 'delay' ->> 'minutes')::int)
  from automation_step s join automation a using (automation_id) join campaign c on c.campaign_id = s.automation_id
  where s.entry_id = any(entry_ids) and s.status = 'sent' and s.step + 1 < jsonb_array_length(a.steps)
    and c.status in ('sending', 'paused')
  on conflict do nothing;

  update automation_entry e set status = f.status, reason = f.reason
  from (
    select s.entry_id, case
        when bool_or(s.status = 'waiting') then 'waiting'
        when bool_or(s.status = 'unknown' and s.step + 1 < jsonb_array_length(a.steps))
          and c.status in ('sending', 'paused') then 'waiting'
        when bool_or(s.status = 'sent') then 'sent'
        when bool_or(s.status = 'unknown') then 'unknown'
        else 'skipped' end as status,
      (array_agg(s.reason order by s.step) filter (where s.reason is not null))[1] as first_reason
    from automation_step s join automation a using (automation_id) join campaign c on c.campaign_id = s.automation_id
    where s.entry_id = any(entry_ids) group by s.entry_id, a.steps, c.status
  ) s cross join lateral (select s.status, case when s.status = 'skipped' then s.first_reason end as reason) f
  where e.entry_id = s.entry_id and (e.status, e.reason) is distinct from (f.status, f.reason);
end $function$
;

CREATE OR REPLACE FUNCTION outreach.settle_automation_steps()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
AS $function$
declare
  entry_ids text[];
begin
  with changed as (
    update automation_step s set
      status = case when new.status in ('pending', 'submitting') then 'waiting' when new.status = 'unknown' then 'unknown'
        when new.status = 'rejected' then 'skipped'
        when new.status = 'cancelled' then case when c.status in ('sending', 'paused') then 'waiting' else 'skipped' end
        else 'sent' end,
      reason = case when new.status = 'rejected'
          then case when new.error_code = 'contacts_erased' then 'erased' else 'refused' end
        when new.status = 'cancelled' and c.status not in ('sending', 'paused')
          then case when c.ended_by_uninstall then 'uninstalled' else 'ended' end end,
      sent_at = case when new.status in ('scheduled', 'sending', 'completed', 'failed')
        then coalesce(s.sent_at, new.submitted_at, new.finished_at) end,
      sub_task_key = case when new.status = 'cancelled' then null else s.sub_task_key end,
      claimed_at = case when new.status = 'cancelled' then null else s.claimed_at end
    from campaign c where s.sub_task_key = new.key and c.campaign_id = s.automation_id returning s.entry_id)
  select array_agg(entry_id) into entry_ids from changed;
  if entry_ids is not null then
    perform settle_automation_entries(entry_ids);
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.take_revision()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
AS $function$
begin
  new.revision := nextval('revision');
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.take_revision_of_automation()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
AS $function$
begin
  update automation set revision = nextval('revision') where automation_id = new.campaign_id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.take_revision_of_campaign()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
AS $function$
begin
  update campaign set revision = nextval('revision') where campaign_id = new.campaign_id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.takes_order(a outreach.automation, r outreach.revenue_entry)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select a.event = case r.kind when 'payment' then 'order.paid' else 'order.refunded' end
    and (a.trigger -> 'minAmount' is null or (a.trigger ->> 'currency' = r.currency
      and abs(r.amount_minor) >= (a.trigger ->> 'minAmount')::numeric * 100))
$function$
;

CREATE OR REPLACE FUNCTION outreach.tell_approval()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
AS $function$
declare of_type text := case when tg_op = 'INSERT' then 'approval.requested' else 'approval.decided' end;
begin
  if wants_event(new.tenant_id, of_type) then
    perform write_outgoing_event(new.tenant_id, new.campaign_id, of_type, jsonb_build_object(
      'tenantId', new.tenant_id, 'campaignId', new.campaign_id, 'approvalId', new.approval_id,
      'contacts', new.contacts, 'above', new.above, 'requestedBy', new.requested_by)
      || case when tg_op = 'INSERT' then '{}' else jsonb_build_object('outcome', new.outcome,
           'decidedBy', new.decided_by, 'reason', new.reason) end,
      null, null, interval '0');
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.tell_clicks()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
AS $function$
declare
  tenant text;
  g record;
begin
  for tenant in select distinct a.tenant_id from added a where has_event_readers(a.tenant_id) order by 1 loop
    continue when not wants_event(tenant, 'contact.clicked');
    for g in
      select campaign_id, array_agg(contact_id) as ids, jsonb_agg(jsonb_build_object('contactId', contact_id,
        'clickedAt', to_char(clicked_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'messageIndex', message_index, 'actionIndex', action_index, 'bizEventCode', biz_event_code,
        'taskId', task_id, 'noticeId', notice_id)) as items
      from (select *, (row_number() over (partition by campaign_id order by clicked_at, contact_id) - 1) / 500 as batch
            from added a where a.tenant_id = tenant) numbered
      group by campaign_id, batch order by campaign_id, batch
    loop
      perform collect_outgoing(tenant, g.campaign_id, 'contact.clicked',
        jsonb_build_object('tenantId', tenant, 'campaignId', g.campaign_id), 'contact.clicked ' || g.campaign_id,
        g.ids, g.items);
    end loop;
  end loop;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.tell_closed()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
AS $function$
declare
  tenant text;
begin
  for tenant in select distinct a.tenant_id from added a where has_event_readers(a.tenant_id) order by 1 loop
    continue when not wants_event(tenant, 'conversation.closed');
    perform collect_conversations(tenant, 'conversation.closed', (
      select jsonb_agg(jsonb_build_object('serviceNumberId', a.service_number_id, 'campaignId', a.campaign_id,
        'item', told_closed(a.contact_id, a.session_id, a.closed_at, a.message_count)) order by a.closed_at, a.session_id)
      from added a join gone o using (tenant_id, session_id)
      where a.tenant_id = tenant and o.closed_at is null and a.closed_at is not null));
  end loop;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.tell_completed()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
AS $function$
declare
  of_type text;
  s record;
begin
  foreach of_type in array array['campaign.completed', 'campaign.failed', 'campaign.cancelled'] loop
    continue when new.automation or of_type <> 'campaign.completed' and of_type <> 'campaign.' || new.status
      or not wants_event(new.tenant_id, of_type);
    select coalesce(sum(contact_count), 0) as contacts, coalesce(sum(sent), 0) as sent,
        coalesce(sum(delivered), 0) as delivered, coalesce(sum(failed), 0) as failed,
        coalesce(sum(read), 0) as read, count(*) as sub_tasks,
        count(*) filter (where status = 'unknown') as unknown,
        count(*) filter (where status in ('rejected', 'failed')) as rejected
      into s from broadcast_task where campaign_id = new.campaign_id and superseded_by is null;
    perform write_outgoing_event(new.tenant_id, new.campaign_id, of_type, jsonb_build_object(
      'tenantId', new.tenant_id, 'campaignId', new.campaign_id, 'name', new.name, 'status', new.status,
      'finishedAt', to_char(new.finished_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'contacts', s.contacts, 'sent', s.sent, 'delivered', s.delivered, 'failed', s.failed, 'read', s.read,
      'subTasks', s.sub_tasks, 'unknown', s.unknown, 'rejected', s.rejected),
      null, null, interval '0');
  end loop;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.tell_entered()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
AS $function$
begin
  if wants_event(new.tenant_id, 'automation.entered') then
    perform collect_outgoing(new.tenant_id, new.automation_id, 'automation.entered',
      jsonb_build_object('tenantId', new.tenant_id, 'automationId', new.automation_id),
      'automation.entered ' || new.automation_id, array[new.contact_id],
      jsonb_build_array(jsonb_build_object('contactId', new.contact_id, 'entryId', new.entry_id,
        'enteredAt', to_char(new.entered_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'cause', new.cause)));
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.tell_opened()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
AS $function$
declare
  tenant text;
  of_type text;
begin
  for tenant in select distinct a.tenant_id from added a where has_event_readers(a.tenant_id) order by 1 loop
    foreach of_type in array array['conversation.opened', 'conversation.closed'] loop
      continue when not wants_event(tenant, of_type);
      perform collect_conversations(tenant, of_type, (
        select jsonb_agg(jsonb_build_object('serviceNumberId', a.service_number_id, 'campaignId', a.campaign_id,
          'item', case of_type when 'conversation.opened' then told_opened(a.contact_id, a.session_id, a.opened_at)
            else told_closed(a.contact_id, a.session_id, a.closed_at, a.message_count) end)
          order by a.opened_at, a.session_id)
        from added a
        where a.tenant_id = tenant and (of_type = 'conversation.opened' or a.closed_at is not null)));
    end loop;
  end loop;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.tell_sent()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
AS $function$
declare
  d record;
  s record;
begin
  for d in
    select distinct m.tenant_id, m.campaign_id, m.dispatch_id
    from (select tenant_id, campaign_id, dispatch_id, status, 1 as n from added
      union all select tenant_id, campaign_id, dispatch_id, status, -1 from gone) m
    where m.status not in ('pending', 'submitting', 'scheduled')
      and not exists (select from outgoing_sent o where o.dispatch_id = m.dispatch_id)
    group by m.tenant_id, m.campaign_id, m.dispatch_id, m.status having sum(m.n) > 0
    order by m.dispatch_id
  loop
    continue when not wants_event(d.tenant_id, 'campaign.sent');
    -- Sub-tasks end in transactions that do not wait for each other: the last one is found under this lock.
    perform pg_advisory_xact_lock(hashtextextended('outgoing_sent ' || d.dispatch_id, 0));
    -- A condition of each index, so that nothing of what has ended is read.
    continue when exists (select from broadcast_task
        where dispatch_id = d.dispatch_id and status in ('pending', 'submitting'))
      or exists (select from broadcast_task
        where campaign_id = d.campaign_id and dispatch_id = d.dispatch_id and status = 'scheduled');
    select c.name, x.number, x.retry_of is not null as retry, count(*) as sub_tasks, sum(t.contact_count) as contacts,
        count(*) filter (where t.status in ('sending', 'completed')) as out,
        count(*) filter (where t.status = 'unknown') as unknown,
        count(*) filter (where t.status in ('rejected', 'failed')) as rejected,
        coalesce(sum(t.contact_count) filter (where t.status in ('sending', 'completed')), 0) as submitted
      into s
      from dispatch x join campaign c using (campaign_id) join broadcast_task t on t.dispatch_id = x.dispatch_id
      where x.dispatch_id = d.dispatch_id and x.frozen_at is not null group by c.name, x.number, x.retry_of;
    continue when not found or s.out = 0;
    insert into outgoing_sent (dispatch_id, tenant_id) values (d.dispatch_id, d.tenant_id) on conflict do nothing;
    if found then
      perform write_outgoing_event(d.tenant_id, d.campaign_id, 'campaign.sent', jsonb_build_object(
        'tenantId', d.tenant_id, 'campaignId', d.campaign_id, 'name', s.name, 'dispatchId', d.dispatch_id,
        'send', s.number, 'retry', s.retry, 'contacts', s.contacts, 'submitted', s.submitted, 'subTasks', s.sub_tasks,
        'unknown', s.unknown, 'rejected', s.rejected), null, null, interval '0');
    end if;
  end loop;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.tell_standing()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
AS $function$
declare of_type text := case when new.automation then 'automation.' else 'campaign.' end || new.status;
begin
  if wants_event(new.tenant_id, of_type) then
    perform write_outgoing_event(new.tenant_id, new.campaign_id, of_type, jsonb_build_object('tenantId', new.tenant_id,
      case when new.automation then 'automationId' else 'campaignId' end, new.campaign_id, 'name', new.name)
      || case new.status when 'paused' then jsonb_build_object('reason', new.pause_reason)
           else jsonb_build_object('at', new.schedule ->> 'at') end,
      null, null, interval '0');
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.tell_tags()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
AS $function$
declare
  tenant text;
  g record;
begin
  for tenant in select distinct a.tenant_id from added a where has_event_readers(a.tenant_id) order by 1 loop
    continue when not wants_event(tenant, 'contact.tagged');
    for g in
      select n.tag_id, t.name, n.campaign, n.source_rule_id, n.assigned_by, array_agg(n.contact_id) as ids,
        jsonb_agg(jsonb_build_object('contactId', n.contact_id,
          'taggedAt', to_char(n.assigned_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) as items
      from (select a.*, a.source_campaign_id as campaign, (row_number() over (partition by a.tag_id, a.source_campaign_id,
              a.source_rule_id, a.assigned_by order by a.assigned_at, a.contact_id) - 1) / 500 as batch
            from added a where a.tenant_id = tenant) n
        join tag t on t.tag_id = n.tag_id
      group by n.tag_id, t.name, n.campaign, n.source_rule_id, n.assigned_by, n.batch order by n.tag_id, n.batch
    loop
      perform collect_outgoing(tenant, coalesce(g.campaign, 'tag ' || g.tag_id), 'contact.tagged',
        jsonb_build_object('tenantId', tenant, 'tagId', g.tag_id, 'tagName', g.name, 'campaignId', g.campaign,
          'ruleId', g.source_rule_id, 'taggedBy', g.assigned_by),
        'contact.tagged ' || jsonb_build_array(g.tag_id, g.campaign, g.source_rule_id, g.assigned_by)::text,
        g.ids, g.items);
    end loop;
  end loop;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.tell_unfollowed()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
AS $function$
begin
  if wants_event(new.tenant_id, 'contact.unfollowed') then
    perform collect_outgoing(new.tenant_id, 'contacts ' || new.service_number_id, 'contact.unfollowed',
      jsonb_build_object('tenantId', new.tenant_id, 'serviceNumberId', new.service_number_id),
      'contact.unfollowed ' || new.service_number_id, array[new.contact_id],
      jsonb_build_array(jsonb_build_object('contactId', new.contact_id,
        'unfollowedAt', to_char(new.last_event_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))));
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.tell_unknown()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
AS $function$
begin
  if wants_event(new.tenant_id, 'subtask.unknown') then
    perform write_outgoing_event(new.tenant_id, new.campaign_id, 'subtask.unknown', jsonb_build_object(
      'tenantId', new.tenant_id, 'campaignId', new.campaign_id, 'dispatchId', new.dispatch_id, 'subTaskKey', new.key,
      'contacts', new.contact_count, 'reason', new.error_code), null, null, interval '0');
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION outreach.told_closed(contact_id text, session_id text, closed_at timestamp with time zone, message_count integer)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select jsonb_build_object('contactId', contact_id, 'sessionId', session_id,
    'closedAt', to_char(closed_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'messageCount', message_count)
$function$
;

CREATE OR REPLACE FUNCTION outreach.told_opened(contact_id text, session_id text, opened_at timestamp with time zone)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select jsonb_build_object('contactId', contact_id, 'sessionId', session_id,
    'openedAt', to_char(opened_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
$function$
;

CREATE OR REPLACE FUNCTION outreach.wants_event(tenant text, of_type text)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
AS $function$
begin
  perform 1 from webhook where tenant_id = tenant and of_type = any(event_types) for key share;
  return found or exists (select from event_reader where tenant_id = tenant);
end $function$
;

CREATE OR REPLACE FUNCTION outreach.write_outgoing_event(tenant text, of_stream text, of_type text, of_data jsonb, key text, amount integer, after interval)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO 'outreach'
AS $function$
declare id uuid := gen_random_uuid();
begin
  insert into outgoing_event (event_id, tenant_id, type, data, batch_key, contacts)
  values (id, tenant, of_type, of_data, key, amount);
  insert into delivery (delivery_id, event_id, tenant_id, endpoint_id, stream, next_attempt_at)
  select gen_random_uuid(), id, tenant, w.endpoint_id, of_stream, clock_timestamp() + after
  from webhook w where w.tenant_id = tenant and of_type = any(w.event_types)
  order by w.created_at, w.endpoint_id for key share;
  return id;
end $function$
;

CREATE TRIGGER audience_revision BEFORE UPDATE OF name, app_tag_ids, tag_operator, exclude_tag_ids, segment, take, contents ON outreach.audience FOR EACH ROW WHEN ((((((((old.name IS DISTINCT FROM new.name) OR (old.app_tag_ids IS DISTINCT FROM new.app_tag_ids)) OR (old.tag_operator IS DISTINCT FROM new.tag_operator)) OR (old.exclude_tag_ids IS DISTINCT FROM new.exclude_tag_ids)) OR (old.segment IS DISTINCT FROM new.segment)) OR (old.take IS DISTINCT FROM new.take)) OR (old.contents IS DISTINCT FROM new.contents))) EXECUTE FUNCTION outreach.take_revision();
CREATE TRIGGER audit_log_noted AFTER INSERT ON outreach.audit_log FOR EACH ROW EXECUTE FUNCTION outreach.note_audit_entry();
CREATE TRIGGER audit_log_number BEFORE INSERT ON outreach.audit_log FOR EACH ROW EXECUTE FUNCTION outreach.number_of_audited();
CREATE TRIGGER automation_revision BEFORE UPDATE ON outreach.automation FOR EACH ROW WHEN (((((((((((old.trigger IS DISTINCT FROM new.trigger) OR (old.filter IS DISTINCT FROM new.filter)) OR (old.delay_minutes IS DISTINCT FROM new.delay_minutes)) OR (old.steps IS DISTINCT FROM new.steps)) OR (old.entry IS DISTINCT FROM new.entry)) OR (old.quiet_hours IS DISTINCT FROM new.quiet_hours)) OR (old.max_per_day IS DISTINCT FROM new.max_per_day)) OR (old.exit_on IS DISTINCT FROM new.exit_on)) OR (old.restored IS DISTINCT FROM new.restored)) OR (old.activated_at IS DISTINCT FROM new.activated_at))) EXECUTE FUNCTION outreach.take_revision();
CREATE TRIGGER automation_entry_told AFTER UPDATE OF decided_at ON outreach.automation_entry FOR EACH ROW WHEN (((old.decided_at IS NULL) AND (new.decided_at IS NOT NULL) AND (new.status = 'waiting'::text))) EXECUTE FUNCTION outreach.tell_entered();
CREATE TRIGGER broadcast_task_became_unknown AFTER UPDATE OF status ON outreach.broadcast_task FOR EACH ROW WHEN (((new.status = 'unknown'::text) AND (old.status <> 'unknown'::text))) EXECUTE FUNCTION outreach.tell_unknown();
CREATE TRIGGER broadcast_task_delivered BEFORE UPDATE OF status, superseded_by, delivered, finished_at ON outreach.broadcast_task FOR EACH ROW WHEN (((((old.status = 'completed'::text) AND (old.superseded_by IS NULL) AND (old.delivered IS DISTINCT FROM 0)) IS DISTINCT FROM ((new.status = 'completed'::text) AND (new.superseded_by IS NULL) AND (new.delivered IS DISTINCT FROM 0))) OR ((new.status = 'completed'::text) AND (new.superseded_by IS NULL) AND (new.delivered IS DISTINCT FROM 0) AND (old.finished_at IS DISTINCT FROM new.finished_at)))) EXECUTE FUNCTION outreach.keep_past_delivery();
CREATE TRIGGER broadcast_task_of_automation AFTER UPDATE OF status ON outreach.broadcast_task FOR EACH ROW WHEN ((old.status IS DISTINCT FROM new.status)) EXECUTE FUNCTION outreach.settle_automation_steps();
CREATE TRIGGER broadcast_task_reached AFTER UPDATE OF status, superseded_by, delivered, finished_at ON outreach.broadcast_task FOR EACH ROW WHEN (((((old.status = 'completed'::text) AND (old.superseded_by IS NULL) AND (old.delivered IS DISTINCT FROM 0)) IS DISTINCT FROM ((new.status = 'completed'::text) AND (new.superseded_by IS NULL) AND (new.delivered IS DISTINCT FROM 0))) OR ((new.status = 'completed'::text) AND (new.superseded_by IS NULL) AND (new.delivered IS DISTINCT FROM 0) AND (old.finished_at IS DISTINCT FROM new.finished_at)))) EXECUTE FUNCTION outreach.outdate_reach();
CREATE TRIGGER broadcast_task_sent AFTER UPDATE ON outreach.broadcast_task REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION outreach.tell_sent();
CREATE TRIGGER campaign_of_automation_changed AFTER UPDATE ON outreach.campaign FOR EACH ROW WHEN ((new.automation AND ((old.status <> new.status) OR ((old.revision <> new.revision) AND (old.dispatches = new.dispatches))))) EXECUTE FUNCTION outreach.take_revision_of_automation();
CREATE TRIGGER campaign_of_automation_ended AFTER UPDATE OF status ON outreach.campaign FOR EACH ROW WHEN ((new.automation AND (old.status = ANY (ARRAY['sending'::text, 'paused'::text])) AND (new.status = ANY (ARRAY['closed'::text, 'cancelled'::text])))) EXECUTE FUNCTION outreach.end_automation_entries();
CREATE TRIGGER campaign_of_automation_looks_end AFTER UPDATE OF status ON outreach.campaign FOR EACH ROW WHEN ((new.automation AND (old.status = ANY (ARRAY['sending'::text, 'paused'::text])) AND (new.status = ANY (ARRAY['closed'::text, 'cancelled'::text])))) EXECUTE FUNCTION outreach.end_automation_looks();
CREATE TRIGGER campaign_revision BEFORE UPDATE OF name, note, channels, messages, messages_by, audience, schedule, ends_at, holdout_percent, pace, revenue_window_days, variants, steps, utm, labels, dispatches, pause_reason, cancel_requested, closed_at, ended_by_uninstall ON outreach.campaign FOR EACH ROW WHEN (((((((((((((((((((((old.name IS DISTINCT FROM new.name) OR (old.note IS DISTINCT FROM new.note)) OR (old.channels IS DISTINCT FROM new.channels)) OR (old.messages IS DISTINCT FROM new.messages)) OR (old.messages_by IS DISTINCT FROM new.messages_by)) OR (old.audience IS DISTINCT FROM new.audience)) OR (old.schedule IS DISTINCT FROM new.schedule)) OR (old.ends_at IS DISTINCT FROM new.ends_at)) OR (old.holdout_percent IS DISTINCT FROM new.holdout_percent)) OR (old.pace IS DISTINCT FROM new.pace)) OR (old.revenue_window_days IS DISTINCT FROM new.revenue_window_days)) OR (old.variants IS DISTINCT FROM new.variants)) OR (old.steps IS DISTINCT FROM new.steps)) OR (old.utm IS DISTINCT FROM new.utm)) OR (old.labels IS DISTINCT FROM new.labels)) OR (old.dispatches IS DISTINCT FROM new.dispatches)) OR (old.pause_reason IS DISTINCT FROM new.pause_reason)) OR (old.cancel_requested IS DISTINCT FROM new.cancel_requested)) OR (old.closed_at IS DISTINCT FROM new.closed_at)) OR (old.ended_by_uninstall IS DISTINCT FROM new.ended_by_uninstall))) EXECUTE FUNCTION outreach.take_revision();
CREATE TRIGGER campaign_standing_told AFTER UPDATE OF status ON outreach.campaign FOR EACH ROW WHEN ((((old.status = 'draft'::text) AND (new.status = 'scheduled'::text)) OR ((old.status <> 'paused'::text) AND (new.status = 'paused'::text)))) EXECUTE FUNCTION outreach.tell_standing();
CREATE TRIGGER campaign_status_moved AFTER UPDATE OF status ON outreach.campaign FOR EACH ROW WHEN ((old.status IS DISTINCT FROM new.status)) EXECUTE FUNCTION outreach.keep_campaign_transition();
CREATE TRIGGER campaign_told AFTER UPDATE OF finished_at ON outreach.campaign FOR EACH ROW WHEN (((old.finished_at IS NULL) AND (new.finished_at IS NOT NULL))) EXECUTE FUNCTION outreach.tell_completed();
CREATE TRIGGER campaign_edit_revision AFTER INSERT OR UPDATE OF outcome ON outreach.campaign_edit FOR EACH ROW EXECUTE FUNCTION outreach.take_revision_of_campaign();
CREATE TRIGGER campaign_repeat_revision BEFORE UPDATE OF name, calendar, zone, until, max_runs, skip_reached, pause_reason, end_reason, started_by ON outreach.campaign_repeat FOR EACH ROW WHEN ((((((((((old.name IS DISTINCT FROM new.name) OR (old.calendar IS DISTINCT FROM new.calendar)) OR (old.zone IS DISTINCT FROM new.zone)) OR (old.until IS DISTINCT FROM new.until)) OR (old.max_runs IS DISTINCT FROM new.max_runs)) OR (old.skip_reached IS DISTINCT FROM new.skip_reached)) OR (old.pause_reason IS DISTINCT FROM new.pause_reason)) OR (old.end_reason IS DISTINCT FROM new.end_reason)) OR (old.started_by IS DISTINCT FROM new.started_by))) EXECUTE FUNCTION outreach.take_revision();
CREATE TRIGGER click_attribution_added AFTER INSERT ON outreach.click_attribution REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION outreach.roll_up_clicks();
CREATE TRIGGER click_attribution_counted AFTER INSERT ON outreach.click_attribution REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION outreach.roll_up_campaign_clicks();
CREATE TRIGGER click_attribution_enters AFTER INSERT ON outreach.click_attribution REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION outreach.enter_by_click();
CREATE TRIGGER click_attribution_insert_by_hour AFTER INSERT ON outreach.click_attribution REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION outreach.roll_up_click_hour();
CREATE TRIGGER click_attribution_told AFTER INSERT ON outreach.click_attribution REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION outreach.tell_clicks();
CREATE TRIGGER click_attribution_update_by_hour AFTER UPDATE ON outreach.click_attribution REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION outreach.roll_up_click_hour();
CREATE TRIGGER contact_event_enters AFTER INSERT ON outreach.contact_event REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION outreach.enter_by_contact_event();
CREATE TRIGGER add_profiles_to_tag_blocks AFTER INSERT ON outreach.contact_profile REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION outreach.add_profiles_to_tag_blocks();
CREATE TRIGGER contact_profile_changed AFTER UPDATE OF changed_at ON outreach.contact_profile FOR EACH ROW WHEN ((old.changed_at IS DISTINCT FROM new.changed_at)) EXECUTE FUNCTION outreach.keep_past_profile();
CREATE TRIGGER contact_profile_unfollowed_told AFTER UPDATE OF follow_state ON outreach.contact_profile FOR EACH ROW WHEN (((old.follow_state = 'following'::text) AND (new.follow_state = 'unfollowed'::text))) EXECUTE FUNCTION outreach.tell_unfollowed();
CREATE TRIGGER remove_profiles_from_tag_blocks AFTER DELETE ON outreach.contact_profile REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION outreach.remove_profiles_from_tag_blocks();
CREATE TRIGGER conversation_closed_enters AFTER UPDATE OF closed_at ON outreach.conversation FOR EACH ROW WHEN (((old.closed_at IS NULL) AND (new.closed_at IS NOT NULL))) EXECUTE FUNCTION outreach.enter_by_session();
CREATE TRIGGER conversation_closed_told AFTER UPDATE ON outreach.conversation REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION outreach.tell_closed();
CREATE TRIGGER conversation_delete_by_hour AFTER DELETE ON outreach.conversation REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION outreach.roll_up_conversation_hour();
CREATE TRIGGER conversation_insert_by_hour AFTER INSERT ON outreach.conversation REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION outreach.roll_up_conversation_hour();
CREATE TRIGGER conversation_opened_told AFTER INSERT ON outreach.conversation REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION outreach.tell_opened();
CREATE TRIGGER conversation_update_by_hour AFTER UPDATE ON outreach.conversation REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION outreach.roll_up_conversation_hour();
CREATE TRIGGER dispatch_frozen AFTER INSERT OR UPDATE OF frozen_at ON outreach.dispatch FOR EACH ROW WHEN (((new.frozen_at IS NOT NULL) AND (new.frozen_count >= 2000))) EXECUTE FUNCTION outreach.note_large_send();
CREATE TRIGGER send_approval_decided AFTER UPDATE OF outcome ON outreach.send_approval FOR EACH ROW WHEN (((old.outcome IS NULL) AND (new.outcome IS NOT NULL))) EXECUTE FUNCTION outreach.tell_approval();
CREATE TRIGGER send_approval_requested AFTER INSERT ON outreach.send_approval FOR EACH ROW EXECUTE FUNCTION outreach.tell_approval();
CREATE TRIGGER send_approval_revision AFTER INSERT OR UPDATE OF outcome ON outreach.send_approval FOR EACH ROW EXECUTE FUNCTION outreach.take_revision_of_campaign();
CREATE TRIGGER smart_tag_rule_revision BEFORE UPDATE OF name, version, status, removed_at ON outreach.smart_tag_rule FOR EACH ROW WHEN (((((old.name IS DISTINCT FROM new.name) OR (old.version IS DISTINCT FROM new.version)) OR (old.status IS DISTINCT FROM new.status)) OR (old.removed_at IS DISTINCT FROM new.removed_at))) EXECUTE FUNCTION outreach.take_revision();
CREATE TRIGGER tag_revision BEFORE UPDATE OF name, color, expires_at, archived_at ON outreach.tag FOR EACH ROW WHEN (((((old.name IS DISTINCT FROM new.name) OR (old.color IS DISTINCT FROM new.color)) OR (old.expires_at IS DISTINCT FROM new.expires_at)) OR (old.archived_at IS DISTINCT FROM new.archived_at))) EXECUTE FUNCTION outreach.take_revision();
CREATE TRIGGER add_to_tag_blocks AFTER INSERT ON outreach.tag_assignment REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION outreach.add_to_tag_blocks();
CREATE TRIGGER remove_from_tag_blocks AFTER DELETE ON outreach.tag_assignment REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION outreach.remove_from_tag_blocks();
CREATE TRIGGER tag_assignment_delete_by_hour AFTER DELETE ON outreach.tag_assignment REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION outreach.roll_up_conversion_hour();
CREATE TRIGGER tag_assignment_enters AFTER INSERT ON outreach.tag_assignment REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION outreach.enter_by_tag();
CREATE TRIGGER tag_assignment_insert_by_hour AFTER INSERT ON outreach.tag_assignment REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION outreach.roll_up_conversion_hour();
CREATE TRIGGER tag_assignment_told AFTER INSERT ON outreach.tag_assignment REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION outreach.tell_tags();
CREATE TRIGGER tag_assignment_update_by_hour AFTER UPDATE ON outreach.tag_assignment REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION outreach.roll_up_conversion_hour();
CREATE TRIGGER template_revision BEFORE UPDATE OF name, version ON outreach.template FOR EACH ROW WHEN (((old.name IS DISTINCT FROM new.name) OR (old.version IS DISTINCT FROM new.version))) EXECUTE FUNCTION outreach.take_revision();
CREATE TRIGGER tenant_automations_revision BEFORE UPDATE OF automations_per_contact_per_day ON outreach.tenant FOR EACH ROW WHEN ((old.automations_per_contact_per_day IS DISTINCT FROM new.automations_per_contact_per_day)) EXECUTE FUNCTION outreach.take_revision();
CREATE TRIGGER tenant_revision BEFORE UPDATE OF viewers_see_contact_panel, sends_need_approval, test_contacts, utm, quiet_hours, control_percent ON outreach.tenant FOR EACH ROW WHEN (((((((old.viewers_see_contact_panel IS DISTINCT FROM new.viewers_see_contact_panel) OR (old.sends_need_approval IS DISTINCT FROM new.sends_need_approval)) OR (old.test_contacts IS DISTINCT FROM new.test_contacts)) OR (old.utm IS DISTINCT FROM new.utm)) OR (old.quiet_hours IS DISTINCT FROM new.quiet_hours)) OR (old.control_percent IS DISTINCT FROM new.control_percent))) EXECUTE FUNCTION outreach.take_revision();
CREATE TRIGGER webhook_revision BEFORE UPDATE OF url, event_types, sealed_secret, paused_for ON outreach.webhook FOR EACH ROW WHEN (((((old.url IS DISTINCT FROM new.url) OR (old.event_types IS DISTINCT FROM new.event_types)) OR (old.sealed_secret IS DISTINCT FROM new.sealed_secret)) OR (old.paused_for IS DISTINCT FROM new.paused_for))) EXECUTE FUNCTION outreach.take_revision();

alter table outreach.audience enable row level security;
create policy everybody on outreach.audience as permissive for all to public using (true);
create policy own_service_numbers on outreach.audience as restrictive for select to outreach_limited using ((service_number_id = ANY (( SELECT outreach.own_service_numbers() AS own_service_numbers)::text[])));
alter table outreach.audience_count enable row level security;
create policy everybody on outreach.audience_count as permissive for all to public using (true);
create policy own_service_numbers on outreach.audience_count as restrictive for select to outreach_limited using ((service_number_id = ANY (( SELECT outreach.own_service_numbers() AS own_service_numbers)::text[])));
alter table outreach.audit_log enable row level security;
create policy everybody on outreach.audit_log as permissive for all to public using (true);
create policy own_service_numbers on outreach.audit_log as restrictive for select to outreach_limited using (((service_number_id = ''::text) OR (service_number_id = ANY (( SELECT outreach.own_service_numbers() AS own_service_numbers)::text[]))));
alter table outreach.automation enable row level security;
create policy everybody on outreach.automation as permissive for all to public using (true);
create policy own_service_numbers on outreach.automation as restrictive for select to outreach_limited using ((EXISTS ( SELECT
   FROM outreach.campaign o
  WHERE (o.campaign_id = automation.automation_id))));
alter table outreach.automation_entry enable row level security;
create policy everybody on outreach.automation_entry as permissive for all to public using (true);
create policy own_service_numbers on outreach.automation_entry as restrictive for select to outreach_limited using ((EXISTS ( SELECT
   FROM outreach.automation o
  WHERE (o.automation_id = automation_entry.automation_id))));
alter table outreach.automation_step enable row level security;
create policy everybody on outreach.automation_step as permissive for all to public using (true);
create policy own_service_numbers on outreach.automation_step as restrictive for select to outreach_limited using ((EXISTS ( SELECT
   FROM outreach.automation_entry o
  WHERE (o.entry_id = automation_step.entry_id))));
alter table outreach.automation_step_sum enable row level security;
create policy everybody on outreach.automation_step_sum as permissive for all to public using (true);
create policy own_service_numbers on outreach.automation_step_sum as restrictive for select to outreach_limited using ((EXISTS ( SELECT
   FROM outreach.automation o
  WHERE (o.automation_id = automation_step_sum.automation_id))));
alter table outreach.automation_sum enable row level security;
create policy everybody on outreach.automation_sum as permissive for all to public using (true);
create policy own_service_numbers on outreach.automation_sum as restrictive for select to outreach_limited using ((EXISTS ( SELECT
   FROM outreach.automation o
  WHERE (o.automation_id = automation_sum.automation_id))));
alter table outreach.broadcast_task enable row level security;
create policy everybody on outreach.broadcast_task as permissive for all to public using (true);
create policy own_service_numbers on outreach.broadcast_task as restrictive for select to outreach_limited using ((EXISTS ( SELECT
   FROM outreach.campaign o
  WHERE (o.campaign_id = broadcast_task.campaign_id))));
alter table outreach.broadcast_task_past enable row level security;
create policy everybody on outreach.broadcast_task_past as permissive for all to public using (true);
create policy own_service_numbers on outreach.broadcast_task_past as restrictive for select to outreach_limited using ((EXISTS ( SELECT
   FROM outreach.campaign o
  WHERE (o.campaign_id = broadcast_task_past.campaign_id))));
alter table outreach.button_clicks enable row level security;
create policy everybody on outreach.button_clicks as permissive for all to public using (true);
create policy own_service_numbers on outreach.button_clicks as restrictive for select to outreach_limited using ((EXISTS ( SELECT
   FROM outreach.campaign o
  WHERE (o.campaign_id = button_clicks.campaign_id))));
alter table outreach.campaign enable row level security;
create policy everybody on outreach.campaign as permissive for all to public using (true);
create policy own_service_numbers on outreach.campaign as restrictive for select to outreach_limited using ((service_number_id = ANY (( SELECT outreach.own_service_numbers() AS own_service_numbers)::text[])));
alter table outreach.campaign_clicks enable row level security;
create policy everybody on outreach.campaign_clicks as permissive for all to public using (true);
create policy own_service_numbers on outreach.campaign_clicks as restrictive for select to outreach_limited using ((EXISTS ( SELECT
   FROM outreach.campaign o
  WHERE (o.campaign_id = campaign_clicks.campaign_id))));
alter table outreach.campaign_edit enable row level security;
create policy everybody on outreach.campaign_edit as permissive for all to public using (true);
create policy own_service_numbers on outreach.campaign_edit as restrictive for select to outreach_limited using ((EXISTS ( SELECT
   FROM outreach.campaign o
  WHERE (o.campaign_id = campaign_edit.campaign_id))));
alter table outreach.campaign_repeat enable row level security;
create policy everybody on outreach.campaign_repeat as permissive for all to public using (true);
create policy own_service_numbers on outreach.campaign_repeat as restrictive for select to outreach_limited using ((service_number_id = ANY (( SELECT outreach.own_service_numbers() AS own_service_numbers)::text[])));
alter table outreach.campaign_revenue enable row level security;
create policy everybody on outreach.campaign_revenue as permissive for all to public using (true);
create policy own_service_numbers on outreach.campaign_revenue as restrictive for select to outreach_limited using ((EXISTS ( SELECT
   FROM outreach.campaign o
  WHERE (o.campaign_id = campaign_revenue.campaign_id))));
alter table outreach.campaign_step enable row level security;
create policy everybody on outreach.campaign_step as permissive for all to public using (true);
create policy own_service_numbers on outreach.campaign_step as restrictive for select to outreach_limited using ((EXISTS ( SELECT
   FROM outreach.campaign o
  WHERE (o.campaign_id = campaign_step.campaign_id))));
alter table outreach.campaign_transition enable row level security;
create policy everybody on outreach.campaign_transition as permissive for all to public using (true);
create policy own_service_numbers on outreach.campaign_transition as restrictive for select to outreach_limited using ((EXISTS ( SELECT
   FROM outreach.campaign o
  WHERE (o.campaign_id = campaign_transition.campaign_id))));
alter table outreach.click_attribution enable row level security;
create policy everybody on outreach.click_attribution as permissive for all to public using (true);
create policy own_service_numbers on outreach.click_attribution as restrictive for select to outreach_limited using ((EXISTS ( SELECT
   FROM outreach.campaign o
  WHERE (o.campaign_id = click_attribution.campaign_id))));
alter table outreach.click_hour enable row level security;
create policy everybody on outreach.click_hour as permissive for all to public using (true);
create policy own_service_numbers on outreach.click_hour as restrictive for select to outreach_limited using ((EXISTS ( SELECT
   FROM outreach.campaign o
  WHERE (o.campaign_id = click_hour.campaign_id))));
alter table outreach.click_quarter enable row level security;
create policy everybody on outreach.click_quarter as permissive for all to public using (true);
create policy own_service_numbers on outreach.click_quarter as restrictive for select to outreach_limited using ((service_number_id = ANY (( SELECT outreach.own_service_numbers() AS own_service_numbers)::text[])));
alter table outreach.clicked_day enable row level security;
create policy everybody on outreach.clicked_day as permissive for all to public using (true);
create policy own_service_numbers on outreach.clicked_day as restrictive for select to outreach_limited using ((service_number_id = ANY (( SELECT outreach.own_service_numbers() AS own_service_numbers)::text[])));
alter table outreach.clicked_hour enable row level security;
create policy everybody on outreach.clicked_hour as permissive for all to public using (true);
create policy own_service_numbers on outreach.clicked_hour as restrictive for select to outreach_limited using ((service_number_id = ANY (( SELECT outreach.own_service_numbers() AS own_service_numbers)::text[])));
alter table outreach.clicker_tagging enable row level security;
create policy everybody on outreach.clicker_tagging as permissive for all to public using (true);
create policy own_service_numbers on outreach.clicker_tagging as restrictive for select to outreach_limited using ((service_number_id = ANY (( SELECT outreach.own_service_numbers() AS own_service_numbers)::text[])));
alter table outreach.contact_event enable row level security;
create policy everybody on outreach.contact_event as permissive for all to public using (true);
create policy own_service_numbers on outreach.contact_event as restrictive for select to outreach_limited using ((service_number_id = ANY (( SELECT outreach.own_service_numbers() AS own_service_numbers)::text[])));
alter table outreach.contact_profile enable row level security;
create policy everybody on outreach.contact_profile as permissive for all to public using (true);
create policy own_service_numbers on outreach.contact_profile as restrictive for select to outreach_limited using ((service_number_id = ANY (( SELECT outreach.own_service_numbers() AS own_service_numbers)::text[])));
alter table outreach.contact_profile_past enable row level security;
create policy everybody on outreach.contact_profile_past as permissive for all to public using (true);
create policy own_service_numbers on outreach.contact_profile_past as restrictive for select to outreach_limited using ((service_number_id = ANY (( SELECT outreach.own_service_numbers() AS own_service_numbers)::text[])));
alter table outreach.contact_revenue_entry enable row level security;
create policy everybody on outreach.contact_revenue_entry as permissive for all to public using (true);
create policy own_service_numbers on outreach.contact_revenue_entry as restrictive for select to outreach_limited using ((service_number_id = ANY (( SELECT outreach.own_service_numbers() AS own_service_numbers)::text[])));
alter table outreach.conversation enable row level security;
create policy everybody on outreach.conversation as permissive for all to public using (true);
create policy own_service_numbers on outreach.conversation as restrictive for select to outreach_limited using (
CASE
    WHEN (service_number_id IS NULL) THEN (EXISTS ( SELECT
       FROM outreach.campaign o
      WHERE (o.campaign_id = conversation.campaign_id)))
    ELSE (service_number_id = ANY (( SELECT outreach.own_service_numbers() AS own_service_numbers)::text[]))
END);
alter table outreach.conversation_hour enable row level security;
create policy everybody on outreach.conversation_hour as permissive for all to public using (true);
create policy own_service_numbers on outreach.conversation_hour as restrictive for select to outreach_limited using ((EXISTS ( SELECT
   FROM outreach.campaign o
  WHERE (o.campaign_id = conversation_hour.campaign_id))));
alter table outreach.conversion_hour enable row level security;
create policy everybody on outreach.conversion_hour as permissive for all to public using (true);
create policy own_service_numbers on outreach.conversion_hour as restrictive for select to outreach_limited using ((EXISTS ( SELECT
   FROM outreach.campaign o
  WHERE (o.campaign_id = conversion_hour.campaign_id))));
alter table outreach.dispatch enable row level security;
create policy everybody on outreach.dispatch as permissive for all to public using (true);
create policy own_service_numbers on outreach.dispatch as restrictive for select to outreach_limited using ((EXISTS ( SELECT
   FROM outreach.campaign o
  WHERE (o.campaign_id = dispatch.campaign_id))));
alter table outreach.dispatch_reach enable row level security;
create policy everybody on outreach.dispatch_reach as permissive for all to public using (true);
create policy own_service_numbers on outreach.dispatch_reach as restrictive for select to outreach_limited using ((service_number_id = ANY (( SELECT outreach.own_service_numbers() AS own_service_numbers)::text[])));
alter table outreach.dry_run enable row level security;
create policy everybody on outreach.dry_run as permissive for all to public using (true);
create policy own_service_numbers on outreach.dry_run as restrictive for select to outreach_limited using ((EXISTS ( SELECT
   FROM outreach.campaign o
  WHERE (o.campaign_id = dry_run.campaign_id))));
alter table outreach.entry_source enable row level security;
create policy everybody on outreach.entry_source as permissive for all to public using (true);
create policy own_service_numbers on outreach.entry_source as restrictive for select to outreach_limited using ((EXISTS ( SELECT
   FROM outreach.campaign o
  WHERE (o.campaign_id = entry_source.campaign_id))));
alter table outreach.event_code_clicks enable row level security;
create policy everybody on outreach.event_code_clicks as permissive for all to public using (true);
create policy own_service_numbers on outreach.event_code_clicks as restrictive for select to outreach_limited using ((EXISTS ( SELECT
   FROM outreach.campaign o
  WHERE (o.campaign_id = event_code_clicks.campaign_id))));
alter table outreach.event_inbox enable row level security;
create policy everybody on outreach.event_inbox as permissive for all to public using (true);
create policy own_service_numbers on outreach.event_inbox as restrictive for select to outreach_limited using ((service_number_id = ANY (( SELECT outreach.own_service_numbers() AS own_service_numbers)::text[])));
alter table outreach.outgoing_event enable row level security;
create policy everybody on outreach.outgoing_event as permissive for all to public using (true);
create policy own_service_numbers on outreach.outgoing_event as restrictive for select to outreach_limited using (
CASE
    WHEN ((data ->> 'serviceNumberId'::text) IS NOT NULL) THEN ((data ->> 'serviceNumberId'::text) = ANY (( SELECT outreach.own_service_numbers() AS own_service_numbers)::text[]))
    WHEN (COALESCE((data ->> 'campaignId'::text), (data ->> 'automationId'::text)) IS NOT NULL) THEN (EXISTS ( SELECT
       FROM outreach.campaign o
      WHERE (o.campaign_id = COALESCE((outgoing_event.data ->> 'campaignId'::text), (outgoing_event.data ->> 'automationId'::text)))))
    WHEN ((data ->> 'tagId'::text) IS NOT NULL) THEN (EXISTS ( SELECT
       FROM outreach.tag o
      WHERE (o.tag_id = (outgoing_event.data ->> 'tagId'::text))))
    ELSE true
END);
alter table outreach.revenue_difference enable row level security;
create policy everybody on outreach.revenue_difference as permissive for all to public using (true);
create policy own_service_numbers on outreach.revenue_difference as restrictive for select to outreach_limited using ((EXISTS ( SELECT
   FROM outreach.campaign o
  WHERE (o.campaign_id = revenue_difference.campaign_id))));
alter table outreach.revenue_entry enable row level security;
create policy everybody on outreach.revenue_entry as permissive for all to public using (true);
create policy own_service_numbers on outreach.revenue_entry as restrictive for select to outreach_limited using ((EXISTS ( SELECT
   FROM outreach.campaign o
  WHERE (o.campaign_id = revenue_entry.campaign_id))));
alter table outreach.send_approval enable row level security;
create policy everybody on outreach.send_approval as permissive for all to public using (true);
create policy own_service_numbers on outreach.send_approval as restrictive for select to outreach_limited using ((EXISTS ( SELECT
   FROM outreach.campaign o
  WHERE (o.campaign_id = send_approval.campaign_id))));
alter table outreach.service_number_catalog enable row level security;
create policy everybody on outreach.service_number_catalog as permissive for all to public using (true);
create policy own_service_numbers on outreach.service_number_catalog as restrictive for select to outreach_limited using ((service_number_id = ANY (( SELECT outreach.own_service_numbers() AS own_service_numbers)::text[])));
alter table outreach.smart_tag_rule enable row level security;
create policy everybody on outreach.smart_tag_rule as permissive for all to public using (true);
create policy own_service_numbers on outreach.smart_tag_rule as restrictive for select to outreach_limited using ((EXISTS ( SELECT
   FROM outreach.tag o
  WHERE (o.tag_id = smart_tag_rule.target_tag_id))));
alter table outreach.tag enable row level security;
create policy everybody on outreach.tag as permissive for all to public using (true);
create policy own_service_numbers on outreach.tag as restrictive for select to outreach_limited using ((service_number_id = ANY (( SELECT outreach.own_service_numbers() AS own_service_numbers)::text[])));
alter table outreach.tag_assignment enable row level security;
create policy everybody on outreach.tag_assignment as permissive for all to public using (true);
create policy own_service_numbers on outreach.tag_assignment as restrictive for select to outreach_limited using ((EXISTS ( SELECT
   FROM outreach.tag o
  WHERE (o.tag_id = tag_assignment.tag_id))));
alter table outreach.tag_assignment_past enable row level security;
create policy everybody on outreach.tag_assignment_past as permissive for all to public using (true);
create policy own_service_numbers on outreach.tag_assignment_past as restrictive for select to outreach_limited using ((EXISTS ( SELECT
   FROM outreach.tag o
  WHERE (o.tag_id = tag_assignment_past.tag_id))));
alter table outreach.template enable row level security;
create policy everybody on outreach.template as permissive for all to public using (true);
create policy own_service_numbers on outreach.template as restrictive for select to outreach_limited using (((service_number_id IS NULL) OR (service_number_id = ANY (( SELECT outreach.own_service_numbers() AS own_service_numbers)::text[]))));
alter table outreach.test_send enable row level security;
create policy everybody on outreach.test_send as permissive for all to public using (true);
create policy own_service_numbers on outreach.test_send as restrictive for select to outreach_limited using ((EXISTS ( SELECT
   FROM outreach.campaign o
  WHERE (o.campaign_id = test_send.campaign_id))));
alter table outreach.variant_test enable row level security;
create policy everybody on outreach.variant_test as permissive for all to public using (true);
create policy own_service_numbers on outreach.variant_test as restrictive for select to outreach_limited using ((EXISTS ( SELECT
   FROM outreach.campaign o
  WHERE (o.campaign_id = variant_test.campaign_id))));

grant delete, insert, select, update on table outreach.app_user to outreach;
grant delete, insert, select, update on table outreach.app_user to outreach_limited;
grant delete, insert, select, update on table outreach.audience to outreach;
grant delete, insert, select, update on table outreach.audience to outreach_limited;
grant delete, insert, select, update on table outreach.audience_count to outreach;
grant delete, insert, select, update on table outreach.audience_count to outreach_limited;
grant delete, insert, select, update on table outreach.audience_drift to outreach;
grant delete, insert, select, update on table outreach.audience_drift to outreach_limited;
grant delete, insert, select, update on table outreach.audience_member to outreach;
grant delete, insert, select, update on table outreach.audience_member to outreach_limited;
grant delete, insert, select, update on table outreach.audience_replaced to outreach;
grant delete, insert, select, update on table outreach.audience_replaced to outreach_limited;
grant select on table outreach.audit_chain to outreach;
grant select on table outreach.audit_chain to outreach_limited;
grant insert, select on table outreach.audit_log to outreach;
grant insert, select on table outreach.audit_log to outreach_limited;
grant select on table outreach.audit_seal to outreach;
grant select on table outreach.audit_seal to outreach_limited;
grant select on table outreach.audit_unsealed to outreach;
grant select on table outreach.audit_unsealed to outreach_limited;
grant select, usage on sequence outreach.audit_unsealed_number_seq to outreach;
grant select, usage on sequence outreach.audit_unsealed_number_seq to outreach_limited;
grant delete, insert, select, update on table outreach.automation to outreach;
grant delete, insert, select, update on table outreach.automation to outreach_limited;
grant delete, insert, select, update on table outreach.automation_entry to outreach;
grant delete, insert, select, update on table outreach.automation_entry to outreach_limited;
grant delete, insert, select, update on table outreach.automation_member to outreach;
grant delete, insert, select, update on table outreach.automation_member to outreach_limited;
grant delete, insert, select, update on table outreach.automation_step to outreach;
grant delete, insert, select, update on table outreach.automation_step to outreach_limited;
grant delete, insert, select, update on table outreach.automation_step_sum to outreach;
grant delete, insert, select, update on table outreach.automation_step_sum to outreach_limited;
grant delete, insert, select, update on table outreach.automation_sum to outreach;
grant delete, insert, select, update on table outreach.automation_sum to outreach_limited;
grant delete, insert, select, update on table outreach.broadcast_task to outreach;
grant delete, insert, select, update on table outreach.broadcast_task to outreach_limited;
grant delete, insert, select, update on table outreach.broadcast_task_past to outreach;
grant delete, insert, select, update on table outreach.broadcast_task_past to outreach_limited;
grant delete, insert, select, update on table outreach.button_clicks to outreach;
grant delete, insert, select, update on table outreach.button_clicks to outreach_limited;
grant delete, insert, select, update on table outreach.campaign to outreach;
grant delete, insert, select, update on table outreach.campaign to outreach_limited;
grant delete, insert, select, update on table outreach.campaign_clicks to outreach;
grant delete, insert, select, update on table outreach.campaign_clicks to outreach_limited;
grant delete, insert, select, update on table outreach.campaign_edit to outreach;
grant delete, insert, select, update on table outreach.campaign_edit to outreach_limited;
grant delete, insert, select, update on table outreach.campaign_repeat to outreach;
grant delete, insert, select, update on table outreach.campaign_repeat to outreach_limited;
grant delete, insert, select, update on table outreach.campaign_revenue to outreach;
grant delete, insert, select, update on table outreach.campaign_revenue to outreach_limited;
grant delete, insert, select, update on table outreach.campaign_step to outreach;
grant delete, insert, select, update on table outreach.campaign_step to outreach_limited;
grant delete, insert, select, update on table outreach.campaign_transition to outreach;
grant delete, insert, select, update on table outreach.campaign_transition to outreach_limited;
grant select, usage on sequence outreach.campaign_transition_transition_id_seq to outreach;
grant select, usage on sequence outreach.campaign_transition_transition_id_seq to outreach_limited;
grant delete, insert, select, update on table outreach.click_attribution to outreach;
grant delete, insert, select, update on table outreach.click_attribution to outreach_limited;
grant delete, insert, select, update on table outreach.click_hour to outreach;
grant delete, insert, select, update on table outreach.click_hour to outreach_limited;
grant delete, insert, select, update on table outreach.click_quarter to outreach;
grant delete, insert, select, update on table outreach.click_quarter to outreach_limited;
grant delete, insert, select, update on table outreach.clicked_day to outreach;
grant delete, insert, select, update on table outreach.clicked_day to outreach_limited;
grant delete, insert, select, update on table outreach.clicked_hour to outreach;
grant delete, insert, select, update on table outreach.clicked_hour to outreach_limited;
grant delete, insert, select, update on table outreach.clicker_tagging to outreach;
grant delete, insert, select, update on table outreach.clicker_tagging to outreach_limited;
grant delete, insert, select, update on table outreach.contact_event to outreach;
grant delete, insert, select, update on table outreach.contact_event to outreach_limited;
grant select, usage on sequence outreach.contact_ordinal to outreach;
grant select, usage on sequence outreach.contact_ordinal to outreach_limited;
grant delete, insert, select, update on table outreach.contact_profile to outreach;
grant delete, insert, select, update on table outreach.contact_profile to outreach_limited;
grant delete, insert, select, update on table outreach.contact_profile_past to outreach;
grant delete, insert, select, update on table outreach.contact_profile_past to outreach_limited;
grant delete, insert, select, update on table outreach.contact_revenue_entry to outreach;
grant delete, insert, select, update on table outreach.contact_revenue_entry to outreach_limited;
grant delete, insert, select, update on table outreach.conversation to outreach;
grant delete, insert, select, update on table outreach.conversation to outreach_limited;
grant delete, insert, select, update on table outreach.conversation_hour to outreach;
grant delete, insert, select, update on table outreach.conversation_hour to outreach_limited;
grant delete, insert, select, update on table outreach.conversion_hour to outreach;
grant delete, insert, select, update on table outreach.conversion_hour to outreach_limited;
grant delete, insert, select, update on table outreach.copywriting to outreach;
grant delete, insert, select, update on table outreach.copywriting to outreach_limited;
grant delete, insert, select, update on table outreach.database_place to outreach;
grant delete, insert, select, update on table outreach.database_place to outreach_limited;
grant delete, insert, select, update on table outreach.delivery to outreach;
grant delete, insert, select, update on table outreach.delivery to outreach_limited;
grant select, usage on sequence outreach.delivery_position_seq to outreach;
grant select, usage on sequence outreach.delivery_position_seq to outreach_limited;
grant delete, insert, select, update on table outreach.dispatch to outreach;
grant delete, insert, select, update on table outreach.dispatch to outreach_limited;
grant delete, insert, select, update on table outreach.dispatch_chunk to outreach;
grant delete, insert, select, update on table outreach.dispatch_chunk to outreach_limited;
grant delete, insert, select, update on table outreach.dispatch_control to outreach;
grant delete, insert, select, update on table outreach.dispatch_control to outreach_limited;
grant delete, insert, select, update on table outreach.dispatch_reach to outreach;
grant delete, insert, select, update on table outreach.dispatch_reach to outreach_limited;
grant delete, insert, select, update on table outreach.dispatch_recipient to outreach;
grant delete, insert, select, update on table outreach.dispatch_recipient to outreach_limited;
grant delete, insert, select, update on table outreach.dry_run to outreach;
grant delete, insert, select, update on table outreach.dry_run to outreach_limited;
grant delete, insert, select, update on table outreach.dry_run_part to outreach;
grant delete, insert, select, update on table outreach.dry_run_part to outreach_limited;
grant delete, insert, select, update on table outreach.ending_workflow to outreach;
grant delete, insert, select, update on table outreach.ending_workflow to outreach_limited;
grant delete, insert, select, update on table outreach.entry_source to outreach;
grant delete, insert, select, update on table outreach.entry_source to outreach_limited;
grant delete, insert, select, update on table outreach.erased_contact to outreach;
grant delete, insert, select, update on table outreach.erased_contact to outreach_limited;
grant delete, insert, select, update on table outreach.erasure_key to outreach;
grant delete, insert, select, update on table outreach.erasure_key to outreach_limited;
grant delete, insert, select, update on table outreach.event_code_clicks to outreach;
grant delete, insert, select, update on table outreach.event_code_clicks to outreach_limited;
grant delete, insert, select, update on table outreach.event_inbox to outreach;
grant delete, insert, select, update on table outreach.event_inbox to outreach_limited;
grant delete, insert, select, update on table outreach.event_reader to outreach;
grant delete, insert, select, update on table outreach.event_reader to outreach_limited;
grant delete, insert, select, update on table outreach.holdout_key to outreach;
grant delete, insert, select, update on table outreach.holdout_key to outreach_limited;
grant delete, insert, select, update on table outreach.idempotent_call to outreach;
grant delete, insert, select, update on table outreach.idempotent_call to outreach_limited;
grant delete, insert, select, update on table outreach.inbox_lease to outreach;
grant delete, insert, select, update on table outreach.inbox_lease to outreach_limited;
grant delete, insert, select, update on table outreach.no_response_scan to outreach;
grant delete, insert, select, update on table outreach.no_response_scan to outreach_limited;
grant delete, insert, select, update on table outreach.notice_reader to outreach;
grant delete, insert, select, update on table outreach.notice_reader to outreach_limited;
grant delete, insert, select, update on table outreach.outbound_call to outreach;
grant delete, insert, select, update on table outreach.outbound_call to outreach_limited;
grant delete, insert, select, update on table outreach.outgoing_event to outreach;
grant delete, insert, select, update on table outreach.outgoing_event to outreach_limited;
grant delete, insert, select, update on table outreach.outgoing_event_part to outreach;
grant delete, insert, select, update on table outreach.outgoing_event_part to outreach_limited;
grant select, usage on sequence outreach.outgoing_event_position to outreach;
grant select, usage on sequence outreach.outgoing_event_position to outreach_limited;
grant delete, insert, select, update on table outreach.outgoing_sent to outreach;
grant delete, insert, select, update on table outreach.outgoing_sent to outreach_limited;
grant delete, insert, select, update on table outreach.platform_pace to outreach;
grant delete, insert, select, update on table outreach.platform_pace to outreach_limited;
grant delete, insert, select, update on table outreach.reach_block to outreach;
grant delete, insert, select, update on table outreach.reach_block to outreach_limited;
grant delete, insert, select, update on table outreach.recurring_run to outreach;
grant delete, insert, select, update on table outreach.recurring_run to outreach_limited;
grant delete, insert, select, update on table outreach.removed_assignment to outreach;
grant delete, insert, select, update on table outreach.removed_assignment to outreach_limited;
grant delete, insert, select, update on table outreach.repeat_run to outreach;
grant delete, insert, select, update on table outreach.repeat_run to outreach_limited;
grant delete, insert, select, update on table outreach.revenue_difference to outreach;
grant delete, insert, select, update on table outreach.revenue_difference to outreach_limited;
grant delete, insert, select, update on table outreach.revenue_entry to outreach;
grant delete, insert, select, update on table outreach.revenue_entry to outreach_limited;
grant delete, insert, select, update on table outreach.revenue_position to outreach;
grant delete, insert, select, update on table outreach.revenue_position to outreach_limited;
grant select, usage on sequence outreach.revision to outreach;
grant select, usage on sequence outreach.revision to outreach_limited;
grant delete, insert, select, update on table outreach.send_approval to outreach;
grant delete, insert, select, update on table outreach.send_approval to outreach_limited;
grant delete, insert, select, update on table outreach.service_number_catalog to outreach;
grant delete, insert, select, update on table outreach.service_number_catalog to outreach_limited;
grant delete, insert, select, update on table outreach.service_number_right to outreach;
grant delete, insert, select, update on table outreach.service_number_right to outreach_limited;
grant delete, insert, select, update on table outreach.smart_tag_rule to outreach;
grant delete, insert, select, update on table outreach.smart_tag_rule to outreach_limited;
grant delete, insert, select, update on table outreach.smart_tag_rule_version to outreach;
grant delete, insert, select, update on table outreach.smart_tag_rule_version to outreach_limited;
grant delete, insert, select, update on table outreach.tag to outreach;
grant delete, insert, select, update on table outreach.tag to outreach_limited;
grant delete, insert, select, update on table outreach.tag_assignment to outreach;
grant delete, insert, select, update on table outreach.tag_assignment to outreach_limited;
grant delete, insert, select, update on table outreach.tag_assignment_past to outreach;
grant delete, insert, select, update on table outreach.tag_assignment_past to outreach_limited;
grant delete, insert, select, update on table outreach.tag_block to outreach;
grant delete, insert, select, update on table outreach.tag_block to outreach_limited;
grant delete, insert, select, update on table outreach.tag_past to outreach;
grant delete, insert, select, update on table outreach.tag_past to outreach_limited;
grant delete, insert, select, update on table outreach.template to outreach;
grant delete, insert, select, update on table outreach.template to outreach_limited;
grant delete, insert, select, update on table outreach.template_version to outreach;
grant delete, insert, select, update on table outreach.template_version to outreach_limited;
grant delete, insert, select, update on table outreach.tenant to outreach;
grant delete, insert, select, update on table outreach.tenant to outreach_limited;
grant delete, insert, select, update on table outreach.tenant_integration to outreach;
grant delete, insert, select, update on table outreach.tenant_integration to outreach_limited;
grant delete, insert, select, update on table outreach.test_send to outreach;
grant delete, insert, select, update on table outreach.test_send to outreach_limited;
grant delete, insert, select, update on table outreach.tool_token to outreach;
grant delete, insert, select, update on table outreach.tool_token to outreach_limited;
grant delete, insert, select, update on table outreach.variant_test to outreach;
grant delete, insert, select, update on table outreach.variant_test to outreach_limited;
grant delete, insert, select, update on table outreach.webhook to outreach;
grant delete, insert, select, update on table outreach.webhook to outreach_limited;

create table orders.attributed_entry (
  movement text not null,
  order_id text not null,
  kind text not null,
  amount_minor bigint not null,
  currency text not null,
  at timestamp with time zone not null,
  "position" bigint,
  counts boolean not null default true,
  constraint attributed_entry_pkey PRIMARY KEY (movement),
  constraint attributed_entry_check CHECK ((((amount_minor > 0) = (kind = 'payment'::text)) AND (amount_minor <> 0))),
  constraint attributed_entry_kind_check CHECK ((kind = ANY (ARRAY['payment'::text, 'refund'::text]))),
  constraint attributed_entry_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders.customer_order(order_id) NOT VALID,
  constraint attributed_entry_position_key UNIQUE ("position")
);

create table orders.audit_chain (
  tenant_id text not null,
  "position" bigint not null default 0,
  hash bytea not null default decode(repeat('00'::text, 32), 'hex'::text),
  removed_to bigint not null default 0,
  removed_hash bytea not null default decode(repeat('00'::text, 32), 'hex'::text),
  removed_before timestamp with time zone,
  removed_at timestamp with time zone,
  removed_as text,
  constraint audit_chain_pkey PRIMARY KEY (tenant_id),
  constraint audit_chain_removed_as_check CHECK ((removed_as = ANY (ARRAY['retention'::text, 'uninstalled'::text])))
);

create table orders.audit_entry (
  entry_id uuid not null,
  tenant_id text not null,
  at timestamp with time zone not null default clock_timestamp(),
  actor text not null,
  action text not null,
  subject_type text not null,
  subject_id text not null,
  before jsonb,
  after jsonb,
  request_id text,
  caller_request_id text,
  constraint audit_entry_pkey PRIMARY KEY (entry_id)
);

create table orders.audit_seal (
  tenant_id text not null,
  "position" bigint not null,
  entry_id text not null,
  written_at timestamp with time zone not null,
  noted_at timestamp with time zone not null,
  erasure_id text,
  digest bytea not null,
  hash bytea not null,
  constraint audit_seal_pkey PRIMARY KEY (tenant_id, "position")
);

create table orders.audit_unsealed (
  number bigint not null generated always as identity,
  tenant_id text not null,
  entry_id text not null,
  written_at timestamp with time zone not null,
  noted_at timestamp with time zone not null default clock_timestamp(),
  erasure_id text,
  digest bytea not null,
  constraint audit_unsealed_pkey PRIMARY KEY (number)
);

create table orders.cash_entry (
  entry_id bigint not null generated always as identity,
  movement text not null,
  account text not null,
  amount_minor bigint not null,
  currency text not null,
  tenant_id text not null,
  order_id text,
  at timestamp with time zone not null default now(),
  constraint cash_entry_pkey PRIMARY KEY (entry_id),
  constraint cash_entry_account_check CHECK ((account = ANY (ARRAY['receivable'::text, 'sales'::text, 'gateway'::text, 'refunds'::text, 'disputed'::text, 'elsewhere'::text]))),
  constraint cash_entry_amount_minor_check CHECK ((amount_minor <> 0)),
  constraint cash_entry_movement_account_key UNIQUE (movement, account),
  constraint cash_entry_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES orders.tenant(tenant_id)
);

create table orders.coupon (
  coupon_id text not null,
  tenant_id text not null,
  user_id text not null,
  name text not null,
  status text not null default 'available'::text,
  order_id text,
  version bigint not null default nextval('orders.version'::regclass),
  constraint coupon_pkey PRIMARY KEY (coupon_id),
  constraint coupon_check CHECK (((status = 'available'::text) = (order_id IS NULL))),
  constraint coupon_status_check CHECK ((status = ANY (ARRAY['available'::text, 'reserved'::text, 'used'::text]))),
  constraint coupon_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES orders.tenant(tenant_id)
);

create table orders.customer_order (
  order_id text not null,
  order_no text not null,
  tenant_id text not null,
  user_id text not null,
  title text,
  description text,
  total_minor bigint not null,
  gross_minor bigint not null,
  tenant_points bigint not null,
  district_points bigint not null,
  wallet_points bigint not null,
  coupon_ids text[] not null,
  earn_limit_infos jsonb not null,
  points_tenant_id text not null,
  lines jsonb not null,
  carrier_id text,
  carrier_type text not null,
  npoban text,
  buyer_identifier text,
  buyer_name text,
  order_status smallint not null default 0,
  points_status smallint not null default 0,
  payment_status smallint not null default 0,
  attempt integer not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  currency text not null,
  driven_at timestamp with time zone,
  payer_name text,
  contact_service_number_id text,
  contact_id text,
  created_by text,
  constraint customer_order_pkey PRIMARY KEY (order_id),
  constraint customer_order_district_points_check CHECK ((district_points >= 0)),
  constraint customer_order_gross_minor_check CHECK ((gross_minor >= 0)),
  constraint customer_order_names_contact_whole CHECK (((contact_id IS NULL) = (contact_service_number_id IS NULL))) NOT VALID,
  constraint customer_order_order_no_key UNIQUE (order_no),
  constraint customer_order_order_status_check CHECK ((order_status = ANY (ARRAY[0, 10, 20, 30, 40, 50, 60]))),
  constraint customer_order_payment_status_check CHECK ((payment_status = ANY (ARRAY[0, 10, 30, 40, 50, 60, 70]))),
  constraint customer_order_points_status_check CHECK ((points_status = ANY (ARRAY[0, 10, 20, 30, 40, 50]))),
  constraint customer_order_points_tenant_id_fkey FOREIGN KEY (points_tenant_id) REFERENCES orders.tenant(tenant_id),
  constraint customer_order_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES orders.tenant(tenant_id),
  constraint customer_order_tenant_points_check CHECK ((tenant_points >= 0)),
  constraint customer_order_total_minor_check CHECK ((total_minor >= 0)),
  constraint customer_order_wallet_points_check CHECK ((wallet_points >= 0))
);

create table orders.database_place (
  only_row boolean not null default true,
  system_identifier text not null,
  database_oid oid not null,
  taken_at timestamp with time zone not null default now(),
  taken_by text not null,
  constraint database_place_pkey PRIMARY KEY (only_row),
  constraint database_place_only_row_check CHECK (only_row)
);

create table orders.delivery (
  delivery_id uuid not null,
  event_id uuid not null,
  tenant_id text not null,
  status text not null default 'pending'::text,
  attempts integer not null default 0,
  last_status integer,
  last_error text,
  next_attempt_at timestamp with time zone,
  trying_since timestamp with time zone,
  leased_until timestamp with time zone,
  settled_at timestamp with time zone,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint delivery_pkey PRIMARY KEY (delivery_id),
  constraint delivery_check CHECK (((status = 'pending'::text) OR ((next_attempt_at IS NULL) AND (settled_at IS NOT NULL)))),
  constraint delivery_event_id_fkey FOREIGN KEY (event_id) REFERENCES orders.merchant_event(event_id),
  constraint delivery_event_id_key UNIQUE (event_id),
  constraint delivery_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
);

create table orders.dispute (
  dispute_id text not null,
  tenant_id text not null,
  order_id text not null,
  charge_id text not null,
  amount_minor bigint not null,
  booked_minor bigint not null default 0,
  currency text not null,
  reason text not null,
  due_at timestamp with time zone not null,
  status text not null default 'open'::text,
  needs_staff boolean not null,
  opened_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint dispute_pkey PRIMARY KEY (dispute_id),
  constraint dispute_amount_minor_check CHECK ((amount_minor > 0)),
  constraint dispute_check CHECK (((booked_minor >= 0) AND (booked_minor <= amount_minor))),
  constraint dispute_check1 CHECK (((status = 'open'::text) = (closed_at IS NULL))),
  constraint dispute_check2 CHECK (((status <> 'won'::text) OR (booked_minor = 0))),
  constraint dispute_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders.customer_order(order_id),
  constraint dispute_status_check CHECK ((status = ANY (ARRAY['open'::text, 'won'::text, 'lost'::text]))),
  constraint dispute_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES orders.tenant(tenant_id)
);

create table orders.dispute_note (
  note_id uuid not null,
  dispute_id text not null,
  author text not null,
  author_name text not null,
  body text not null,
  created_at timestamp with time zone not null default now(),
  constraint dispute_note_pkey PRIMARY KEY (note_id),
  constraint dispute_note_dispute_id_fkey FOREIGN KEY (dispute_id) REFERENCES orders.dispute(dispute_id)
);

create table orders.gateway_event (
  event_id text not null,
  type text not null,
  charge_id text not null,
  order_no text not null,
  shop_id text not null,
  amount double precision not null,
  currency text not null,
  body text not null,
  order_id text,
  status text not null,
  received_at timestamp with time zone not null default now(),
  resolution text,
  resolved_by text,
  note text,
  resolved_at timestamp with time zone,
  dispute_id text,
  constraint gateway_event_pkey PRIMARY KEY (event_id),
  constraint gateway_event_resolution_check CHECK ((resolution = ANY (ARRAY['refund'::text, 'ignore'::text]))),
  constraint gateway_event_status_check CHECK ((status = ANY (ARRAY['stored'::text, 'settled'::text, 'refunded'::text, 'unmatched'::text, 'ignored'::text])))
);

create table orders.goods (
  goods_id text not null,
  tenant_id text not null,
  name text not null,
  pricing_type text not null,
  stock bigint,
  held bigint not null default 0,
  payment_options jsonb not null,
  updated_at timestamp with time zone not null default now(),
  version bigint not null default nextval('orders.version'::regclass),
  constraint goods_pkey PRIMARY KEY (goods_id),
  constraint goods_held_check CHECK ((held >= 0)),
  constraint goods_pricing_type_check CHECK ((pricing_type = ANY (ARRAY['PAYMENT_OPTIONS'::text, 'RATE_CONVERTED'::text]))),
  constraint goods_stock_check CHECK ((stock >= 0)),
  constraint goods_stock_covers_held CHECK (((stock IS NULL) OR (stock >= held))),
  constraint goods_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES orders.tenant(tenant_id)
);

create table orders.ledger_check (
  checked_at timestamp with time zone not null default clock_timestamp(),
  accounts integer not null,
  drift integer not null,
  details jsonb not null,
  constraint ledger_check_pkey PRIMARY KEY (checked_at)
);

create table orders.ledger_drift (
  subject jsonb not null,
  found_at timestamp with time zone not null default now(),
  constraint ledger_drift_pkey PRIMARY KEY (subject)
);

create table orders.ledger_entry (
  entry_id bigint not null generated always as identity,
  movement text not null,
  bucket text not null,
  amount bigint not null,
  tenant_id text not null,
  user_id text not null,
  kind text not null,
  order_id text,
  at timestamp with time zone not null default now(),
  actor text,
  reason text,
  constraint ledger_entry_pkey PRIMARY KEY (entry_id),
  constraint ledger_entry_bucket_check CHECK ((bucket = ANY (ARRAY['granted'::text, 'available'::text, 'reserved'::text, 'committed'::text]))),
  constraint ledger_entry_movement_bucket_key UNIQUE (movement, bucket),
  constraint ledger_entry_tenant_id_user_id_kind_fkey FOREIGN KEY (tenant_id, user_id, kind) REFERENCES orders.point_account(tenant_id, user_id, kind)
);

create table orders.ledger_look (
  only_row boolean not null default true,
  ledger_entry bigint not null,
  cash_entry bigint not null,
  order_transition bigint not null,
  all_after jsonb,
  all_began_at timestamp with time zone,
  all_completed_at timestamp with time zone not null default now(),
  constraint ledger_look_pkey PRIMARY KEY (only_row),
  constraint ledger_look_only_row_check CHECK (only_row)
);

create table orders.merchant_event (
  event_id uuid not null,
  tenant_id text not null,
  order_id text,
  sequence integer not null,
  type text not null,
  body text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint merchant_event_pkey PRIMARY KEY (event_id),
  constraint merchant_event_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders.customer_order(order_id),
  constraint merchant_event_order_id_sequence_key UNIQUE (order_id, sequence),
  constraint merchant_event_sequence_check CHECK ((sequence > 0)),
  constraint merchant_event_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES orders.tenant(tenant_id)
);

create table orders.order_flag (
  order_id text not null,
  code text not null,
  raised_at timestamp with time zone not null default now(),
  resolution text,
  resolved_by text,
  resolved_at timestamp with time zone,
  expected text not null,
  reported text not null,
  constraint order_flag_pkey PRIMARY KEY (order_id, code),
  constraint order_flag_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders.customer_order(order_id),
  constraint order_flag_resolution_check CHECK ((resolution = ANY (ARRAY['complete'::text, 'refund'::text])))
);

create table orders.order_invoice (
  order_id text not null,
  number text not null,
  issued_at timestamp with time zone not null,
  voided_at timestamp with time zone,
  constraint order_invoice_pkey PRIMARY KEY (order_id),
  constraint order_invoice_check CHECK ((voided_at >= issued_at)),
  constraint order_invoice_number_check CHECK (((char_length(number) >= 1) AND (char_length(number) <= 64))),
  constraint order_invoice_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders.customer_order(order_id)
);

create table orders.order_key (
  tenant_id text not null,
  user_id text not null,
  key text not null,
  request_hash text not null,
  order_id text not null,
  created_at timestamp with time zone not null default now(),
  constraint order_key_pkey PRIMARY KEY (tenant_id, user_id, key),
  constraint order_key_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders.customer_order(order_id)
);

create table orders.order_note (
  note_id uuid not null,
  order_id text not null,
  author text not null,
  author_name text not null,
  body text not null,
  created_at timestamp with time zone not null default now(),
  constraint order_note_pkey PRIMARY KEY (note_id),
  constraint order_note_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders.customer_order(order_id)
);

create table orders.order_origin (
  order_id text not null,
  tenant_id text not null,
  campaign_id text not null,
  sub_task_key text not null,
  message_index smallint not null,
  action_index smallint not null,
  counts_until timestamp with time zone not null,
  created_at timestamp with time zone not null default now(),
  constraint order_origin_pkey PRIMARY KEY (order_id),
  constraint order_origin_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders.customer_order(order_id),
  constraint order_origin_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES orders.tenant(tenant_id)
);

create table orders.order_transition (
  transition_id bigint not null generated always as identity,
  order_id text not null,
  attempt integer not null,
  order_status smallint not null,
  points_status smallint not null,
  payment_status smallint not null,
  at timestamp with time zone not null default clock_timestamp(),
  constraint order_transition_pkey PRIMARY KEY (transition_id),
  constraint order_transition_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders.customer_order(order_id)
);

create table orders.payment_attempt (
  order_id text not null,
  attempt integer not null,
  hold_status text not null,
  expires_at timestamp with time zone not null,
  result_url text,
  cancel_url text,
  shop_id text,
  charge_sends integer not null default 0,
  charge_id text,
  payment_url text,
  cancel_requested boolean not null default false,
  created_at timestamp with time zone not null default now(),
  read_at timestamp with time zone,
  next_read_at timestamp with time zone,
  ended_at timestamp with time zone,
  received_minor bigint,
  received_currency text,
  received_at timestamp with time zone,
  read_due_at timestamp with time zone,
  trace_parent text,
  unanswered_since timestamp with time zone,
  constraint payment_attempt_pkey PRIMARY KEY (order_id, attempt),
  constraint payment_attempt_charge_id_key UNIQUE (charge_id),
  constraint payment_attempt_check CHECK ((((received_minor IS NULL) = (received_at IS NULL)) AND ((received_minor IS NULL) = (received_currency IS NULL)))),
  constraint payment_attempt_hold_status_check CHECK ((hold_status = ANY (ARRAY['reserved'::text, 'committed'::text, 'released'::text]))),
  constraint payment_attempt_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders.customer_order(order_id),
  constraint payment_attempt_received_minor_check CHECK ((received_minor >= 0))
);

create table orders.point_account (
  tenant_id text not null,
  user_id text not null,
  kind text not null,
  granted bigint not null default 0,
  available bigint not null default 0,
  reserved bigint not null default 0,
  committed bigint not null default 0,
  constraint point_account_pkey PRIMARY KEY (tenant_id, user_id, kind),
  constraint point_account_available_check CHECK ((available >= 0)),
  constraint point_account_check CHECK ((granted = ((available + reserved) + committed))),
  constraint point_account_committed_check CHECK ((committed >= 0)),
  constraint point_account_granted_check CHECK ((granted >= 0)),
  constraint point_account_kind_check CHECK ((kind = ANY (ARRAY['tenant'::text, 'district'::text, 'wallet'::text]))),
  constraint point_account_reserved_check CHECK ((reserved >= 0))
);

create table orders.reconciliation_charge (
  tenant_id text not null,
  date date not null,
  charge_id text not null,
  constraint reconciliation_charge_pkey PRIMARY KEY (tenant_id, date, charge_id),
  constraint reconciliation_charge_tenant_id_date_fkey FOREIGN KEY (tenant_id, date) REFERENCES orders.reconciliation_day(tenant_id, date)
);

create table orders.reconciliation_day (
  tenant_id text not null,
  date date not null,
  status text not null,
  charges integer not null default 0,
  started_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  compared_at timestamp with time zone,
  failure text,
  constraint reconciliation_day_pkey PRIMARY KEY (tenant_id, date),
  constraint reconciliation_day_check CHECK (((status = 'running'::text) = (finished_at IS NULL))),
  constraint reconciliation_day_status_check CHECK ((status = ANY (ARRAY['running'::text, 'done'::text, 'failed'::text]))),
  constraint reconciliation_day_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES orders.tenant(tenant_id)
);

create table orders.reconciliation_item (
  tenant_id text not null,
  date date not null,
  charge_id text not null,
  refund_id text not null default ''::text,
  kind text not null,
  order_id text,
  ours_minor bigint,
  theirs_minor bigint,
  compared_at timestamp with time zone not null,
  constraint reconciliation_item_pkey PRIMARY KEY (tenant_id, date, charge_id, refund_id),
  constraint reconciliation_item_check CHECK (((refund_id <> ''::text) = (kind = 'refunded_there_only'::text))),
  constraint reconciliation_item_kind_check CHECK ((kind = ANY (ARRAY['paid_there_only'::text, 'paid_here_only'::text, 'amount_differs'::text, 'unknown_order'::text, 'refunded_there_only'::text]))),
  constraint reconciliation_item_tenant_id_date_fkey FOREIGN KEY (tenant_id, date) REFERENCES orders.reconciliation_day(tenant_id, date)
);

create table orders.recurring_run (
  kind text not null,
  started_at timestamp with time zone not null,
  completed_at timestamp with time zone,
  constraint recurring_run_pkey PRIMARY KEY (kind)
);

create table orders.refund (
  charge_id text,
  order_id text,
  status text not null,
  created_at timestamp with time zone not null default now(),
  confirmed_at timestamp with time zone,
  refund_id text not null,
  tenant_id text not null,
  kind text not null,
  amount_minor bigint,
  currency text,
  reason text,
  requested_by text,
  request_key text,
  request jsonb,
  restore_points boolean not null default false,
  restock boolean not null default false,
  key_number integer not null default 1,
  asked_since timestamp with time zone not null default now(),
  last_error text,
  resolution text,
  resolved_by text,
  note text,
  drive_at timestamp with time zone not null default (now() + '00:00:05'::interval),
  approved_by text,
  unanswered_since timestamp with time zone,
  unpaid_since timestamp with time zone,
  origin text not null default 'service'::text,
  gateway_refund_id text,
  lines jsonb,
  given_back jsonb,
  needs_staff_since timestamp with time zone,
  constraint refund_pkey PRIMARY KEY (refund_id),
  constraint refund_amount_minor_check CHECK ((amount_minor >= 0)),
  constraint refund_check CHECK (((given_back IS NULL) = ((NOT restore_points) AND (NOT restock)))),
  constraint refund_kind_check CHECK ((kind = ANY (ARRAY['unaccepted'::text, 'staff'::text]))),
  constraint refund_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders.customer_order(order_id),
  constraint refund_order_id_request_key_key UNIQUE (order_id, request_key),
  constraint refund_origin_check CHECK ((origin = ANY (ARRAY['service'::text, 'gateway'::text, 'dispute'::text]))),
  constraint refund_resolution_check CHECK ((resolution = ANY (ARRAY['retry'::text, 'done_elsewhere'::text]))),
  constraint refund_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'confirmed'::text, 'needs_staff'::text]))),
  constraint refund_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES orders.tenant(tenant_id)
);

create table orders.refund_approval (
  approval_id text not null,
  tenant_id text not null,
  kind text not null,
  order_id text,
  event_id text,
  amount_minor bigint not null,
  currency text not null,
  reason text,
  restore_points boolean not null default false,
  restock boolean not null default false,
  request jsonb,
  request_key text,
  status text not null default 'waiting'::text,
  requested_by text not null,
  requested_by_name text not null,
  requested_at timestamp with time zone not null default clock_timestamp(),
  decided_by text,
  decided_by_name text,
  decided_at timestamp with time zone,
  decision_reason text,
  constraint refund_approval_pkey PRIMARY KEY (approval_id),
  constraint refund_approval_amount_minor_check CHECK ((amount_minor > 0)),
  constraint refund_approval_check CHECK (((kind = 'callback_refund'::text) = (order_id IS NULL))),
  constraint refund_approval_check1 CHECK (((kind = 'callback_refund'::text) = (event_id IS NOT NULL))),
  constraint refund_approval_check2 CHECK (((kind = 'order_refund'::text) = (request_key IS NOT NULL))),
  constraint refund_approval_check3 CHECK (((decided_by IS DISTINCT FROM requested_by) OR (status = 'withdrawn'::text))),
  constraint refund_approval_event_id_fkey FOREIGN KEY (event_id) REFERENCES orders.gateway_event(event_id),
  constraint refund_approval_kind_check CHECK ((kind = ANY (ARRAY['order_refund'::text, 'flag_refund'::text, 'callback_refund'::text]))),
  constraint refund_approval_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders.customer_order(order_id),
  constraint refund_approval_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'approved'::text, 'rejected'::text, 'withdrawn'::text, 'lapsed'::text]))),
  constraint refund_approval_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES orders.tenant(tenant_id)
);

create table orders.stock_change (
  change_id bigint not null generated always as identity,
  goods_id text not null,
  at timestamp with time zone not null default clock_timestamp(),
  actor text,
  delta bigint,
  reason text,
  stock bigint,
  key text,
  order_id text,
  constraint stock_change_pkey PRIMARY KEY (change_id),
  constraint stock_change_goods_id_fkey FOREIGN KEY (goods_id) REFERENCES orders.goods(goods_id),
  constraint stock_change_goods_id_key_key UNIQUE (goods_id, key),
  constraint stock_change_has_a_cause CHECK (((actor IS NOT NULL) OR (order_id IS NOT NULL))),
  constraint stock_change_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders.customer_order(order_id)
);

create table orders.tenant (
  tenant_id text not null,
  name text not null,
  business_type smallint not null,
  shop_id text,
  currency text not null default 'TWD'::text,
  district_id text,
  self_governed boolean not null default false,
  headquarters_tenant_id text,
  earn_attributes text[] not null default '{}'::text[],
  updated_at timestamp with time zone not null default now(),
  refunds_need_approval_above_minor bigint,
  version bigint not null default nextval('orders.version'::regclass),
  constraint tenant_pkey PRIMARY KEY (tenant_id),
  constraint tenant_business_type_check CHECK ((business_type = ANY (ARRAY[0, 1]))),
  constraint tenant_refunds_need_approval_above_minor_check CHECK ((refunds_need_approval_above_minor >= 0))
);

create table orders.webhook (
  tenant_id text not null,
  url text not null,
  sealed_secret text not null,
  updated_at timestamp with time zone not null default now(),
  constraint webhook_pkey PRIMARY KEY (tenant_id),
  constraint webhook_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES orders.tenant(tenant_id)
);

create table orders.webhook_removal (
  tenant_id text not null,
  until timestamp with time zone not null,
  constraint webhook_removal_pkey PRIMARY KEY (tenant_id),
  constraint webhook_removal_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES orders.tenant(tenant_id)
);

comment on table orders.attributed_entry is 'what the cash of orders from campaigns, or of a named contact, adds to revenue or takes from it, as a feed';
comment on column orders.attributed_entry.movement is 'of cash_entry';
comment on column orders.attributed_entry."position" is 'its place in the feed, given by whoever reads it, so that no entry appears behind one that was read before; null until then';
comment on column orders.attributed_entry.counts is 'whether it counts for the campaign of the order''s origin: without one, or after its window, it is its contact''s alone';
comment on column orders.audit_chain.removed_to is 'position of the last seal that was deleted; the chain goes on from removed_hash';
comment on column orders.audit_chain.removed_before is 'entries that were written earlier may be missing';
comment on column orders.audit_seal.erasure_id is 'the erasure that put a pseudonym into the entry, whose digest is another since';
comment on column orders.audit_seal.hash is 'SHA-256 of the hash before, the digest and what the other columns say';
comment on table orders.audit_unsealed is 'audit entries that have no place in the chain of their tenant yet';
comment on table orders.cash_entry is 'two rows a movement that add up to 0';
comment on column orders.cash_entry.account is 'receivable: payers owe it; gateway: it holds it; refunds: to be given back; disputed: claimed back by payers; elsewhere: given back without the gateway';
comment on column orders.customer_order.attempt is 'raised whenever the order returns to CREATED; part of every key sent outside';
comment on column orders.customer_order.driven_at is 'when the sweep last gave the order its turn; the one that has waited longest is next';
comment on column orders.customer_order.payer_name is 'as the session named the payer; null if it did not';
comment on column orders.customer_order.contact_id is 'the contact of the tenant that the order is for, if the shop said so';
comment on column orders.customer_order.created_by is 'the API key that created it for the payer, as key:<id>; null for the payer''s own';
comment on table orders.database_place is 'where the database was started, and may send: in another cluster, or as another database, nothing goes out until somebody takes it over';
comment on column orders.database_place.system_identifier is 'of the cluster (pg_control_system)';
comment on column orders.database_place.taken_by is 'who did that; the first start needs nobody';
comment on column orders.delivery.attempts is 'raised by every claim; an outcome counts only for the claim it belongs to';
comment on column orders.delivery.next_attempt_at is 'null while the event before it, of the same order, is neither delivered nor given up';
comment on column orders.delivery.trying_since is 'the first attempt, or the first since staff asked for a redelivery';
comment on column orders.delivery.settled_at is 'when it was first delivered or given up; a redelivery does not hold back the events after it';
comment on column orders.dispute.booked_minor is 'what of the amount was left of the charge: held while it is open, given back once it is lost';
comment on column orders.dispute.needs_staff is 'more is claimed than was left, and staff have noted nothing since';
comment on column orders.gateway_event.status is 'stored: its order still waits for it; unmatched: for staff to look at';
comment on column orders.gateway_event.dispute_id is 'the gateway''s id of the dispute that it opens or closes';
comment on column orders.goods.stock is 'what lies on the shelf; null is unlimited. Free is stock - held; a commit takes from both';
comment on column orders.ledger_check.drift is 'how many accounts have balances that are not the sums of their entries';
comment on column orders.ledger_check.details is 'the first of them, with balances and sums';
comment on table orders.ledger_drift is 'accounts of points and orders that did not fit their entries when they were last looked at';
comment on column orders.ledger_drift.subject is 'tenantId, userId and kind of an account, or orderId';
comment on table orders.ledger_entry is 'two rows a movement that add up to 0; the sum of a bucket is its balance (granted: negated)';
comment on table orders.ledger_look is 'up to which rows balances and cash were compared with their entries, and where the look at all of them is';
comment on column orders.ledger_look.all_after is 'the last account or order of the look at everything; null before its first';
comment on column orders.ledger_look.all_began_at is 'null before the first look at everything, which finds what was there before';
comment on column orders.ledger_look.all_completed_at is 'from the start, so that the age of the look counts';
comment on column orders.merchant_event.order_id is 'null for a test event';
comment on column orders.merchant_event.sequence is 'counts the events of an order, which are delivered in this order';
comment on column orders.merchant_event.body is 'as it is sent and signed';
comment on table orders.order_origin is 'the campaign link that an order came from, as its click token said when it was created';
comment on column orders.order_origin.counts_until is 'what is paid later does not count for the campaign';
comment on column orders.payment_attempt.next_read_at is 'when the charge of an ended payment is read once more, for money that comes late; null if never again';
comment on column orders.payment_attempt.read_due_at is 'when the first of the reads that have failed since the last success was due; null if none has';
comment on column orders.payment_attempt.unanswered_since is 'since when every call about it to the payment gateway has failed; null after one that did not';
comment on table orders.reconciliation_charge is 'the paid charges that the gateway has listed so far; empty once a day is compared';
comment on column orders.reconciliation_day.charges is 'how many paid charges of the gateway were compared';
comment on column orders.reconciliation_day.compared_at is 'when it was last compared completely, whatever came after';
comment on column orders.reconciliation_item.refund_id is 'the gateway''s id of a refund; empty where the charge itself differs';
comment on column orders.reconciliation_item.order_id is 'null if the order is unknown or another tenant''s';
comment on table orders.recurring_run is 'when each sweep and Schedule last began, and last came to its end';
comment on column orders.refund.amount_minor is 'null until the charge of unaccepted money was read';
comment on column orders.refund.key_number is 'raised when the gateway rejected a request for good: it may repeat its first response to a key for ever';
comment on column orders.refund.drive_at is 'when the sweep next sees to it that a workflow carries out the refund, while it is pending';
comment on column orders.refund.unanswered_since is 'since when every call about it to the payment gateway has failed; null after one that did not';
comment on column orders.refund.unpaid_since is 'since when the gateway has shown no money to give back';
comment on column orders.refund.origin is 'gateway: made at its desk, nobody here asked for it; dispute: lost to the payer in a dispute';
comment on column orders.refund.gateway_refund_id is 'the gateway''s id of it; null until it is known';
comment on column orders.refund.lines is 'the pieces that it is for; null where it is of an amount';
comment on column orders.refund.given_back is 'points, coupons and goods that go back once it is confirmed, as decided with it';
comment on column orders.refund.needs_staff_since is 'when its status last became needs_staff; null for refunds that were left to staff by 0.1.0';
comment on column orders.refund_approval.request is 'what was asked for with the key';
comment on table orders.stock_change is 'what changed a stock that is limited: staff, or an order that was paid or refunded';
comment on column orders.stock_change.actor is 'null for what an order changed';
comment on column orders.stock_change.delta is 'null where it was set from or to unlimited';
comment on column orders.tenant.refunds_need_approval_above_minor is 'in the tenant''s currency; null: nobody else approves';
comment on column orders.webhook.sealed_secret is 'encrypted; the context names the tenant';
comment on table orders.webhook_removal is 'webhooks that were removed, and whose deliveries are still being given up';
comment on column orders.webhook_removal.until is 'deliveries from before are given up; later ones are of another webhook';

CREATE INDEX attributed_entry_by_order ON orders.attributed_entry USING btree (order_id);
CREATE INDEX attributed_entry_unread ON orders.attributed_entry USING btree (at) WHERE ("position" IS NULL);
CREATE INDEX audit_entry_by_actor ON orders.audit_entry USING btree (tenant_id, actor, entry_id DESC);
CREATE INDEX audit_entry_by_tenant ON orders.audit_entry USING btree (tenant_id, entry_id DESC);
CREATE INDEX audit_seal_by_entry ON orders.audit_seal USING btree (tenant_id, entry_id);
CREATE INDEX cash_entry_by_order ON orders.cash_entry USING btree (order_id, entry_id);
CREATE INDEX coupon_by_status ON orders.coupon USING btree (tenant_id, status, coupon_id);
CREATE INDEX coupon_by_tenant ON orders.coupon USING btree (tenant_id, coupon_id);
CREATE INDEX coupon_by_user ON orders.coupon USING btree (tenant_id, user_id, status, coupon_id);
CREATE INDEX customer_order_by_amount ON orders.customer_order USING btree (tenant_id, total_minor, order_id);
CREATE INDEX customer_order_by_payer ON orders.customer_order USING btree (tenant_id, user_id, created_at DESC, order_id DESC);
CREATE INDEX customer_order_by_status ON orders.customer_order USING btree (tenant_id, order_status, created_at DESC, order_id DESC);
CREATE INDEX customer_order_by_tenant ON orders.customer_order USING btree (tenant_id, created_at DESC, order_id DESC);
CREATE INDEX customer_order_holding ON orders.customer_order USING btree (tenant_id, user_id) WHERE ((order_status = ANY (ARRAY[10, 20])) AND ((tenant_points > 0) OR (district_points > 0) OR (wallet_points > 0) OR (coupon_ids <> '{}'::text[]) OR (lines <> '[]'::jsonb)));
CREATE INDEX customer_order_letters ON orders.customer_order USING gin (regexp_split_to_array(NULLIF(regexp_replace(((order_no || chr(10)) || COALESCE(title, ''::text)), '[[:ascii:]]+'::text, ''::text, 'g'::text), ''::text), ''::text));
CREATE INDEX customer_order_open ON orders.customer_order USING btree (updated_at) WHERE (order_status = ANY (ARRAY[10, 20]));
CREATE INDEX customer_order_search ON orders.customer_order USING gin ((((order_no || chr(10)) || COALESCE(title, ''::text))) outreach.gin_trgm_ops);
CREATE INDEX customer_order_unknown ON orders.customer_order USING btree (order_id) WHERE (order_status = 10);
CREATE INDEX delivery_by_tenant ON orders.delivery USING btree (tenant_id, delivery_id DESC);
CREATE INDEX delivery_due ON orders.delivery USING btree (tenant_id, next_attempt_at) WHERE ((status = 'pending'::text) AND (next_attempt_at IS NOT NULL));
CREATE INDEX delivery_ended ON orders.delivery USING btree (GREATEST(settled_at, trying_since)) WHERE (status <> 'pending'::text);
CREATE INDEX delivery_leased ON orders.delivery USING btree (tenant_id) WHERE (leased_until IS NOT NULL);
CREATE INDEX delivery_open ON orders.delivery USING btree (status, created_at) WHERE (status <> 'delivered'::text);
CREATE INDEX dispute_by_charge ON orders.dispute USING btree (charge_id);
CREATE INDEX dispute_by_order ON orders.dispute USING btree (order_id);
CREATE INDEX dispute_by_status ON orders.dispute USING btree (tenant_id, status, opened_at DESC, dispute_id DESC);
CREATE INDEX dispute_needs_staff ON orders.dispute USING btree (order_id) WHERE needs_staff;
CREATE INDEX dispute_open ON orders.dispute USING btree (order_id) WHERE (status = 'open'::text);
CREATE INDEX dispute_note_by_dispute ON orders.dispute_note USING btree (dispute_id, note_id DESC);
CREATE INDEX gateway_event_by_charge ON orders.gateway_event USING btree (charge_id);
CREATE INDEX gateway_event_by_dispute ON orders.gateway_event USING btree (dispute_id) WHERE (dispute_id IS NOT NULL);
CREATE INDEX gateway_event_by_order ON orders.gateway_event USING btree (order_id);
CREATE INDEX gateway_event_stored ON orders.gateway_event USING btree (received_at) WHERE (status = 'stored'::text);
CREATE INDEX gateway_event_unmatched ON orders.gateway_event USING btree (shop_id, received_at DESC, event_id DESC) WHERE ((status = ANY (ARRAY['unmatched'::text, 'ignored'::text])) AND (resolution IS NULL));
CREATE INDEX goods_by_tenant ON orders.goods USING btree (tenant_id, goods_id);
CREATE INDEX ledger_entry_by_account ON orders.ledger_entry USING btree (tenant_id, user_id, kind, entry_id);
CREATE INDEX ledger_entry_by_order ON orders.ledger_entry USING btree (order_id, entry_id);
CREATE INDEX order_flag_open ON orders.order_flag USING btree (order_id) WHERE (resolved_at IS NULL);
CREATE INDEX order_key_by_age ON orders.order_key USING btree (created_at);
CREATE INDEX order_note_by_order ON orders.order_note USING btree (order_id, note_id DESC);
CREATE INDEX order_origin_by_campaign ON orders.order_origin USING btree (tenant_id, campaign_id);
CREATE INDEX order_transition_by_order ON orders.order_transition USING btree (order_id, transition_id);
CREATE INDEX payment_attempt_accepted ON orders.payment_attempt USING btree (shop_id, received_at, charge_id) WHERE ((hold_status = 'committed'::text) AND (received_at IS NOT NULL));
CREATE UNIQUE INDEX payment_attempt_one_hold ON orders.payment_attempt USING btree (order_id) WHERE (hold_status <> 'released'::text);
CREATE INDEX payment_attempt_read_due ON orders.payment_attempt USING btree (COALESCE(read_due_at, next_read_at)) WHERE (next_read_at IS NOT NULL);
CREATE INDEX payment_attempt_to_expire ON orders.payment_attempt USING btree (expires_at) WHERE (hold_status = 'reserved'::text);
CREATE INDEX payment_attempt_to_read ON orders.payment_attempt USING btree (next_read_at) WHERE (next_read_at IS NOT NULL);
CREATE INDEX payment_attempt_unread ON orders.payment_attempt USING btree (COALESCE(read_at, created_at)) WHERE ((hold_status = 'reserved'::text) AND (charge_id IS NOT NULL));
CREATE INDEX payment_attempt_unsettled ON orders.payment_attempt USING btree (order_id) WHERE ((hold_status = 'reserved'::text) AND ((charge_id IS NULL) OR cancel_requested));
CREATE INDEX point_account_by_user ON orders.point_account USING btree (tenant_id, user_id COLLATE "C");
CREATE INDEX reconciliation_day_compared ON orders.reconciliation_day USING btree (tenant_id, compared_at);
CREATE INDEX reconciliation_day_complete ON orders.reconciliation_day USING btree (tenant_id, date) WHERE ((status = 'done'::text) AND (started_at >= (((date + 1))::timestamp without time zone AT TIME ZONE 'UTC'::text)));
CREATE INDEX reconciliation_item_by_date ON orders.reconciliation_item USING btree (date);
CREATE INDEX refund_by_charge ON orders.refund USING btree (charge_id);
CREATE UNIQUE INDEX refund_by_gateway ON orders.refund USING btree (charge_id, gateway_refund_id) WHERE (gateway_refund_id IS NOT NULL);
CREATE INDEX refund_by_order ON orders.refund USING btree (order_id);
CREATE INDEX refund_by_status ON orders.refund USING btree (tenant_id, status, created_at DESC, refund_id DESC);
CREATE INDEX refund_needs_staff ON orders.refund USING btree (order_id) WHERE (status = 'needs_staff'::text);
CREATE INDEX refund_pending ON orders.refund USING btree (created_at) WHERE (status = 'pending'::text);
CREATE INDEX refund_to_drive ON orders.refund USING btree (drive_at) WHERE (status = 'pending'::text);
CREATE UNIQUE INDEX refund_unaccepted ON orders.refund USING btree (charge_id) WHERE (kind = 'unaccepted'::text);
CREATE UNIQUE INDEX refund_approval_by_key ON orders.refund_approval USING btree (order_id, request_key);
CREATE INDEX refund_approval_by_order ON orders.refund_approval USING btree (order_id, requested_at);
CREATE UNIQUE INDEX refund_approval_of_callback ON orders.refund_approval USING btree (event_id) WHERE (status = 'waiting'::text);
CREATE UNIQUE INDEX refund_approval_of_flags ON orders.refund_approval USING btree (order_id) WHERE ((status = 'waiting'::text) AND (kind = 'flag_refund'::text));
CREATE INDEX refund_approval_waiting ON orders.refund_approval USING btree (order_id) WHERE (status = 'waiting'::text);
CREATE INDEX stock_change_by_goods ON orders.stock_change USING btree (goods_id, change_id DESC);
CREATE INDEX tenant_by_headquarters ON orders.tenant USING btree (headquarters_tenant_id);
CREATE UNIQUE INDEX tenant_by_shop ON orders.tenant USING btree (shop_id);

CREATE OR REPLACE FUNCTION orders.note_attributed_cash()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'orders'
AS $function$
begin
  insert into attributed_entry (movement, order_id, kind, amount_minor, currency, at, counts)
  select e.movement, e.order_id, 'payment', e.amount_minor, e.currency, e.at, coalesce(e.at <= o.counts_until, false)
  from added e join customer_order c using (order_id) left join order_origin o using (order_id)
  where e.movement like 'receipt:%' and e.account = 'gateway'
    and (e.at <= o.counts_until or c.contact_id is not null)
  union all
  select e.movement, e.order_id, 'refund', -e.amount_minor, e.currency, e.at, p.counts
  from added e cross join lateral (
    select bool_or(p.counts) as counts from attributed_entry p
    where p.order_id = e.order_id and p.kind = 'payment') p
  where e.movement like 'refund:%' and e.account = 'sales' and p.counts is not null;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION orders.note_audit_entry()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'orders', 'pg_temp'
AS $function$
begin
  insert into audit_unsealed (tenant_id, entry_id, written_at, digest)
  values (new.tenant_id, new.entry_id::text, new.at, sha256(convert_to((jsonb_build_array(
    new.entry_id, new.tenant_id, to_char(new.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'),
    new.actor, new.action, new.subject_type, new.subject_id, new.before, new.after)
    || case when num_nonnulls(new.request_id, new.caller_request_id) > 0
      then jsonb_build_array(new.request_id, new.caller_request_id) else '[]' end)::text, 'UTF8')));
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION orders.note_order_transition()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into orders.order_transition (order_id, attempt, order_status, points_status, payment_status)
    values (new.order_id, new.attempt, new.order_status, new.points_status, new.payment_status);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION orders.note_refund_wait()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'orders'
AS $function$
begin
  new.needs_staff_since := now();
  return new;
end
$function$
;

CREATE OR REPLACE FUNCTION orders.require_balanced_cash()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from added group by movement, tenant_id, currency having sum(amount_minor) <> 0) then
    raise exception 'the entries of a movement do not sum to zero'
      using errcode = 'check_violation', table = tg_table_name, constraint = tg_name;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION orders.require_balanced_movements()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from added group by movement, tenant_id, user_id, kind having sum(amount) <> 0) then
    raise exception 'the entries of a movement do not sum to zero'
      using errcode = 'check_violation', table = tg_table_name, constraint = tg_name;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION orders.seal_audit(maximum integer)
 RETURNS SETOF orders.audit_chain
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'orders', 'pg_temp'
AS $function$
declare
  waiting audit_unsealed;
  chain audit_chain;
begin
  if not pg_try_advisory_xact_lock('audit_chain'::regclass::oid::bigint) then return; end if;
  for waiting in
    select * from (select * from audit_unsealed order by number limit maximum) u order by u.tenant_id, u.number
  loop
    if chain.tenant_id is distinct from waiting.tenant_id then
      if chain.tenant_id is not null then return next chain; end if;
      insert into audit_chain (tenant_id) values (waiting.tenant_id) on conflict do nothing;
      select * into chain from audit_chain c where c.tenant_id = waiting.tenant_id for update;
    end if;
    chain.position := chain.position + 1;
    chain.hash := sha256(chain.hash || waiting.digest || convert_to(jsonb_build_array(
      waiting.tenant_id, chain.position, waiting.entry_id,
      to_char(waiting.written_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'),
      to_char(waiting.noted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'),
      waiting.erasure_id)::text, 'UTF8'));
    insert into audit_seal values (waiting.tenant_id, chain.position, waiting.entry_id, waiting.written_at,
      waiting.noted_at, waiting.erasure_id, waiting.digest, chain.hash);
    update audit_chain c set position = chain.position, hash = chain.hash where c.tenant_id = chain.tenant_id;
    delete from audit_unsealed where number = waiting.number;
  end loop;
  if chain.tenant_id is not null then return next chain; end if;
end $function$
;

CREATE TRIGGER audit_entry_noted AFTER INSERT ON orders.audit_entry FOR EACH ROW EXECUTE FUNCTION orders.note_audit_entry();
CREATE TRIGGER cash_entry_attributed AFTER INSERT ON orders.cash_entry REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION orders.note_attributed_cash();
CREATE TRIGGER cash_entry_balanced AFTER INSERT ON orders.cash_entry REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION orders.require_balanced_cash();
CREATE TRIGGER order_created AFTER INSERT ON orders.customer_order FOR EACH ROW EXECUTE FUNCTION orders.note_order_transition();
CREATE TRIGGER order_moved AFTER UPDATE OF order_status, points_status, payment_status ON orders.customer_order FOR EACH ROW WHEN ((((old.order_status IS DISTINCT FROM new.order_status) OR (old.points_status IS DISTINCT FROM new.points_status)) OR (old.payment_status IS DISTINCT FROM new.payment_status))) EXECUTE FUNCTION orders.note_order_transition();
CREATE TRIGGER ledger_entry_balanced AFTER INSERT ON orders.ledger_entry REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION orders.require_balanced_movements();
CREATE TRIGGER refund_became_left_to_staff BEFORE UPDATE OF status ON orders.refund FOR EACH ROW WHEN (((new.status = 'needs_staff'::text) AND (old.status <> 'needs_staff'::text))) EXECUTE FUNCTION orders.note_refund_wait();
CREATE TRIGGER refund_left_to_staff BEFORE INSERT ON orders.refund FOR EACH ROW WHEN ((new.status = 'needs_staff'::text)) EXECUTE FUNCTION orders.note_refund_wait();

grant delete, insert, select, update on table orders.attributed_entry to orders;
grant select, usage on sequence orders.attributed_position to orders;
grant select on table orders.audit_chain to orders;
grant insert, select on table orders.audit_entry to orders;
grant select on table orders.audit_seal to orders;
grant select on table orders.audit_unsealed to orders;
grant select, usage on sequence orders.audit_unsealed_number_seq to orders;
grant insert, select on table orders.cash_entry to orders;
grant select, usage on sequence orders.cash_entry_entry_id_seq to orders;
grant delete, insert, select, update on table orders.coupon to orders;
grant delete, insert, select, update on table orders.customer_order to orders;
grant delete, insert, select, update on table orders.database_place to orders;
grant delete, insert, select, update on table orders.delivery to orders;
grant delete, insert, select, update on table orders.dispute to orders;
grant insert, select on table orders.dispute_note to orders;
grant delete, insert, select, update on table orders.gateway_event to orders;
grant delete, insert, select, update on table orders.goods to orders;
grant delete, insert, select, update on table orders.ledger_check to orders;
grant delete, insert, select, update on table orders.ledger_drift to orders;
grant insert, select on table orders.ledger_entry to orders;
grant select, usage on sequence orders.ledger_entry_entry_id_seq to orders;
grant delete, insert, select, update on table orders.ledger_look to orders;
grant delete, insert, select, update on table orders.merchant_event to orders;
grant delete, insert, select, update on table orders.order_flag to orders;
grant delete, insert, select, update on table orders.order_invoice to orders;
grant delete, insert, select, update on table orders.order_key to orders;
grant insert, select on table orders.order_note to orders;
grant insert, select on table orders.order_origin to orders;
grant insert, select on table orders.order_transition to orders;
grant select, usage on sequence orders.order_transition_transition_id_seq to orders;
grant delete, insert, select, update on table orders.payment_attempt to orders;
grant delete, insert, select, update on table orders.point_account to orders;
grant delete, insert, select, update on table orders.reconciliation_charge to orders;
grant delete, insert, select, update on table orders.reconciliation_day to orders;
grant delete, insert, select, update on table orders.reconciliation_item to orders;
grant delete, insert, select, update on table orders.recurring_run to orders;
grant delete, insert, select, update on table orders.refund to orders;
grant delete, insert, select, update on table orders.refund_approval to orders;
grant delete, insert, select, update on table orders.stock_change to orders;
grant select, usage on sequence orders.stock_change_change_id_seq to orders;
grant delete, insert, select, update on table orders.tenant to orders;
grant select, usage on sequence orders.version to orders;
grant delete, insert, select, update on table orders.webhook to orders;
grant delete, insert, select, update on table orders.webhook_removal to orders;
