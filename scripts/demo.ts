import type { Contact } from '../domain/api/contacts.ts';
import type { Page } from '../domain/api/primitives.ts';
import type { Tag } from '../domain/api/tags.ts';
import type { Settings } from '../domain/settings/settings.ts';
import { seedApiKeys } from './demo/api-keys.ts';
import { seedFinishedCampaign } from './demo/campaign.ts';
import { seedAutomations } from './demo/automations.ts';
import { campaignFaults, seedCampaignStates, seedSlowCampaign, slowPace, stateNames } from './demo/campaign-states.ts';
import { type JsonClient, jsonClient } from './demo/client.ts';
import { finishedCampaign, operator, tags, tenant } from './demo/content.ts';
import { breakfast, seedControlGroup } from './demo/control-group.ts';
import { seedEventWebhook } from './demo/event-webhook.ts';
import { seedHistory } from './demo/history.ts';
import { orderFaults, seedOrderStates } from './demo/order-states.ts';
import { seedOrders } from './demo/orders.ts';
import { until } from './demo/patience.ts';
import { seedPayments } from './demo/payments.ts';
import { seedPicture } from './demo/picture.ts';
import { drafted, seedPlans, seedRules } from './demo/plans.ts';
import { seedRepeat, welcome } from './demo/repeats.ts';
import { cupping, seedSteps } from './demo/steps.ts';
import { fromTheKiln, seedRevenue } from './demo/revenue.ts';
import { seedSegments } from './demo/segments.ts';
import { seedTemplates, seedUtm } from './demo/templates.ts';
import { cake, seedVariants } from './demo/variants.ts';

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
  const query = `serviceNumberId=${tenant.serviceNumberId}&q=${encodeURIComponent(contactId)}`;
  await until('the last contact arrives', async () => {
    const { items } = await api.get<Page<Contact>>(`/contacts?${query}`);
    return items.length > 0;
  });
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

/** While `work` runs, the platform sends what is named here at once, and goes wrong where a campaign or an order needs it. */
async function arranged(sandbox: JsonClient, work: () => Promise<void>): Promise<void> {
  const hurried = [finishedCampaign, ...stateNames, breakfast.name, cake.name, fromTheKiln, cupping, welcome];
  const atOnce = hurried.map((nameIncludes) => ({
    nameIncludes,
    startDelayMs: 0,
    sendDurationMs: 500,
    readDelayMs: 0,
  }));
  await sandbox.put('/sandbox/paces', { paces: [...atOnce, slowPace] });
  await sandbox.put('/sandbox/faults', { faults: [...campaignFaults, ...orderFaults] });
  try {
    await work();
  } finally {
    await sandbox.put('/sandbox/paces', { paces: [] });
    await sandbox.put('/sandbox/faults', { faults: [] });
  }
}

/** Resolves once all are done, whatever becomes of any. @throws the first failure */
async function together(...parts: Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(parts);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

interface Parties {
  /** The operator's. */
  token: string;
  api: JsonClient;
  sandbox: JsonClient;
  orders: JsonClient;
  settings: Settings<'DATABASE_URL' | 'PAYMENT_GATEWAY_KEY'>;
}

async function seedAllOrders({ orders, sandbox, settings }: Parties): Promise<void> {
  await seedOrders(orders);
  await together(seedPayments({ orders, sandbox, settings }), seedOrderStates({ orders, sandbox }));
}

/** @param ordered the orders, since customers buy what a campaign offers */
async function seedCampaigns(parties: Parties, ordered: Promise<void>): Promise<void> {
  const { api, sandbox, orders, settings, token } = parties;
  const databaseUrl = settings.DATABASE_URL;
  const contactIds = await seedContacts(sandbox);
  const last = contactIds.at(-1);
  if (last) await waitForProfile(api, last);
  const [first, second, lapsed] = await seedTags(api, contactIds);
  if (!first || !second || !lapsed) throw new Error('the demonstration needs its three tags');
  const all = [first, second, lapsed];
  const ofFirst = contactIds.filter((_, index) => index % (tags[0]?.every ?? 1) === 0);
  // Rules before the first click, the webhook before the first send.
  await together(seedRules(api), seedEventWebhook(api, sandbox, settings.PLATFORM_BASE_URL));
  await together(
    seedFinishedCampaign({ api, sandbox, databaseUrl }, first).then(() => seedSegments(api, lapsed)),
    seedCampaignStates({ api, sandbox }, all),
    seedControlGroup({ api, sandbox }, { tag: first, contactIds: ofFirst }),
    seedVariants({ api, sandbox }, second),
    ordered.then(() => seedRevenue({ api, sandbox, orders }, `${settings.PLATFORM_BASE_URL}/shop`, second)),
    seedSlowCampaign({ api, sandbox }, all),
    seedPicture(api, { bffUrl: settings.PUBLIC_BFF_URL, token, draft: drafted }).then((picture) =>
      seedPlans(api, { tags: all, contactIds, picture }),
    ),
    seedRepeat({ api, databaseUrl }, first),
    seedHistory({ api, databaseUrl }, { lapsed, contactIds }),
    seedSteps({ api, sandbox, databaseUrl }, lapsed).then(() => seedAutomations({ api, sandbox }, contactIds)),
    seedTemplates(api),
    seedApiKeys(api),
  );
  await seedUtm(api);
}

/**
 * Seeds the demonstration data that is missing, through the services' own interfaces: a tenant with 5,000
 * contacts, tags, rules and saved audiences, one by what contacts did, a campaign with clicks over six days, one with a control group, one that tests variants, one with
 * revenue, one on a calendar, one with messages that follow, two automations, an audience whose members came and went, drafts and
 * campaigns in every state, goods and orders. Repeated starts change nothing.
 * @throws once `signal` is aborted, or what went wrong; the next start continues.
 */
export async function seedDemo(
  settings: Settings<'DATABASE_URL' | 'PAYMENT_GATEWAY_KEY'>,
  signal?: AbortSignal,
): Promise<void> {
  if (!settings.SANDBOX) return;
  const sandbox = jsonClient(settings.PLATFORM_BASE_URL, undefined, signal);
  await install(sandbox, settings);
  const { token } = await sandbox.post<{ token: string }>('/sandbox/tokens', operator);
  const api = jsonClient(`${settings.PUBLIC_BFF_URL}/api/v1`, token, signal);
  const orders = jsonClient(`${settings.PUBLIC_ORDERS_URL}/transaction/v1`, token, signal);
  const parties = { api, sandbox, orders, settings, token };
  await arranged(sandbox, async () => {
    const ordered = seedAllOrders(parties);
    await together(ordered, seedCampaigns(parties, ordered));
  });
}
