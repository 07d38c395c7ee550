import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { Campaign, SubTask } from '#domain/api/campaign.ts';
import { APP_SIGNATURE_HEADER, authorize, createNonce, NONCE_HEADER, sign } from '#domain/signature.ts';
import { type JsonClient, jsonClient } from '#scripts/demo/client.ts';
import { eventually } from '../support/time/eventually.ts';
import { sandboxToken } from '../support/services/sandbox-token.ts';
import type { Stack } from '../support/services/stack.ts';
import { apiAs } from '../support/services/tenant.ts';

/** A tenant whose externally chosen ids all equal those of the other tenant, and one of its service numbers. */
export interface IsolatedTenant {
  name: string;
  serviceNumberId: string;
  /** In every text that is written for it, and nowhere else. */
  mark: string;
  /** A contact that nobody else has. */
  onlyContact: string;
  /** Begins the ids of its events and sessions. */
  prefix: string;
  contacts: number;
  integrationId: string;
  secret: string;
  token: string;
  api: JsonClient;
  orders: JsonClient;
}

/** What the tenant created, with our ids. */
export interface Made {
  tagId: string;
  ruleId: string;
  repeatId: string;
  automationId: string;
  templateId: string;
  audienceId: string;
  linked: string;
  draft: string;
  scheduled: string;
  keys: string[];
}

const secretOf = (name: string) => `secret-of-${name}`.padEnd(40, '-');
export const contactIds = (count: number): string[] => Array.from({ length: count }, (_, n) => `c-${n + 1}`);

