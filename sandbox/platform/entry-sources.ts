import { z } from 'zod';
import type { Journal } from '../journal.ts';
import { created, ok, param, readJson, SandboxError, route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { createId } from '../random.ts';
import { assertOwnServiceNumber, signed } from './gateway.ts';
import type { GatewayDeps } from './gateway.ts';
import type { Integration } from './integration/integrations.ts';

const sessionEvent = z.enum(['session.created', 'session.closed']);
const createSchema = z.object({
  name: z.string().min(1).max(255),
  reason: z.object({ type: z.literal('activity'), id: z.string().min(1), data: z.record(z.string(), z.unknown()) }),
  channels: z.array(z.object({ channel: z.string().min(1), serviceNumberId: z.string().min(1) })).min(1),
  expiresAt: z.iso.datetime({ offset: true }).nullish(),
  webhook: z.object({ url: z.url({ protocol: /^https?$/ }), events: z.array(sessionEvent) }),
});
const updateSchema = z.object({
  name: z.string().min(1).max(255).optional(),
  reason: z.object({ data: z.record(z.string(), z.unknown()) }).optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  expiresAt: z.iso.datetime({ offset: true }).nullish(),
});
const updatedSchema = z.object({ sourceId: z.string(), name: z.string(), expiresAt: z.string().nullable() });
const statusSchema = z.object({ status: z.enum(['active', 'inactive']) });

export type EntrySource = z.infer<typeof createSchema> & {
  sourceId: string;
  tenantIntegrationId: string;
  platformTenantId: string;
  status: 'active' | 'inactive';
  createdAt: string;
};

export function createEntrySources(journal: Journal) {
  const sources = new Map<string, EntrySource>();
  const record = journal.register<EntrySource>('entry-sources', {
    apply: (source) => void sources.set(source.sourceId, source),
    dump: () => sources.values(),
  });
  return {
    put: record,
    find: (sourceId: string) => sources.get(sourceId),
    list: () => [...sources.values()],
  };
}

export type EntrySources = ReturnType<typeof createEntrySources>;

/** Whether a click may still open a conversation through this source. */
export function isOpen(source: EntrySource, now = Date.now()): boolean {
  return source.status === 'active' && (!source.expiresAt || Date.parse(source.expiresAt) > now);
}

/** F1 to F3. */
export function entrySourceRoutes(deps: GatewayDeps & { sources: EntrySources }): Route[] {
  const own = (integration: Integration, sourceId: string): EntrySource => {
    const source = deps.sources.find(sourceId);
    if (!source || source.platformTenantId !== integration.platformTenantId) {
      throw new SandboxError(404, 'not_found', `the tenant has no entry source ${sourceId}`);
    }
    return source;
  };
  return [
    route(
      { code: 'F1', method: 'POST', path: '/openapi/v1/entry-sources' },
      {
        summary: 'Makes an entry source',
        access: 'signature',
        body: createSchema,
        response: z.object({ sourceId: z.string() }),
      },
      signed(deps, (call, integration) => {
        const body = readJson(call);
        for (const { serviceNumberId } of body.channels) assertOwnServiceNumber(deps, integration, serviceNumberId);
        const { tenantIntegrationId, platformTenantId } = integration;
        const sourceId = createId('src');
        const createdAt = new Date().toISOString();
        deps.sources.put({ ...body, sourceId, tenantIntegrationId, platformTenantId, status: 'active', createdAt });
        return created({ sourceId });
      }),
    ),
    route(
      { code: 'F2', method: 'PUT', path: '/openapi/v1/entry-sources/{sourceId}' },
      { summary: 'Changes an entry source', access: 'signature', body: updateSchema, response: updatedSchema },
      signed(deps, (call, integration) => {
        const source = own(integration, param(call, 'sourceId'));
        const { name, reason, data, expiresAt } = readJson(call);
        const changed = {
          ...source,
          ...(name === undefined ? {} : { name }),
          ...(expiresAt === undefined ? {} : { expiresAt }),
          reason: { ...source.reason, data: reason?.data ?? data ?? source.reason.data },
        };
        deps.sources.put(changed);
        return ok({ sourceId: changed.sourceId, name: changed.name, expiresAt: changed.expiresAt ?? null });
      }),
    ),
    route(
      { code: 'F3', method: 'PUT', path: '/openapi/v1/entry-sources/{sourceId}/status' },
      {
        summary: 'Opens or closes an entry source',
        access: 'signature',
        body: statusSchema,
        response: statusSchema.extend({ sourceId: z.string() }),
      },
      signed(deps, (call, integration) => {
        const source = own(integration, param(call, 'sourceId'));
        const { status } = readJson(call);
        deps.sources.put({ ...source, status });
        return ok({ sourceId: source.sourceId, status });
      }),
    ),
  ];
}
