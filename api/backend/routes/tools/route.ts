import type { Router } from '@koa/router';
import { Problem } from '#domain/api/problem.ts';
import { describeTool, manifestOperation, toolNames, toolOperations, TOOLS_PREFIX } from '#domain/api/tools.ts';
import { findStanding } from '#db/outreach/rights/rights.ts';
import { asViewer, forViewers } from '#db/outreach/rights/viewers.ts';
import { createServe } from '#api/http/problem-api.ts';
import type { BackendDeps } from '#api/backend/deps.ts';
import { answerMessages } from './mcp.ts';
import { authenticateTool, type ToolActor, type ToolTokens } from './token.ts';
import { createTools, type Tools } from './tools.ts';
import { createRouter } from '#api/http/router.ts';

const MCP_PATH = '/mcp';

export const switchedOff = () => new Problem('phase_2', 'The Tool API is disabled (TOOL_API_ENABLED)');

const offAt = (prefix: string): Router =>
  createRouter(prefix).all('{/*path}', () => {
    throw switchedOff();
  });

function toolRouter(deps: BackendDeps, tools: Tools, authenticate: ReturnType<typeof authenticateTool>): Router {
  const router = createRouter(TOOLS_PREFIX);
  const serve = createServe<ToolActor>({
    router,
    authenticate,
    within: ({ serviceNumberIds }, work) => asViewer(serviceNumberIds, work),
    checkResponses: deps.checkResponses,
  });
  serve(toolOperations.query_metrics, { handle: tools.query_metrics });
  serve(toolOperations.resolve_audience, { handle: tools.resolve_audience });
  serve(toolOperations.list_tags, { handle: tools.list_tags });
  serve(toolOperations.draft_campaign, { handle: tools.draft_campaign });
  serve(toolOperations.dispatch_campaign, { handle: tools.dispatch_campaign });
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

/**
 * The Tool API, and the same tools by the Model Context Protocol. While disabled, every call gets an error that says so.
 */
export function toolRoutes(deps: BackendDeps, tokens: ToolTokens): Router[] {
  if (!deps.toolApiEnabled) return [offAt(TOOLS_PREFIX), offAt(MCP_PATH)];
  const authenticate = authenticateTool(deps.database, tokens, {
    findStanding: (who) => findStanding(deps.database, who),
    refusals: deps.refusals,
  });
  const tools = createTools({ ...deps, database: forViewers(deps.database) });
  return [
    toolRouter(deps, tools, authenticate),
    createRouter().all(MCP_PATH, answerMessages(deps, tools, authenticate)),
  ];
}
