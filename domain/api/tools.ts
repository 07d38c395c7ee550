import { z } from 'zod';
import { audiencePreviewSchema, audienceSchema, INLINE_LIST_BYTES } from './audiences.ts';
import { campaignBodySchema, campaignSchema, resultsSchema } from './campaign.ts';
import { operation } from './operation.ts';
import { figuresSchema, periodQuery, seriesSchema } from './overview.ts';
import { ownId, page, pageQuery, platformId, text, timestamp } from './primitives.ts';
import { tagSchema, tagStatuses } from './tags.ts';

/** Prefix of every path of the Tool API. */
export const TOOLS_PREFIX = '/tools/v1';

/** The tools that a model may be given (S0, Tool API). */
export const toolNames = [
  'query_metrics',
  'draft_campaign',
  'dispatch_campaign',
  'resolve_audience',
  'list_tags',
] as const;
export type ToolName = (typeof toolNames)[number];

const tag = 'tools';

export const toolOperations = {
  query_metrics: operation({
    method: 'post',
    path: '/query_metrics',
    tag,
    summary:
      'Reads figures. With campaignId: progress, clicks, conversations and conversions of that campaign. Without: delivered, ' +
      'clicked contacts, conversations and conversions of a period (the last seven days by default) and of the period before.',
    access: 'service',
    body: z.object({
      campaignId: ownId.describe('A campaign; without it, the period is read').optional(),
      ...periodQuery,
    }),
    status: 200,
    response: z.object({
      campaign: z.object({ id: z.string(), name: z.string(), results: resultsSchema }).optional(),
      period: z
        .object({
          from: timestamp,
          to: timestamp,
          previousFrom: timestamp,
          figures: figuresSchema,
          series: seriesSchema,
        })
        .optional(),
    }),
    errors: ['not_found', 'invalid_content'],
  }),
  draft_campaign: operation({
    method: 'post',
    path: '/draft_campaign',
    tag,
    summary: 'Creates a draft campaign that a person can review in the console. Nothing is sent.',
    access: 'service',
    body: campaignBodySchema,
    maxBodyBytes: INLINE_LIST_BYTES,
    status: 201,
    response: campaignSchema,
    errors: ['invalid_content'],
  }),
  dispatch_campaign: operation({
    method: 'post',
    path: '/dispatch_campaign',
    tag,
    summary:
      'Sends a draft to its audience. This cannot be undone. expectedReachableCount, as returned by resolve_audience, rejects the send ' +
      'if the audience has changed; repeating an idempotencyKey does not send again.',
    access: 'service',
    body: z.object({
      campaignId: ownId.describe('A draft, as returned by draft_campaign'),
      expectedReachableCount: z.int().min(0).describe('reachableCount as returned by resolve_audience'),
      idempotencyKey: text(200).min(1).describe('The same for every retry of one send').optional(),
    }),
    status: 202,
    response: campaignSchema,
    errors: ['not_found', 'invalid_state', 'audience_changed', 'audience_empty', 'invalid_content'],
  }),
  resolve_audience: operation({
    method: 'post',
    path: '/resolve_audience',
    tag,
    summary:
      'Counts whom an audience reaches now and why the others are not reached, and lists the first contacts that are reached.',
    access: 'service',
    body: z.object({
      serviceNumberId: platformId,
      audience: audienceSchema,
      limit: z.int().min(0).max(1000).default(100).describe('How many of the reached contacts to list'),
    }),
    maxBodyBytes: INLINE_LIST_BYTES,
    status: 200,
    response: audiencePreviewSchema.extend({ contactIds: z.array(z.string()) }).meta({ id: 'ResolvedAudience' }),
    errors: ['invalid_content', 'rate_limited'],
  }),
  list_tags: operation({
    method: 'post',
    path: '/list_tags',
    tag,
    summary: 'Lists the tags that an audience of type app_tags can be built from, with their number of contacts.',
    access: 'service',
    body: z.object({ ...pageQuery, serviceNumberId: platformId.optional(), status: z.enum(tagStatuses).optional() }),
    status: 200,
    response: page(tagSchema),
    errors: ['invalid_content'],
  }),
};

/** Tools that change nothing; a host may call them without asking a person. */
export const readOnlyTools: readonly ToolName[] = ['query_metrics', 'resolve_audience', 'list_tags'];

const toolSchema = z
  .object({
    name: z.enum(toolNames),
    description: z.string(),
    method: z.literal('POST'),
    path: z.string(),
    /** JSON Schema (2020-12) of the request body. */
    inputSchema: z.record(z.string(), z.unknown()),
    readOnly: z.boolean(),
  })
  .meta({ id: 'Tool' });
export type Tool = z.infer<typeof toolSchema>;

export const manifestOperation = operation({
  method: 'get',
  path: '/manifest',
  tag,
  summary: 'The tools that the token may call, as a tool-calling model reads them',
  access: 'service',
  status: 200,
  response: z.object({ version: z.literal('1'), tools: z.array(toolSchema) }),
});

interface SchemaNode {
  format?: string;
  pattern?: string;
  oneOf?: { properties?: { type?: { const?: unknown } } }[];
}

/** Types that no model is shown: one that is always rejected, and one that refers to itself, which many cannot read. */
const unshown: ReadonlySet<unknown> = new Set(['ai_query', 'segment']);

/** Leaves out what no model can use: those types, and the pattern that validates a time. */
function plain({ jsonSchema }: { jsonSchema: SchemaNode }): void {
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  if (jsonSchema.oneOf)
    jsonSchema.oneOf = jsonSchema.oneOf.filter(({ properties }) => !unshown.has(properties?.type?.const));
}

/** A tool as presented to a model. `prefix` is the API's, for example `/tools/v1`. */
export function describeTool(name: ToolName, prefix: string): Tool {
  const { summary, path, body } = toolOperations[name];
  const { $defs: _ofTypesUnshown, ...inputSchema } = z.toJSONSchema(body as z.ZodType, {
    io: 'input',
    reused: 'inline',
    override: (node) => plain(node as { jsonSchema: SchemaNode }),
  });
  return {
    name,
    description: summary,
    method: 'POST',
    path: `${prefix}${path}`,
    inputSchema,
    readOnly: readOnlyTools.includes(name),
  };
}
