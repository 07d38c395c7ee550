import { retentionOperations } from '#domain/api/retention.ts';
import type { BackendDeps, ServeActor } from '#api/backend/deps.ts';

/** How long data is kept: settings of the server. */
export function retentionRoutes(serve: ServeActor, { retention }: BackendDeps): void {
  serve(retentionOperations.getRetention, {
    handle: () =>
      Promise.resolve({
        eventsDays: retention.events,
        recipientsDays: retention.recipients,
        timelineDays: retention.timeline,
        auditDays: retention.audit,
      }),
  });
}
