import { campaignSnapshotOperations } from '#domain/api/campaign-snapshots.ts';
import { Problem } from '#domain/api/problem.ts';
import { mapPage } from '#domain/cursor.ts';
import { isHeldBack } from '#db/outreach/sends/control/holding-back.ts';
import { findRecipientSends, listDispatches, listSubTaskContacts } from '#db/outreach/sends/snapshots.ts';
import { findSubTask } from '#db/outreach/sends/sub-tasks.ts';
import type { BackendDeps, ServeActor } from '#api/backend/deps.ts';
import type { CampaignLoader } from '../campaigns/campaign.ts';
import { presentDispatch, presentRecipient } from './present.ts';

/** The audience frozen when a campaign was sent. */
export function snapshotRoutes(serve: ServeActor, { database }: BackendDeps, load: CampaignLoader): void {
  serve(campaignSnapshotOperations.listDispatches, {
    load,
    handle: async ({ actor, params, query }) => {
      const key = { tenantId: actor.tenantId, campaignId: params.id };
      return mapPage(await listDispatches(database, key, query), presentDispatch);
    },
  });

  serve(campaignSnapshotOperations.listSubTaskContacts, {
    load: async ({ actor, params }) => {
      const campaign = await load({ actor, params });
      if (await findSubTask(database, actor.tenantId, params.id, params.key)) return campaign;
      throw new Problem('not_found', 'The campaign has no sub-task with this key');
    },
    handle: ({ actor: { tenantId }, params: { id, key }, query }) =>
      listSubTaskContacts(database, { tenantId, campaignId: id, key }, query),
  });

  serve(campaignSnapshotOperations.getRecipient, {
    load,
    handle: async ({ actor, params: { id, contactId } }) => {
      const key = { tenantId: actor.tenantId, campaignId: id };
      const sends = await findRecipientSends(database, key, contactId);
      return presentRecipient(contactId, { sends, isControl: await isHeldBack(database, key, contactId) });
    },
  });
}
