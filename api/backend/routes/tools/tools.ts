import type { BodyOf, ResponseOf } from '#domain/api/operation.ts';
import { Problem } from '#domain/api/problem.ts';
import type { ToolName, toolOperations } from '#domain/api/tools.ts';
import { mapPage } from '#domain/cursor.ts';
import { periodOf } from '#domain/period.ts';
import { resolveAudience } from '#commands/outreach/audiences/resolve-audience.ts';
import { audienceSource } from '#commands/outreach/audiences/source.ts';
import { findCampaign } from '#db/outreach/campaigns/campaigns.ts';
import { readOverview } from '#db/outreach/overview/overview.ts';
import { readResults } from '#db/outreach/clicks/results.ts';
import { listTags } from '#db/outreach/tags/tags.ts';
import { assertKnownServiceNumber } from '#commands/outreach/tenants/service-numbers.ts';
import { perPerson } from '#api/http/security/rate-limits.ts';
import type { BackendDeps } from '#api/backend/deps.ts';
import { presentCampaign } from '../campaigns/present.ts';
import { createDraft, sendDraft } from '../sends/commands.ts';
import { presentTag } from '../tags/present.ts';
import type { ToolActor } from './token.ts';

type Operations = typeof toolOperations;

/** What each tool does, for an actor that may call it, with a body that was parsed. */
export type Tools = {
  [Name in ToolName]: (call: {
    actor: ToolActor;
    body: BodyOf<Operations[Name]>;
  }) => Promise<ResponseOf<Operations[Name]>>;
};

async function loadCampaign({ database }: BackendDeps, { tenantId }: ToolActor, id: string) {
  const campaign = await findCampaign(database, tenantId, id);
  if (!campaign) throw new Problem('not_found', 'There is no campaign with this id');
  return campaign;
}

function readingTools(deps: BackendDeps): Pick<Tools, 'query_metrics' | 'resolve_audience' | 'list_tags'> {
  const { database, now } = deps;
  const assertNamed = async (tenantId: string, { serviceNumberId }: { serviceNumberId?: string | undefined }) => {
    if (serviceNumberId !== undefined) await assertKnownServiceNumber(database, tenantId, serviceNumberId);
  };
  const preview = perPerson(deps.previewsPerMinute);
  return {
    query_metrics: async ({ actor, body: { campaignId, ...asked } }) => {
      const { tenantId } = actor;
      if (campaignId !== undefined) {
        const { id, name, messages, messagesBy, variants } = await loadCampaign(deps, actor, campaignId);
        const results = await readResults(database, tenantId, { id, messages, messagesBy, variants });
        if (!results) throw new Problem('not_found', 'There is no campaign with this id');
        return { campaign: { id, name, results } };
      }
      const at = now();
      await assertNamed(tenantId, asked);
      const scope = { tenantId, serviceNumberId: asked.serviceNumberId, seen: actor.serviceNumberIds };
      const { period, figures, series } = await readOverview(
        database,
        scope,
        { ...periodOf(asked, at), timeZone: 'UTC' },
        at,
      );
      return { period: { ...period, figures, series } };
    },

    resolve_audience: async ({ actor, body: { serviceNumberId, audience, limit } }) => {
      await preview(actor);
      const scope = { tenantId: actor.tenantId, serviceNumberId, path: '/audience' };
      await assertKnownServiceNumber(database, actor.tenantId, serviceNumberId);
      return await resolveAudience(database, scope, await audienceSource(database, scope, audience), {
        now: now(),
        limit,
      });
    },

    list_tags: async ({ actor, body }) => {
      const at = now();
      await assertNamed(actor.tenantId, body);
      return mapPage(await listTags(database, actor.tenantId, body, at), (tag) => presentTag(tag, at));
    },
  };
}

/** Writes by tools follow the same path as writes by people. */
const writingTools = (deps: BackendDeps): Pick<Tools, 'draft_campaign' | 'dispatch_campaign'> => ({
  draft_campaign: async ({ actor, body }) => presentCampaign(await createDraft(deps, actor, body)),

  dispatch_campaign: async ({ actor, body: { campaignId, expectedReachableCount, idempotencyKey } }) => {
    await loadCampaign(deps, actor, campaignId);
    const request = { expectedReachableCount, idempotencyKey: idempotencyKey ?? null };
    return presentCampaign(await sendDraft(deps, actor, campaignId, request));
  },
});

export const createTools = (deps: BackendDeps): Tools => ({ ...readingTools(deps), ...writingTools(deps) });