export function signedPost(stack: Stack, tenant: Pick<IsolatedTenant, 'integrationId' | 'secret'>) {
  const { integrationId: tenantIntegrationId, secret } = tenant;
  return async (path: string, body: object, nonce = createNonce()): Promise<void> => {
    const raw = JSON.stringify(body);
    const parts = { tenantIntegrationId, nonce, body: raw };
    const response = await fetch(`${stack.addresses.bff}${path}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Authorization: authorize(secret, parts),
        [NONCE_HEADER]: nonce,
        [APP_SIGNATURE_HEADER]: sign(stack.settings.PLATFORM_APP_SECRET[0], parts),
      },
      body: raw,
    });
    expect(response.status, await response.text()).to.equal(200);
  };
}

/** Installs the tenant with a signed call; both tenants use these service numbers, the first of them for what they make. */
export async function install(
  stack: Stack,
  name: string,
  contacts: number,
  serviceNumbers = [
    { serviceNumberId: 'sn-1', name: `Main ${name}-only-text` },
    { serviceNumberId: 'sn-2', name: `Second ${name}-only-text` },
  ],
): Promise<IsolatedTenant> {
  const tenant = {
    name,
    serviceNumberId: 'sn-1',
    mark: `${name}-only-text`,
    onlyContact: `only-${name}`,
    prefix: '',
    contacts,
    integrationId: `ti-${name}`,
    secret: secretOf(name),
  };
  await signedPost(stack, tenant)('/install', {
    appId: stack.settings.PLATFORM_APP_ID,
    platformTenantId: name,
    tenantIntegrationId: tenant.integrationId,
    tenantIntegrationSecret: tenant.secret,
    tenant: { name: tenant.mark, type: 'shop' },
    serviceNumbers,
  });
  const person = { sub: 'ada', name: `Ada ${tenant.mark}`, tenantId: name, roles: ['tenant_admin', 'order_admin'] };
  const sandbox = jsonClient(stack.addresses.sandbox);
  const token = await sandboxToken(sandbox, person);
  const api = await apiAs(stack, person);
  return { ...tenant, token, api, orders: jsonClient(`${stack.addresses.bff}/api/v1/transaction/v1`, token) };
}

/** The same tenant with another of its service numbers, for which nothing is made yet. */
export const withNumber = (tenant: IsolatedTenant, serviceNumberId: string, contacts: number): IsolatedTenant => ({
  ...tenant,
  serviceNumberId,
  mark: `${serviceNumberId}-only-text`,
  onlyContact: `only-${serviceNumberId}`,
  prefix: `${serviceNumberId}-`,
  contacts,
});

/** Event ids and nonces are the same for every tenant. */
export function eventSender(stack: Stack, tenant: IsolatedTenant) {
  const post = signedPost(stack, tenant);
  const { serviceNumberId, prefix } = tenant;
  return (event: string, eventType: string, data: object) => {
    const eventId = `${prefix}${event}`;
    const occurredAt = new Date().toISOString();
    return post(
      '/webhook',
      { eventId, eventType, occurredAt, scope: { serviceNumberId }, data: { ...data, serviceNumberId } },
      createHash('md5').update(eventId).digest('hex'),
    );
  };
}
export type SendEvent = ReturnType<typeof eventSender>;

/** The contacts arrive, one of them with an id that only this tenant has. */
export async function bringContacts(tenant: IsolatedTenant, send: SendEvent): Promise<void> {
  const { serviceNumberId, onlyContact } = tenant;
  const ids = [...contactIds(tenant.contacts), onlyContact];
  await Promise.all(
    ids.map((contactId) =>
      send(contactId === onlyContact ? contactId : `entered-${contactId}`, 'contact.entered', {
        contactId,
        displayName: `${contactId} ${tenant.mark}`,
      }),
    ),
  );
  await eventually('every contact has a profile', async () => {
    const audience = { type: 'contacts', contactIds: ids };
    const preview = { serviceNumberId, audience };
    return (
      (await tenant.api.post<{ reachableCount: number }>('/audiences:preview', preview)).reachableCount === ids.length
    );
  });
}

const bodyOf = (tenant: IsolatedTenant, more: object) => ({
  name: `Same name, ${tenant.mark}`,
  serviceNumberId: tenant.serviceNumberId,
  messages: [
    {
      type: 'buttons',
      title: 'Same',
      text: tenant.mark,
      actions: [
        { type: 'Postback', label: 'Ask', data: { event: 'InboundReason', bizEventCode: 'SAME' } },
        { type: 'Url', label: 'More', url: 'https://shop.example/same' },
      ],
    },
  ],
  audience: { type: 'contacts', contactIds: contactIds(tenant.contacts) },
  schedule: { type: 'immediate' },
  ...more,
});

/** Makes an order of the tenant and pays it. @returns its id. */
export async function order({ name: tenantId, mark, orders }: IsolatedTenant): Promise<string> {
  await orders.put(`/admin/tenants/${tenantId}`, { name: mark, businessType: 1, PAYGW_shopId: `shop-${tenantId}` });
  await orders.post('/admin/points/grant', { tenantId, userId: 'ada', kind: 'tenant', amount: 100, key: 'same-key' });
  const body = { tenantId, title: mark, grossMoneyAmount: 10, moneyAmount: 10 };
  const { data } = await orders.post<{ data: { orderId: string } }>('/user/order/create', body);
  await orders.post(`/user/order/${data.orderId}/pay`, { tenantId });
  return data.orderId;
}

/** Gives the tenant an endpoint for events, with a delivery to it. */
export async function connectWebhook({
  name,
  api,
}: IsolatedTenant): Promise<{ endpointId: string; deliveryId: string }> {
  const receiver = { url: `https://${name}.example/events`, eventTypes: ['campaign.completed'] };
  const { endpointId } = await api.put<{ endpointId: string }>('/webhook', receiver);
  const { deliveryId } = await api.post<{ deliveryId: string }>('/webhook:test');
  return { endpointId, deliveryId };
}

/** Everything that an operator creates; the campaign with conversations is still a draft. */
export async function make(tenant: IsolatedTenant): Promise<Made> {
  const { api, mark, serviceNumberId, onlyContact } = tenant;
  const tag = await api.post<{ tagId: string }>('/tags', { name: 'Same', serviceNumberId, kind: 'permanent' });
  const condition = { field: 'bizEventCode', op: 'eq', value: 'SAME' };
  const rule = {
    name: `Same ${mark}`,
    triggerEvent: 'notice.clicked',
    matchCondition: condition,
    targetTagId: tag.tagId,
  };
  const { ruleId } = await api.post<{ ruleId: string }>('/smart-tag-rules', rule);
  const list = { name: `Same ${mark}`, serviceNumberId, type: 'contacts', contactIds: contactIds(tenant.contacts) };
  const { audienceId } = await api.post<{ audienceId: string }>('/audiences', list);
  await api.post(`/tags/${tag.tagId}/assignments`, { contactIds: [onlyContact] });
  const campaign = async (more: object) => (await api.post<Campaign>('/campaigns', bodyOf(tenant, more))).id;
  const at = new Date(Date.now() + 3_600_000).toISOString();
  const scheduled = await campaign({ schedule: { type: 'scheduled', at } });
  await api.post(`/campaigns/${scheduled}:send`);
  const draft = await campaign({});
  const calendar = { type: 'monthly', day: 28, at: '09:00' };
  const repeat = { name: `Same ${mark}`, campaignId: draft, calendar, zone: 'UTC' };
  const { repeatId } = await api.post<{ repeatId: string }>('/repeats', repeat);
  const automation = {
    name: `Welcome ${mark}`,
    serviceNumberId,
    trigger: { event: 'contact.followed' },
    steps: [{ messages: [{ type: 'text', text: `Hello ${mark}` }] }],
  };
  const { automationId } = await api.post<{ automationId: string }>('/automations', automation);
  const content = { campaignName: mark, note: null, messages: [{ type: 'text', text: mark }] };
  const template = { name: `Same ${mark}`, kind: 'campaign', serviceNumberId, content };
  const { templateId } = await api.post<{ templateId: string }>('/templates', template);
  await api.post('/templates', { ...template, name: `Same snippet ${mark}`, kind: 'message' });
  return {
    tagId: tag.tagId,
    ruleId,
    repeatId,
    automationId,
    templateId,
    audienceId,
    linked: await campaign({}),
    draft,
    scheduled,
    keys: [],
  };
}

/** Sends the campaign and has contacts click, talk and leave, with the same events as the other tenant. */
export async function play(tenant: IsolatedTenant, made: Made, send: SendEvent): Promise<void> {
  const { api, prefix } = tenant;
  await api.post(`/campaigns/${made.linked}:send`);
  const tasks = await eventually(
    'the campaign is completed',
    async () => {
      const { items } = await api.get<{ items: SubTask[] }>(`/campaigns/${made.linked}/tasks`);
      return items.length > 0 && items.every(({ status }) => status === 'completed') && items;
    },
    { timeoutMs: 30_000 },
  );
  made.keys.push(...tasks.map(({ key }) => key));
  const [task] = tasks;
  const at = new Date().toISOString();
  const data = JSON.stringify({
    campaignId: made.linked,
    subTaskKey: task?.key,
    messageIndex: 0,
    bizEventCode: 'SAME',
  });
  await Promise.all(
    contactIds(tenant.contacts).map((contactId, n) =>
      send(`click-${contactId}`, 'notice.clicked', {
        taskId: task?.taskId,
        noticeId: `notice-${contactId}`,
        actionIndex: n % 2,
        action: n % 2 === 0 ? { type: 'Postback', data } : { type: 'Url', url: 'https://shop.example/same' },
        contactId,
        clickedAt: at,
      }),
    ),
  );
  const entryReason = { type: 'activity', id: made.linked };
  await send('opened', 'session.created', {
    sessionId: `${prefix}s-1`,
    sourceId: `${prefix}source-2`,
    contactId: 'c-1',
    entryReason,
  });
  await send('closed', 'session.closed', {
    sessionId: `${prefix}s-1`,
    closedAt: at,
    summary: { duration: 60, messageCount: tenant.contacts },
  });
  await send('orphan', 'session.closed', {
    sessionId: `${prefix}s-2`,
    closedAt: at,
    summary: { duration: 1, messageCount: 1 },
  });
}
