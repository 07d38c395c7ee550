import type { BffDatabase } from '#db/bff/database.ts';
import { listRefusals } from '#db/bff/refusals.ts';
import { refusalOperations } from '#domain/api/refusals.ts';
import type { ServeConsole } from '../serve-console.ts';

export function refusalRoutes(serve: ServeConsole, { database }: { database: BffDatabase }): void {
  serve(refusalOperations.listWebhookRefusals, {
    handle: ({ actor, query }) => listRefusals(database, actor.tenantId, query),
  });
}
