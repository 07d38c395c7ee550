import { uuidv7 } from 'uuidv7';
import { followUpOperations } from '#domain/api/follow-ups.ts';
import { Problem } from '#domain/api/problem.ts';
import { findAudience } from '#db/outreach/audiences/audiences.ts';
import { type Collected, collectList, insertCollectedList } from '#commands/outreach/audiences/collect-list.ts';
import type { CampaignRecord } from '#db/outreach/campaigns/campaigns.ts';
import { createCampaign } from '#commands/outreach/campaigns/create-campaign.ts';
import { beginTagging } from '#commands/outreach/outcomes/begin-tagging.ts';
import { tagContacts } from '#commands/outreach/outcomes/tag-contacts.ts';
import type { WantedOutcome } from '#db/outreach/outcomes/pages.ts';
import type { Actor } from '#api/backend/auth.ts';
import { authorOf, type BackendDeps, type ServeActor } from '#api/backend/deps.ts';
import { finishesSoon } from '#api/backend/finishes-soon.ts';
import { presentAudience } from '../audiences/present.ts';
import type { CampaignLoader } from '../campaigns/campaign.ts';
import { presentCampaign } from '../campaigns/present.ts';
import { followUpOf } from '#domain/campaigns/copies/copy.ts';

/** Fills a list; long work continues in the background. */
async function fill({ database, logger, now }: BackendDeps, audienceId: string): Promise<void> {
  await finishesSoon(collectList(database, audienceId, now), (error) =>
    logger.warn({ err: error, audienceId }, 'filling a list stopped; the sweep will continue it'),
  );
}

/** A list and a tag for those with an outcome. */
function outcomeRoutes(serve: ServeActor, deps: BackendDeps, load: CampaignLoader): void {
  const { database, logger, now } = deps;

  async function saveList(actor: Actor, { id, serviceNumberId }: CampaignRecord, name: string, wanted: WantedOutcome) {
    const audienceId = uuidv7();
    const list = { audienceId, serviceNumberId, name, collected: { campaignId: id, ...wanted } };
    await database.transaction((transaction) => insertCollectedList(transaction, authorOf(actor), list, now()));
    await fill(deps, audienceId);
    const saved = await findAudience(database, actor.tenantId, audienceId);
    if (!saved) throw new Problem('not_found', 'The list was deleted');
    return presentAudience(saved);
  }

  async function tag(actor: Actor, { id, serviceNumberId }: CampaignRecord, tagId: string, wanted: WantedOutcome) {
    const { who, ...filter } = wanted;
    let assigned = 0;
    const onAssigned = (count: number) => (assigned += count);
    const contacts = { campaignId: id, serviceNumberId, tagId, who, filter };
    const taggingId = await beginTagging(database, authorOf(actor), contacts, now());
    const finished = await finishesSoon(tagContacts(database, taggingId, { now, onAssigned }), (error) =>
      logger.warn({ err: error, tagId, campaignId: id }, 'tagging contacts stopped; the sweep will continue it'),
    );
    return { assigned, finished };
  }

  serve(followUpOperations.saveClickers, {
    load,
    handle: ({ actor, loaded, body: { name, ...filter } }) =>
      saveList(actor, loaded, name, { who: 'clicked', ...filter }),
  });

  serve(followUpOperations.tagClickers, {
    load,
    handle: ({ actor, loaded, body: { tagId, ...filter } }) => tag(actor, loaded, tagId, { who: 'clicked', ...filter }),
  });

  serve(followUpOperations.saveCampaignContacts, {
    load,
    handle: ({ actor, loaded, body: { name, outcome, ...filter } }) =>
      saveList(actor, loaded, name, { who: outcome, ...filter }),
  });

  serve(followUpOperations.tagCampaignContacts, {
    load,
    handle: ({ actor, loaded, body: { tagId, outcome, ...filter } }) =>
      tag(actor, loaded, tagId, { who: outcome, ...filter }),
  });
}

/** A draft for contacts who did not click. */
function draftRoutes(serve: ServeActor, deps: BackendDeps, load: CampaignLoader): void {
  const { database, now } = deps;

  serve(followUpOperations.followUpCampaign, {
    load,
    handle: async ({ actor, loaded, body: { name, audienceName } }) => {
      if (loaded.status === 'draft') throw new Problem('invalid_state', 'The campaign was not sent');
      const at = now();
      const audienceId = uuidv7();
      const { serviceNumberId } = loaded;
      const collected: Collected = { campaignId: loaded.id, who: 'not_clicked' };
      const list = { audienceId, serviceNumberId, name: audienceName, collected };
      const draft = { ...followUpOf(loaded, at), name, audience: { type: 'contacts' as const, audienceId } };
      const campaign = await createCampaign(database, authorOf(actor), draft, {
        now: at,
        copyOf: loaded.id,
        check: async (transaction) => {
          await insertCollectedList(transaction, authorOf(actor), list, at);
        },
      });
      await fill(deps, audienceId);
      return presentCampaign(campaign);
    },
  });
}

/** What a campaign's clicks and other outcomes lead to. */
export function followUpRoutes(serve: ServeActor, deps: BackendDeps, load: CampaignLoader): void {
  outcomeRoutes(serve, deps, load);
  draftRoutes(serve, deps, load);
}
