import type { Campaign, SubTask } from '#domain/api/campaign.ts';
import type { Message } from '#domain/api/messages.ts';
import type { Page } from '#domain/api/primitives.ts';
import type { Tag } from '#domain/api/tags.ts';
import type { JsonClient } from './client.ts';
import { tenant } from './content.ts';
import { until } from './patience.ts';
import { isOrdered } from './orders.ts';
import { payFully } from './payments.ts';
import { named } from './plans.ts';

const { tenantId, serviceNumberId } = tenant;

/** What customers buy who follow the link: mugs, and how much of the price goes back. */
const purchases: { qty: number; refunded: number }[] = [
  { qty: 1, refunded: 0 },
  { qty: 2, refunded: 0 },
  { qty: 1, refunded: 120 },
  { qty: 4, refunded: 0 },
  { qty: 1, refunded: 0 },
];

export const fromTheKiln = 'From the kiln';

const kiln = (shopUrl: string) => ({
  name: fromTheKiln,
  serviceNumberId,
  messages: [
    {
      type: 'buttons',
      title: fromTheKiln,
      text: 'Forty mugs, each one different. When they are gone, they are gone.',
      actions: [
        { type: 'Postback', label: 'Not for me', data: { event: 'Broadcast', bizEventCode: 'no-mug' } },
        { type: 'Url', label: 'To the shop', url: shopUrl },
      ],
    },
  ],
  schedule: { type: 'immediate' },
  revenueWindowDays: 7,
});

interface Seed {
  api: JsonClient;
  sandbox: JsonClient;
  orders: JsonClient;
}

/** The link as the platform sent it, with what names the campaign. */
async function sentToken({ api, sandbox }: Seed, campaignId: string): Promise<string | null> {
  const { items } = await api.get<Page<SubTask>>(`/campaigns/${campaignId}/tasks?limit=1`);
  const { messages } = await sandbox.get<{ messages: Message[] }>(`/sandbox/tasks/${items[0]?.taskId}`);
  const links = messages.flatMap((message) =>
    message.type === 'buttons' ? message.actions.flatMap((action) => (action.type === 'Url' ? [action.url] : [])) : [],
  );
  return new URL(links[0] ?? '').searchParams.get('clickToken');
}

/**
 * A campaign whose links lead to the sandbox's shop, and what some customers bought there: each start, the purchases that are
 * missing.
 */
export async function seedRevenue(seed: Seed, shopUrl: string, tag: Tag): Promise<void> {
  const { api, orders } = seed;
  const audience = { type: 'app_tags', appTagIds: [tag.tagId], tagOperator: 'OR' };
  const campaign = await named<Campaign>(api, '/campaigns', { ...kiln(shopUrl), audience });
  if (campaign.status === 'draft') await api.post(`/campaigns/${campaign.id}:send`, {});
  await until('the campaign with a shop is sent', async () => {
    const { status } = await api.get<Campaign>(`/campaigns/${campaign.id}`);
    return status === 'completed' || status === 'closed';
  });
  const clickToken = await sentToken(seed, campaign.id);
  await Promise.all(
    purchases.map(async ({ qty, refunded }, index) => {
      const title = `A mug from the kiln, no. ${index + 1}`;
      if (await isOrdered(orders, title)) return;
      const body = { tenantId, title, items: [{ goodsId: 'harbor-mug', qty }], clickToken };
      const { data } = await orders.post<{ data: { orderId: string } }>('/user/order/create', body);
      await payFully(seed, data.orderId);
      if (refunded > 0)
        await orders.post(`/admin/orders/${data.orderId}/refund`, { amount: refunded, reason: 'A crack', key: 'kiln' });
    }),
  );
}
