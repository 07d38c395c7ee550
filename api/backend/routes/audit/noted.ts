import { recordNoted } from '#db/outreach/audit/noted.ts';
import { internalOperations } from '#domain/api/internal.ts';
import type { BackendDeps, ServeService } from '#api/backend/deps.ts';

/** What the BFF has to say for the audit log. */
export function notedAuditRoutes(serve: ServeService, { database }: BackendDeps): void {
  serve(internalOperations.noteAudit, {
    handle: async ({ body }) => {
      await recordNoted(database, body.entries);
      return undefined;
    },
  });
}
