import { uuidv7 } from 'uuidv7';
import { followUpOperations } from '../../../../domain/api/follow-ups.ts';
import { Problem } from '../../../../domain/api/problem.ts';
import { findAudience } from '../../../../db/outreach/audiences/audiences.ts';
import { type Collected, collectList, insertCollectedList } from '../../../../db/outreach/audiences/collecting.ts';
import { createCampaign } from '../../../../db/outreach/campaigns/changes.ts';
import { beginTaggingClickers, tagClickers } from '../../../../db/outreach/tags/clickers.ts';
import { authorOf, type BackendDeps, type ServeActor } from '../../deps.ts';
import { finishesSoon } from '../../finishes-soon.ts';
import { presentAudience } from '../audiences/present.ts';
import { type CampaignLoader, respond } from '../campaigns/campaign.ts';
import { followUpOf } from '../campaigns/copy.ts';

/** What a campaign's clicks lead to: a list, a tag, a draft for the others. */
export function followUpRoutes(serve: ServeActor, deps: BackendDeps, load: CampaignLoader): void {
  const { database, logger, now } = deps;

  async function fill(audienceId: string): Promise<void> {
    await finishesSoon(collectList(database, audienceId, now), (error) =>
      logger.warn({ err: error, audienceId }, 'filling a list stopped; the sweep will continue it'),
    );
  }

  serve(followUpOperations.saveClickers, {
    load,
    handle: async ({ actor, loaded, body: { name, ...filter } }) => {
      const audienceId = uuidv7();
      const collected: Collected = { campaignId: loaded.id, who: 'clicked', ...filter };
      const { serviceNumberId } = loaded;
      await database.transaction((transaction) =>
        insertCollectedList(transaction, authorOf(actor), { audienceId, serviceNumberId, name, collected }, now()),
      );
      await fill(audienceId);
      const list = await findAudience(database, actor.tenantId, audienceId);
      if (!list) throw new Problem('not_found', 'The list was deleted');
      return presentAudience(list);
    },
  });

  serve(followUpOperations.tagClickers, {
    load,
    handle: async ({ actor, loaded: { id, serviceNumberId }, body: { tagId, ...filter } }) => {
      const wanted = { campaignId: id, serviceNumberId, tagId, filter };
      let assigned = 0;
      const onAssigned = (count: number) => (assigned += count);
      const taggingId = await beginTaggingClickers(database, authorOf(actor), wanted, now());
      const finished = await finishesSoon(tagClickers(database, taggingId, { now, onAssigned }), (error) =>
        logger.warn(
          { err: error, tagId, campaignId: id },
          'tagging those who clicked stopped; the sweep will continue it',
        ),
      );
      return { assigned, finished };
    },
  });

  serve(followUpOperations.followUpCampaign, {
    load,
    handle: async ({ ctx, actor, loaded, body: { name, audienceName } }) => {
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
      await fill(audienceId);
      return respond(ctx, campaign);
    },
  });
}
