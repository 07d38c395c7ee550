import type { Knex } from 'knex';

/**
 * A column that is null everywhere and an empty table: locks of milliseconds. The check of `campaign` reads all campaigns
 * under an exclusive lock: a second for a million.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table tenant add column sends_need_approval integer check (sends_need_approval > 0);
    comment on column tenant.sends_need_approval is
      'a send to more contacts than this waits until another operator approves it; null: none does';

    create table send_approval (
      approval_id text primary key,
      tenant_id text not null references tenant,
      campaign_id text not null references campaign on delete cascade,
      dispatch_id text references dispatch,
      contacts integer not null,
      above integer not null,
      idempotency_key text,
      requested_by text not null,
      requested_at timestamptz not null,
      outcome text check (outcome in ('approved', 'rejected', 'withdrawn')),
      decided_by text,
      decided_at timestamptz,
      reason text,
      check ((outcome is null) = (decided_at is null) and (outcome is null) = (decided_by is null)),
      check (outcome is distinct from 'approved' or decided_by <> requested_by)
    );
    comment on table send_approval is 'sends to more contacts than a tenant lets one person send to';
    comment on column send_approval.dispatch_id is
      'the send that was stored, and is paused, because its audience was known only then; null: the campaign stays a draft until it is approved';
    comment on column send_approval.above is 'the limit of the tenant when approval was asked for';
    create unique index send_approval_open on send_approval (campaign_id) where outcome is null;
    create index send_approval_by_campaign on send_approval (campaign_id, requested_at desc);
    create index send_approval_waiting on send_approval (tenant_id, requested_at) where outcome is null;

    alter table campaign drop constraint campaign_pause_reason_check;
    alter table campaign add constraint campaign_pause_reason_check
      check (pause_reason in ('operator', 'unauthorized', 'late', 'approval'));`);
}
