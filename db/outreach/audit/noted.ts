import type { NotedAudit } from '#domain/api/internal.ts';
import { type Database, rows } from '#db/database.ts';

/** What happened where nothing was written, so that it is recorded afterwards. */
export type NotedEntry = Omit<NotedAudit, 'after'> & { after: Record<string, unknown> | null };

/** Records entries, each once, except for tenants that are unknown here. */
export async function recordNoted(database: Database, entries: readonly NotedEntry[]): Promise<void> {
  await rows(
    database,
    `insert into audit_log (audit_id, tenant_id, actor, action, object_type, object_id, after, request_id, caller_request_id)
     select e."auditId", e."platformTenantId", e.actor, e.action, e."objectType", e."objectId", e.after, e."requestId",
       e."callerRequestId"
     from jsonb_to_recordset(:entries::jsonb) as e ("auditId" text, "platformTenantId" text, actor text, action text,
       "objectType" text, "objectId" text, after jsonb, "requestId" text, "callerRequestId" text)
     where exists (select from tenant t where t.tenant_id = e."platformTenantId")
       and not exists (select from audit_log a where a.audit_id = e."auditId")`,
    { entries: JSON.stringify(entries) },
  );
}
