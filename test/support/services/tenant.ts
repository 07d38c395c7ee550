import type { AudiencePreview } from '#domain/api/audiences.ts';
import type { Contact } from '#domain/api/contacts.ts';
import type { Integration } from '#domain/api/session.ts';
import { type JsonClient, jsonClient } from '#scripts/demo/client.ts';
import type { TestIntegration } from './bff.ts';
import { eventually } from '../time/eventually.ts';
import { sandboxToken } from './sandbox-token.ts';
import type { ServedPlatform, Stack } from './stack.ts';

/** An installed tenant of the sandbox's platform, with contacts that the backend knows. */
export interface TestTenant {
  tenantId: string;
  serviceNumberId: string;
  contactIds: string[];
  sandbox: JsonClient;
  /** The frontend API as the tenant's administrator. */
  api: JsonClient;
}

export interface TestTenantOptions {
  tenantId: string;
  serviceNumberId: string;
  contacts: number;
  /** Whose the frontend API is; `ada` where absent. */
  administrator?: string;
}

/** Ids as the sandbox makes them: `<serviceNumberId>-000001` … */
function contactIdsOf({ serviceNumberId, contacts }: TestTenantOptions): string[] {
  return Array.from({ length: contacts }, (_, index) => `${serviceNumberId}-${String(index + 1).padStart(6, '0')}`);
}

/** The credentials that sign calls of the tenant's newest integration. */
export async function signerOf({ sandbox, tenantId }: TestTenant): Promise<TestIntegration> {
  interface Listed {
    tenantIntegrationId: string;
    tenantIntegrationSecret: string;
  }
  const { items } = await sandbox.get<{ items: Listed[] }>(`/admin/tenants/${tenantId}/tenant-integrations`);
  const newest = items.at(-1);
  if (!newest) throw new Error(`${tenantId} has no integration`);
  const { tenantIntegrationId, tenantIntegrationSecret: secret } = newest;
  return { tenantIntegrationId, platformTenantId: tenantId, secret };
}

/** Turns governance off, so that everybody gets each send at once and a test can count. */
async function prepareSandbox(sandbox: JsonClient, bff: string): Promise<void> {
  await sandbox.put('/sandbox/behaviour', {
    startDelayMs: 50,
    sendDurationMs: 300,
    governanceShare: 0,
    failedShare: 0,
  });
  await sandbox.post('/admin/integrations/apps', {
    appId: 'outreach',
    installBaseUrl: bff,
    supportedEvents: ['contact', 'notice', 'session'],
  });
}

export async function apiAs(
  stack: Pick<ServedPlatform, 'addresses'>,
  person: { sub: string; tenantId: string; roles: string[] },
): Promise<JsonClient> {
  const sandbox = jsonClient(stack.addresses.sandbox);
  return jsonClient(`${stack.addresses.bff}/api/v1`, await sandboxToken(sandbox, person));
}

/** Registers the application, installs it for the tenant and brings its contacts in by webhooks. */
export async function installTenant(stack: ServedPlatform, options: TestTenantOptions): Promise<TestTenant> {
  const { tenantId, serviceNumberId, administrator = 'ada' } = options;
  const sandbox = jsonClient(stack.addresses.sandbox);
  await prepareSandbox(sandbox, stack.settings.PUBLIC_BFF_URL);
  await sandbox.post('/sandbox/tenants', {
    platformTenantId: tenantId,
    name: tenantId,
    serviceNumbers: [{ serviceNumberId, name: serviceNumberId }],
  });
  const installed = await sandbox.post<{ status: string }>(`/admin/tenants/${tenantId}/tenant-integrations`, {});
  if (installed.status !== 'ACTIVE') throw new Error(`The installation is ${installed.status}`);
  const api = await apiAs(stack, { sub: administrator, tenantId, roles: ['tenant_admin'] });
  await eventually('the slots are registered', async () => {
    const { slots } = await api.get<Integration>('/integration');
    return slots.length === 4 && slots.every(({ status }) => status === 'registered');
  });
  const contactIds = contactIdsOf(options);
  await sandbox.post('/sandbox/contacts', {
    tenant: tenantId,
    serviceNumberId,
    count: options.contacts,
    emit: true,
    wait: true,
  });
  await eventually('every contact has a profile', async () => {
    const audience = { type: 'contacts', contactIds };
    const { reachableCount } = await api.post<AudiencePreview>('/audiences:preview', { serviceNumberId, audience });
    return reachableCount === options.contacts;
  });
  return { tenantId, serviceNumberId, contactIds, sandbox, api };
}

/**
 * Fills the tenant's service number up to the given number of contacts as if their events had arrived: sending that
 * many events would take most of a test's time.
 */
export async function fillContacts(stack: Stack, tenant: TestTenant, contacts: number): Promise<void> {
  const { tenantId, serviceNumberId, sandbox } = tenant;
  await sandbox.post('/sandbox/contacts', {
    tenant: tenantId,
    serviceNumberId,
    count: contacts - tenant.contactIds.length,
  });
  tenant.contactIds = contactIdsOf({ tenantId, serviceNumberId, contacts });
  await stack.database.connect('outreach', 'owner').raw(
    `insert into contact_profile (tenant_id, service_number_id, contact_id, follow_state, last_event_at)
     select ?, ?, id, 'following', now() from unnest(?::text[]) as given (id) on conflict do nothing`,
    [tenantId, serviceNumberId, tenant.contactIds],
  );
}

/** Unsubscribes the contact and waits until that takes effect. */
export async function unsubscribe({ tenantId, serviceNumberId, sandbox, api }: TestTenant, contactId: string) {
  await sandbox.post('/sandbox/webhooks', {
    tenant: tenantId,
    serviceNumberId,
    eventType: 'contact.unsubscribed',
    data: { contactId, serviceNumberId },
    wait: true,
  });
  await eventually(`${contactId} is unsubscribed`, async () => {
    const { unsubscribed } = await api.get<Contact>(`/contacts/${serviceNumberId}/${contactId}`);
    return unsubscribed;
  });
}
