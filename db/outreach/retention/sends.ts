/** SQL condition on a sub-task `t`: it is still known to whom it was sent, or was not. */
export const recipientsKept = `not exists (
  select 1 from dispatch x where x.dispatch_id = t.dispatch_id and x.recipients_deleted_at is not null)`;

/**
 * SQL: whether the recipients of a send `d` of a campaign `c` are still needed, with `:before`: it is younger, is to
 * begin later, or its campaign is not over. One of an automation, which may go on for years, is over once it was made.
 */
export const neededSends = `(
  greatest(d.created_at, d.scheduled_at, c.finished_at, c.closed_at) >= :before
  or (c.status in ('scheduled', 'sending', 'paused') and not c.automation)
  or exists (select 1 from broadcast_task t where t.dispatch_id = d.dispatch_id and t.next_poll_at is not null))`;
