import { setTimeout } from 'node:timers/promises';
import type { Campaign, Progress, Results, SubTask } from '#domain/api/campaign.ts';
import type { Tag } from '#domain/api/tags.ts';
import type { Page } from '#domain/api/primitives.ts';
import type { Balances, CreatedData, StaffOrderData } from '#domain/orders/responses.ts';
import type { JsonClient } from '#scripts/demo/client.ts';
import { ada } from '../support/browser/people.ts';
import { sandboxToken } from '../support/services/sandbox-token.ts';
import { openShop } from '../support/services/shop.ts';
import type { TestTenant } from '../support/services/tenant.ts';
import type { Fleet } from './fleet.ts';
import { type Failures, type RepeatingClient, repeatingClient } from './repeating-client.ts';

interface PlatformTask {
  taskId: string;
  contactIds: string[];
}

/** The send of a campaign to everybody in a list, with clicks, pays and reads of the console beside it. */
export interface Load {
  campaignId: string;
  /** What failed and was repeated. */
  failures: Failures;
  api: RepeatingClient;
  /** How much has been done so far. */
  done(): { accepted: number; clicked: number; paid: number };
  /** Ends clicks, pays and reads, and waits for those under way. */
  stop(): Promise<void>;
  /** At most 200 of them. */
  subTasks(): Promise<SubTask[]>;
  progress(): Promise<Progress>;
  platformTasks(): Promise<PlatformTask[]>;
  results(): Promise<Results>;
  /** Orders that were paid, as staff see them, and the payer's wallet. */
  orders(): Promise<StaffOrderData[]>;
  balances(): Promise<Balances>;
}

/** Gives everybody a tag, as rules would have. */
async function tagEverybody(fleet: Fleet, api: RepeatingClient, tenant: TestTenant): Promise<string> {
  const { tenantId, serviceNumberId, contactIds } = tenant;
  const { tagId } = await api.post<Tag>('/tags', { name: 'Everybody', serviceNumberId, kind: 'permanent' });
  await fleet.database.connect('outreach', 'owner').raw(
    `insert into tag_assignment (tenant_id, tag_id, contact_id, assigned_at)
     select ?, ?, id, now() from unnest(?::text[]) as given (id)`,
    [tenantId, tagId, contactIds],
  );
  return tagId;
}

async function send(fleet: Fleet, api: RepeatingClient, tenant: TestTenant): Promise<string> {
  const { serviceNumberId } = tenant;
  const tagId = await tagEverybody(fleet, api, tenant);
  const actions = [{ type: 'Postback', label: 'Yes', data: { bizEventCode: 'yes' } }];
  const draft = await api.post<Campaign>('/campaigns', {
    name: 'Everybody',
    serviceNumberId,
    messages: [{ type: 'buttons', title: 'Still there?', text: 'Say yes.', actions }],
    audience: { type: 'app_tags', appTagIds: [tagId], tagOperator: 'OR' },
    schedule: { type: 'immediate' },
  });
  return (await api.post<Campaign>(`/campaigns/${draft.id}:send`, {})).id;
}

/** Does something again and again, with a pause, until told to stop. */
function again(pauseMs: number, work: () => Promise<void>): () => Promise<void> {
  const stopping = new AbortController();
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await work();
      await setTimeout(pauseMs);
    }
  })();
  running.catch(() => undefined);
  return async () => {
    stopping.abort();
    await running;
  };
}

/** One click for each task of the platform, by its first contact, once it is delivered. */
function clicking(sandbox: JsonClient, tasks: () => Promise<Pick<PlatformTask, 'taskId'>[]>) {
  const clicked = new Set<string>();
  const first = new Map<string, string | undefined>();
  const click = async () => {
    for (const { taskId } of await tasks()) {
      if (clicked.has(taskId)) continue;
      if (!first.has(taskId))
        first.set(taskId, (await sandbox.get<PlatformTask>(`/sandbox/tasks/${taskId}`)).contactIds[0]);
      const pressed = await sandbox
        .post('/sandbox/clicks', { taskId, contactId: first.get(taskId), actionIndex: 0 })
        .then(() => true)
        // It is not delivered yet.
        .catch(() => false);
      if (pressed) clicked.add(taskId);
    }
  };
  return { clicked, stop: again(200, click) };
}

/** Orders of 8 points of the wallet and money, paid at the gateway. */
function paying(orders: RepeatingClient, sandbox: JsonClient) {
  const paid: string[] = [];
  const { tenantId } = ada;
  const pay = async () => {
    const order = { tenantId, title: 'A mug', grossMoneyAmount: 100, moneyAmount: 98, pointsPlan: { walletPoints: 8 } };
    const { data } = await orders.post<{ data: CreatedData }>('/user/order/create', order);
    await orders.post(`/user/order/${data.orderId}/pay`, { tenantId });
    const stored = await orders.get<{ data: StaffOrderData }>(`/admin/orders/${data.orderId}`);
    await sandbox.post(`/sandbox/charges/${stored.data.attempts[0]?.chargeId}:pay`, {});
    paid.push(data.orderId);
  };
  return { paid, stop: again(50, pay) };
}

/** Begins the send, and everything beside it. */
export async function startLoad(fleet: Fleet, tenant: TestTenant): Promise<Load> {
  const { platform } = fleet;
  const { addresses } = platform;
  const { sandbox, tenantId, serviceNumberId } = tenant;
  const failures: Failures = new Map();
  const token = await sandboxToken(sandbox, { sub: 'ada', tenantId, roles: ['tenant_admin'] });
  const api = repeatingClient(`${addresses.bff}/api/v1`, token, failures);
  const shop = await openShop(platform, ada);
  const { sub: userId, tenantId: shopId } = ada;
  await shop.post('/admin/points/grant', { tenantId: shopId, userId, kind: 'wallet', amount: 1_000_000, key: 'load' });
  const orders = repeatingClient(`${addresses.orders}/transaction/v1`, await sandboxToken(sandbox, ada), failures);

  const campaignId = await send(fleet, api, tenant);
  let accepted = 0;
  const platformTasks = async (withContacts = true) => {
    const path = `/sandbox/tasks?tenant=${tenantId}&serviceNumberId=${serviceNumberId}&limit=20000`;
    const { items } = await sandbox.get<{ items: PlatformTask[] }>(withContacts ? `${path}&contacts=1` : path);
    accepted = items.length;
    return items;
  };
  const clicks = clicking(sandbox, () => platformTasks(false));
  const pays = paying(orders, sandbox);
  const stopReading = again(50, async () => {
    await api.get('/overview');
    await api.get(`/campaigns/${campaignId}/progress`);
    await api.get('/campaigns');
  });
  return {
    campaignId,
    failures,
    api,
    done: () => ({ accepted, clicked: clicks.clicked.size, paid: pays.paid.length }),
    stop: async () => void (await Promise.all([clicks.stop(), pays.stop(), stopReading()])),
    subTasks: async () => (await api.get<Page<SubTask>>(`/campaigns/${campaignId}/tasks?limit=200`)).items,
    progress: () => api.get(`/campaigns/${campaignId}/progress`),
    platformTasks: () => platformTasks(),
    results: () => api.get(`/campaigns/${campaignId}/results`),
    orders: () => Promise.all(pays.paid.map((id) => shop.stored(id))),
    balances: shop.balances,
  };
}
