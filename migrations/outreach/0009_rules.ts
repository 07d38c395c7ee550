import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- No foreign key to the tag: checking it would lock the tag after the rule, the drain locks them the other way round,
    -- and tags are never deleted.
    create table smart_tag_rule (
      rule_id text primary key,
      tenant_id text not null references tenant,
      version integer not null,
      name text not null,
      trigger_event text not null check (trigger_event in
        ('notice.clicked', 'session.created', 'session.closed', 'no_response_for_N_days')),
      match_condition jsonb not null,
      target_tag_id text not null,
      days integer,
      campaign_id text,
      status text not null check (status in ('active', 'paused')),
      hit_count integer not null default 0,
      last_executed_at timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      removed_at timestamptz,
      check ((trigger_event = 'no_response_for_N_days') = (days is not null))
    );
    create index smart_tag_rule_by_tenant on smart_tag_rule (tenant_id, rule_id desc) where removed_at is null;

    -- Every definition a rule has had: an assignment's origin names the one that gave it, even after the rule was removed.
    create table smart_tag_rule_version (
      rule_id text not null references smart_tag_rule,
      version integer not null,
      name text not null,
      trigger_event text not null,
      match_condition jsonb not null,
      target_tag_id text not null,
      days integer,
      campaign_id text,
      created_at timestamptz not null,
      created_by text not null,
      primary key (rule_id, version)
    );

    -- Sub-tasks that a no-response rule has finished with, so that no scan looks at them again.
    create table no_response_scan (
      rule_id text not null references smart_tag_rule,
      version integer not null,
      task_key text not null references broadcast_task,
      scanned_at timestamptz not null,
      primary key (rule_id, version, task_key)
    );
  `);
}
