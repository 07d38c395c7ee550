import type { Contact } from '../domain/api/contacts.ts';
import type { Page } from '../domain/api/primitives.ts';
import type { Tag } from '../domain/api/tags.ts';
import type { Settings } from '../domain/settings/settings.ts';
import { seedApiKeys } from './demo/api-keys.ts';
import { inAHurry, seedFinishedCampaign } from './demo/campaign.ts';
import { seedCampaignStates, seedSlowCampaign } from './demo/campaign-states.ts';
import { type JsonClient, jsonClient } from './demo/client.ts';
import { operator, tags, tenant } from './demo/content.ts';
import { seedControlGroup } from './demo/control-group.ts';
import { seedEventWebhook } from './demo/event-webhook.ts';
import { seedHistory } from './demo/history.ts';
import { seedOrderStates } from './demo/order-states.ts';
import { seedOrders } from './demo/orders.ts';
import { seedPayments } from './demo/payments.ts';
import { seedPicture } from './demo/picture.ts';
import { drafted, seedPlans, seedRules } from './demo/plans.ts';
import { seedRepeat } from './demo/repeats.ts';
import { seedSteps } from './demo/steps.ts';
import { seedRevenue } from './demo/revenue.ts';
import { seedSegments } from './demo/segments.ts';
import { seedTemplates, seedUtm } from './demo/templates.ts';
import { seedVariants } from './demo/variants.ts';
import { type Say, withProgress } from './start/progress.ts';

/** Registers the application and installs it for the tenant; on later starts both already exist. */
async function install(sandbox: JsonClient, settings: Settings): Promise<void> {
  await sandbox.post('/admin/integrations/apps', {
    appId: settings.PLATFORM_APP_ID,
    installBaseUrl: settings.PUBLIC_BFF_URL,
    supportedEvents: ['contact', 'notice', 'session'],
  });
  await sandbox.post(`/admin/tenants/${tenant.tenantId}/tenant-integrations`, { reuse: true });
}

async function seedContacts(sandbox: JsonClient): Promise<string[]> {
  const path = `/sandbox/contacts?serviceNumberId=${tenant.serviceNumberId}&limit=${tenant.contacts}`;
  const { total } = await sandbox.get<{ total: number }>(`${path}&offset=0`);
  if (total < tenant.contacts) {
    const { tenantId, serviceNumberId } = tenant;
    await sandbox.post('/sandbox/contacts', {
      tenant: tenantId,
      serviceNumberId,
      count: tenant.contacts - total,
      emit: true,
      wait: true,
    });
  }
  const { items } = await sandbox.get<{ items: { contactId: string }[] }>(path);
  return items.map(({ contactId }) => contactId);
}

/** Contacts reach the backend as events; tags can be assigned once the last of them has become a profile. */
async function waitForProfile(api: JsonClient, contactId: string): Promise<void> {
  const end = Date.now() + 60_000;
  for (;;) {
    const query = `serviceNumberId=${tenant.serviceNumberId}&q=${encodeURIComponent(contactId)}`;
    const { items } = await api.get<Page<Contact>>(`/contacts?${query}`);
    if (items.length > 0) return;
    if (Date.now() > end) throw new Error(`Contact ${contactId} did not arrive within a minute`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function seedTags(api: JsonClient, contactIds: string[]): Promise<Tag[]> {
  const { serviceNumberId } = tenant;
  const { items: existing } = await api.get<Page<Tag>>(`/tags?serviceNumberId=${serviceNumberId}&limit=200`);
  const seeded: Tag[] = [];
  for (const { name, color, every } of tags) {
    const found = existing.find((tag) => tag.name === name);
    const tag = found ?? (await api.post<Tag>('/tags', { name, serviceNumberId, kind: 'permanent', color }));
    const members = contactIds.filter((_, index) => index % every === 0);
    if (tag.contactCount < members.length) await api.post(`/tags/${tag.tagId}/assignments`, { contactIds: members });
    seeded.push(tag);
  }
  return seeded;
}

/**
 * Seeds the demonstration data that is missing, through the services' own interfaces: a tenant with 5,000
 * contacts, tags, rules and saved audiences, one by what contacts did, a campaign with clicks over six days, one with a control group, one that tests variants, one with
 * revenue, one on a calendar, one with messages that follow, an audience whose members came and went, drafts and
 * campaigns in every state, goods and orders. Repeated starts change nothing.
 */
export async function seedDemo(settings: Settings<'DATABASE_URL'>, say: Say): Promise<void> {
  if (!settings.SANDBOX) return;
  await withProgress(say, 'Seeding the demonstration', async () => {
    const sandbox = jsonClient(settings.PLATFORM_BASE_URL);
    await install(sandbox, settings);
    const contactIds = await seedContacts(sandbox);
    const { token } = await sandbox.post<{ token: string }>('/sandbox/tokens', operator);
    const api = jsonClient(`${settings.PUBLIC_BFF_URL}/api/v1`, token);
    const orders = jsonClient(`${settings.PUBLIC_ORDERS_URL}/transaction/v1`, token);
    if (await seedOrders(orders)) {
      await seedPayments({ orders, sandbox, settings });
      await seedOrderStates({ orders, sandbox });
    }
    const last = contactIds.at(-1);
    if (last) await waitForProfile(api, last);
    const seeded = await seedTags(api, contactIds);
    const [first] = seeded;
    const ofFirst = contactIds.filter((_, index) => index % (tags[0]?.every ?? 1) === 0);
    await seedRules(api);
    await seedTemplates(api);
    await seedApiKeys(api);
    await seedEventWebhook(api, sandbox, settings.PLATFORM_BASE_URL);
    await inAHurry(sandbox, async () => {
      await Promise.all([
        first && seedFinishedCampaign({ api, sandbox, databaseUrl: settings.DATABASE_URL }, first),
        seedCampaignStates({ api, sandbox }, seeded),
        first && seedControlGroup({ api, sandbox }, { tag: first, contactIds: ofFirst }),
      ]);
      const [, second] = seeded;
      if (second) await seedVariants({ api, sandbox }, second);
      const shopUrl = `${settings.PLATFORM_BASE_URL}/shop`;
      if (second) await seedRevenue({ api, sandbox, orders }, shopUrl, second);
      await seedSlowCampaign({ api, sandbox }, seeded);
    });
    const picture = await seedPicture(api, { bffUrl: settings.PUBLIC_BFF_URL, token, draft: drafted });
    await seedPlans(api, { tags: seeded, contactIds, picture });
    const lapsed = seeded.at(-1);
    if (first && lapsed) await seedSegments(api, lapsed);
    if (first) await seedRepeat({ api, databaseUrl: settings.DATABASE_URL }, first);
    const databaseUrl = settings.DATABASE_URL;
    if (lapsed) await seedHistory({ api, databaseUrl }, { lapsed, contactIds });
    if (lapsed) await inAHurry(sandbox, () => seedSteps({ api, sandbox, databaseUrl }, lapsed));
    await seedUtm(api);
  });
}
