-- Words by which operators find campaigns again. The column and the trigger are of the catalogue alone.
alter table campaign add column labels text[] not null default '{}';
comment on column campaign.labels is 'by which operators find it again';
create or replace trigger campaign_revision before update of name, note, channels, messages, audience, schedule, ends_at,
    holdout_percent, pace, revenue_window_days, variants, steps, utm, labels, dispatches, pause_reason,
    cancel_requested, closed_at, ended_by_uninstall on campaign for each row
  when ((old.name, old.note, old.channels, old.messages, old.audience, old.schedule, old.ends_at,
    old.holdout_percent, old.pace, old.revenue_window_days, old.variants, old.steps, old.utm, old.labels, old.dispatches,
    old.pause_reason, old.cancel_requested, old.closed_at, old.ended_by_uninstall) is distinct from
    (new.name, new.note, new.channels, new.messages, new.audience, new.schedule, new.ends_at,
    new.holdout_percent, new.pace, new.revenue_window_days, new.variants, new.steps, new.utm, new.labels, new.dispatches,
    new.pause_reason, new.cancel_requested, new.closed_at, new.ended_by_uninstall))
  execute function take_revision();
