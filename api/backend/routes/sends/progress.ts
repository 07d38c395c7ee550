import { campaignOperations } from '#domain/api/campaigns.ts';
import { Problem } from '#domain/api/problem.ts';
import type { Database } from '#db/database.ts';
import { findExcluded } from '#db/outreach/rights/rights.ts';
import { readProgress } from '#db/outreach/sends/progress.ts';
import type { Actor } from '#api/backend/auth.ts';
import type { BackendDeps, ServeActor } from '#api/backend/deps.ts';
import { streamTo } from '#api/http/event-stream.ts';
import { createProgressStreams } from './progress-stream.ts';

/** A campaign's progress: once, or as a stream. @param shared reads for everybody who watches a campaign at once */
export function progressRoutes(
  serve: ServeActor,
  { database, logger, now }: BackendDeps,
  shared: Database,
): { endStreams: () => void } {
  const streams = createProgressStreams({
    read: (tenantId, id) => readProgress(shared, { tenantId, campaignId: id }, now()),
    excluded: ({ tenantId, id }, actors) => findExcluded(shared, { tenantId, campaignId: id }, actors),
    logger,
  });

  const load = async ({ actor, params }: { actor: Actor; params: { id: string } }) => {
    const progress = await readProgress(database, { tenantId: actor.tenantId, campaignId: params.id }, now());
    if (!progress) throw new Problem('not_found', 'There is no campaign with this id');
    return progress;
  };

  serve(campaignOperations.getProgress, { load, handle: async ({ loaded }) => loaded });

  serve(campaignOperations.streamProgress, {
    load,
    handle: async ({ ctx, actor, params, loaded }) => {
      const limitable = actor.role === 'tenant_admin' ? null : actor.userId;
      streamTo(ctx, streams.open({ tenantId: actor.tenantId, id: params.id }, loaded, limitable));
      // The stream itself is the whole response.
      return loaded;
    },
  });

  return { endStreams: () => streams.end() };
}
