import type { Campaign, SubTask } from '#domain/api/campaign.ts';
import type { Message } from '#domain/api/messages.ts';
import type { Page } from '#domain/api/primitives.ts';
import type { Tag } from '#domain/api/tags.ts';
import type { VariantTest } from '#domain/api/variant-test.ts';
import { click } from './campaign.ts';
import type { JsonClient } from './client.ts';
import { tenant } from './content.ts';
import { until } from './patience.ts';
import { someOf } from './control-group.ts';
import { named } from './plans.ts';

const AT_ONCE = 25;

const card = (title: string, text: string): Message[] => [
  {
    type: 'buttons',
    title,
    text,
    actions: [{ type: 'Postback', label: 'Keep one for me', data: { bizEventCode: 'cake-wanted' } }],
  },
];

const plain = { name: 'Plain', sharePercent: 20, messages: card('Cake on Saturday', 'Fresh from ten.') };
const others = [
  { name: 'Price', sharePercent: 20, messages: card('Cake for 90', 'On Saturday, from ten.') },
  { name: 'Story', sharePercent: 20, messages: card('Grandmother’s cake', 'One pan, on Saturday at ten.') },
];

/** How many percent of those who got a card press its button: customers prefer the last one. */
const clicking: Record<string, number> = { 'Cake on Saturday': 7, 'Cake for 90': 9, 'Grandmother’s cake': 24 };

export const cake = {
  name: 'Cake on Saturday',
  serviceNumberId: tenant.serviceNumberId,
  messages: plain.messages,
  variants: {
    name: plain.name,
    sharePercent: plain.sharePercent,
    others,
    winner: { by: { type: 'clicks' }, decide: 'hand', afterHours: 72, otherwise: 'hand', minimum: 50 },
  },
  schedule: { type: 'immediate' },
};

interface SentTask {
  taskId: string;
  contactIds: string[];
  messages: { title?: string }[];
}

/** A campaign that tests three variants; customers have clicked, and the rest waits for somebody to choose. */
export async function seedVariants(
  { api, sandbox }: { api: JsonClient; sandbox: JsonClient },
  tag: Tag,
): Promise<void> {
  const audience = { type: 'app_tags', appTagIds: [tag.tagId], tagOperator: 'OR' };
  const { id, status, clickedContacts } = await named<Campaign>(api, '/campaigns', { ...cake, audience });
  if (status === 'draft') await api.post(`/campaigns/${id}:send`, {});
  if (clickedContacts > 0) return;
  await until('every variant is delivered', async () => {
    const { state, variants } = await api.get<VariantTest>(`/campaigns/${id}/variants`);
    return state === 'asking' && variants.every(({ outcomes }) => outcomes.notYet === 0);
  });
  const { items } = await api.get<Page<SubTask>>(`/campaigns/${id}/tasks?limit=200`);
  const taskIds = items.flatMap(({ taskId }) => taskId ?? []);
  const tasks = await Promise.all(taskIds.map((taskId) => sandbox.get<SentTask>(`/sandbox/tasks/${taskId}`)));
  const clicks = tasks.flatMap(({ taskId, contactIds, messages: [first] }) => {
    const clickedAt = new Date().toISOString();
    return someOf(contactIds, clicking[first?.title ?? ''] ?? 0).map((contactId) => ({
      taskId,
      contactId,
      actionIndex: 0,
      clickedAt,
    }));
  });
  while (clicks.length > 0) await Promise.all(clicks.splice(0, AT_ONCE).map((one) => click(sandbox, one)));
}
