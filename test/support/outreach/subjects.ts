import { randomUUID } from 'node:crypto';
import { campaignBody, SERVICE_NUMBER } from '../services/backend.ts';

const later = new Date(Date.now() + 86_400_000).toISOString();

/** A valid body for each operation that takes one. */
export function goodBodies(tagId: string, audienceId: string): Record<string, Record<string, unknown>> {
  const campaign = campaignBody() as unknown as Record<string, unknown>;
  return {
    createCampaign: campaign,
    updateCampaign: { ...campaign, schedule: { type: 'scheduled', at: later } },
    previewAudience: {
      serviceNumberId: SERVICE_NUMBER,
      audience: { type: 'app_tags', appTagIds: [tagId], tagOperator: 'AND' },
    },
    explainAudience: {
      serviceNumberId: SERVICE_NUMBER,
      audience: { type: 'app_tags', appTagIds: [tagId], tagOperator: 'AND' },
      contactId: 'c-0000001',
      asOf: new Date().toISOString(),
    },
    createAudience: { name: 'A', serviceNumberId: SERVICE_NUMBER, type: 'contacts', contactIds: ['x'] },
    updateAudience: { name: 'B', contactIds: [audienceId] },
    createTag: { name: 'Fuzz', serviceNumberId: SERVICE_NUMBER, kind: 'temporary', expiresAt: later, color: '#112233' },
    updateTag: { name: 'Fuzz 2', expiresAt: later },
    createSmartTagRule: {
      name: 'Fuzz',
      triggerEvent: 'notice.clicked',
      matchCondition: { any: [{ field: 'bizEventCode', op: 'glob', value: '*' }, { not: { all: [] } }] },
      targetTagId: tagId,
      status: 'active',
    },
    updateSmartTagRule: { name: 'Fuzz 2', matchCondition: { all: [] }, targetTagId: tagId, status: 'paused' },
    backtestSmartTagRule: { from: new Date(Date.now() - 86_400_000).toISOString(), to: later },
    archiveTags: { tagIds: [tagId] },
    tagContacts: { contactIds: ['c-0000001', 'unknown'] },
    removeSmartTagRules: { ruleIds: [tagId] },
    closeCampaigns: { campaignIds: [tagId] },
    replayInboxEvents: { eventIds: ['x'] },
    dismissInboxEvents: { eventIds: ['x'], reason: 'r' },
    assignTag: { contactIds: ['c-0000001'] },
    unassignTag: { contactIds: ['c-0000001'] },
    createApiKey: { name: 'Fuzz', scopes: ['campaigns:read'] },
    sendCampaign: { expectedReachableCount: 1 },
    resolveSubTask: { outcome: 'sent', taskId: 'x' },
    recordSignIn: { platformTenantId: 'a', externalTenantId: 'x', userId: 'u', name: 'n', roles: ['order_admin'] },
    issueToken: { platformTenantId: 'a', externalTenantId: 'x', userId: 'u', name: 'n', role: 'viewer' },
    putTenantIntegration: {
      platformTenantId: 'fuzz',
      tenantIntegrationSecret: 's'.repeat(32),
      webhookUrl: 'http://127.0.0.1/webhook',
      tenant: { name: 'n', type: 't' },
      serviceNumbers: [{ serviceNumberId: 'x', name: 'x' }],
    },
    patchTenantIntegration: { tenant: { name: 'n' } },
    rotateTenantIntegration: { newSecret: 's'.repeat(32), rotatedAt: later },
    uninstallTenantIntegration: { reason: 'r' },
  };
}

/**
 * One of each resource, by the names of the path parameters, created anew because one operation may delete or send
 * what the next one needs.
 */
export async function makeSubjects(
  create: (path: string, body: unknown) => Promise<Record<string, string>>,
): Promise<Record<string, string>> {
  const named = { serviceNumberId: SERVICE_NUMBER, name: randomUUID() };
  const { tagId = '' } = await create('/tags', { ...named, kind: 'permanent' });
  const { audienceId = '' } = await create('/audiences', { ...named, type: 'contacts', contactIds: [] });
  const { id = '' } = await create('/campaigns', campaignBody());
  const { ruleId = '' } = await create('/smart-tag-rules', goodBodies(tagId, '')['createSmartTagRule']);
  return { tagId, ruleId, audienceId, id, key: 'k', snId: SERVICE_NUMBER, contactId: 'c-0000001' };
}
