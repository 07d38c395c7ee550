import type { Router } from '@koa/router';
import { Problem } from '#domain/api/problem.ts';
import { describeTool, manifestOperation, toolNames, toolOperations, TOOLS_PREFIX } from '#domain/api/tools.ts';
import { mapPage } from '#domain/cursor.ts';
import { periodOf } from '#domain/period.ts';
import { resolveAudience } from '#commands/outreach/audiences/resolve-audience.ts';
import { audienceSource } from '#commands/outreach/audiences/source.ts';
import { findCampaign } from '#db/outreach/campaigns/campaigns.ts';
import { readOverview } from '#db/outreach/overview/overview.ts';
import { readResults } from '#db/outreach/clicks/results.ts';
import { listTags } from '#db/outreach/tags/tags.ts';
import { findStanding } from '#db/outreach/rights/rights.ts';
import { asViewer, forViewers } from '#db/outreach/rights/viewers.ts';
import { assertKnownServiceNumber } from '#commands/outreach/tenants/service-numbers.ts';
import { createServe } from '#api/http/problem-api.ts';
import { perPerson } from '#api/http/security/rate-limits.ts';
import type { BackendDeps } from '#api/backend/deps.ts';
import { presentCampaign } from '../campaigns/present.ts';
import { createDraft, sendDraft } from '../sends/commands.ts';
import { presentTag } from '../tags/present.ts';
import { authenticateTool, type ToolActor, type ToolTokens } from './token.ts';
import { createRouter } from '#api/http/router.ts';

type ServeTool = ReturnType<typeof createServe<ToolActor>>;

async function loadCampaign({ database }: BackendDeps, { tenantId }: ToolActor, id: string) {
  const campaign = await findCampaign(database, tenantId, id);
  if (!campaign) throw new Problem('not_found', 'There is no campaign with this id');
  return campaign;
}

function readingTools(serve: ServeTool, deps: BackendDeps): void {
  const { database, now } = deps;
  const assertNamed = async (tenantId: string, { serviceNumberId }: { serviceNumberId?: string | undefined }) => {
    if (serviceNumberId !== undefined) await assertKnownServiceNumber(database, tenantId, serviceNumberId);
  };

  serve(toolOperations.query_metrics, {
    handle: async ({ actor, body: { campaignId, ...asked } }) => {
      const { tenantId } = actor;
      if (campaignId !== undefined) {
        const { id, name, messages, variants } = await loadCampaign(deps, actor, campaignId);
        const results = await readResults(database, tenantId, { id, messages, variants });
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
  });

  const preview = perPerson(deps.previewsPerMinute);
  serve(toolOperations.resolve_audience, {
    handle: async ({ actor, body: { serviceNumberId, audience, limit } }) => {
      await preview(actor);
      const scope = { tenantId: actor.tenantId, serviceNumberId, path: '/audience' };
      await assertKnownServiceNumber(database, actor.tenantId, serviceNumberId);
      return await resolveAudience(database, scope, await audienceSource(database, scope, audience), {
        now: now(),
        limit,
      });
    },
  });

  serve(toolOperations.list_tags, {
    handle: async ({ actor, body }) => {
      const at = now();
      await assertNamed(actor.tenantId, body);
      return mapPage(await listTags(database, actor.tenantId, body, at), (tag) => presentTag(tag, at));
    },
  });
}

/** Writes by tools follow the same path as writes by people. */
function writingTools(serve: ServeTool, deps: BackendDeps): void {
  serve(toolOperations.draft_campaign, {
    handle: async ({ actor, body }) => presentCampaign(await createDraft(deps, actor, body)),
  });

  serve(toolOperations.dispatch_campaign, {
    handle: async ({ actor, body: { campaignId, expectedReachableCount, idempotencyKey } }) => {
      await loadCampaign(deps, actor, campaignId);
      const request = { expectedReachableCount, idempotencyKey: idempotencyKey ?? null };
      return presentCampaign(await sendDraft(deps, actor, campaignId, request));
    },
  });
}

export const switchedOff = () => new Problem('phase_2', 'The Tool API is disabled (TOOL_API_ENABLED)');

/** The Tool API. While disabled, every call gets an error that says so. */
export function toolRouter(deps: BackendDeps, tokens: ToolTokens): Router {
  const router = createRouter(TOOLS_PREFIX);
  if (!deps.toolApiEnabled) {
    return router.all('{/*path}', () => {
      throw switchedOff();
    });
  }
  const authenticate = authenticateTool(deps.database, tokens, {
    findStanding: (who) => findStanding(deps.database, who),
    refusals: deps.refusals,
  });
  const serve: ServeTool = createServe({
    router,
    authenticate,
    within: ({ serviceNumberIds }, work) => asViewer(serviceNumberIds, work),
    checkResponses: deps.checkResponses,
  });
  const own = { ...deps, database: forViewers(deps.database) };
  readingTools(serve, own);
  writingTools(serve, own);
  serve(manifestOperation, {
    handle: async ({ actor }) => ({
      version: '1' as const,
      tools: toolNames.filter((name) => actor.tools.includes(name)).map((name) => describeTool(name, TOOLS_PREFIX)),
    }),
  });
  return router.all('{/*path}', async (ctx) => {
    await authenticate(ctx);
    throw new Problem('not_found', `There is no ${ctx.method} ${ctx.path}`);
  });
}
