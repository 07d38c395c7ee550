import { auditOperations } from '#domain/api/audit.ts';
import { Problem } from '#domain/api/problem.ts';
import { mapPage } from '#domain/cursor.ts';
import { findAuditEntry, listAuditLog } from '#db/outreach/audit/list.ts';
import type { BackendDeps, ServeActor } from '#api/backend/deps.ts';
import { presentAuditEntry } from './present.ts';

/** The audit log: who did what. */
export function auditLogRoutes(serve: ServeActor, { database }: BackendDeps): void {
  serve(auditOperations.listAuditLog, {
    handle: async ({ actor, query }) => mapPage(await listAuditLog(database, actor.tenantId, query), presentAuditEntry),
  });

  serve(auditOperations.getAuditEntry, {
    load: async ({ actor, params }) => {
      const entry = await findAuditEntry(database, actor.tenantId, params.auditId);
      if (!entry) throw new Problem('not_found', 'There is no audit entry with this id');
      return entry;
    },
    handle: async ({ loaded }) => presentAuditEntry(loaded),
  });
}
