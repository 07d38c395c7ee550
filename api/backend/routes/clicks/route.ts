import { campaignContactOperations } from '#domain/api/campaign-contacts.ts';
import { campaignOperations } from '#domain/api/campaigns.ts';
import { liftOperations } from '#domain/api/lift.ts';
import { Problem } from '#domain/api/problem.ts';
import { buttonLabels } from '#domain/campaigns/variants/variants.ts';
import { mapPage } from '#domain/cursor.ts';
import { listClicks } from '#db/outreach/clicks/list.ts';
import { readResults } from '#db/outreach/clicks/results.ts';
import { listContactOutcomes } from '#db/outreach/outcomes/list.ts';
import { readLift } from '#db/outreach/sends/control/lift.ts';
import type { BackendDeps, ServeActor } from '#api/backend/deps.ts';
import type { CampaignLoader } from '../campaigns/campaign.ts';
import { presentClick, presentContactOutcome } from './present.ts';

/** A campaign's results: its clicks and all its figures. */
export function clickRoutes(serve: ServeActor, { database, now }: BackendDeps, load: CampaignLoader): void {
  serve(campaignOperations.listClicks, {
    load,
    handle: async ({ actor, loaded, query }) => {
      const clicks = await listClicks(database, actor.tenantId, loaded.id, query);
      const labelOf = buttonLabels(loaded);
      return mapPage(clicks, (click) => presentClick(click, labelOf));
    },
  });

  serve(campaignContactOperations.listCampaignContacts, {
    load,
    handle: async ({ actor: { tenantId }, loaded, query }) => {
      const contacts = await listContactOutcomes(database, { tenantId, campaignId: loaded.id }, query);
      const labelOf = buttonLabels(loaded);
      return mapPage(contacts, (contact) => presentContactOutcome(contact, labelOf));
    },
  });

  serve(campaignOperations.getResults, {
    load,
    handle: async ({ actor, loaded }) => {
      const results = await readResults(database, actor.tenantId, loaded);
      if (!results) throw new Problem('not_found', 'There is no campaign with this id');
      return results;
    },
  });

  serve(liftOperations.getLift, {
    load,
    handle: async ({ actor, loaded, query: { windowDays } }) => {
      const key = { tenantId: actor.tenantId, campaignId: loaded.id };
      const lift = await readLift(database, key, { windowDays, now: now() });
      if (!lift) throw new Problem('not_found', 'There is no campaign with this id');
      return lift;
    },
  });
}
