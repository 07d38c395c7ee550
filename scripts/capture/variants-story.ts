import type { Campaign } from '#domain/api/campaign.ts';
import type { VariantTest } from '#domain/api/variant-test.ts';
import { eventually } from '#test/support/time/eventually.ts';
import type { JsonClient } from '../demo/client.ts';

export interface VariantsStory {
  sandbox: JsonClient;
  api: JsonClient;
  tenant: string;
  send: (more: object) => Promise<Campaign>;
  /** So many that both variants and the rest have some. */
  contactIds: string[];
}

interface Task {
  taskId: string;
  contactIds: string[];
  messages: { title?: string }[];
}

const cardOf = (title: string) => ({
  type: 'buttons',
  title,
  text: 'Two ways to say it.',
  actions: [{ type: 'Postback', label: title, data: { bizEventCode: 'yes' } }],
});

/**
 * Tests of variants that decide by themselves, after a pause, and by hand, one that ends with its campaign, and one
 * that goes on.
 */
export async function playVariants({ sandbox, api, tenant, send, contactIds }: VariantsStory): Promise<void> {
  const start = async (decide: 'hand' | 'automatic'): Promise<string> => {
    const winner = { by: { type: 'clicks' }, decide, afterHours: 24, otherwise: 'best', minimum: 0 };
    const others = [{ name: 'Short', sharePercent: 40, messages: [cardOf('Short')] }];
    const audience = { type: 'contacts', contactIds };
    const variants = { name: 'Long', sharePercent: 40, others, winner };
    const { id } = await send({ audience, messages: [cardOf('Long')], variants });
    await until(
      id,
      ({ state, variants: all }) => state !== 'waiting' && all.every(({ outcomes }) => outcomes.notYet === 0),
    );
    return id;
  };
  const until = (id: string, holds: (test: VariantTest) => boolean) =>
    eventually('the test is there', async () => holds(await api.get<VariantTest>(`/campaigns/${id}/variants`)), {
      timeoutMs: 60_000,
    });

  /** The platform's tasks that have the card. */
  const tasksWith = async (title: string): Promise<Task[]> => {
    const { items } = await sandbox.get<{ items: Task[] }>(`/sandbox/tasks?tenant=${tenant}&limit=10`);
    const tasks = await Promise.all(items.map(({ taskId }) => sandbox.get<Task>(`/sandbox/tasks/${taskId}`)));
    return tasks.filter(({ messages: [first] }) => first?.title === title);
  };

  const byItself = await start('automatic');
  await api.post(`/campaigns/${byItself}:pause`);
  for (const { taskId, contactIds: sentTo } of await tasksWith('Short'))
    for (const contactId of sentTo) await sandbox.post('/sandbox/clicks', { taskId, contactId });
  await until(byItself, ({ verdict }) => verdict.verdict === 'proven');
  await api.post(`/campaigns/${byItself}:resume`);
  await until(byItself, ({ choice }) => choice !== null);

  await api.post(`/campaigns/${await start('hand')}/variants:choose`, { name: 'Long' });
  await api.post(`/campaigns/${await start('hand')}:cancel`);
  await start('hand');
}
