import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js';
import type { Context } from 'koa';
import { z } from 'zod';
import { INLINE_LIST_BYTES } from '#domain/api/audiences.ts';
import type { AnyOperation } from '#domain/api/operation.ts';
import { Problem } from '#domain/api/problem.ts';
import { describeTool, type ToolName, toolNames, toolOperations, TOOLS_PREFIX } from '#domain/api/tools.ts';
import { asViewer } from '#db/outreach/rights/viewers.ts';
import release from '#package.json' with { type: 'json' };
import { BODY_LIMIT, readJson } from '#api/http/body.ts';
import { codingOf } from '#api/http/incoming/coding.ts';
import { problemConventions } from '#api/http/problem-api.ts';
import { problemOf } from '#api/http/problem-responses.ts';
import { currentRequest } from '#api/http/request-id.ts';
import { withoutNulls } from '#api/http/sent-back.ts';
import { parsePart } from '#api/http/serve.ts';
import type { BackendDeps } from '#api/backend/deps.ts';
import { isTool, type authenticateTool, type ToolActor } from './token.ts';
import type { Tools } from './tools.ts';

type Deps = Pick<BackendDeps, 'logger' | 'checkResponses'>;
type Authenticate = ReturnType<typeof authenticateTool>;

/** The SDK is loaded with the first call: most processes get none. */
async function loadSdk() {
  const [{ Server }, { WebStandardStreamableHTTPServerTransport }, protocol] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]);
  return { Server, Transport: WebStandardStreamableHTTPServerTransport, protocol };
}
type Sdk = Awaited<ReturnType<typeof loadSdk>>;

/** A tool as the protocol describes it. */
function described(name: ToolName): Tool {
  const { description, inputSchema, readOnly } = describeTool(name, TOOLS_PREFIX);
  const annotations = { readOnlyHint: readOnly, destructiveHint: name === 'dispatch_campaign' };
  return { name, description, inputSchema: { ...inputSchema, type: 'object' }, annotations };
}

const resultOf = (text: string): CallToolResult => ({
  content: [{ type: 'text', text }],
  structuredContent: JSON.parse(text) as Record<string, unknown>,
});

/** What the same call of the Tool API responds with. @throws Problem and what the tool throws. */
async function called(
  { checkResponses }: Deps,
  tools: Tools,
  { name, actor, given }: { name: ToolName; actor: ToolActor; given: unknown },
): Promise<unknown> {
  const operation: AnyOperation = toolOperations[name];
  const { body: schema = z.undefined(), response } = operation;
  const part = { operation, part: 'body', schema } as const;
  const body = parsePart(problemConventions, part, withoutNulls(operation, given));
  const run = tools[name] as (call: { actor: ToolActor; body: unknown }) => Promise<unknown>;
  const answer = await run({ actor, body });
  return checkResponses && response ? response.parse(answer) : answer;
}

interface Caller {
  sdk: Sdk;
  ctx: Context;
  actor: ToolActor;
  /** Says whether the caller may call a tool. */
  authenticate: Authenticate;
}

/** A server for one message: nothing is kept between calls. */
function serverOf(deps: Deps, tools: Tools, { sdk, ctx, actor, authenticate }: Caller): InstanceType<Sdk['Server']> {
  const { ListToolsRequestSchema, CallToolRequestSchema, McpError, ErrorCode } = sdk.protocol;
  const info = { name: release.name, version: release.version };
  const server = new sdk.Server(info, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: toolNames.filter((name) => actor.tools.includes(name)).map(described),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: given = {} } }) => {
    if (!isTool(name)) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${name}`);
    try {
      const caller = await authenticate(ctx, toolOperations[name]);
      const answer = await asViewer(caller.serviceNumberIds, () => called(deps, tools, { name, actor: caller, given }));
      return resultOf(JSON.stringify(answer));
    } catch (error) {
      const { body } = problemOf(error, deps.logger, ctx.path, currentRequest());
      return { ...resultOf(body), isError: true };
    }
  });
  return server;
}

/** Browsers say where a page is from, and no page of ours calls this. @throws Problem `forbidden` */
function requireNoPage(ctx: Context): void {
  if (ctx.get('Origin') !== '') throw new Problem('forbidden', 'Not for pages of browsers');
}

/** One message. Several at once would be as many calls for the price of one. @throws Problem as `readJson` */
async function readMessage(ctx: Context): Promise<unknown> {
  codingOf(ctx.req, 'identity');
  const message = await readJson(ctx, INLINE_LIST_BYTES + BODY_LIMIT);
  if (Array.isArray(message)) throw new Problem('invalid_request', 'The body must be one message');
  return message;
}

/**
 * The tools of the Tool API by the Model Context Protocol (streamable HTTP), with its tokens, limits and audit. A call
 * is a request with its response: there are no sessions, and nothing is streamed.
 */
export function answerMessages(deps: Deps, tools: Tools, authenticate: Authenticate) {
  return async (ctx: Context): Promise<void> => {
    if (ctx.method !== 'POST') {
      ctx.set('Allow', 'POST');
      ctx.status = 405;
      ctx.body = '';
      return;
    }
    requireNoPage(ctx);
    const actor = await authenticate(ctx);
    const message = await readMessage(ctx);
    const sdk = await loadSdk();
    const transport = new sdk.Transport({ enableJsonResponse: true });
    const server = serverOf(deps, tools, { sdk, ctx, actor, authenticate });
    await server.connect(transport);
    try {
      const headers = ['accept', 'content-type', 'mcp-protocol-version'].map((name) => [name, ctx.get(name)] as const);
      const request = new Request(`http://backend${ctx.path}`, {
        method: 'POST',
        headers: Object.fromEntries(headers.filter(([, value]) => value !== '')),
      });
      const response = await transport.handleRequest(request, { parsedBody: message });
      ctx.status = response.status;
      ctx.body = await response.text();
      const type = response.headers.get('content-type');
      if (type !== null) ctx.set('Content-Type', type);
    } finally {
      await server.close();
    }
  };
}
