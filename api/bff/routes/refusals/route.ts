import type { BffDatabase } from '../../../../db/bff/database.ts';
import { listRefusals } from '../../../../db/bff/refusals.ts';
import { refusalOperations } from '../../../../domain/api/refusals.ts';
import type { createServe } from '../../../http/problem-api.ts';
import type { ConsoleUser } from '../../identity/signed-in.ts';

export function refusalRoutes(
  serve: ReturnType<typeof createServe<ConsoleUser>>,
  { database }: { database: BffDatabase },
): void {
  serve(refusalOperations.listWebhookRefusals, {
    handle: ({ actor, query }) => listRefusals(database, actor.tenantId, query),
  });
}
