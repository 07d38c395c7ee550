-- Messages by a field of the contact's profile. Columns without a default that is stored are of the catalogue alone, and so is a
-- check that is not looked at for what is there: until now every campaign had messages.
alter table campaign add column messages_by jsonb, alter column messages drop not null,
  add constraint campaign_messages_check check ((messages is null) <> (messages_by is null)) not valid;
comment on column campaign.messages is 'what is sent to everybody; null: messages_by';
comment on column campaign.messages_by is
  'what is sent by a field of the profile: the field, the cases with their values and messages, and what the others get';
create or replace trigger campaign_revision before update of name, note, channels, messages, messages_by, audience, schedule, ends_at,
    holdout_percent, pace, revenue_window_days, variants, steps, utm, labels, dispatches, pause_reason,
    cancel_requested, closed_at, ended_by_uninstall on campaign for each row
  when ((old.name, old.note, old.channels, old.messages, old.messages_by, old.audience, old.schedule, old.ends_at,
    old.holdout_percent, old.pace, old.revenue_window_days, old.variants, old.steps, old.utm, old.labels, old.dispatches,
    old.pause_reason, old.cancel_requested, old.closed_at, old.ended_by_uninstall) is distinct from
    (new.name, new.note, new.channels, new.messages, new.messages_by, new.audience, new.schedule, new.ends_at,
    new.holdout_percent, new.pace, new.revenue_window_days, new.variants, new.steps, new.utm, new.labels, new.dispatches,
    new.pause_reason, new.cancel_requested, new.closed_at, new.ended_by_uninstall))
  execute function take_revision();

alter table broadcast_task add column message_case smallint;
comment on column broadcast_task.message_case is
  'the case that its contacts are of, by its number, or 20: otherwise; null without messages by case';
alter table click_attribution add column message_case smallint;
comment on column click_attribution.message_case is 'of the sub-task that was clicked: as broadcast_task.message_case';
alter table dispatch add column skipped_by_case integer not null default 0;
comment on column dispatch.skipped_by_case is 'contacts that are left out so far because they are in no case';
comment on column dispatch.left_out_count is
  'contacts that the audience reaches and the send does not so far: an earlier run reached them, or they are in no sample or case';
comment on column dispatch.arm_counts is
  'contacts frozen so far for each variant, and at last for the rest, or for each case; null without either, and for a retry';
