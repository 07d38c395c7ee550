import { type Database, firstRow, rows } from '#db/database.ts';
import { deleteSome, ROWS_AT_ONCE } from './expired-rows.ts';
import { partitionedTables, partitionsOf } from './partitions.ts';

const ofTenant = 'tenant_id = :tenantId';
const of = (table: string, key: string) => `${key} in (select ${key} from ${table} where ${ofTenant})`;

/**
 * Everything of a tenant but itself and its integrations, by which the platform's calls are still recognised. In an
 * order in which no row that is left refers to one that is gone.
 */
const ownRows: [table: string, condition: string][] = [
  ['event_inbox', ofTenant],
  ['click_attribution', ofTenant],
  ['conversation', ofTenant],
  ['contact_event', ofTenant],
  ['contact_profile_past', ofTenant],
  ['tag_assignment_past', ofTenant],
  ['broadcast_task_past', ofTenant],
  ['tag_past', ofTenant],
  ['delivery', ofTenant],
  ['outgoing_event_part', ofTenant],
  ['outgoing_event', ofTenant],
  ['webhook', ofTenant],
  ['event_reader', ofTenant],
  ['notice_reader', ofTenant],
  ['outgoing_sent', ofTenant],
  ['reach_block', of('dispatch_reach', 'dispatch_id')],
  ['dispatch_reach', ofTenant],
  ['dispatch_chunk', of('dispatch', 'dispatch_id')],
  ['dispatch_control', of('dispatch', 'dispatch_id')],
  ['audience_drift', of('dispatch', 'dispatch_id')],
  ['audience_member', of('audience', 'audience_id')],
  ['audience_replaced', of('audience', 'audience_id')],
  ['audience', ofTenant],
  ['audience_count', ofTenant],
  ['no_response_scan', of('smart_tag_rule', 'rule_id')],
  ['smart_tag_rule_version', of('smart_tag_rule', 'rule_id')],
  ['smart_tag_rule', ofTenant],
  ['removed_assignment', of('tag', 'tag_id')],
  // Before the assignments: without blocks, a trigger has nothing to take from them.
  ['tag_block', of('tag', 'tag_id')],
  ['tag_assignment', ofTenant],
  ['clicker_tagging', ofTenant],
  ['tag', ofTenant],
  ['contact_profile', ofTenant],
  ['test_send', ofTenant],
  ['dry_run', ofTenant],
  ['entry_source', ofTenant],
  ['ending_workflow', of('campaign', 'campaign_id')],
  ['copywriting', ofTenant],
  ['variant_test', ofTenant],
  ['campaign_step', ofTenant],
  ['automation_step', ofTenant],
  ['automation_entry', ofTenant],
  ['automation_member', ofTenant],
  ['automation_sum', ofTenant],
  ['automation_step_sum', ofTenant],
  ['automation', ofTenant],
  ['broadcast_task', ofTenant],
  ['campaign_edit', ofTenant],
  ['send_approval', ofTenant],
  ['template_version', ofTenant],
  ['template', ofTenant],
  ['dispatch', `${ofTenant} and retry_of is not null`],
  ['dispatch', ofTenant],
  ['campaign_transition', ofTenant],
  ['revenue_difference', ofTenant],
  ['campaign_revenue', ofTenant],
  ['revenue_entry', ofTenant],
  ['contact_revenue_entry', ofTenant],
  ['repeat_run', of('campaign_repeat', 'repeat_id')],
  ['campaign_repeat', ofTenant],
  ['holdout_key', of('campaign', 'campaign_id')],
  ['campaign', ofTenant],
  ['campaign_clicks', ofTenant],
  ['button_clicks', ofTenant],
  ['event_code_clicks', ofTenant],
  ['click_hour', ofTenant],
  ['click_quarter', ofTenant],
  ['clicked_day', ofTenant],
  ['clicked_hour', ofTenant],
  ['conversation_hour', ofTenant],
  ['conversion_hour', ofTenant],
  ['platform_pace', of('tenant_integration', 'tenant_integration_id')],
  ['erased_contact', ofTenant],
  ['erasure_key', ofTenant],
  ['service_number_catalog', ofTenant],
  ['tool_token', ofTenant],
  ['idempotent_call', ofTenant],
  ['app_user', ofTenant],
  ['service_number_right', ofTenant],
];

async function deleteOfTenant(database: Database, tenantId: string): Promise<number> {
  for (const [table, condition] of ownRows) {
    const parts = table in partitionedTables ? await partitionsOf(database, table) : [table];
    for (const part of parts) {
      const deleted = await deleteSome(database, part, condition, { tenantId });
      if (deleted > 0) return deleted;
    }
  }
  const forgotten = await firstRow<{ removed: number }>(
    database,
    'select forget_audit_of(:tenantId, :limit) as removed',
    {
      tenantId,
      limit: ROWS_AT_ONCE,
    },
  );
  return forgotten?.removed ?? 0;
}

const uninstalledTenants = `
  select tenant_id from tenant_integration group by tenant_id
  having bool_and(status = 'UNINSTALLED') and max(uninstalled_at) < :before order by tenant_id`;

/**
 * Deletes some of what is kept of tenants whose last integration was uninstalled before `before`. Safe to repeat.
 * @returns how many rows; 0 once there are none left.
 */
export async function deleteUninstalled(database: Database, before: Date): Promise<number> {
  const tenants = await rows<{ tenantId: string }>(database, uninstalledTenants, { before });
  for (const { tenantId } of tenants) {
    const deleted = await deleteOfTenant(database, tenantId);
    if (deleted > 0) return deleted;
  }
  return 0;
}
